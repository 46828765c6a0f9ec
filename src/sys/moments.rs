//! Moments to come.

use std::time::{Duration, Instant};

/// Nobody waits longer: a century.
const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// The moment so long after another. Whoever wants no limit says [`Duration::MAX`], and gets one that is far away: a sum of
/// the two would panic.
pub fn later(moment: Instant, wait: Duration) -> Instant {
    moment + wait.min(FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_far_away() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        assert_eq!(later(now, second), now + second);
        // Others may add to it what little they have.
        assert!(later(now, Duration::MAX) + second > now + 1_000_000_000 * second);
    }
}
