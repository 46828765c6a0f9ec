//! What one needs to know to start an engine.

use std::path::PathBuf;

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// xboard's protocol, also called Chess Engine Communication Protocol.
    Cecp,
}

/// How an engine is started and set up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineConfig {
    /// What the match calls it; empty until it has said its own name.
    pub name: String,
    /// The program: a path, relative to `dir` where that is given, or a name to be found in `PATH`.
    pub cmd: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; ours if not given.
    pub dir: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Start the process anew for each game.
    pub restart: bool,
    /// Where its error output goes.
    pub stderr: Option<PathBuf>,
}

impl EngineConfig {
    /// The value that an option is to have, by its name in whatever case.
    pub fn option(&self, name: &str) -> Option<&str> {
        let set = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        set.map(|(_, value)| value.as_str())
    }
}
