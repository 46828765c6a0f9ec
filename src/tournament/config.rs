//! Everything that a match was asked to be.

use super::runner::MatchError;
use super::schedule::Schedule;
use super::sprt::Sprt;
use crate::arbiter::adjudicate::Adjudication;
use crate::arbiter::clock::Limits;
use crate::arbiter::proxy::Proxy;
use crate::engine::config::EngineConfig;
use crate::engine::connection::Surroundings;
pub use crate::engine::transcript::{LogConfig, LogLevel};
pub use crate::laws::{Edition, Regulations};
pub use crate::notation::pgn::PgnNotation;
use crate::openings::OpeningsConfig;
use std::path::PathBuf;
use std::time::Duration;

/// More games are not played at once: a hundred thousand threads end in an abort.
pub const MOST_GAMES_AT_ONCE: usize = 1_024;

/// One of the players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// The program.
    pub engine: EngineConfig,
    /// Its time, nodes or depth.
    pub limits: Limits,
    /// It thinks on its opponent's time.
    pub ponder: bool,
    /// What is said in its name.
    pub proxy: Proxy,
}

impl Player {
    /// The engine with the options that follow from how it plays.
    pub fn set_up(&self, variant: Variant) -> EngineConfig {
        let mut engine = for_variant(&self.engine, variant);
        if self.ponder {
            switch_on(&mut engine, "Ponder");
        }
        engine
    }
}

/// An engine as it is started for games of a variant.
pub fn for_variant(engine: &EngineConfig, variant: Variant) -> EngineConfig {
    let mut engine = engine.clone();
    if variant == Variant::Chess960 {
        switch_on(&mut engine, CHESS960);
    }
    engine
}

/// Sets an option; whoever sets it himself knows why.
fn switch_on(engine: &mut EngineConfig, name: &str) {
    if engine.option(name).is_none() {
        engine.options.push((name.into(), "true".into()));
    }
}

/// The option of UCI that makes an engine play Chess960.
pub(super) const CHESS960: &str = "UCI_Chess960";

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first so many players against all others.
    Gauntlet {
        /// How many.
        seeds: usize,
    },
}

/// What the games are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Chess960, and its kin with two different back ranks.
    Chess960,
}

/// When the next opening is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpeningPolicy {
    /// All pairings of a round share one.
    #[default]
    Round,
    /// Each pairing has its own.
    Encounter,
}

/// In whose units an SPRT's bounds are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SprtModel {
    /// Normalized Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// BayesElo.
    Bayesian,
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtConfig {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// The probability of accepting the alternative when the null hypothesis holds.
    pub alpha: f64,
    /// The probability of the opposite error.
    pub beta: f64,
    /// The units.
    pub model: SprtModel,
}

/// The PGN file of a match and what its comments tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnConfig {
    /// The file.
    pub file: PathBuf,
    /// Add to a file that is there; else it is replaced.
    pub append: bool,
    /// How moves are written.
    pub notation: PgnNotation,
    /// Only the seven tags, those that tell a start position or a variant, and the moves.
    pub minimal: bool,
    /// Clock, time and score as commands for chess programs, and not as engine testers write them.
    pub commands: bool,
    /// Tell the nodes.
    pub nodes: bool,
    /// Tell the selective depth.
    pub seldepth: bool,
    /// Tell the nodes per second.
    pub nps: bool,
    /// Tell how full the hash table is.
    pub hashfull: bool,
    /// Tell the tablebase hits.
    pub tbhits: bool,
    /// Tell the time left.
    pub timeleft: bool,
    /// Tell the difference between measured and reported time.
    pub latency: bool,
    /// Tell the line that the engine saw.
    pub pv: bool,
    /// Tell the engine's lines that match this regular expression.
    pub match_line: Option<String>,
}

impl Default for PgnConfig {
    /// Added to what is there, and nothing told beside score, depth and time.
    fn default() -> PgnConfig {
        PgnConfig {
            file: PathBuf::new(),
            append: true,
            notation: PgnNotation::San,
            minimal: false,
            commands: false,
            nodes: false,
            seldepth: false,
            nps: false,
            hashfull: false,
            tbhits: false,
            timeleft: false,
            latency: false,
            pv: false,
            match_line: None,
        }
    }
}

/// Whose output form the live lines have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutputStyle {
    /// As fastchess writes.
    #[default]
    Fastchess,
    /// As cutechess-cli writes.
    Cutechess,
    /// One JSON object a line.
    Json,
}

/// What is shown while a match runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputConfig {
    /// The form.
    pub style: OutputStyle,
    /// Only the final result.
    pub quiet: bool,
    /// The rating is shown each time so many games (pairs of games with `penta`) are done; 0: at the end only.
    pub rating_interval: u64,
    /// In cutechess's form the score is shown each time so many games are done; 0: never.
    pub score_interval: u64,
    /// Statistics of pairs of games.
    pub penta: bool,
    /// Show how long engines thought beyond what they reported.
    pub latency: bool,
    /// Print the CRC-32 of the PGN file at the end.
    pub crc32: bool,
}

impl Default for OutputConfig {
    fn default() -> OutputConfig {
        OutputConfig {
            style: OutputStyle::default(),
            quiet: false,
            rating_interval: 10,
            score_interval: 1,
            penta: true,
            latency: false,
            crc32: false,
        }
    }
}

/// Processors for the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Affinity {
    /// One for each game, of all that there are.
    All,
    /// One for each game, of these.
    List(Vec<usize>),
}

/// A match, as it was asked for. By default it has no players yet, and is otherwise as the command line has it, but for one
/// round.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchConfig {
    /// The players.
    pub players: Vec<Player>,
    /// Who plays whom.
    pub kind: Kind,
    /// How often each pairing meets.
    pub rounds: u64,
    /// Games at each meeting: 1, or 2 with the colours exchanged.
    pub games: u32,
    /// Never exchange the colours.
    pub no_swap: bool,
    /// The second player of each pairing begins with White.
    pub reverse: bool,
    /// What the games are.
    pub variant: Variant,
    /// Games at the same time.
    pub concurrency: usize,
    /// More of them than processors are wanted indeed.
    pub force_concurrency: bool,
    /// Processors to hold the games to.
    pub affinity: Option<Affinity>,
    /// Where games start from; the start position if not given.
    pub openings: Option<OpeningsConfig>,
    /// When the next opening is drawn.
    pub policy: OpeningPolicy,
    /// The test that ends the match.
    pub sprt: Option<SprtConfig>,
    /// The Laws, and what the organiser has made of them.
    pub regulations: Regulations,
    /// Who decides in quickplay finishes what cannot be proven: the engine, and how many nodes it searches.
    pub judge: Option<(EngineConfig, u64)>,
    /// Folders with tablebases, for quickplay finishes and for [`Adjudication::tables`].
    pub tables: Option<String>,
    /// A player whose engine fails so often is expelled (12.9).
    pub expulsion: Option<u32>,
    /// How long a session lasts; then games are adjourned.
    pub session: Option<Duration>,
    /// Ends by score.
    pub adjudication: Adjudication,
    /// The PGN file.
    pub pgn: Option<PgnConfig>,
    /// A file for the last position of each game.
    pub epd: Option<PathBuf>,
    /// Add to that file if it is there; else it is replaced.
    pub epd_append: bool,
    /// Go on when an engine fails.
    pub recover: bool,
    /// End the match when an engine or a file of openings makes a mistake that games could survive.
    pub strict: bool,
    /// Warn of a mate score whose line does not end in that mate.
    pub check_mate_pvs: bool,
    /// The seed of everything random; drawn if not given.
    pub seed: Option<u64>,
    /// The pause between two games of one thread.
    pub wait: Duration,
    /// The log.
    pub log: Option<LogConfig>,
    /// The PGN tag Event.
    pub event: Option<String>,
    /// The PGN tag Site.
    pub site: Option<String>,
    /// What is shown.
    pub output: OutputConfig,
    /// The journal; beside the PGN file if not given.
    pub journal: Option<PathBuf>,
    /// Go on with the match that the journal tells of.
    pub resume: bool,
    /// How long an engine may take to say `uciok`.
    pub startup_time: Duration,
    /// How long an engine may take to say `readyok`.
    pub ready_time: Duration,
    /// How long an engine may take to be ready for a new game.
    pub new_game_time: Duration,
}

impl Default for MatchConfig {
    fn default() -> MatchConfig {
        let Surroundings { startup_time, ready_time, new_game_time, .. } = Surroundings::default();
        MatchConfig {
            players: vec![],
            kind: Kind::default(),
            rounds: 1,
            games: 2,
            no_swap: false,
            reverse: false,
            variant: Variant::default(),
            concurrency: 1,
            force_concurrency: false,
            affinity: None,
            openings: None,
            policy: OpeningPolicy::default(),
            sprt: None,
            regulations: Regulations::default(),
            judge: None,
            tables: None,
            expulsion: None,
            session: None,
            adjudication: Adjudication::default(),
            pgn: None,
            epd: None,
            epd_append: true,
            recover: false,
            strict: false,
            check_mate_pvs: false,
            seed: None,
            wait: Duration::ZERO,
            log: None,
            event: None,
            site: None,
            output: OutputConfig::default(),
            journal: None,
            resume: false,
            startup_time,
            ready_time,
            new_game_time,
        }
    }
}

impl MatchConfig {
    /// Looks for what no match can be played with, before anything is opened or started.
    ///
    /// # Errors
    /// What that is: fewer players than two, or with a test another number, names that are not told apart, a player without
    /// any limit, no game to be played, a test whose numbers make no sense, or an expulsion after no failure.
    pub fn check(&self) -> Result<(), MatchError> {
        let refused = |why: String| Err(MatchError(why));
        let count = self.players.len();
        if count < 2 {
            return refused(format!("a match needs at least two players, {count} given"));
        }
        if self.sprt.is_some() && count != 2 {
            return refused(format!("a test is one of two players, {count} given"));
        }
        for (index, player) in self.players.iter().enumerate() {
            let name = self.name(index);
            if name.is_empty() {
                return refused(format!("player {} has no name", index + 1));
            }
            if (0..index).any(|before| self.name(before) == name) {
                return refused(format!("two players are called '{name}': names must be unique"));
            }
            if player.limits.is_unbounded() {
                return refused(format!(
                    "{name} has no limit: neither clock, time for a move, nodes nor depth"
                ));
            }
        }
        if Schedule::new(self).is_empty() {
            return refused("there is no game to be played: no rounds, or nobody who meets".into());
        }
        if let Some(Err(error)) = self.sprt.map(Sprt::new) {
            return refused(error.to_string());
        }
        if self.expulsion == Some(0) {
            return refused("nobody can be expelled after no failure: at least 1 is needed".into());
        }
        Ok(())
    }

    /// What a player is called.
    pub fn name(&self, player: usize) -> &str {
        self.players.get(player).map_or("?", |player| &player.engine.name)
    }

    /// What the players are called.
    pub fn names(&self) -> Vec<&str> {
        self.players.iter().map(|player| player.engine.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPRT: SprtConfig =
        SprtConfig { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };

    fn player(name: &str) -> Player {
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        Player {
            engine: EngineConfig { name: name.into(), ..EngineConfig::default() },
            limits,
            ..Player::default()
        }
    }

    #[test]
    fn what_no_match_can_be_played_with_is_told() {
        type Change = fn(&mut MatchConfig);
        let checked = |change: Change| {
            let mut config =
                MatchConfig { players: vec![player("A"), player("B")], ..MatchConfig::default() };
            change(&mut config);
            config.check().map_err(|error| error.to_string())
        };
        assert_eq!(checked(|_| ()), Ok(()), "no more than players is needed");
        let wrong: [(&str, Change); 11] = [
            ("two players, 0 given", |config| config.players.clear()),
            ("two players, 1 given", |config| config.players.truncate(1)),
            ("two players, 3 given", |config| {
                config.players.push(player("C"));
                config.sprt = Some(SPRT);
            }),
            ("called 'B'", |config| config.players[0] = player("B")),
            ("player 2 has no name", |config| config.players[1] = player("")),
            ("B has no limit", |config| config.players[1].limits = Limits::default()),
            ("no game", |config| config.rounds = 0),
            ("no game", |config| config.kind = Kind::Gauntlet { seeds: 2 }),
            ("no game", |config| config.kind = Kind::Gauntlet { seeds: 0 }),
            ("elo0", |config| config.sprt = Some(SprtConfig { elo0: 9.0, ..SPRT })),
            ("at least 1", |config| config.expulsion = Some(0)),
        ];
        for (words, change) in wrong {
            let error = checked(change).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(checked(|config| config.sprt = Some(SPRT)), Ok(()));
    }
}
