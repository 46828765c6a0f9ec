//! Whether the line that an engine shows can be played, and what else is wrong with its last word.

use crate::board::{History, Position};
use crate::engine::dialogue::LONGEST_KEPT;
use crate::engine::info::{Info, Score};
use crate::laws::game::{end_by_position, end_by_repetition};
use crate::laws::{Edition, Reason};
use crate::notation::characters::legible;
use crate::notation::uci_move::parse_uci;
use crate::types::Move;

/// What is wrong with what an engine said of its move, if anything: in the words that follow its name. With `whole_mates`
/// a line whose score is a mate has to lead to it. Of what is long the beginning is told: engines write lines of any length.
pub fn complaint(
    info: &Info,
    played: Move,
    position: &Position,
    history: &History,
    edition: Edition,
    whole_mates: bool,
) -> Option<String> {
    let mut board = *position;
    let mut history = history.clone();
    let shown = || legible(&info.pv.join(" "), LONGEST_KEPT);
    for (ply, word) in info.pv.iter().enumerate() {
        if ply > 0
            && let Some(end) = end_of(&board, &history, edition)
        {
            return Some(format!("shows a wrong line: PV continues after {end}; pv {}", shown()));
        }
        let Ok(mv) = parse_uci(word, &board) else {
            return Some(format!("shows a wrong line: Illegal PV move {word}; pv {}", shown()));
        };
        if ply == 0 && mv != played && !info.is_bound {
            return Some(format!("plays another move than that of its line, which begins with {word}"));
        }
        board = board.after(mv);
        history.push(&board);
    }
    if let Some(Score::Mate(moves)) = info.score
        && !info.pv.is_empty()
        && !info.is_bound
    {
        let plies = if moves > 0 { 2 * moves as usize - 1 } else { 2 * moves.unsigned_abs() as usize };
        if info.pv.len() > plies {
            return Some(format!("announces mate in {moves} and shows a longer line: {}", shown()));
        }
        if whole_mates && (info.pv.len() < plies || !board.is_checkmate()) {
            return Some(format!("announces mate in {moves} and shows a line without it: {}", shown()));
        }
    }
    None
}

/// How the rules end the game here, if they do without a claim, in the words that testers of engines look for.
fn end_of(position: &Position, history: &History, edition: Edition) -> Option<&'static str> {
    let by_position = end_by_position(position, edition).map(|(_, reason, _)| reason);
    match by_position.or_else(|| end_by_repetition(history, edition).map(|(reason, _)| reason))? {
        Reason::Checkmate => Some("checkmate"),
        Reason::Stalemate => Some("stalemate"),
        Reason::FiftyMoves => Some("fifty moves"),
        Reason::SeventyFiveMoves => Some("seventy-five moves"),
        Reason::ThreefoldRepetition => Some("threefold repetition"),
        Reason::FivefoldRepetition => Some("fivefold repetition"),
        // Engines think on where nobody can mate any more.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, played: &str, info: &str) -> Option<String> {
        check_by(Edition::Engine, fen, played, info)
    }

    fn check_by(edition: Edition, fen: &str, played: &str, info: &str) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        let played = parse_uci(played, &position).unwrap();
        complaint(&Info::parse(info), played, &position, &History::new(&position), edition, true)
    }

    #[test]
    fn lines_are_played_out() {
        let start = crate::board::Board::START_FEN;
        assert_eq!(check(start, "e2e4", "score cp 1 pv e2e4 e7e5"), None);
        assert_eq!(check(start, "e2e4", "score cp 1"), None);
        assert!(check(start, "e2e4", "pv e2e4 e2e4").unwrap().contains("Illegal PV move e2e4"));
        let flood = check(start, "e2e4", &format!("pv {}", "e2e4 ".repeat(12_000))).unwrap();
        let before = "shows a wrong line: Illegal PV move e2e4; pv ";
        assert!(flood.starts_with(before), "{flood:.600}");
        assert_eq!(flood.len(), before.len() + LONGEST_KEPT);
        assert!(check(start, "e2e4", "pv d2d4 e7e5").unwrap().contains("another move"));
        assert_eq!(check(start, "e2e4", "score cp 1 upperbound pv d2d4 e7e5"), None);
        let repetition = format!("pv {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(2) + "e2e4");
        assert!(check(start, "g1f3", &repetition).unwrap().contains("continues after threefold repetition"));
    }

    #[test]
    fn lines_end_with_the_game() {
        let mate = "7k/R7/1R6/8/8/8/8/K7 w - - 0 1";
        assert!(check(mate, "b6b8", "pv b6b8 h8g8").unwrap().contains("after checkmate"));
        let stalemate = "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1";
        assert!(check(stalemate, "g5g6", "pv g5g6 h8g8").unwrap().contains("after stalemate"));
        let old = "7k/R7/1R6/8/8/8/8/K7 w - - 99 80";
        assert!(check(old, "b6b1", "pv b6b1 h8g8").unwrap().contains("after fifty moves"));
        for edition in [Edition::Fide2005, Edition::Fide2014, Edition::Fide2023] {
            assert_eq!(check_by(edition, old, "b6b1", "pv b6b1 h8g8"), None, "only on a claim");
            let older = old.replace("99", "149");
            let complaint = check_by(edition, &older, "b6b1", "pv b6b1 h8g8");
            assert_eq!(complaint.is_some(), edition != Edition::Fide2005, "{edition}");
            assert!(complaint.is_none_or(|text| text.contains("after seventy-five moves")));
            let start = crate::board::Board::START_FEN;
            let repeated = |times| format!("pv {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(times) + "e2e4");
            assert_eq!(check_by(edition, start, "g1f3", &repeated(2)), None);
            let complaint = check_by(edition, start, "g1f3", &repeated(4));
            assert_eq!(complaint.is_some(), edition != Edition::Fide2005, "{edition}");
        }
    }

    #[test]
    fn in_2014_five_times_are_every_four_plies() {
        let fen = "k7/8/8/8/8/8/8/K6R w - - 0 1";
        let (four, six) = ("h1g1 a8b8 g1h1 b8a8", "h1g1 a8b8 g1f1 b8b7 f1h1 b7a8");
        let line = |cycles: [&str; 4]| format!("pv {} h1h2", cycles.join(" "));
        for (cycles, complained) in [([four; 4], [true, true]), ([four, six, four, six], [false, true])] {
            let complaints = [Edition::Fide2014, Edition::Fide2018]
                .map(|edition| check_by(edition, fen, "h1g1", &line(cycles)).is_some());
            assert_eq!(complaints, complained);
        }
    }

    #[test]
    fn mates_are_as_long_as_said() {
        let fen = "7k/8/R7/1R6/8/8/8/K7 w - - 0 1";
        assert!(check(fen, "b5b7", "score mate 2 pv b5b7 h8g8").unwrap().contains("without it"));
        assert_eq!(check(fen, "b5b7", "score mate 2 pv b5b7 h8g8 a6a8"), None);
        let fen = "7k/R7/1R6/8/8/8/8/K7 w - - 0 1";
        assert_eq!(check(fen, "b6b8", "score mate 1 pv b6b8"), None);
        assert!(check(fen, "b6b1", "score mate 1 pv b6b1 h8g8 b1g1").unwrap().contains("mate in 1"));
        // Who is mated makes as many moves as his opponent.
        let fen = "7k/R7/1R6/8/8/8/8/K7 b - - 0 1";
        assert_eq!(check(fen, "h8g8", "score mate -1 pv h8g8 b6b8"), None);
        assert!(check(fen, "h8g8", "score mate -1 pv h8g8").unwrap().contains("without it"));
        let longer = check(fen, "h8g8", "score mate -1 pv h8g8 b6b1 g8f8").unwrap();
        assert!(longer.contains("mate in -1 and shows a longer line"), "{longer}");
    }
}
