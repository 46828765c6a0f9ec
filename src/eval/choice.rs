//! Which evaluation is used: the network inside the program, one of a file, or the hand-made terms.

use super::network::{Network, NetworkError};
use crate::sys::files::must_be_ordinary;
use once_cell::sync::Lazy;
use std::fmt;
use std::sync::Arc;

/// The file that the build put into the program (see `build.rs`): empty if there is no network.
static EMBEDDED: &[u8] = include_bytes!(env!("ADOUBE_EVALFILE"));

static INTERNAL: Lazy<Result<Evaluation, NetworkError>> = Lazy::new(|| {
    if EMBEDDED.is_empty() {
        return Ok(Evaluation::Classic);
    }
    Network::read(EMBEDDED).map(|network| Evaluation::Network(Arc::new(network)))
});

/// What gives positions their values.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-made terms of [`super::classic`].
    Classic,
    /// A trained network.
    Network(Arc<Network>),
}

/// Why an evaluation cannot be had.
#[derive(Debug)]
pub enum EvaluationError {
    /// The file cannot be read: its name, why.
    File(String, std::io::Error),
    /// It is no network that can be used: its name, why.
    Network(String, NetworkError),
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationError::File(name, error) => write!(f, "the network '{name}' cannot be read: {error}"),
            EvaluationError::Network(name, error) => {
                write!(f, "the network '{name}' cannot be used: {error}")
            }
        }
    }
}

impl std::error::Error for EvaluationError {}

impl Evaluation {
    /// The setting that names the network inside the program.
    pub const INTERNAL: &'static str = "<internal>";
    /// The setting that names the hand-made evaluation.
    pub const CLASSIC: &'static str = "classic";
    /// A larger file is no network that [`Network::read`] takes: 32 king buckets of 2048 sums with
    /// threats come to 193 MiB.
    const LARGEST_FILE: u64 = 200 << 20;

    /// The network inside the program; the hand-made evaluation if the program was built without.
    ///
    /// # Errors
    /// If the program was built with a file that is no network.
    pub fn internal() -> Result<Evaluation, EvaluationError> {
        INTERNAL
            .as_ref()
            .cloned()
            .map_err(|error| EvaluationError::Network(Evaluation::INTERNAL.to_string(), error.clone()))
    }

    /// True if both are the same.
    pub fn is(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Classic, Evaluation::Classic) => true,
            (Evaluation::Network(one), Evaluation::Network(other)) => Arc::ptr_eq(one, other) || one == other,
            _ => false,
        }
    }

    /// True if a setting is the path of a network.
    pub fn is_path(setting: &str) -> bool {
        !["", Evaluation::INTERNAL, Evaluation::CLASSIC].contains(&setting)
    }

    /// What a setting names: [`Evaluation::INTERNAL`] or nothing, [`Evaluation::CLASSIC`], or the path of a network.
    ///
    /// # Errors
    /// If the file cannot be read or is no network; says which file and what is wrong.
    pub fn from_setting(setting: &str) -> Result<Evaluation, EvaluationError> {
        match setting {
            "" | Evaluation::INTERNAL => Evaluation::internal(),
            Evaluation::CLASSIC => Ok(Evaluation::Classic),
            path => {
                let bytes =
                    read_file(path).map_err(|error| EvaluationError::File(path.to_string(), error))?;
                let network = Network::read(&bytes)
                    .map_err(|error| EvaluationError::Network(path.to_string(), error))?;
                Ok(Evaluation::Network(Arc::new(network)))
            }
        }
    }
}

/// What a network file at most has, and one byte more, so that whatever is longer is found out without reading it all.
fn read_file(path: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    must_be_ordinary(path.as_ref())?;
    let mut bytes = vec![];
    std::fs::File::open(path)?.take(Evaluation::LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Default for Evaluation {
    /// The network inside the program, or the hand-made evaluation if there is none.
    fn default() -> Evaluation {
        Evaluation::internal().unwrap_or(Evaluation::Classic)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Classic => f.write_str("hand-made evaluation"),
            Evaluation::Network(network) => write!(f, "network {network}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{Architecture, Inputs};
    use crate::sys::scratch::Scratch;

    #[test]
    fn the_network_inside_can_be_used() {
        assert!(Evaluation::internal().is_ok(), "{:?}", Evaluation::internal());
    }

    #[test]
    fn a_setting_names_a_file_and_errors_name_it_too() {
        assert!(matches!(Evaluation::from_setting("classic"), Ok(Evaluation::Classic)));
        let folder = Scratch::new();
        let path = folder.join("a network.nnue");
        let name = path.to_str().unwrap();
        let missing = Evaluation::from_setting(name).unwrap_err();
        assert!(matches!(missing, EvaluationError::File(..)) && missing.to_string().contains(name));
        let network = Network::random(Architecture::new(Inputs::Mirrored, 32, 1), 1).unwrap();
        let bytes = network.write();
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(Evaluation::from_setting(name), Ok(Evaluation::Network(read)) if *read == network));
        std::fs::write(&path, &bytes[..1_000]).unwrap();
        let damaged = Evaluation::from_setting(name).unwrap_err();
        assert!(matches!(damaged, EvaluationError::Network(..)) && damaged.to_string().contains(name));
        assert!(Evaluation::from_setting(folder.to_str().unwrap()).is_err());
    }

    #[test]
    fn a_network_read_twice_is_the_same() {
        let read = |seed| {
            let network = Network::random(Architecture::new(Inputs::Mirrored, 32, 1), seed).unwrap();
            Evaluation::Network(Arc::new(network))
        };
        assert!(read(1).is(&read(1)) && Evaluation::Classic.is(&Evaluation::Classic));
        assert!(!read(1).is(&read(2)) && !read(1).is(&Evaluation::Classic));
    }
}
