//! Arguments of the subcommands that search many positions by nodes.

use super::Failure;
use crate::board::Position;
use crate::eval::Evaluation;
use crate::search::Solo;
use crate::search::bench::{self, BenchLimit, BenchOptions};
use crate::sys::memory::available_megabytes;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// The most threads that may be asked for, as clap wants it.
pub(super) const MOST_THREADS: i64 = bench::MOST_THREADS as i64;

/// The help of options for an evaluation. Not a comment, which rustdoc would read: it takes the name for HTML.
pub(super) const EVAL_FILE: &str = "What gives positions their values: a network's file, 'classic' for the hand-made evaluation, or '<internal>'";

/// How to search.
#[derive(clap::Args)]
pub(super) struct SearchArguments {
    /// Begin no iteration after so many nodes
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Take no more nodes for a move, but for the first iteration, which is finished; eight times --nodes if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Size of each thread's transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    #[arg(long, alias = "evalfile", value_name = "FILE", default_value = Evaluation::INTERNAL, help = EVAL_FILE)]
    pub(super) eval_file: String,
}

/// Depth of the searches by which a program is known again.
const SIGNATURE_DEPTH: u32 = 5;

/// What searches with these arguments need.
pub(super) struct Searching {
    /// Begin no iteration after so many nodes.
    pub(super) nodes: u64,
    /// Take no more nodes.
    pub(super) hard_nodes: u64,
    /// In mebibytes.
    pub(super) hash: usize,
    evaluation: Evaluation,
}

impl SearchArguments {
    /// Checks the arguments, which are those of `subcommand`, and reads the network.
    pub(super) fn read(&self, subcommand: &str) -> Result<Searching, Failure> {
        let nodes = self.nodes;
        let hard_nodes = self.hard_nodes.unwrap_or(nodes.saturating_mul(8));
        if hard_nodes < nodes {
            let message = format!("--hard-nodes {hard_nodes} is less than --nodes {nodes}");
            return Err(super::wrong_usage(subcommand, message));
        }
        let evaluation = Evaluation::from_setting(&self.eval_file)?;
        Ok(Searching { nodes, hard_nodes, hash: self.hash as usize, evaluation })
    }
}

impl Searching {
    /// So many searches, a thread's each.
    pub(super) fn solos(&self, count: usize) -> Result<Vec<Solo>, Failure> {
        // Each by itself would be let have what none has touched yet.
        let (wanted, available) = (self.hash.saturating_mul(count), available_megabytes());
        if let Some(available) = available.filter(|available| wanted > *available) {
            return Err(format!(
                "{count} hash tables of {} MB cannot be had, this machine has {available} MB free",
                self.hash
            )
            .into());
        }
        let solo = |_| Solo::new(self.hash, self.evaluation.clone()).map_err(Failure::from);
        (0..count).map(solo).collect()
    }

    /// By what search and evaluation are known again: a short bench, and the network's numbers.
    pub(super) fn signature(&self) -> Result<Value, Failure> {
        let limit = BenchLimit::Depth(SIGNATURE_DEPTH);
        let options = BenchOptions { limit, hash: 1, ..BenchOptions::default() };
        let start = Position::default();
        let bench = bench::run(&options, &start, &self.evaluation, &AtomicBool::new(false), |_| {})?;
        let crc = match &self.evaluation {
            Evaluation::Classic => None,
            Evaluation::Network(network) => Some(crc32fast::hash(&network.write())),
        };
        Ok(json!({ "bench": bench.nodes, "evaluation": self.evaluation.to_string(), "crc": crc }))
    }
}
