//! The way to the client: one locked writer.

use parking_lot::Mutex;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
