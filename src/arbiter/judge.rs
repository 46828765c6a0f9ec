//! The arbiter's decision in a quickplay finish: whether a player can still win by normal means. It rests on what can be
//! proven, and beyond that on the search of an engine that the organiser has named; our own search is never asked.

use crate::board::Position;
use crate::engine::connection::listen;
use crate::engine::info::Score;
use crate::engine::uci_client::UciClient;
use crate::laws::Prover;
use crate::laws::event::Decision;
use crate::sys::pipes::Woken;
use crate::types::Color;
use std::time::{Duration, Instant};

/// With no more than this, in centipawns, the opponent is not winning.
const LEVEL: i32 = 20;
/// With no more than this it remains to be seen.
const SLIGHT: i32 = 100;
/// How long the named engine may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Who decides.
pub struct Officials<'a> {
    /// Proves what can be proven.
    pub prover: &'a mut dyn Prover,
    /// Searches.
    pub judge: Option<Judge<'a>>,
}

/// An engine that is asked, and how many nodes it searches.
pub struct Judge<'a> {
    /// The engine.
    pub client: &'a mut UciClient,
    /// The nodes.
    pub nodes: u64,
}

impl Officials<'_> {
    /// Decides on the claim of `by`, who is on move, that the opponent cannot win; `script` is UCI's `position` line. When
    /// the flag has fallen the decision is final.
    pub(super) fn decide(
        &mut self,
        by: Color,
        position: &Position,
        script: &str,
        is_final: bool,
    ) -> (Decision, Option<String>) {
        if self.prover.can_win(position, !by) == Some(false) {
            return (Decision::Agree("the opponent cannot mate".into()), None);
        }
        let Some(judge) = &mut self.judge else { return (Decision::Reject, None) };
        let Some(score) = judge.search(script) else {
            let problem = format!("{}, who is to judge, gives no score", judge.client.name());
            return (Decision::Reject, Some(problem));
        };
        // The score is the claimant's, who is on move.
        let decision = if score.at_least(-LEVEL) {
            Decision::Agree(format!("{} sees no advantage of the opponent", judge.client.name()))
        } else if !is_final && score.at_least(-SLIGHT) {
            Decision::Postpone { grant: true }
        } else {
            Decision::Reject
        };
        (decision, None)
    }
}

impl Judge<'_> {
    /// The score of the side to move; `None` if the engine does not give one in time. The end of the session does not end
    /// it: a decision that is due is not to be one for that. An engine that still thinks afterwards is not to be asked
    /// again.
    fn search(&mut self, script: &str) -> Option<Score> {
        let deadline = Instant::now() + PATIENCE;
        self.client.new_game().ok()?;
        let text = format!("{script}\ngo nodes {}\n", self.nodes);
        self.client.go(text.as_bytes(), deadline).ok()?;
        while self.client.take_best().is_none() {
            let woken = listen(&mut [&mut *self.client], None, deadline);
            if woken != Woken::Ready || self.client.gone().is_some() {
                return None;
            }
        }
        self.client.take_info().0.score
    }
}
