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
//! search, openings → training                            self-play data, trainer, network file
//! tournament → report                                    text, JSON
//! everything → cli → main
//! sys                                                    leaf: memory, affinity, signals, CPU features, pipes, processes
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
