//! How far a command is that takes long.

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The line that shows how far things are.
pub(super) struct Display {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl Display {
    pub(super) fn new() -> Display {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{percent:>3} % {wide_bar} {msg}");
            let bar = ProgressBar::new(1_000);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Display::with(bar)
    }

    /// With a bar, unless the terminal is one that cannot show any.
    fn with(bar: Option<ProgressBar>) -> Display {
        Display { bar: bar.filter(|bar| !bar.is_hidden()), shown: Instant::now() }
    }

    /// Shows a share of the whole, from 0 to 1, what is to be said of it, and how long the rest will take if that is known.
    pub(super) fn show(&mut self, share: f64, line: &str, left: Option<Duration>) {
        let left = left.map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
        match &self.bar {
            Some(bar) => {
                bar.set_position((share * 1_000.0) as u64);
                bar.set_message(format!("{line}{left}"));
            }
            None if self.shown.elapsed() >= LINE_EVERY => {
                self.shown = Instant::now();
                super::tell(format!("{:.1} %, {line}{left}", 100.0 * share));
            }
            None => {}
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Such as one with TERM=dumb.
    #[test]
    fn a_terminal_that_shows_no_bar_gets_lines() {
        assert!(Display::with(Some(ProgressBar::hidden())).bar.is_none());
    }
}
