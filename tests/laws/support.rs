//! A game under the Laws that tests play: with clocks of a speed, and a prover that looks at all positions that can come.

use adoube::board::{Board, Position};
use adoube::laws::event::{Fault, Ground};
use adoube::laws::{Bonus, Clock, Edition, Event, Game, Period, Prover, Regulations, TimeControl, What};
use adoube::notation::uci_move::parse_uci;
use adoube::types::{Color, Move, PieceType, Square};
use std::collections::HashSet;
use std::time::Duration;

pub use Edition::{Engine, Fide2005, Fide2014, Fide2018, Fide2023};
pub use adoube::types::Color::{Black, White};

pub const FIDE: [Edition; 4] = [Fide2005, Fide2014, Fide2018, Fide2023];
pub const START: &str = Board::START_FEN;
/// Neither king can pass the pawns, which cannot move.
pub const WALL: &str = "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1";
/// The only move takes the last piece.
pub const FORCED: &str = "r7/K1k5/8/8/8/8/8/8 w - - 0 1";
/// White mates with f7g7.
pub const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";

/// Eleven moves of each side from the start, after which nothing can be claimed.
pub const ELEVEN_MOVES: &str = "g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 c3b1 c6b8 e2e4 e7e5 d2d4 d7d5 a2a3 a7a6 h2h3 h7h6 \
                                b2b3 b7b6 g2g3 g7g6 b1d2 b8d7";

pub const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Knows nothing but what is left on the board.
struct Material;

impl Material {
    fn can_win(&self, position: &Position, side: Color) -> Option<bool> {
        let bare = !position.has_pieces(side) && position.pieces(side, PieceType::Pawn).is_empty();
        (bare || position.is_insufficient_material()).then_some(false)
    }
}

/// Knows what `Material` knows and, where few positions can come, all.
pub struct Exhaustive;

impl Exhaustive {
    const MOST: usize = 3000;
}

impl Prover for Exhaustive {
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool> {
        if let Some(answer) = Material.can_win(position, side) {
            return Some(answer);
        }
        let mut seen = HashSet::from([position.key()]);
        let mut waiting = vec![*position];
        let mut next = 0;
        while next < waiting.len() {
            let now = waiting[next];
            next += 1;
            if now.side_to_move() != side && now.is_checkmate() {
                return Some(true);
            }
            for after in now.legal_moves().into_iter().map(|mv| now.after(mv)) {
                if Material.can_win(&after, side).is_none() && seen.insert(after.key()) {
                    waiting.push(after);
                }
            }
            if seen.len() > Exhaustive::MOST {
                return None;
            }
        }
        Some(false)
    }

    fn is_dead(&mut self, position: &Position) -> bool {
        Color::ALL.into_iter().all(|side| self.can_win(position, side) == Some(false))
    }
}

/// Time controls that are of one speed in every edition.
pub fn standard() -> TimeControl {
    TimeControl::fischer(s(7200), s(0))
}

pub fn rapid() -> TimeControl {
    TimeControl::fischer(s(1800), s(0))
}

pub fn blitz() -> TimeControl {
    TimeControl::fischer(s(300), s(0))
}

pub fn periods(list: &[(Option<u32>, u64, Bonus)]) -> TimeControl {
    TimeControl::Periods(
        list.iter().map(|&(moves, time, bonus)| Period { moves, time: s(time), bonus }).collect(),
    )
}

/// A game that a test plays.
#[derive(Clone)]
pub struct Table {
    pub game: Game,
}

impl Table {
    pub fn without_clocks(edition: Edition, fen: &str) -> Table {
        Table { game: Game::new(Regulations::of(edition), position(fen), [None, None]) }
    }

    pub fn new(edition: Edition, fen: &str, control: TimeControl) -> Table {
        Table::under(Regulations::of(edition), fen, control)
    }

    pub fn under(regulations: Regulations, fen: &str, control: TimeControl) -> Table {
        let clock = Clock::new(control, regulations.clock_rules(), Duration::ZERO);
        Table { game: Game::new(regulations, position(fen), [Some(clock.clone()), Some(clock)]) }
    }

    /// Looks at the position before the first move.
    pub fn begun(mut self) -> Table {
        self.game.begin(&[], &mut Exhaustive);
        self
    }

    /// What the arbiter says to an event, in words with the article.
    pub fn says(&mut self, event: Event) -> Vec<String> {
        self.rulings(event).iter().map(ToString::to_string).collect()
    }

    pub fn rulings(&mut self, event: Event) -> Vec<adoube::laws::Ruling> {
        self.game.apply(event, &mut Exhaustive)
    }

    /// The move that a text means here; if it is none, the move of its squares.
    pub fn mv(&self, text: &str) -> Move {
        parse_uci(text, self.game.position()).unwrap_or_else(|_| {
            let [from, to] = [&text[0..2], &text[2..4]].map(|name| Square::parse(name).unwrap());
            match text.get(4..).unwrap_or_default() {
                "" => Move::normal(from, to),
                _ => Move::promotion(from, to, PieceType::Queen),
            }
        })
    }

    /// Plays moves that take so long each; all of them have to stand.
    pub fn play_in(&mut self, moves: &str, time: Duration) {
        for text in moves.split_whitespace() {
            assert!(self.stands_in(text, time), "{text}: {}", self.over());
        }
    }

    pub fn play(&mut self, moves: &str) {
        self.play_in(moves, Duration::ZERO);
    }

    pub fn play_first(&mut self, moves: &str, count: usize) {
        let some: Vec<&str> = moves.split_whitespace().take(count).collect();
        self.play(&some.join(" "));
    }

    /// Tries a move. True if it stands.
    pub fn stands_in(&mut self, text: &str, time: Duration) -> bool {
        let mv = self.mv(text);
        let rulings = self.rulings(Event::Move { mv, time });
        rulings.iter().any(|ruling| matches!(ruling.what, What::Stands(..)))
    }

    pub fn stands(&mut self, text: &str) -> bool {
        self.stands_in(text, Duration::ZERO)
    }

    pub fn illegal(&mut self, time: Duration) -> Vec<String> {
        self.says(Event::Irregular { fault: Fault::Illegal("a1a9".into()), time })
    }

    /// A claim of the player on move.
    pub fn claim(&mut self, ground: Ground, intended: Option<&str>) -> Vec<String> {
        let (by, intended) = (self.game.position().side_to_move(), intended.map(|text| self.mv(text)));
        self.says(Event::Claim { by, ground, intended, time: Duration::ZERO })
    }

    /// Result, reason and article, such as `1-0 Checkmate 5.1.1`; `-` while the game goes on.
    pub fn over(&self) -> String {
        let Some(verdict) = self.game.verdict() else { return "-".into() };
        let reason = format!("{:?}", verdict.reason);
        let reason = reason.split('(').next().unwrap();
        let article = verdict.article.map_or("-", |article| article.number);
        format!("{} {reason} {article}", verdict.result)
    }

    pub fn left(&self, player: Color) -> Duration {
        self.game.clock(player).unwrap().left()
    }

    pub fn fen(&self) -> String {
        self.game.position().to_fen(adoube::board::FenStyle::XFen)
    }
}

/// True if a legal move of these squares exists: what a player tries is judged by the arbiter's board.
pub fn is_legal(fen: &str, text: &str) -> bool {
    let mut table = Table::without_clocks(Engine, fen);
    let stands = table.stands(text);
    assert_eq!(!stands, table.over().contains("IllegalMove"), "what does not stand has lost");
    stands
}
