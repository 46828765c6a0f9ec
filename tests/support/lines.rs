//! What the engine says of its search, read strictly and held against the rules of the game.

use adoube::board::{Board, History, Position};
use adoube::notation::uci_move::{parse_uci, to_uci};
use adoube::types::Move;

/// A game up to the position that is searched.
#[derive(Clone)]
pub struct Game {
    pub position: Position,
    pub history: History,
    pub chess960: bool,
}

impl Game {
    pub fn new(fen: &str) -> Game {
        let position =
            Position::from(Board::from_fen_lenient(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
        Game { position, history: History::new(&position), chess960: false }
    }

    /// A legal move in the only spelling that the engine may use.
    pub fn read(&self, text: &str) -> Move {
        let mv = parse_uci(text, &self.position).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(to_uci(mv, &self.position, self.chess960), text);
        mv
    }

    pub fn play(&mut self, text: &str) {
        self.position = self.position.after(self.read(text));
        self.history.push(&self.position);
    }

    pub fn is_mate(&self) -> bool {
        self.position.in_check() && self.position.has_no_moves()
    }

    /// Mate or draw, as the programs that run matches see it.
    pub fn is_over(&self) -> bool {
        self.position.has_no_moves()
            || self.history.occurrences() >= 3
            || self.position.halfmove_clock() >= 100
            || self.position.is_insufficient_material()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Centipawns(i64),
    Mate(i64),
}

/// An `info` line with a score.
#[derive(Clone, Debug)]
pub struct InfoLine {
    pub depth: u64,
    pub rank: u64,
    pub score: Said,
    /// The score is a bound: the position is worth as much at least.
    pub is_lower_bound: bool,
    pub wdl: Option<[u64; 3]>,
    pub nodes: u64,
    pub time: u64,
    pub pv: Vec<String>,
}

impl InfoLine {
    /// Reads a line whose fields stand in the one order that all clients understand.
    pub fn read(line: &str) -> InfoLine {
        let mut words = line.split(' ');
        let mut expect = |expected: &str| {
            let found = words.next();
            assert_eq!(found, Some(expected), "where '{expected}' belongs in: {line}");
        };
        expect("info");
        expect("depth");
        let mut words = words.peekable();
        fn number<T: std::str::FromStr>(word: Option<&str>, line: &str) -> T {
            word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no whole number: {line}"))
        }
        let depth: u64 = number(words.next(), line);
        assert!(depth <= 245, "{line}");
        let mut field = |name: &str| -> u64 {
            assert_eq!(words.next(), Some(name), "{line}");
            number(words.next(), line)
        };
        let (mut rank, mut nodes, mut time, mut pv) = (1, 0, 0, vec![]);
        if depth > 0 {
            let seldepth = field("seldepth");
            assert!(seldepth >= depth && seldepth <= 255, "{line}");
            rank = field("multipv");
        }
        assert_eq!(words.next(), Some("score"), "{line}");
        let kind = words.next();
        let value: i64 = number(words.next(), line);
        let score = match kind {
            Some("cp") => Said::Centipawns(value),
            Some("mate") => Said::Mate(value),
            _ => panic!("{line}"),
        };
        let is_lower_bound = words.next_if_eq(&"lowerbound").is_some();
        let wdl = words.next_if_eq(&"wdl").is_some().then(|| [0; 3].map(|_: i32| number(words.next(), line)));
        if depth > 0 {
            let mut field = |name: &str| -> u64 {
                assert_eq!(words.next(), Some(name), "{line}");
                number(words.next(), line)
            };
            nodes = field("nodes");
            field("nps");
            assert!(field("hashfull") <= 1000, "{line}");
            field("tbhits");
            time = field("time");
            assert_eq!(words.next(), Some("pv"), "{line}");
            pv = words.by_ref().map(str::to_string).collect();
        }
        assert_eq!(words.next(), None, "{line}");
        InfoLine { depth, rank, score, is_lower_bound, wdl, nodes, time, pv }
    }

    /// Plays the line: every move legal, nothing after the end of the game, and a mate just as far away as announced.
    fn check(&self, root: &Game) {
        let mut game = root.clone();
        for (index, mv) in self.pv.iter().enumerate() {
            assert!(index == 0 || !game.is_over(), "the line goes on behind the end of the game: {self:?}");
            game.play(mv);
        }
        assert!(!self.pv.is_empty(), "{self:?}");
        if let Said::Mate(moves) = self.score {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert!(!self.is_lower_bound, "{self:?}");
            assert!(plies > 0 && self.pv.len() as i64 == plies, "no mate in {plies} plies: {self:?}");
            assert!(game.is_mate(), "the line ends without mate: {self:?}");
        }
        if let Some(wdl) = self.wdl {
            assert_eq!(wdl.iter().sum::<u64>(), 1000, "{self:?}");
        }
    }
}

/// The lines of one search, checked.
pub struct Search {
    pub infos: Vec<InfoLine>,
    pub best: String,
}

impl Search {
    /// Checks what a search from `root` said, with as many lines as were asked for.
    pub fn check(lines: &[String], root: &Game, multi_pv: usize) -> Search {
        let (last, before) = lines.split_last().expect("an answer");
        let told = |line: &&String| !line.starts_with("info string ") && !line.contains(" currmove ");
        let infos: Vec<InfoLine> = before.iter().filter(told).map(|line| InfoLine::read(line)).collect();
        let count = multi_pv.min(root.position.legal_moves().len());
        assert!(infos.len().is_multiple_of(count) && !infos.is_empty(), "not {count} lines each: {lines:#?}");
        for group in infos.chunks(count) {
            for (info, rank) in group.iter().zip(1..) {
                assert_eq!((info.rank, info.depth), (rank, group[0].depth), "{lines:#?}");
                info.check(root);
            }
            let firsts: std::collections::BTreeSet<_> = group.iter().map(|info| &info.pv[0]).collect();
            assert_eq!(firsts.len(), count, "two lines for one move: {group:#?}");
        }
        // Only the last line may be of an iteration that was cut off.
        let bounds = infos[..infos.len() - usize::from(count == 1)].iter().find(|info| info.is_lower_bound);
        assert!(bounds.is_none(), "{bounds:?}");
        for pair in infos.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].time <= pair[1].time, "{pair:#?}");
        }
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder)),
            _ => panic!("{last}"),
        };
        assert_eq!(infos[infos.len() - count].pv[0], best, "{lines:#?}");
        let mut game = root.clone();
        game.play(best);
        if let Some(ponder) = ponder {
            assert!(!game.is_over(), "pondering behind the end: {lines:#?}");
            game.play(ponder);
            assert!(!game.position.has_no_moves(), "pondering on the last move: {lines:#?}");
        }
        Search { best: best.to_string(), infos }
    }

    pub fn last(&self) -> &InfoLine {
        self.infos.last().unwrap()
    }
}
