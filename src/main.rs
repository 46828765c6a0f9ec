//! Adoube: a UCI chess engine and the arbiter of engine games.

use adoube::sys::signals;
use adoube::uci::{Session, io};

fn main() {
    let session = Session::new(io::Output::new(std::io::stdout())).unwrap();
    session.run(&io::lines(std::io::stdin()), &signals::interrupts());
}
