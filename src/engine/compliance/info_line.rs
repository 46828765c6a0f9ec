//! Whether an `info` line is written as clients read it, and whether the line of moves that it shows can be played.

use super::root::Root;
use crate::engine::info::{Info, Score, is_squares};
use crate::notation::uci_move::{parse_uci, to_uci};

/// What can be wrong with what an engine says while it thinks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fault {
    NoInfo,
    NoScore,
    /// Neither `info` nor anything else that UCI knows.
    StrangeLine,
    NotUtf8,
    TooLong,
    Flood,
    /// A word that UCI has not got, or no number where one belongs.
    BadInfo,
    BadBestmoveLine,
    IllegalPvMove,
    PvMoveSpelling,
    PvAfterCheckmate,
    PvAfterStalemate,
    PvAfterThreefold,
    PvAfterFiftyMoves,
    MatePvTooShort,
    MatePvTooLong,
    MatePvWithoutMate,
    OtherMoveThanPv,
    BadPonderMove,
}

/// True for words of the form that UCI moves have: in small letters, with a piece that a pawn can become or none.
pub(super) fn is_move_word(word: &str) -> bool {
    let piece = word.as_bytes().get(4);
    is_squares(word) && word.to_ascii_lowercase() == word && piece.is_none_or(|piece| b"nbrq".contains(piece))
}

/// What cannot be read in the words after `info`, if anything.
pub(super) fn grammar_problem(text: &str) -> Option<String> {
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut number = |most: u64| match words.next().map(str::parse::<u64>) {
            Some(Ok(number)) if number <= most => None,
            _ => Some(format!("says no whole number up to {most} after '{word}'")),
        };
        let problem = match word {
            // Clients keep depths in a byte, fishnet among them.
            "depth" | "seldepth" => number(u64::from(u8::MAX)),
            "hashfull" | "cpuload" => number(1000),
            "multipv" | "currmovenumber" | "movesleft" => number(u64::from(u32::MAX)),
            "time" | "nodes" | "nps" | "tbhits" | "sbhits" => number(u64::MAX),
            "score" => match (words.next(), words.next().map(str::parse::<i32>)) {
                (Some("cp" | "mate"), Some(Ok(_))) => None,
                _ => Some("says no 'cp' or 'mate' with a whole number after 'score'".to_string()),
            },
            "lowerbound" | "upperbound" => None,
            "wdl" => {
                let chances = [words.next(), words.next(), words.next()];
                let sum: Option<u64> =
                    chances.iter().map(|word| (*word)?.parse::<u32>().ok().map(u64::from)).sum();
                (sum != Some(1000))
                    .then(|| "says no three numbers that add up to 1000 after 'wdl'".to_string())
            }
            "currmove" => match words.next() {
                Some(mv) if is_move_word(mv) => None,
                _ => Some("says no move after 'currmove'".to_string()),
            },
            "pv" => {
                while words.next_if(|word| is_move_word(word)).is_some() {}
                // Clients take all words behind for moves, fishnet among them.
                words.peek().map(|word| format!("says '{word}' behind 'pv', where only moves belong"))
            }
            "refutation" | "currline" | "string" => return None,
            _ => Some(format!("says '{word}', which UCI has not got in 'info'")),
        };
        if problem.is_some() {
            return problem;
        }
    }
    None
}

/// What is wrong with the line of moves that `info` shows from `root`, if anything.
pub(super) fn pv_fault(info: &Info, root: &Root, chess960: bool) -> Option<(Fault, String)> {
    let mut board = root.clone();
    for (ply, word) in info.pv.iter().enumerate() {
        // Not at the root: engines may be asked about games that are over.
        if ply > 0
            && let Some((fault, end)) = game_end(&board)
        {
            return Some((fault, format!("shows a line that goes on with {word} after {end}")));
        }
        let Ok(mv) = parse_uci(word, &board.position) else {
            return Some((Fault::IllegalPvMove, format!("shows a line with an illegal move, {word}")));
        };
        let spelled = to_uci(mv, &board.position, chess960);
        if *word != spelled {
            return Some((Fault::PvMoveSpelling, format!("writes {word} for {spelled} in a line")));
        }
        board.play(mv, chess960);
    }
    let Some(Score::Mate(moves)) = info.score.filter(|_| !info.is_bound && !info.pv.is_empty()) else {
        return None;
    };
    let plies = if moves > 0 { 2 * moves as usize - 1 } else { 2 * moves.unsigned_abs() as usize };
    let length = info.pv.len();
    if length < plies {
        Some((
            Fault::MatePvTooShort,
            format!("announces mate in {moves} with a line of {length} plies, not {plies}"),
        ))
    } else if length > plies {
        Some((
            Fault::MatePvTooLong,
            format!("announces mate in {moves} with a line of {length} plies, not {plies}"),
        ))
    } else if !board.position.is_checkmate() {
        Some((
            Fault::MatePvWithoutMate,
            format!("announces mate in {moves} with a line that does not end in mate"),
        ))
    } else {
        None
    }
}

/// Why the game is over, if it is.
fn game_end(root: &Root) -> Option<(Fault, &'static str)> {
    if root.position.is_checkmate() {
        Some((Fault::PvAfterCheckmate, "checkmate"))
    } else if root.position.has_no_moves() {
        Some((Fault::PvAfterStalemate, "stalemate"))
    } else if root.history.occurrences() >= 3 {
        Some((Fault::PvAfterThreefold, "threefold repetition"))
    } else if root.position.halfmove_clock() >= 100 {
        Some((Fault::PvAfterFiftyMoves, "fifty moves without capture or pawn move"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_uci_has_is_read_and_what_it_has_not_is_found() {
        for good in [
            "depth 12 seldepth 20 multipv 1 score cp -21 nodes 4000000000 nps 1 hashfull 1000 tbhits 0 time 5 pv e2e4 e7e8q",
            "score mate -3 upperbound wdl 0 0 1000",
            "currmove e2e4 currmovenumber 1",
            "string anything score x",
            "refutation d1h5 g6h5",
            "",
        ] {
            assert_eq!(grammar_problem(good), None, "{good}");
        }
        for (bad, word) in [
            ("depth 256", "255"),
            ("depth x", "depth"),
            ("time -1", "time"),
            ("nps 1.5", "nps"),
            ("hashfull 1001", "1000"),
            ("score 12", "cp"),
            ("score cp 1.5", "cp"),
            ("wdl 1 2 3", "1000"),
            ("wdl 4294967295 1 1000", "1000"),
            ("pv e2e4 e7e8Q", "e7e8Q"),
            ("pv e2e4 e7e8k", "e7e8k"),
            ("pv E2e4", "E2e4"),
            ("pv e2e4 score cp 1", "score"),
            ("currmove Nf3", "currmove"),
            ("mood good", "mood"),
        ] {
            let problem = grammar_problem(bad).unwrap_or_else(|| panic!("{bad}"));
            assert!(problem.contains(word), "{bad}: {problem}");
        }
    }

    fn fault(root: &Root, info: &str) -> Option<Fault> {
        pv_fault(&Info::parse(info), root, false).map(|(fault, _)| fault)
    }

    #[test]
    fn lines_are_played_to_their_end() {
        let start = Root::start("");
        assert_eq!(fault(&start, "score cp 1 pv e2e4 e7e5"), None);
        assert_eq!(fault(&start, "score cp 1 pv e2e4 e2e4"), Some(Fault::IllegalPvMove));
        let twice = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
        assert_eq!(fault(&start, &format!("pv {twice}")), None);
        assert_eq!(fault(&start, &format!("pv {twice} e2e4")), Some(Fault::PvAfterThreefold));
        assert_eq!(fault(&Root::start(&twice), "pv e2e4 e7e5"), None, "the root may be a draw");
        let mated = Root::start("f2f3 e7e5 g2g4");
        assert_eq!(fault(&mated, "pv d8h4 e2e4"), Some(Fault::PvAfterCheckmate));
        let castling = Root::fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(fault(&castling, "pv e1h1"), Some(Fault::PvMoveSpelling));
        let stalemating = Root::fen("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1");
        assert_eq!(fault(&stalemating, "pv f2f7 h8g8"), Some(Fault::PvAfterStalemate));
        let old = Root::fen("7k/8/8/8/8/8/5Q2/K7 w - - 98 80");
        assert_eq!(fault(&old, "pv f2f3 h8g8"), None);
        assert_eq!(fault(&old, "pv f2f3 h8g8 f3f2"), Some(Fault::PvAfterFiftyMoves));
    }

    #[test]
    fn mates_have_the_length_that_is_said() {
        let mated = Root::start("f2f3 e7e5 g2g4");
        assert_eq!(fault(&mated, "score mate 1 pv d8h4"), None);
        assert_eq!(fault(&mated, "score mate 1 upperbound pv d7d5"), None);
        assert_eq!(fault(&mated, "score mate 1 pv d7d5"), Some(Fault::MatePvWithoutMate));
        assert_eq!(fault(&mated, "score mate 2 pv d8h4"), Some(Fault::MatePvTooShort));
        assert_eq!(fault(&mated, "score mate 1 pv d7d5 e2e4"), Some(Fault::MatePvTooLong));
        let losing = Root::start("f2f3 e7e5");
        assert_eq!(fault(&losing, "score mate -1 pv g2g4 d8h4"), None);
    }
}
