//! Syzygy endgame tablebases: how a position with few pieces ends with the best play of both sides.
//!
//! Knows positions; does not know who asks. The probing is pyrrhic-rs's, the format Ronald de Man's
//! (<https://github.com/syzygy1/tb>). That library takes characters of C for signed ones: where they are not, as on
//! Linux for ARM, there are no tablebases, and whoever asks for them is told so.

// Everything that has signed characters and that a chess engine may run on.
#[cfg(any(target_arch = "x86_64", target_arch = "x86", target_vendor = "apple", windows))]
mod bases;
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_vendor = "apple", windows)))]
#[path = "no_bases.rs"]
mod bases;
mod rank;
mod whole;

pub use rank::Ranked;

use crate::board::Position;
use crate::types::{Color, Move, PieceType};
use bases::Bases;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use whole::is_whole;

/// How a position ends for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// It is lost.
    Loss,
    /// It is lost, but for the fifty-move rule.
    BlessedLoss,
    /// It is drawn.
    Draw,
    /// It is won, but for the fifty-move rule.
    CursedWin,
    /// It is won.
    Win,
}

impl std::ops::Neg for Ending {
    type Output = Ending;

    /// The same for the other side.
    fn neg(self) -> Ending {
        match self {
            Ending::Loss => Ending::Win,
            Ending::BlessedLoss => Ending::CursedWin,
            Ending::Draw => Ending::Draw,
            Ending::CursedWin => Ending::BlessedLoss,
            Ending::Win => Ending::Loss,
        }
    }
}

/// A move with how it ends, and how many plies after it, itself included, the next capture or pawn move comes at the
/// latest (for a draw 0).
pub(crate) type Distance = (Move, Ending, u32);

/// Where the answers come from.
enum Source {
    Files(Bases),
    /// For tests, which have no files.
    #[cfg(test)]
    Told(fn(&Position) -> Option<Ending>),
}

/// Tablebases that have been found. A process has some open once at a time.
pub struct Tables {
    source: Source,
    count: usize,
    most_pieces: u32,
    /// The tables of distances, by their names.
    distances: HashSet<String>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("count", &self.count)
            .field("most_pieces", &self.most_pieces)
            .finish_non_exhaustive()
    }
}

/// Why tablebases could not be opened.
#[derive(Debug)]
pub enum TablesError {
    /// One of the folders cannot be read.
    Folder(String, io::Error),
    /// A file cannot be read.
    File(PathBuf, io::Error),
    /// A folder lies on a drive that the library cannot be told of, on Windows.
    Drive(PathBuf),
    /// No tables lie in the folders.
    Empty(String),
    /// A file is not what its name says, or was copied in part; what should be in it.
    Damaged(PathBuf, &'static str),
    /// Others are open.
    Again,
    /// This build cannot read any.
    NotHere,
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesError::Folder(folder, error) => write!(f, "tablebases in {folder}: {error}"),
            TablesError::File(file, error) => write!(f, "tablebase {}: {error}", file.display()),
            TablesError::Drive(folder) => {
                let folder = folder.display();
                write!(
                    f,
                    "tablebases in {folder}: on Windows they have to lie on the drive of the current folder"
                )
            }
            TablesError::Empty(paths) => {
                write!(f, "no tablebases in {paths}: expected files such as KQvK.rtbw")
            }
            TablesError::Damaged(file, what) => {
                write!(f, "{} is no table of {what}, or not a whole one", file.display())
            }
            TablesError::Again => f.write_str("other tablebases are open"),
            TablesError::NotHere => {
                f.write_str("this build cannot read tablebases: they need x86, macOS or Windows")
            }
        }
    }
}

impl std::error::Error for TablesError {}

/// The two names that a table for the pieces of a position may have: `KQvKR` and `KRvKQ`.
fn names(position: &Position) -> [String; 2] {
    let side = |color: Color| -> String {
        let kinds = PieceType::ALL.into_iter().rev();
        let letters = kinds.map(|kind| {
            let count = (position.of_kind(kind) & position.of_color(color)).count();
            String::from(kind.letter()).to_uppercase().repeat(count as usize)
        });
        letters.collect()
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    [format!("{white}v{black}"), format!("{black}v{white}")]
}

/// How a kind of files ends, begins, and what is in it.
type Kind = (&'static str, [u8; 4], &'static str);

const WINS: Kind = ("rtbw", [0x71, 0xe8, 0x23, 0x5d], "wins and losses");
const DISTANCES: Kind = ("rtbz", [0xd7, 0x66, 0x0c, 0xa5], "distances");

/// How many pieces the table of this name is for: `KRPvKR`, each side's pieces by their worth and first the side with more,
/// or with the better ones. `None` if no table is called so.
fn pieces_of(name: &str) -> Option<u32> {
    let ranks = |side: &str| side.chars().map(|piece| "KQRBNP".find(piece)).collect::<Option<Vec<_>>>();
    let (first, second) = name.split_once('v')?;
    let (first, second) = (ranks(first)?, ranks(second)?);
    let is_side = |ranks: &[usize]| ranks.is_sorted() && ranks.iter().filter(|&&rank| rank == 0).count() == 1;
    let in_order = (first.len(), &second) >= (second.len(), &first);
    (is_side(&first) && is_side(&second) && in_order).then_some((first.len() + second.len()) as u32)
}

/// A folder as the library can be told of it, for which every `:` ends one and begins another.
fn tellable(folder: &Path) -> Result<String, TablesError> {
    let text = folder.to_str().ok_or_else(|| TablesError::Empty(folder.display().to_string()))?;
    if !cfg!(windows) {
        return Ok(text.to_string());
    }
    let [there, here] = [std::path::absolute(folder), std::env::current_dir()]
        .map(|path| path.unwrap_or_default().to_string_lossy().into_owned());
    without_drive(&there, &here).ok_or_else(|| TablesError::Drive(folder.to_path_buf()))
}

/// An absolute path of Windows without its drive, if that is the one of the folder `here`: what begins with a backslash lies on
/// the current drive. `None` if its drive has to be named.
fn without_drive<'a>(path: &'a str, here: &str) -> Option<String> {
    let drive = |path: &'a str| path.get(..2).filter(|drive| drive.ends_with(':'));
    let is_ours = |drive: &&str| here.get(..2).is_some_and(|ours| ours.eq_ignore_ascii_case(drive));
    let rest = if drive(path).filter(is_ours).is_some() { &path[2..] } else { path };
    (!rest.is_empty() && !rest.contains(':')).then(|| rest.to_string())
}

/// What lies in the folders: the library counts tables that are not there, and says on standard output what is wrong with
/// others. A table that lies in two of them counts once.
#[derive(Default)]
struct Found {
    /// The tables of wins and losses, by their names.
    wins: HashSet<String>,
    /// The most pieces that one of them has.
    most_pieces: u32,
    /// The tables of distances.
    distances: HashSet<String>,
}

impl Found {
    fn in_folders(folders: &[PathBuf]) -> Result<Found, TablesError> {
        let mut found = Found::default();
        for folder in folders {
            let failed = |error| TablesError::Folder(folder.display().to_string(), error);
            for entry in std::fs::read_dir(folder).map_err(failed)? {
                let file = entry.map_err(failed)?.path();
                let kind = [WINS, DISTANCES]
                    .into_iter()
                    .find(|kind| file.extension().is_some_and(|extension| extension == kind.0));
                let Some((ending, magic, what)) = kind else { continue };
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                // Others, copies for instance, are never asked for.
                let Some(pieces) = pieces_of(&name) else { continue };
                let is_whole = is_whole(&file, magic, &name);
                if !is_whole.map_err(|error| TablesError::File(file.clone(), error))? {
                    return Err(TablesError::Damaged(file, what));
                }
                if ending == DISTANCES.0 {
                    found.distances.insert(name);
                } else {
                    found.most_pieces = found.most_pieces.max(pieces);
                    found.wins.insert(name);
                }
            }
        }
        Ok(found)
    }
}

impl Tables {
    /// Opens the tables in one or several folders, with `:` between them (`;` on Windows, where they have to lie on the drive of
    /// the current folder).
    ///
    /// # Errors
    /// If a folder cannot be read or lies on another drive (Windows), if there are no tables in them or damaged ones, or if some
    /// were opened before.
    pub fn open(paths: &str) -> Result<Tables, TablesError> {
        // The library does not take empty names, as behind a separator at the end, for what they are.
        let is_empty = |folder: &PathBuf| folder.as_os_str().is_empty();
        let folders: Vec<PathBuf> = std::env::split_paths(paths).filter(|folder| !is_empty(folder)).collect();
        let found = Found::in_folders(&folders)?;
        if found.most_pieces == 0 {
            return Err(TablesError::Empty(paths.to_string()));
        }
        let told = folders.iter().map(|folder| tellable(folder)).collect::<Result<Vec<_>, _>>()?.join(":");
        let Found { wins, most_pieces, distances } = found;
        let source = Source::Files(Bases::open(&told)?);
        Ok(Tables { source, count: wins.len(), most_pieces, distances })
    }

    /// Tables that know what a function tells of positions with so many pieces at most; no distances.
    #[cfg(test)]
    pub(crate) fn told(most_pieces: u32, tell: fn(&Position) -> Option<Ending>) -> Tables {
        Tables { source: Source::Told(tell), count: 0, most_pieces, distances: HashSet::new() }
    }

    /// How many tables of wins and losses there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The most pieces, kings and pawns among them, that some table has.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// How the position ends, if its table is there. The table does not know what has been played: counters are left
    /// aside but for the rule that fifty moves without capture or pawn move draw. It knows no castling either.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if !self.may_know(position) {
            return None;
        }
        match &self.source {
            Source::Files(bases) => bases.ending(position),
            #[cfg(test)]
            Source::Told(tell) => tell(position),
        }
    }

    fn may_know(&self, position: &Position) -> bool {
        position.occupied().count() <= self.most_pieces() && position.castling_rights().is_empty()
    }

    /// All moves, if the table of distances is there, with the half-moves on the position's counter. Not to be called by
    /// two threads at once.
    fn distances(&self, position: &Position) -> Option<Vec<Distance>> {
        // Asked for a table that is not there, the library forgets that of wins and losses too.
        if !self.may_know(position) || !names(position).iter().any(|name| self.distances.contains(name)) {
            return None;
        }
        match &self.source {
            Source::Files(bases) => bases.distances(position),
            #[cfg(test)]
            Source::Told(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn only_names_of_tables_count() {
        for (name, pieces) in [("KvK", 2), ("KQvK", 3), ("KRPvKR", 5), ("KQRvKBN", 6), ("KPvKP", 4)] {
            assert_eq!(pieces_of(name), Some(pieces), "{name}");
        }
        for name in ["KvKQ", "KRvKQ", "KPRvK", "KQvK-copy", "KQvK (1)", "QvK", "KQKvK", "KQ", "kqvk", ""] {
            assert_eq!(pieces_of(name), None, "{name}");
        }
    }

    #[test]
    fn on_windows_the_current_drive_is_not_named_and_no_other_can_be() {
        for (path, here, told) in [
            (r"C:\Syzygy\345", r"C:\Games", Some(r"\Syzygy\345")),
            (r"c:\Syzygy", r"C:\Games", Some(r"\Syzygy")),
            (r"D:\Syzygy", r"C:\Games", None),
            (r"\\server\share\Syzygy", r"C:\Games", Some(r"\\server\share\Syzygy")),
            (r"C:\Syzygy", r"\\server\share", None),
            (r"\\?\C:\Syzygy", r"C:\Games", None),
            ("", r"C:\Games", None),
        ] {
            assert_eq!(without_drive(path, here).as_deref(), told, "{path} from {here}");
        }
    }

    #[test]
    fn what_is_won_for_one_side_is_lost_for_the_other() {
        use Ending::{BlessedLoss, CursedWin, Draw, Loss, Win};
        assert_eq!(
            [Loss, BlessedLoss, Draw, CursedWin, Win].map(|ending| -ending),
            [Win, CursedWin, Draw, BlessedLoss, Loss]
        );
    }

    /// Without those of wins and losses nobody asks for distances.
    #[test]
    fn tables_of_distances_alone_are_none() {
        let folder = Scratch::new();
        std::fs::write(folder.join("KQvK.rtbz"), alike(DISTANCES.1)).unwrap();
        let error = Tables::open(folder.to_str().unwrap()).err().unwrap().to_string();
        assert!(error.starts_with("no tablebases in "), "{error}");
    }

    /// A table of queen against nobody in which all positions are alike: no blocks. A sum comes last.
    fn alike(magic: [u8; 4]) -> Vec<u8> {
        [&magic[..], &[0, 0, 0x6, 0x5, 0xe, 0, 0x80, 0], &[0; 52], &[7; 16]].concat()
    }

    #[test]
    fn a_table_counts_once_and_one_that_cannot_be_read_is_named() {
        let folder = Scratch::new();
        let folders = ["a", "b"].map(|name| folder.join(name));
        for folder in &folders {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("KQvK.rtbw"), alike(WINS.1)).unwrap();
        }
        std::fs::write(folders[1].join("KQvK (1).rtbw"), alike(WINS.1)).unwrap();
        let found = Found::in_folders(&folders).unwrap();
        assert_eq!((found.wins.len(), found.most_pieces, found.distances.len()), (1, 3, 0));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", folders[1].join("KRvK.rtbz")).unwrap();
            let error = Found::in_folders(&folders).err().unwrap().to_string();
            let file = folders[1].join("KRvK.rtbz");
            assert!(error.starts_with(&format!("tablebase {}: ", file.display())), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_folder_in_the_place_of_a_table_is_named() {
        let folder = Scratch::new();
        let [pipe, inner] = ["KQvK.rtbw", "KRvK.rtbz"].map(|name| folder.join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // With somebody at its other end, opening it would not wait for ever, as it did.
        let _other_end = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
        for file in [pipe, inner] {
            let error = Found::in_folders(&[folder.to_path_buf()]).err().unwrap().to_string();
            let told = format!("tablebase {}: this is not an ordinary file", file.display());
            assert_eq!(error, told);
            let _ = std::fs::remove_file(&file);
            let _ = std::fs::create_dir(folder.join("KRvK.rtbz"));
        }
    }

    #[test]
    fn tables_are_called_by_their_pieces() {
        let position = Position::from_fen("4k3/1p1r4/8/8/8/2N5/1P2BQ2/4K3 w - - 0 1").unwrap();
        assert_eq!(names(&position), ["KQBNPvKRP", "KRPvKQBNP"]);
    }
}
