//! Adoube: a UCI chess engine and the arbiter of engine games under the FIDE Laws of Chess.
//!
//! The modules and who may use whom; arrows point one way, and `tests/layers.rs` holds the code to it:
//!
//! ```text
//! types → board → movegen → eval → search → uci          the engine, one line
//! movegen → laws                                         the Laws of Chess: pure, no process, no clock of the system
//! laws → search                                          who can never mate, and nothing else
//! movegen → notation; notation + laws → openings         text forms; the books
//! openings → uci                                         the book that the engine plays from
//! movegen → tablebase → search                           Syzygy endgame tablebases
//! notation → engine                                      somebody else's program (or our own) as a process
//! laws + engine + tablebase → arbiter                    one game
//! arbiter + openings → tournament                        many games: schedule, journal, statistics
//! search, openings → training                            self-play data, teacher, trainer, network file
//! tournament → report                                    text, JSON
//! everything → cli → main
//! sys                                                    leaf: the machine underneath, from processors and memory to files
//! ```
//!
//! Moves are read, played and written:
//!
//! ```
//! use adoube::board::Position;
//! use adoube::notation::san::{parse_san, to_san};
//! use adoube::notation::uci_move::parse_uci;
//!
//! let start = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")?;
//! let mate = parse_uci("a1a8", &start)?;
//! assert_eq!(to_san(mate, &start), "Ra8#");
//! assert_eq!(parse_san("Ra8", &start)?, mate);
//! assert!(start.after(mate).is_checkmate());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search tells what it finds while it goes on in threads of its own; its last event is the move:
//!
//! ```
//! use adoube::board::{History, Position};
//! use adoube::search::{Event, Limits, Searcher, Settings, Task, unbounded};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")?;
//! let history = History::new(&position);
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let (sender, events) = unbounded();
//! let mut searcher = Searcher::new(8, 1)?;
//! searcher.start(Task { position, history, limits, events: Some(sender) }, Settings::default());
//! for event in events {
//!     match event {
//!         Event::Info(info) => println!("depth {}: {:?}, {} nodes", info.depth, info.score, info.nodes),
//!         Event::Finished { best, .. } => assert!(position.after(best.unwrap()).is_checkmate()),
//!         _ => {}
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The arbiter rules on what happens in a game, with the article that says so:
//!
//! ```
//! use adoube::board::Position;
//! use adoube::laws::dead::Solver;
//! use adoube::laws::{Clock, Edition, Event, Game, Regulations, TimeControl};
//! use adoube::notation::san::parse_san;
//! use std::time::Duration;
//!
//! let regulations = Regulations::of(Edition::Fide2023);
//! let (minute, second) = (Duration::from_secs(60), Duration::from_secs(1));
//! let clock = Clock::new(TimeControl::fischer(minute, second), regulations.clock_rules(), Duration::ZERO);
//! let mut prover = Solver::new();
//! let mut game = Game::new(regulations, Position::default(), [Some(clock.clone()), Some(clock)]);
//! for text in ["f3", "e5", "g4", "Qh4"] {
//!     let mv = parse_san(text, game.position())?;
//!     game.apply(Event::Move { mv, time: second }, &mut prover);
//! }
//! let verdict = game.verdict().unwrap();
//! assert_eq!(format!("{} {verdict}", verdict.result), "0-1 Black mates");
//! assert_eq!(verdict.article.unwrap().to_string(), "fide-2023:5.1.1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arbiter;
pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod laws;
pub mod movegen;
pub mod notation;
pub mod openings;
pub mod report;
pub mod search;
pub mod sys;
pub mod tablebase;
pub mod tournament;
pub mod training;
pub mod types;
pub mod uci;
