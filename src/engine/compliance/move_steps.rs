//! The steps about moves: how they are spelled, mate and stalemate on the board, long games.

use super::Step;
use super::root::Root;
use super::tester::{Done, Tester};
use crate::engine::info::Score;

pub(super) const STEPS: &[Step] = &[
    Step { name: "Castle as UCI writes it", run: castle },
    Step { name: "Promote as UCI writes it", run: |tester| only(tester, "8/P7/8/8/8/6p1/5k2/7K w - - 0 1") },
    Step { name: "Capture en passant", run: |tester| only(tester, "6r1/8/4p3/3pP3/8/7k/8/7K w - d6 0 1") },
    Step {
        name: "Keep pinned pieces where they are",
        run: |tester| only(tester, "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"),
    },
    Step { name: "Play the only legal move", run: |tester| only(tester, "7k/8/8/8/8/8/r7/7K w - - 0 1") },
    Step {
        name: "Castle in Chess960",
        // Shredder-FEN names the files of the rooks; Cute Chess, fastchess, Nibbler and python-chess send it.
        run: |tester| castle_960(tester, "GBgb", "HAha"),
    },
    Step {
        name: "Castle in Chess960 after an X-FEN",
        // X-FEN is what people paste and what files hold: who misreads it does not break the clients that play games.
        run: |tester| {
            tester.is_lenient = true;
            castle_960(tester, "KQkq", "KQkq")
        },
    },
    Step { name: "Find mate in one", run: mate_in_one },
    Step { name: "Tell mates from the mover's side", run: mate_signs },
    Step { name: "Answer in a position with checkmate", run: |tester| no_move(tester, MATED) },
    Step { name: "Answer in a position with stalemate", run: |tester| no_move(tester, STALEMATED) },
    Step { name: "Read a game of 600 plies", run: long_game },
];

const SHORT: &str = "movetime 50";
/// White is mated.
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
/// Black is stalemated.
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// A position in which the spelling or the legality of the answer is the question.
fn only(tester: &mut Tester, fen: &str) -> Done {
    tester.go(&Root::fen(fen), SHORT)?;
    tester.sync().map(drop)
}

/// Castling is asked for, since no position leaves nothing else; and it is told, both ways.
fn castle(tester: &mut Tester) -> Done {
    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    tester.go(&Root::fen(FEN), &format!("{SHORT} searchmoves e1g1"))?;
    tester.go(&Root::after_fen(FEN, "e1g1 e8e7", false), SHORT)?;
    tester.go(&Root::after_fen("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8 e1e2", false), SHORT)?;
    tester.sync().map(drop)
}

/// The rights are those of rooks that stand on b and g, and in the corners.
fn castle_960(tester: &mut Tester, rights: &str, usual_rights: &str) -> Done {
    if tester.option("UCI_Chess960").is_none() {
        return tester.skip("it declares no UCI_Chess960");
    }
    tester.set_chess960(true)?;
    tester.sync()?;
    let fen = format!("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w {rights} - 0 1");
    let answer = tester.go(&Root::after_fen(&fen, "", true), &format!("{SHORT} searchmoves e1g1"))?;
    // To an engine that does not castle so, the word means nothing or a step of two squares.
    if answer.mv.is_some() && answer.word != "e1g1" && tester.heeds_searchmoves {
        tester.warn(format!("plays {} where castling, e1g1, was the only searchmove", answer.word));
    }
    tester.go(&Root::after_fen(&fen, "e1g1 e8b8", true), SHORT)?;
    // The usual array, with castling written king takes rook: by us, and by the engine if it castles.
    let usual = format!("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w {usual_rights} - 0 1");
    tester.go(&Root::after_fen(&usual, "e1h1 e8a8", true), SHORT)?;
    tester.go(&Root::after_fen(&usual, "", true), &format!("{SHORT} searchmoves e1h1"))?;
    tester.set_chess960(false)?;
    tester.sync().map(drop)
}

fn mate_in_one(tester: &mut Tester) -> Done {
    let root = Root::start("f2f3 e7e5 g2g4");
    let answer = tester.go(&root, "depth 8")?;
    if let Some(mv) = answer.mv {
        if !root.position.after(mv).is_checkmate() {
            tester.warn(format!("plays {} where d8h4 is mate", answer.word));
        } else if let Some(score) = answer.last_info().and_then(|info| info.score)
            && score != Score::Mate(1)
        {
            tester.warn(format!("tells {score:?} for a mate in one"));
        }
    }
    tester.sync().map(drop)
}

/// What one side announces, the other one has to expect.
fn mate_signs(tester: &mut Tester) -> Done {
    let mut root = Root::fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let mut before: Option<Score> = None;
    for _ in 0..3 {
        let answer = tester.go(&root, "depth 6")?;
        let score = answer.last_info().and_then(|info| info.score);
        if let (Some(Score::Mate(last)), Some(Score::Mate(now))) = (before, score)
            && last.signum() == now.signum()
        {
            tester.warn(format!("tells mate {last}, and one ply later for the other side mate {now}"));
        }
        before = score;
        let Some(mv) = answer.mv else { break };
        root.play(mv, false);
        if root.is_over() {
            break;
        }
    }
    tester.sync().map(drop)
}

/// GUIs ask about such positions when one steps through a game.
fn no_move(tester: &mut Tester, fen: &str) -> Done {
    let answer = tester.go(&Root::fen(fen), "depth 3")?;
    if answer.infos.iter().all(|info| info.score.is_none()) {
        // fishnet gives up the whole game without one.
        tester.warn("shows no score before its answer");
    }
    tester.sync().map(drop)
}

fn long_game(tester: &mut Tester) -> Done {
    tester.go(&Root::long(600), SHORT)?;
    tester.sync().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(fen: &str) -> Vec<String> {
        let position = Root::fen(fen).position;
        let legal = position.legal_moves();
        let mut words: Vec<String> =
            legal.iter().map(|&mv| crate::notation::uci_move::to_uci(mv, &position, false)).collect();
        words.sort();
        words
    }

    #[test]
    fn positions_ask_what_they_are_meant_to() {
        assert_eq!(moves("8/P7/8/8/8/6p1/5k2/7K w - - 0 1"), ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
        assert_eq!(moves("6r1/8/4p3/3pP3/8/7k/8/7K w - d6 0 1"), ["e5d6"]);
        assert_eq!(moves("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1"), ["e1d1", "e1d2", "e1f1", "e1f2"]);
        assert_eq!(moves("7k/8/8/8/8/8/r7/7K w - - 0 1"), ["h1g1"]);
        assert!(Root::fen(MATED).position.is_checkmate());
        assert_eq!((moves(STALEMATED).len(), Root::fen(STALEMATED).position.in_check()), (0, false));
    }
}
