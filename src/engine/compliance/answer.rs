//! What an engine said to one `go`, held against the position.

use super::info_line::{Fault, grammar_problem, is_move_word, pv_fault};
use super::root::Root;
use super::talk::Heard;
use crate::engine::info::Info;
use crate::notation::uci_move::{parse_uci, to_uci};
use crate::types::Move;
use std::time::Duration;

/// An answer.
pub(super) struct Answer {
    /// The move, if it is legal.
    pub(super) mv: Option<Move>,
    /// What `bestmove` was followed by.
    pub(super) word: String,
    /// The `info` lines that were no `info string`, in their order.
    pub(super) infos: Vec<Info>,
    /// From `go` to `bestmove`.
    pub(super) took: Duration,
}

impl Answer {
    /// The greatest depth that an exact score was told for, of any line.
    pub(super) fn depth(&self) -> u32 {
        let exact = self.infos.iter().filter(|info| info.score.is_some() && !info.is_bound);
        exact.filter_map(|info| info.depth).max().unwrap_or(0)
    }

    /// The last exact line about the best move.
    pub(super) fn last_info(&self) -> Option<&Info> {
        self.scored().rfind(|info| !info.is_bound)
    }

    /// What it says of the best move, of one iteration after the other.
    fn scored(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.infos.iter().filter(|info| info.score.is_some() && info.multipv.unwrap_or(1) == 1)
    }
}

/// What is wrong with an answer.
#[derive(Default)]
pub(super) struct Verdict {
    /// Why the move cannot be played, if it cannot.
    pub(super) bad_move: Option<String>,
    /// What else is wrong: what, in words, and the line that shows it.
    pub(super) faults: Vec<(Fault, String, String)>,
}

/// How castling is spelled, and how many lines were asked for.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) chess960: bool,
    pub(super) multipv: u32,
}

/// Reads the lines from `go` to `bestmove`, the latter being the last.
pub(super) fn judge(lines: &[Heard], root: &Root, mode: Mode, took: Duration) -> (Answer, Verdict) {
    let mut answer = Answer { mv: None, word: String::new(), infos: vec![], took };
    let mut verdict = Verdict::default();
    let Some((last, before)) = lines.split_last() else { return (answer, verdict) };
    for line in before {
        judge_line(line, root, mode, &mut answer, &mut verdict);
    }
    let fault =
        |verdict: &mut Verdict, fault, what: String| verdict.faults.push((fault, what, last.text.clone()));
    let mut words = last.text.split_ascii_whitespace().skip(1);
    answer.word = words.next().unwrap_or_default().to_string();
    judge_move(root, mode, &mut answer, &mut verdict);
    // An engine that has found no move had nothing to show either: told once is enough.
    if answer.mv.is_some() {
        if answer.infos.is_empty() {
            fault(&mut verdict, Fault::NoInfo, "shows no info line before its move".to_string());
        } else if answer.infos.iter().all(|info| info.score.is_none()) {
            fault(&mut verdict, Fault::NoScore, "shows no score before its move".to_string());
        }
    }
    match (words.next(), words.next(), words.next()) {
        (None, ..) => {}
        (Some("ponder"), Some(word), None) => {
            if let Some(mv) = answer.mv {
                let mut next = root.clone();
                next.play(mv, mode.chess960);
                if parse_uci(word, &next.position).is_err() || !is_move_word(word) {
                    fault(
                        &mut verdict,
                        Fault::BadPonderMove,
                        format!("wants to ponder on {word}, which is illegal"),
                    );
                }
            }
        }
        // PyChess ponders only if there are exactly four words.
        _ => fault(
            &mut verdict,
            Fault::BadBestmoveLine,
            "says something else than 'bestmove A' or 'bestmove A ponder B'".to_string(),
        ),
    }
    if let (Some(info), Some(_)) = (answer.last_info(), answer.mv)
        && let Some(first) = info.pv.first()
        && *first != answer.word
    {
        // A last bound may have shown the new move.
        let is_shown_later =
            answer.scored().next_back().is_some_and(|info| info.pv.first() == Some(&answer.word));
        if !is_shown_later {
            let what = format!("plays {} after a last line that begins with {first}", answer.word);
            fault(&mut verdict, Fault::OtherMoveThanPv, what);
        }
    }
    (answer, verdict)
}

fn judge_line(line: &Heard, root: &Root, mode: Mode, answer: &mut Answer, verdict: &mut Verdict) {
    let mut found = |fault, what: String| verdict.faults.push((fault, what, line.text.clone()));
    if !line.is_utf8 {
        found(Fault::NotUtf8, "says something that is no UTF-8".to_string());
    }
    let rest = match line.text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some(("info", rest)) => rest.trim_start(),
        _ if line.text.is_empty() || line.text == "readyok" => return,
        _ => return found(Fault::StrangeLine, "says something while it thinks that is no UCI".to_string()),
    };
    if rest.starts_with("string") {
        return;
    }
    if line.is_utf8
        && let Some(problem) = grammar_problem(rest)
    {
        found(Fault::BadInfo, problem);
    }
    let info = Info::parse(rest);
    if info.multipv.unwrap_or(1) > mode.multipv {
        found(Fault::BadInfo, format!("shows line {} of {}", info.multipv.unwrap_or(1), mode.multipv));
    }
    if let Some((fault, what)) = pv_fault(&info, root, mode.chess960) {
        found(fault, what);
    }
    answer.infos.push(info);
}

/// The move alone: must be legal, and spelled as UCI spells it.
fn judge_move(root: &Root, mode: Mode, answer: &mut Answer, verdict: &mut Verdict) {
    let word = &answer.word;
    if root.position.has_no_moves() {
        if !["(none)", "0000"].contains(&word.as_str()) {
            verdict.bad_move =
                Some(format!("plays '{word}' where there is no legal move, not '(none)' or '0000'"));
        }
        return;
    }
    match parse_uci(word, &root.position) {
        Err(error) => verdict.bad_move = Some(format!("plays an illegal move: {error}")),
        Ok(mv) => {
            let spelled = to_uci(mv, &root.position, mode.chess960);
            if *word != spelled {
                verdict.bad_move = Some(format!("writes {word} for the move {spelled}"));
            }
            answer.mv = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Mode = Mode { chess960: false, multipv: 1 };

    fn check(root: &Root, lines: &[&str]) -> (Option<String>, Vec<Fault>) {
        let lines: Vec<Heard> =
            lines.iter().map(|text| Heard { text: text.to_string(), is_utf8: true }).collect();
        let (_, verdict) = judge(&lines, root, ONE, Duration::ZERO);
        (verdict.bad_move, verdict.faults.into_iter().map(|(fault, ..)| fault).collect())
    }

    #[test]
    fn answers_are_held_against_the_position() {
        let start = Root::start("");
        let info = "info depth 1 score cp 1 pv e2e4";
        assert_eq!(
            check(&start, &[info, "", "info string hello", "bestmove e2e4 ponder e7e5"]),
            (None, vec![])
        );
        for (lines, fault) in [
            (&["bestmove e2e4"][..], Fault::NoInfo),
            (&["info depth 1", "bestmove e2e4"], Fault::NoScore),
            (&[info, "bestmove d2d4"], Fault::OtherMoveThanPv),
            (&[info, "bestmove e2e4 ponder e2e4"], Fault::BadPonderMove),
            (&[info, "bestmove e2e4 ponder (none)"], Fault::BadPonderMove),
            (&[info, "bestmove e2e4 because it is good"], Fault::BadBestmoveLine),
            (&[info, "thinking hard", "bestmove e2e4"], Fault::StrangeLine),
            (&[info, "info depth 1 multipv 2 score cp 1", "bestmove e2e4"], Fault::BadInfo),
        ] {
            assert_eq!(check(&start, lines), (None, vec![fault]), "{lines:?}");
        }
        let later = "info depth 2 score cp 9 lowerbound pv d2d4";
        assert_eq!(check(&start, &[info, later, "bestmove d2d4"]), (None, vec![]));
        let current = "info depth 2 currmove d2d4 currmovenumber 1";
        assert_eq!(check(&start, &[info, later, current, "bestmove d2d4"]), (None, vec![]));
        for bad in ["bestmove", "bestmove e2e5", "bestmove hello", "bestmove (none)", "bestmove E2E4"] {
            assert!(check(&start, &[info, bad]).0.is_some(), "{bad}");
        }
    }

    /// What a client says at the same time belongs to nothing, and what is told to people is no line of thought.
    #[test]
    fn what_is_no_thought_is_passed_over() {
        let start = Root::start("");
        let info = "info depth 1 score cp 1 pv e2e4";
        assert_eq!(check(&start, &[info, "readyok", "bestmove e2e4"]), (None, vec![]));
        assert_eq!(
            check(&start, &["info string depth 1 score cp 1", "bestmove e2e4"]),
            (None, vec![Fault::NoInfo])
        );
        // Nothing more is held against an engine that has no move.
        assert_eq!(check(&start, &["bestmove hello"]).1, []);
    }

    #[test]
    fn the_deepest_exact_score_counts_and_the_last_line_of_the_best_move() {
        let lines = [
            "info depth 3 score cp 30 pv e2e4",
            "info depth 3 multipv 2 score cp 40 pv d2d4",
            "info depth 2 score cp 20 pv e2e4",
            "info depth 1 multipv 2 score cp 40 pv d2d4",
            "info depth 9 score cp 90 lowerbound pv g1f3",
            "bestmove e2e4",
        ];
        let heard = lines.map(|text| Heard { text: text.to_string(), is_utf8: true });
        let two = Mode { chess960: false, multipv: 2 };
        let (answer, verdict) = judge(&heard, &Root::start(""), two, Duration::ZERO);
        assert!(verdict.bad_move.is_none() && verdict.faults.is_empty());
        assert_eq!((answer.depth(), answer.last_info().and_then(|info| info.depth)), (3, Some(2)));
    }

    #[test]
    fn castling_is_spelled_as_the_mode_says() {
        let root = Root::after_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", true);
        for (chess960, castling) in [(false, "e1g1"), (true, "e1h1")] {
            let lines = [format!("info score cp 1 pv {castling}"), format!("bestmove {castling}")];
            let heard = lines.map(|text| Heard { text, is_utf8: true });
            for asked in [false, true] {
                let (_, verdict) = judge(&heard, &root, Mode { chess960: asked, multipv: 1 }, Duration::ZERO);
                let is_right = verdict.bad_move.is_none() && verdict.faults.is_empty();
                assert_eq!(is_right, asked == chess960, "{castling}: {:?}", verdict.bad_move);
            }
        }
    }

    #[test]
    fn no_move_is_right_where_there_is_none() {
        let mated = Root::start("f2f3 e7e5 g2g4 d8h4");
        assert_eq!(check(&mated, &["bestmove (none)"]), (None, vec![]));
        assert_eq!(check(&mated, &["bestmove 0000"]), (None, vec![]));
        assert!(check(&mated, &["bestmove a1a1"]).0.is_some());
    }
}
