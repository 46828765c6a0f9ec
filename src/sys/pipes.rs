//! Pipes to other processes that nobody has to wait for: reading what is there, writing with a deadline, waiting for
//! several at once.
//!
//! On Unix the pipes are asked directly, which costs a system call a line or less; elsewhere a thread reads each.

use std::io;

#[cfg(not(unix))]
pub use threads::{Bell, Ringer, Sink, Source, standard_output_is_abandoned, wait};
#[cfg(unix)]
pub use unix::{Bell, Ringer, Sink, Source, standard_output_is_abandoned, wait};

/// What reading without waiting gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// So many bytes, at least one.
    Bytes(usize),
    /// Nothing now.
    Nothing,
    /// The other side has closed the pipe.
    Closed,
}

/// Why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Woken {
    /// A source has something, or has been closed.
    Ready,
    /// The deadline has passed.
    Late,
    /// The bell has been rung.
    Rung,
}

/// The most sources that can be waited for together.
pub const MOST_SOURCES: usize = 4;

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the other side does not read")
}

#[cfg(unix)]
mod unix {
    #![allow(unsafe_code)]

    use super::{MOST_SOURCES, Read, Woken, late};
    use arrayvec::ArrayVec;
    use std::fs::File;
    use std::io::{self, Read as _, Write as _};
    use std::os::fd::{AsRawFd, OwnedFd, RawFd};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// The end of a pipe that somebody else writes to.
    #[derive(Debug)]
    pub struct Source {
        file: File,
        ready: bool,
        closed: bool,
    }

    /// The end of a pipe that somebody else reads from.
    #[derive(Debug)]
    pub struct Sink {
        file: File,
    }

    /// Ends the waits of other threads, all of them and for good.
    #[derive(Clone, Debug)]
    pub struct Bell {
        listened: Arc<io::PipeReader>,
    }

    /// Rings a bell when it is dropped.
    #[derive(Debug)]
    pub struct Ringer(#[allow(dead_code)] io::PipeWriter);

    impl Bell {
        /// A bell with the means to ring it.
        ///
        /// # Errors
        /// If the system has no more pipes.
        pub fn new() -> io::Result<(Bell, Ringer)> {
            let (reader, writer) = io::pipe()?;
            Ok((Bell { listened: Arc::new(reader) }, Ringer(writer)))
        }
    }

    /// Makes reads and writes return at once. Only our end is changed: each end of a pipe has flags of its own.
    fn do_not_wait(file: &File) -> io::Result<()> {
        let descriptor = file.as_raw_fd();
        // SAFETY: the descriptor is open as long as `file`, and no memory is involved. Without it a process that stops
        // reading or writing would stop us.
        let done = unsafe {
            let flags = libc::fcntl(descriptor, libc::F_GETFL);
            flags >= 0 && libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK) >= 0
        };
        if done { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    impl Source {
        /// Takes over a child's output.
        ///
        /// # Errors
        /// If the system does not let its flags be set.
        pub fn new(pipe: impl Into<OwnedFd>) -> io::Result<Source> {
            let file = File::from(pipe.into());
            do_not_wait(&file)?;
            Ok(Source { file, ready: false, closed: false })
        }

        /// True if the last wait found something here.
        pub fn is_ready(&self) -> bool {
            self.ready
        }

        /// True if the other side has closed the pipe and all has been read.
        pub fn is_closed(&self) -> bool {
            self.closed
        }

        /// Reads what is there, up to the size of `buffer`.
        pub fn read(&mut self, buffer: &mut [u8]) -> Read {
            self.ready = false;
            if self.closed {
                return Read::Closed;
            }
            match self.file.read(buffer) {
                Ok(0) => {
                    self.closed = true;
                    Read::Closed
                }
                Ok(count) => Read::Bytes(count),
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) =>
                {
                    Read::Nothing
                }
                Err(_) => {
                    self.closed = true;
                    Read::Closed
                }
            }
        }
    }

    impl Sink {
        /// Takes over a child's input.
        ///
        /// # Errors
        /// If the system does not let its flags be set.
        pub fn new(pipe: impl Into<OwnedFd>) -> io::Result<Sink> {
            let file = File::from(pipe.into());
            do_not_wait(&file)?;
            Ok(Sink { file })
        }

        /// Writes all, in one call if the pipe has room.
        ///
        /// # Errors
        /// `TimedOut` if the other side has not read in time; `BrokenPipe` if it is gone.
        pub fn write(&mut self, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
            while !bytes.is_empty() {
                match self.file.write(bytes) {
                    Ok(count) => bytes = &bytes[count..],
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        let mut entry = [entry(self.file.as_raw_fd(), libc::POLLOUT)];
                        if poll(&mut entry, deadline) == 0 {
                            return Err(late());
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }
    }

    fn entry(descriptor: RawFd, events: i16) -> libc::pollfd {
        libc::pollfd { fd: descriptor, events, revents: 0 }
    }

    /// Waits until something happens or the deadline has passed; how many entries something happened to.
    fn poll(entries: &mut [libc::pollfd], deadline: Instant) -> usize {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let found = poll_once(entries, left);
            if found > 0 {
                return found as usize;
            }
            if Instant::now() >= deadline {
                return 0;
            }
            if found < 0 && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                // Out of memory, perhaps: no reason to spin.
                std::thread::sleep(Duration::from_millis(1));
            }
            // Interrupted by a signal, or woken a little early.
        }
    }

    #[cfg(target_os = "linux")]
    fn poll_once(entries: &mut [libc::pollfd], left: Duration) -> i32 {
        let left = libc::timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_nsec: left.subsec_nanos() as libc::c_long,
        };
        // SAFETY: the entries and the time are valid for the call, and their number is that of the slice; the
        // descriptors in them belong to files that the caller holds. It is the only way to wait for several pipes; one
        // thread a pipe costs two wake-ups more for each line.
        unsafe { libc::ppoll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, &left, std::ptr::null()) }
    }

    #[cfg(not(target_os = "linux"))]
    fn poll_once(entries: &mut [libc::pollfd], left: Duration) -> i32 {
        let left = i32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(i32::MAX);
        // SAFETY: as above.
        unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, left) }
    }

    /// True if the standard output is a pipe that nobody reads any more, or a terminal that is gone.
    pub fn standard_output_is_abandoned() -> bool {
        let mut entry = [libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 }];
        poll_once(&mut entry, Duration::ZERO) > 0 && entry[0].revents & (libc::POLLERR | libc::POLLHUP) != 0
    }

    /// Waits until a source has something, the bell is rung or the deadline has passed, and marks the ready ones. Closed
    /// sources are passed over.
    pub fn wait(sources: &mut [&mut Source], bell: Option<&Bell>, deadline: Instant) -> Woken {
        let mut entries: ArrayVec<libc::pollfd, { MOST_SOURCES + 1 }> = sources
            .iter()
            // A negative descriptor is passed over by poll.
            .map(|source| entry(if source.closed { -1 } else { source.file.as_raw_fd() }, libc::POLLIN))
            .collect();
        entries.extend(bell.map(|bell| entry(bell.listened.as_raw_fd(), libc::POLLIN)));
        if poll(&mut entries, deadline) == 0 {
            return Woken::Late;
        }
        if bell.is_some() && entries.last().is_some_and(|bell| bell.revents != 0) {
            return Woken::Rung;
        }
        for (source, entry) in sources.iter_mut().zip(&entries) {
            source.ready = entry.revents != 0;
        }
        Woken::Ready
    }
}

/// The same with a thread for each pipe. Compiled for the tests everywhere.
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code))]
mod threads {
    use super::{MOST_SOURCES, Read, Woken, late};
    use arrayvec::ArrayVec;
    use crossbeam_channel::{Receiver, Select, SendTimeoutError, Sender, TryRecvError, bounded};
    use std::io::{self, Read as _, Write};
    use std::time::Instant;

    /// So many blocks are read ahead of us, or written behind us.
    const AHEAD: usize = 16;

    /// The end of a pipe that somebody else writes to.
    #[derive(Debug)]
    pub struct Source {
        blocks: Receiver<Vec<u8>>,
        /// What has been taken from the channel and not been read yet.
        rest: Vec<u8>,
        ready: bool,
        closed: bool,
    }

    /// The end of a pipe that somebody else reads from.
    #[derive(Debug)]
    pub struct Sink {
        /// To the thread that writes.
        blocks: Sender<Vec<u8>>,
    }

    /// Ends the waits of other threads, all of them and for good.
    #[derive(Clone, Debug)]
    pub struct Bell {
        listened: Receiver<()>,
    }

    /// Rings a bell when it is dropped.
    #[derive(Debug)]
    pub struct Ringer(#[allow(dead_code)] Sender<()>);

    impl Bell {
        /// A bell with the means to ring it.
        ///
        /// # Errors
        /// None here.
        pub fn new() -> io::Result<(Bell, Ringer)> {
            let (sender, listened) = bounded(0);
            Ok((Bell { listened }, Ringer(sender)))
        }
    }

    impl Source {
        /// Takes over a child's output.
        ///
        /// # Errors
        /// If no thread can be had.
        pub fn new(mut pipe: impl io::Read + Send + 'static) -> io::Result<Source> {
            let (sender, blocks) = bounded(AHEAD);
            let read = move || {
                let mut block = [0; 4096];
                while let Ok(count @ 1..) = pipe.read(&mut block) {
                    if sender.send(block[..count].to_vec()).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().name("pipe".into()).spawn(read)?;
            Ok(Source { blocks, rest: vec![], ready: false, closed: false })
        }

        /// True if the last wait found something here.
        pub fn is_ready(&self) -> bool {
            self.ready
        }

        /// True if the other side has closed the pipe and all has been read.
        pub fn is_closed(&self) -> bool {
            self.closed
        }

        /// Reads what is there, up to the size of `buffer`.
        pub fn read(&mut self, buffer: &mut [u8]) -> Read {
            self.ready = false;
            if self.rest.is_empty() {
                match self.blocks.try_recv() {
                    Ok(block) => self.rest = block,
                    Err(TryRecvError::Empty) => return Read::Nothing,
                    Err(TryRecvError::Disconnected) => {
                        self.closed = true;
                        return Read::Closed;
                    }
                }
            }
            let count = self.rest.as_slice().read(buffer).unwrap_or(0);
            self.rest.drain(..count);
            Read::Bytes(count)
        }
    }

    impl Sink {
        /// Takes over a child's input.
        ///
        /// # Errors
        /// If no thread can be had.
        pub fn new(mut pipe: impl Write + Send + 'static) -> io::Result<Sink> {
            let (blocks, receiver) = bounded::<Vec<u8>>(AHEAD);
            let write = move || {
                let mut put = |block: Vec<u8>| pipe.write_all(&block).and_then(|()| pipe.flush());
                let _ = receiver.iter().try_for_each(&mut put);
            };
            std::thread::Builder::new().name("pipe".into()).spawn(write)?;
            Ok(Sink { blocks })
        }

        /// Has all written. What becomes of it shows at one of the next calls.
        ///
        /// # Errors
        /// `TimedOut` if the other side has not read what came long before in time; `BrokenPipe` if it was gone by then.
        pub fn write(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<()> {
            self.blocks.send_deadline(bytes.to_vec(), deadline).map_err(|error| match error {
                SendTimeoutError::Timeout(_) => late(),
                SendTimeoutError::Disconnected(_) => io::ErrorKind::BrokenPipe.into(),
            })
        }
    }

    /// True if nobody reads the standard output any more, as far as the system tells: here it does not.
    pub fn standard_output_is_abandoned() -> bool {
        false
    }

    /// Waits until a source has something, the bell is rung or the deadline has passed, and marks the ready ones. Closed
    /// sources are passed over.
    pub fn wait(sources: &mut [&mut Source], bell: Option<&Bell>, deadline: Instant) -> Woken {
        let open: ArrayVec<usize, MOST_SOURCES> =
            (0..sources.len()).filter(|&i| !sources[i].closed).collect();
        if let Some(&found) = open.iter().find(|&&i| !sources[i].rest.is_empty()) {
            sources[found].ready = true;
            return Woken::Ready;
        }
        let mut select = Select::new();
        for &index in &open {
            select.recv(&sources[index].blocks);
        }
        if let Some(bell) = bell {
            select.recv(&bell.listened);
        }
        let Ok(index) = select.ready_deadline(deadline) else { return Woken::Late };
        match open.get(index) {
            Some(&source) => {
                sources[source].ready = true;
                Woken::Ready
            }
            None => Woken::Rung,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(10)
    }

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// The two ways to wait do the same.
    macro_rules! check {
        ($name:ident, $module:ident) => {
            #[test]
            fn $name() {
                use super::$module::{Bell, Sink, Source, wait};
                let (reader, writer) = io::pipe().unwrap();
                let (other, _kept) = io::pipe().unwrap();
                let (bell, ringer) = Bell::new().unwrap();
                let mut source = Source::new(reader).unwrap();
                let mut quiet = Source::new(other).unwrap();
                let mut sink = Sink::new(writer).unwrap();
                let mut buffer = [0; 4];
                assert_eq!(source.read(&mut buffer), Read::Nothing);
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), soon()), Woken::Late);
                sink.write(b"hello", far()).unwrap();
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), far()), Woken::Ready);
                assert!(source.is_ready() && !quiet.is_ready());
                assert_eq!(source.read(&mut buffer), Read::Bytes(4));
                assert_eq!(&buffer, b"hell");
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), far()), Woken::Ready);
                assert_eq!(source.read(&mut buffer), Read::Bytes(1));
                drop(sink);
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), far()), Woken::Ready);
                assert_eq!(source.read(&mut buffer), Read::Closed);
                assert!(source.is_closed());
                // A closed pipe ends no wait.
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), soon()), Woken::Late);
                drop(ringer);
                assert_eq!(wait(&mut [&mut quiet, &mut source], Some(&bell), far()), Woken::Rung);
            }
        };
    }

    #[cfg(unix)]
    check!(pipes_are_read_without_waiting, unix);
    check!(threads_read_without_waiting, threads);

    /// Nor does who does not read hold anybody up, and who is gone is told of.
    macro_rules! check_writing {
        ($name:ident, $module:ident) => {
            #[test]
            fn $name() {
                use super::$module::Sink;
                // With a thread it shows only when many are waiting.
                let error = |writer, bytes: &[u8], deadline: fn() -> Instant| {
                    let mut sink = Sink::new(writer).unwrap();
                    (0..100).find_map(|_| sink.write(bytes, deadline()).err()).unwrap().kind()
                };
                let (reader, writer) = io::pipe().unwrap();
                assert_eq!(error(writer, &[b'x'; 1 << 20], soon), io::ErrorKind::TimedOut);
                drop(reader);
                let (reader, writer) = io::pipe().unwrap();
                // What there is room for is taken at once.
                Sink::new(writer.try_clone().unwrap()).unwrap().write(b"x", Instant::now()).unwrap();
                drop(reader);
                assert_eq!(error(writer, b"x", far), io::ErrorKind::BrokenPipe);
            }
        };
    }

    /// More than a pipe has room for.
    macro_rules! check_long {
        ($name:ident, $module:ident) => {
            #[test]
            fn $name() {
                use super::$module::Sink;
                let (mut reader, writer) = io::pipe().unwrap();
                let bytes: Vec<u8> = (0..3 << 20).map(|place: u32| (place % 251) as u8).collect();
                let expected = bytes.clone();
                let write = std::thread::spawn(move || Sink::new(writer).unwrap().write(&bytes, far()));
                let mut read = vec![];
                io::Read::read_to_end(&mut reader, &mut read).unwrap();
                assert!(write.join().unwrap().is_ok() && read == expected, "{} bytes", read.len());
            }
        };
    }

    #[cfg(unix)]
    check_long!(pipes_take_what_is_longer_than_they_are, unix);
    check_long!(threads_take_what_is_longer_than_the_pipe, threads);

    #[cfg(unix)]
    check_writing!(pipes_are_written_with_a_deadline, unix);
    check_writing!(threads_write_with_a_deadline, threads);
}
