//! Runs the match that words ask for.

use super::Failure;
use super::words::Request;

/// Does what the words ask for.
pub(super) fn run(request: Request) -> Result<(), Failure> {
    if let Request::Match { notes, .. } = &request {
        for note in notes {
            eprintln!("adoube: {note}");
        }
    }
    Err("matches cannot be played yet".into())
}
