//! Reading lines from a pipe without making anybody wait.

use crossbeam_channel::{Receiver, unbounded};
use std::io::{BufRead, BufReader, Read};

/// Lines of `input`, read in a thread of their own, so that nobody waits for the reader or the reader for anybody.
/// The channel ends with the input. Bytes that are no UTF-8 are replaced.
pub fn lines(input: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = unbounded();
    let read = move || {
        let mut input = BufReader::new(input);
        let mut bytes = vec![];
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {
                    if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                        return;
                    }
                }
            }
        }
    };
    // Without the thread the channel is closed at once: the same as no input.
    let _ = std::thread::Builder::new().name("input".into()).spawn(read);
    receiver
}
