//! Reading lines: from a pipe without making anybody wait, and such that may be too long.

use crossbeam_channel::{Receiver, unbounded};
use std::io::{self, BufRead, BufReader, Read};

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

/// Reads a line, of one longer than `most` bytes its beginning, so that it takes no more memory, and returns its length in the
/// file with its end: 0 behind the last one.
///
/// # Errors
/// If it cannot be read.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<u64> {
    line.clear();
    let mut length = 0;
    loop {
        let block = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            block => block?,
        };
        if block.is_empty() {
            return Ok(length);
        }
        let end = block.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let count = end.map_or(block.len(), |end| end + 1);
        let last = block[count - 1];
        line.extend(&block[..count.min(most - line.len())]);
        reader.consume(count);
        length += count as u64;
        if end.is_some() {
            // A carriage return may stand alone, as in old files.
            if last == b'\r' && reader.fill_buf()?.first() == Some(&b'\n') {
                reader.consume(1);
                length += 1;
            }
            return Ok(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_the_beginning_is_kept_and_the_next_one_comes() {
        let text = b"one\r\ntwo\rthree, which is long\n\n\r\n12345";
        // Whatever comes at once.
        for block in [1, 2, 5, 100] {
            let mut reader = BufReader::with_capacity(block, &text[..]);
            let mut line = vec![];
            for (kept, length) in
                [("one\r", 5), ("two\r", 4), ("three", 21), ("\n", 1), ("\r", 2), ("12345", 5)]
            {
                assert_eq!(read_line(&mut reader, &mut line, 5).unwrap(), length, "{kept}");
                assert_eq!(String::from_utf8_lossy(&line), kept);
            }
            assert_eq!(read_line(&mut reader, &mut line, 5).unwrap(), 0);
            assert!(line.is_empty() && line.capacity() <= 8);
        }
    }
}
