//! What the runner itself has cost the engines and the machine: what `-show-latency` tells.

use crate::report::text::plain;
use crate::sys::usage;
use crate::tournament::config::MatchConfig;
use crate::tournament::runner::State;

/// Processor time of the runner for each move of an engine, in microseconds.
pub(super) fn processor_time_a_ply(state: &State) -> f64 {
    usage::processor_time().as_secs_f64() * 1e6 / state.plies.max(1) as f64
}

/// The median, the 99th percentile and the longest of the handovers, in microseconds.
pub(super) fn quantiles(state: &State) -> Option<[f64; 3]> {
    let times = &state.handovers;
    let shares = [times.value_at_quantile(0.5), times.value_at_quantile(0.99), times.max()];
    (!times.is_empty()).then(|| shares.map(|nanoseconds| nanoseconds as f64 / 1e3))
}

/// What `-show-latency` tells.
pub(super) fn measurements(config: &MatchConfig, state: &State) -> String {
    let mut text = String::new();
    for (name, &(sum, count)) in config.names().into_iter().zip(&state.latencies) {
        if count > 0 {
            let mean = sum / count as f64 * 1e3;
            text += &format!(
                "Latency of {name}: {mean:.3} ms a move beyond what it reported ({count} moves)\n",
                name = plain(name)
            );
        }
    }
    if let Some([median, high, longest]) = quantiles(state) {
        text += &format!(
            "From bestmove to the next go: median {median:.1} us, 99 % {high:.1} us, at most {longest:.1} us\n"
        );
    }
    text += &format!(
        "The runner's own processor time: {:.1} us a move ({} moves)\n",
        processor_time_a_ply(state),
        state.plies
    );
    if let Some(memory) = usage::peak_memory() {
        text += &format!("The runner's memory: at most {memory} KiB\n");
    }
    text
}
