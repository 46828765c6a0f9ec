//! The steps about searches as such: each limit, stopping, pondering, the clock.

use super::root::Root;
use super::tester::{Done, Overdue, Tester};
use super::{Level, Step};
use crate::engine::info::{Info, Score};
use crate::engine::process::EngineError;
use std::time::{Duration, Instant};

pub(super) const STEPS: &[Step] = &[
    Step { name: "Search with wtime alone", run: |tester| clock(tester, "wtime 100") },
    Step {
        name: "Search with btime alone",
        run: |tester| {
            // Black's clock is for a move of Black.
            let root = Root::fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 4 8");
            tester.go_in_time(&root, "btime 100", Duration::from_millis(100))
        },
    },
    Step {
        name: "Search with a clock and increments",
        run: |tester| clock(tester, "wtime 100 winc 100 btime 100 binc 100"),
    },
    Step {
        name: "Search with the clock's words in another order",
        run: |tester| clock(tester, "btime 100 binc 100 wtime 100 winc 100"),
    },
    Step { name: "Search with movestogo", run: |tester| clock(tester, "wtime 100 btime 100 movestogo 5") },
    Step { name: "Search with movetime", run: |tester| clock(tester, "movetime 100") },
    Step { name: "Search with nodes", run: nodes },
    Step { name: "Search with depth", run: depth },
    Step { name: "Search infinite until stop", run: infinite },
    Step { name: "Answer isready at once while thinking", run: ready_while_thinking },
    Step { name: "Obey a stop that comes right after go", run: stop_at_once },
    Step { name: "Ponder until ponderhit", run: ponder_hit },
    Step { name: "Ponder until stop", run: ponder_stop },
    Step { name: "Search for mate", run: search_mate },
    Step { name: "Search only searchmoves", run: search_moves },
    Step { name: "Show as many lines as MultiPV asks for", run: multipv },
    Step {
        name: "Move in time with 50 ms on the clock",
        run: |tester| flag(tester, "wtime 50 btime 50", 50),
    },
    Step { name: "Move at once with 1 ms on the clock", run: |tester| flag(tester, "wtime 1 btime 1", 1) },
    Step { name: "Move with 0 ms on the clock", run: no_time },
    Step { name: "Play a short game", run: short_game },
    Step { name: "Say nothing after bestmove", run: quiet },
];

/// Nothing less is worth an engine's while, nothing more the user's.
const SHORT: &str = "movetime 50";
/// The clock of a search that ponders, which begins with `ponderhit`.
const PONDERING_CLOCK: Duration = Duration::from_millis(500);
/// How long a search is watched that must not end.
const WATCHED: Duration = Duration::from_millis(200);

/// A position in which there is something to think about.
fn middlegame() -> Root {
    Root::fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 8")
}

/// A search with 100 ms: of the clock, for the move alone, or whatever comes to it later.
fn clock(tester: &mut Tester, limits: &str) -> Done {
    tester.go_in_time(&middlegame(), limits, Duration::from_millis(100))
}

/// Most engines look at their limits every few thousand nodes.
fn nodes(tester: &mut Tester) -> Done {
    const ASKED: u64 = 5000;
    const MOST: u64 = 100_000;
    let answer = tester.go(&middlegame(), &format!("nodes {ASKED}"))?;
    let nodes = answer.infos.iter().filter_map(|info| info.nodes).max();
    match nodes {
        Some(nodes) if nodes > MOST => {
            tester.warn(format!("searches {nodes} nodes where {ASKED} were allowed"))
        }
        Some(_) => {}
        None => tester.warn("does not tell how many nodes it has searched"),
    }
    tester.sync().map(drop)
}

fn depth(tester: &mut Tester) -> Done {
    const ASKED: u32 = 4;
    let answer = tester.go(&middlegame(), &format!("depth {ASKED}"))?;
    if answer.depth() != ASKED && answer.mv.is_some() {
        tester.warn(format!("shows a score of depth {} at most, not {ASKED}", answer.depth()));
    }
    tester.sync().map(drop)
}

/// Begins a search that waits for somebody, and sees that it does.
fn begin_waiting(tester: &mut Tester, root: &Root, limits: &str) -> Result<bool, EngineError> {
    let begin = tester.begin(root, limits)?;
    let is_early = tester.answer_within(WATCHED, root, begin)?.is_some();
    if is_early {
        tester.fail("answers before it is told to");
    }
    Ok(!is_early)
}

/// Ends it with a word that it has to obey at once.
fn end_waiting(tester: &mut Tester, root: &Root, word: &str) -> Done {
    let begin = Instant::now();
    tester.send(word)?;
    let overdue = if word == "stop" { Overdue::Hangs } else { Overdue::Fails };
    let answer = tester.answer(root, begin, overdue)?;
    if word == "ponderhit" {
        tester.judge_time(answer.took, PONDERING_CLOCK);
    } else if answer.took > Duration::from_millis(500) + 5 * tester.tolerance() {
        tester.warn(format!("answers only {} ms after '{word}'", answer.took.as_millis()));
    }
    tester.sync().map(drop)
}

fn infinite(tester: &mut Tester) -> Done {
    let root = middlegame();
    if begin_waiting(tester, &root, "infinite")? {
        end_waiting(tester, &root, "stop")?;
    }
    Ok(())
}

fn ready_while_thinking(tester: &mut Tester) -> Done {
    let root = middlegame();
    if begin_waiting(tester, &root, "infinite")? {
        let waited = tester.time_to_ready()?;
        if waited > 5 * tester.tolerance() {
            tester.warn(format!("says readyok only after {} ms", waited.as_millis()));
        }
        end_waiting(tester, &root, "stop")?;
    }
    Ok(())
}

/// En Croissant and PyChess stop a search that has hardly begun. The first line of thought need not be there yet.
fn stop_at_once(tester: &mut Tester) -> Done {
    let root = middlegame();
    tester.hurried = true;
    let begin = tester.begin(&root, "infinite\nstop")?;
    tester.answer(&root, begin, Overdue::Hangs)?;
    tester.sync().map(drop)
}

fn ponder_hit(tester: &mut Tester) -> Done {
    if tester.option("Ponder").is_none() {
        return tester.skip("it declares no Ponder");
    }
    let root = Root::start("e2e4 e7e5");
    if begin_waiting(tester, &root, "ponder wtime 500 btime 500")? {
        end_waiting(tester, &root, "ponderhit")?;
    }
    Ok(())
}

fn ponder_stop(tester: &mut Tester) -> Done {
    if tester.option("Ponder").is_none() {
        return tester.skip("it declares no Ponder");
    }
    let root = Root::start("e2e4 e7e5");
    if begin_waiting(tester, &root, "ponder wtime 500 btime 500")? {
        end_waiting(tester, &root, "stop")?;
    }
    Ok(())
}

/// A mate in two. An engine that does not know the limit searches on: it is stopped, which is no failure.
fn search_mate(tester: &mut Tester) -> Done {
    let root = Root::fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let begin = tester.begin(&root, "mate 2")?;
    let patience = tester.patience();
    match tester.answer_within(patience, &root, begin)? {
        Some(answer) => {
            let is_mate = |info: &Info| matches!(info.score, Some(Score::Mate(_)));
            if !answer.infos.iter().any(is_mate) {
                tester.warn("announces no mate where there is one in two");
            }
        }
        None => {
            tester.warn("does not end 'go mate 2' by itself where there is a mate in two");
            tester.send("stop")?;
            tester.answer(&root, begin, Overdue::Hangs)?;
        }
    }
    tester.sync().map(drop)
}

/// Nibbler and python-chess exclude moves this way; polyglot puts the words last.
fn search_moves(tester: &mut Tester) -> Done {
    for limits in ["depth 4 searchmoves a2a3 h2h3", "searchmoves h2h4"] {
        let limits =
            if limits.starts_with("search") { format!("{SHORT} {limits}") } else { limits.to_string() };
        let answer = tester.go(&Root::start(""), &limits)?;
        let allowed =
            limits.split(' ').skip_while(|word| *word != "searchmoves").any(|word| word == answer.word);
        if !allowed && answer.mv.is_some() {
            tester.warn(format!("plays {}, which is none of the searchmoves", answer.word));
            tester.heeds_searchmoves = false;
            break;
        }
    }
    tester.sync().map(drop)
}

fn multipv(tester: &mut Tester) -> Done {
    let Some(option) = tester.option("MultiPV") else { return tester.skip("it declares no MultiPV") };
    if option.max.as_deref().and_then(|max| max.parse::<u32>().ok()).is_none_or(|max| max < 3) {
        return tester.skip("it shows fewer than three lines");
    }
    tester.set_multipv(3)?;
    // Black has two legal moves in the second.
    for (root, count) in [(middlegame(), 3), (Root::fen("k7/8/2K5/8/8/8/8/8 b - - 0 1"), 2)] {
        let answer = tester.go(&root, "depth 5")?;
        let deepest = answer.depth();
        let mut lines: Vec<(u32, Option<&String>)> = answer
            .infos
            .iter()
            .filter(|info| info.depth == Some(deepest) && info.score.is_some())
            .map(|info| (info.multipv.unwrap_or(1), info.pv.first()))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let ranks: Vec<u32> = lines.iter().map(|(rank, _)| *rank).collect();
        if (1..=count).any(|rank| !ranks.contains(&rank)) {
            tester.warn(format!("shows the lines {ranks:?} at its last depth, not 1 to {count}"));
        } else if ranks.iter().any(|&rank| rank > count) {
            tester.warn(format!("shows the lines {ranks:?} where there are {count} legal moves"));
        }
    }
    tester.set_multipv(1)?;
    tester.sync().map(drop)
}

fn flag(tester: &mut Tester, limits: &str, milliseconds: u64) -> Done {
    tester.hurried = milliseconds < 10;
    tester.go_in_time(&middlegame(), limits, Duration::from_millis(milliseconds))
}

/// Cute Chess tells clocks as they are, be they at zero.
fn no_time(tester: &mut Tester) -> Done {
    let root = middlegame();
    let begin = tester.begin(&root, "wtime 0 btime 0")?;
    let patience = tester.patience();
    tester.hurried = true;
    match tester.answer_within(patience, &root, begin)? {
        Some(_) => {}
        None => {
            tester.warn("thinks on with no time on the clock");
            tester.send("stop")?;
            tester.answer(&root, begin, Overdue::Hangs)?;
        }
    }
    tester.sync().map(drop)
}

fn short_game(tester: &mut Tester) -> Done {
    tester.send("ucinewgame")?;
    tester.sync()?;
    let mut root = Root::start("");
    let mut longest = Duration::ZERO;
    for _ in 0..10 {
        let answer = tester.go(&root, "wtime 500 btime 500 winc 10 binc 10")?;
        longest = longest.max(answer.took);
        let Some(mv) = answer.mv.filter(|_| !root.is_over()) else { break };
        root.play(mv, false);
    }
    tester.judge_time(longest, Duration::from_millis(500));
    tester.sync().map(drop)
}

/// After its move an engine has nothing to say until it is asked again.
fn quiet(tester: &mut Tester) -> Done {
    tester.go(&Root::start(""), SHORT)?;
    let lines = tester.overhear(WATCHED)?;
    if let Some(line) = lines.iter().find(|line| !line.text.is_empty() && !line.text.starts_with("bestmove"))
    {
        tester.find_in(Level::Warning, "says more after its bestmove", &line.text);
    }
    tester.sync().map(drop)
}
