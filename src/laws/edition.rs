//! The editions of the Laws of Chess, and how fast a game counts in each.

use super::clock::TimeControl;
use std::fmt;
use std::time::Duration;

pub(super) const MINUTE: Duration = Duration::from_secs(60);

/// Which Laws a game is played under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Edition {
    /// In force from 1 July 2005.
    Fide2005,
    /// In force from 1 July 2014.
    Fide2014,
    /// In force from 1 January 2018.
    Fide2018,
    /// In force from 1 January 2023.
    #[default]
    Fide2023,
    /// No Laws, but the habits of engine testers: threefold repetition and fifty moves draw without a claim, the first
    /// illegal move loses, a fallen flag loses.
    Engine,
}

impl Edition {
    /// All of them, the oldest first.
    pub const ALL: [Edition; 5] =
        [Edition::Fide2005, Edition::Fide2014, Edition::Fide2018, Edition::Fide2023, Edition::Engine];

    /// The name on the command line, such as `fide-2023`.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::Fide2005 => "fide-2005",
            Edition::Fide2014 => "fide-2014",
            Edition::Fide2018 => "fide-2018",
            Edition::Fide2023 => "fide-2023",
            Edition::Engine => "engine",
        }
    }

    /// The edition with a name.
    pub fn parse(name: &str) -> Option<Edition> {
        Edition::ALL.into_iter().find(|edition| edition.name() == name)
    }

    /// Its place in lists of numbers for the editions of FIDE; engine testers' habits have none.
    pub(super) const fn column(self) -> Option<usize> {
        match self {
            Edition::Fide2005 => Some(0),
            Edition::Fide2014 => Some(1),
            Edition::Fide2018 => Some(2),
            Edition::Fide2023 => Some(3),
            Edition::Engine => None,
        }
    }

    /// True for the Laws of FIDE.
    pub const fn is_fide(self) -> bool {
        !matches!(self, Edition::Engine)
    }

    /// How fast a game counts (appendices A and B; in 2005 B and C): by the time for sixty moves. Without a clock it is
    /// standard chess.
    pub fn speed(self, control: Option<&TimeControl>) -> Speed {
        let Some(control) = control else { return Speed::Standard };
        let time = control.time_for_sixty_moves();
        let (blitz, rapid) = match self {
            // 15 and 60 minutes are rapid chess themselves.
            Edition::Fide2005 => (time < 15 * MINUTE, time <= 60 * MINUTE),
            // 10 minutes are blitz, 60 are standard chess.
            _ => (time <= 10 * MINUTE, time < 60 * MINUTE),
        };
        if blitz {
            Speed::Blitz
        } else if rapid {
            Speed::Rapid
        } else {
            Speed::Standard
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How fast a game is, which decides penalties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Speed {
    /// Neither rapid nor blitz.
    Standard,
    /// Appendix A (2005: B).
    Rapid,
    /// Appendix B (2005: C).
    Blitz,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Speed::Standard => "standard",
            Speed::Rapid => "rapid",
            Speed::Blitz => "blitz",
        })
    }
}
