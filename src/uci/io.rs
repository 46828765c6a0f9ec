//! The pipes: a thread that reads lines, and one locked writer.

use crossbeam_channel::{Receiver, unbounded};
use parking_lot::Mutex;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The only way to the outside: whole lines, flushed. A client that has closed its end is no error but the wish to
/// quit.
#[derive(Clone)]
pub struct Output {
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    closed: Arc<AtomicBool>,
}

impl Output {
    /// Writes to `writer` from now on.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Arc::new(Mutex::new(Box::new(writer))), closed: Arc::new(AtomicBool::new(false)) }
    }

    /// Writes a line, or several.
    pub fn line(&self, text: &str) {
        let mut writer = self.writer.lock();
        let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// True once nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
