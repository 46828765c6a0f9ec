//! What the command lines of the test engines have in common.

use std::fs::{File, OpenOptions};
use std::iter::Skip;
use std::process::exit;
use std::str::FromStr;
use std::time::Duration;

/// The words of a command line that have not been read.
pub struct Words {
    words: std::iter::Peekable<Skip<std::env::Args>>,
    usage: fn() -> String,
}

impl Words {
    /// All of them; `usage` is told to whoever gives wrong ones.
    pub fn new(usage: fn() -> String) -> Words {
        Words { words: std::env::args().skip(1).peekable(), usage }
    }

    /// Ends with what is wrong.
    pub fn refuse(&self, problem: &str) -> ! {
        eprintln!("{problem}\n{}", (self.usage)());
        exit(2)
    }

    pub fn peek(&mut self) -> Option<&str> {
        self.words.peek().map(String::as_str)
    }

    pub fn next(&mut self) -> Option<String> {
        self.words.next()
    }

    /// The word that belongs to a switch.
    pub fn value(&mut self, switch: &str) -> String {
        self.next().unwrap_or_else(|| self.refuse(&format!("'{switch}' stands alone")))
    }

    pub fn number<T: FromStr>(&self, text: &str) -> T {
        text.parse().unwrap_or_else(|_| self.refuse(&format!("'{text}' is no such number")))
    }

    pub fn milliseconds(&self, text: &str) -> Duration {
        Duration::from_millis(self.number(text))
    }

    /// A file to write at the end of.
    pub fn appended(&self, path: &str) -> File {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.unwrap_or_else(|error| self.refuse(&format!("{path}: {error}")))
    }
}
