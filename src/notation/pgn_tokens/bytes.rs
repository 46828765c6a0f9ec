//! The bytes of a text, with a view ahead.

use std::io::{self, ErrorKind, Read};

/// Bytes with a view ahead, and where they stand.
pub(super) struct Bytes<R> {
    input: R,
    buffer: Vec<u8>,
    next: usize,
    filled: usize,
    ended: bool,
    /// Bytes taken so far.
    pub(super) taken: u64,
    /// The last of them.
    pub(super) last: Option<u8>,
    /// The line of the next byte, from 1.
    pub(super) line: u64,
    pub(super) at_line_start: bool,
}

impl<R: Read> Bytes<R> {
    /// Reads `input` in blocks of so many bytes.
    pub(super) fn new(input: R, block: usize) -> Bytes<R> {
        Bytes {
            input,
            buffer: vec![0; block],
            next: 0,
            filled: 0,
            ended: false,
            taken: 0,
            last: None,
            line: 1,
            at_line_start: true,
        }
    }

    /// What has been read and, in the first block, may have been taken.
    pub(super) fn seen(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// The byte that comes `ahead` bytes after the next one.
    pub(super) fn peek(&mut self, ahead: usize) -> io::Result<Option<u8>> {
        while self.next + ahead >= self.filled && !self.ended {
            if self.next > 0 {
                self.buffer.copy_within(self.next..self.filled, 0);
                self.filled -= self.next;
                self.next = 0;
            }
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.buffer[..self.filled].get(self.next + ahead).copied())
    }

    pub(super) fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek(0)?;
        if let Some(byte) = byte {
            self.next += 1;
            self.taken += 1;
            self.last = Some(byte);
            // Old files have a carriage return alone.
            self.at_line_start = byte == b'\n' || byte == b'\r' && self.peek(0)? != Some(b'\n');
            self.line += u64::from(self.at_line_start);
        }
        Ok(byte)
    }

    pub(super) fn skip(&mut self, count: usize) -> io::Result<()> {
        (0..count).try_for_each(|_| self.take().map(drop))
    }

    pub(super) fn comes(&mut self, text: &[u8]) -> io::Result<bool> {
        for (ahead, byte) in text.iter().enumerate() {
            if self.peek(ahead)? != Some(*byte) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
