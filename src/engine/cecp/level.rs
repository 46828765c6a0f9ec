//! What `level`, `st` and `sd` tell of the time control.

use std::fmt::Write;
use std::time::Duration;

/// How an engine's thinking is limited. With neither clock nor time for a move it is told an hour for each game, and
/// every time anew that all of it is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// The time on the clock: at the start of the game, or, told within a game, now.
    pub clock: Option<Duration>,
    /// After so many moves time is added; `None`: the time is for all moves.
    pub moves: Option<u32>,
    /// What each move adds to the clock.
    pub increment: Duration,
    /// A time for each move.
    pub movetime: Option<Duration>,
    /// A depth for each move, in plies.
    pub depth: Option<u32>,
}

/// What an engine without a clock is told.
const PLENTY: Duration = Duration::from_secs(3600);

impl Level {
    /// Appends the commands. Whole seconds is all that `level` and `st` can tell: they are rounded down, but to no less
    /// than one; `time` tells it to the centisecond.
    pub(super) fn write(&self, text: &mut String) {
        if let Some(clock) = self.clock.or(self.movetime.is_none().then_some(PLENTY)) {
            let seconds = clock.as_secs().max(1);
            let _ = write!(text, "level {} {}", self.moves.unwrap_or(0), minutes(seconds));
            // The protocol text shows whole increments only; readers of whole numbers stop at the point.
            let _ = writeln!(text, " {}", self.increment.as_secs_f64());
        }
        if let Some(time) = self.movetime {
            let _ = writeln!(text, "st {}", time.as_secs().max(1));
        }
        if let Some(depth) = self.depth {
            let _ = writeln!(text, "sd {depth}");
        }
    }

    /// The same for engines that know no `st` or `sd`, as GNU Chess 4 wants it (section 13 of the protocol text): one move in
    /// so much time, which xboard writes as the minutes and seconds that `level` has, and the depth on a line of its own. GNU Chess 6 and Phalanx read it behind the command, and take the second line for a bad move.
    pub(super) fn write_old(&self, text: &mut String, st_unknown: bool, sd_unknown: bool) {
        if let Some(time) = self.movetime.filter(|_| st_unknown) {
            let _ = writeln!(text, "level 1 {}", minutes(time.as_secs().max(1)));
        }
        if let Some(depth) = self.depth.filter(|_| sd_unknown) {
            let _ = writeln!(text, "depth {depth}\n{depth}");
        }
    }

    /// Appends what the clocks show, in centiseconds: never more than there is, and never 0, which is a fallen flag.
    pub(super) fn write_times(&self, own: Option<Duration>, other: Option<Duration>, text: &mut String) {
        let none = self.movetime.unwrap_or(PLENTY);
        let own = own.unwrap_or(none);
        let own = self.movetime.map_or(own, |time| time.min(own));
        let centiseconds = |time: Duration| (time.as_millis() / 10).max(1);
        let _ = write!(text, "time {}\notim {}\n", centiseconds(own), centiseconds(other.unwrap_or(none)));
    }
}

/// A time as `level` has it: `5` or `5:30`.
fn minutes(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(level: Level) -> String {
        let mut text = String::new();
        level.write(&mut text);
        text
    }

    #[test]
    fn levels_are_written() {
        let seconds = Duration::from_secs;
        let clock = |time| Level { clock: Some(time), ..Level::default() };
        assert_eq!(written(Level { moves: Some(40), ..clock(seconds(20)) }), "level 40 0:20 0\n");
        assert_eq!(written(Level { increment: seconds(12), ..clock(seconds(120)) }), "level 0 2 12\n");
        let tenth = Duration::from_millis(100);
        assert_eq!(
            written(Level { increment: tenth, ..clock(Duration::from_millis(65_900)) }),
            "level 0 1:05 0.1\n"
        );
        assert_eq!(written(clock(tenth)), "level 0 0:01 0\n");
        assert_eq!(
            written(Level { movetime: Some(tenth), depth: Some(7), ..Level::default() }),
            "st 1\nsd 7\n"
        );
        assert_eq!(written(Level { depth: Some(3), ..Level::default() }), "level 0 60 0\nsd 3\n");
    }

    #[test]
    fn only_what_is_unknown_is_told_in_the_old_way() {
        let level = Level { movetime: Some(Duration::from_secs(90)), depth: Some(7), ..Level::default() };
        for (no_st, no_sd, expected) in
            [(true, false, "level 1 1:30\n"), (false, true, "depth 7\n7\n"), (false, false, "")]
        {
            let mut text = String::new();
            level.write_old(&mut text, no_st, no_sd);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn times_are_in_centiseconds() {
        let times = |level: Level, own, other| {
            let mut text = String::new();
            level.write_times(own, other, &mut text);
            text
        };
        let ms = |number| Some(Duration::from_millis(number));
        assert_eq!(times(Level::default(), ms(1999), ms(3)), "time 199\notim 1\n");
        assert_eq!(times(Level::default(), None, None), "time 360000\notim 360000\n");
        let level = Level { movetime: ms(500), ..Level::default() };
        assert_eq!(times(level, None, ms(9000)), "time 50\notim 900\n");
        // Of a move's time and what is left on the clock, the less.
        assert_eq!(times(level, ms(9000), ms(9000)), "time 50\notim 900\n");
        assert_eq!(times(level, ms(200), ms(9000)), "time 20\notim 900\n");
    }
}
