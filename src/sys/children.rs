//! Processes that we have started: whether they live, and that none of them outlives us.

#![allow(unsafe_code)]

use super::signals;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The first argument of the program when it is started to guard.
pub const GUARD: &str = "guard-children";

/// The guard, if there is one.
static GUARD_PROCESS: Mutex<Option<Child>> = Mutex::new(None);

/// The numbers of the children that lead groups and have not been waited for.
static LEADERS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Lets a command run in a process group of its own, where there are such, so that a Ctrl-C meant for us does not reach
/// it, and it can be ended with all that it starts.
pub fn in_group_of_its_own(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // CREATE_NEW_PROCESS_GROUP (<https://learn.microsoft.com/windows/win32/procthread/process-creation-flags>).
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x200);
    command
}

/// Starts a second process of this program that kills our children, and theirs, should we be killed ourselves: not even
/// SIGKILL can hinder it. To be called once, by the program, before it starts others.
///
/// # Errors
/// If the process cannot be started, in words.
pub fn start_guard() -> Result<(), String> {
    let spawn = || {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(GUARD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        in_group_of_its_own(&mut command).spawn()
    };
    let guard = spawn().map_err(|error| format!("cannot start the guard of the engines: {error}"))?;
    *GUARD_PROCESS.lock() = Some(guard);
    Ok(())
}

/// Lets our children stand still with us from now on at Ctrl-Z, which reaches us alone: as if all were in one group.
pub fn stand_still_at_ctrl_z() {
    signals::at_standstill(stand_still);
}

/// Lets our children's groups and this process stand still until somebody lets this process go on. Does nothing where there are
/// no signals.
fn stand_still() {
    #[cfg(unix)]
    {
        let leaders = LEADERS.lock();
        let to_all = |signal| {
            for leader in leaders.iter().filter_map(|&leader| libc::pid_t::try_from(leader).ok()) {
                // SAFETY: no memory is involved, and the number is that of a child's group: a child that is to be waited
                // for is taken away before.
                unsafe { libc::kill(-leader, signal) };
            }
        };
        to_all(libc::SIGSTOP);
        signals::stand_still();
        to_all(libc::SIGCONT);
    }
}

/// How long the guard may take to go, which has nothing to do by then, but somebody may have stopped it; and a child that we
/// may not kill.
const GOES: Duration = Duration::from_secs(2);

/// How a child has ended, if it does within that time.
fn await_end(child: &mut Child) -> Option<ExitStatus> {
    let deadline = Instant::now() + GOES;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.try_wait().ok()?
}

/// Sends the guard home, if there is one: all children have ended.
pub fn dismiss_guard() {
    if let Some(mut guard) = GUARD_PROCESS.lock().take() {
        // Its input ends, and so does it.
        drop(guard.stdin.take());
        await_end(&mut guard);
        let _ = guard.kill();
        let _ = guard.wait();
    }
}

/// What the guard does: listens whom to guard until nobody speaks any more, then kills who is left.
pub fn guard(input: impl BufRead) {
    let mut leaders = BTreeSet::new();
    for line in input.lines() {
        let Ok(line) = line else { break };
        match (line.get(..1), line.get(1..).and_then(|number| number.parse().ok())) {
            (Some("+"), Some(leader)) => leaders.insert(leader),
            (Some("-"), Some(leader)) => leaders.remove(&leader),
            _ => false,
        };
    }
    leaders.into_iter().for_each(kill_group);
}

fn tell_guard(sign: char, leader: u32) {
    if let Some(input) = GUARD_PROCESS.lock().as_mut().and_then(|guard| guard.stdin.as_mut()) {
        // A guard that has been killed is no reason to stop.
        let _ = writeln!(input, "{sign}{leader}");
    }
}

/// A child that leads a process group of its own. When it is dropped it is killed, with all that it has started.
#[derive(Debug)]
pub struct GroupLeader {
    child: Child,
    /// It has been waited for: its number may belong to somebody else.
    reaped: bool,
}

impl GroupLeader {
    /// Starts a command in a group of its own, under the guard.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<GroupLeader> {
        let child = in_group_of_its_own(command).spawn()?;
        LEADERS.lock().insert(child.id());
        tell_guard('+', child.id());
        Ok(GroupLeader { child, reaped: false })
    }

    /// The child.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// True once it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.look(), Ok(None))
    }

    /// How it has ended by itself, once it has. It is not waited for here, so that its number remains its own.
    ///
    /// # Errors
    /// If the system does not tell: it has ended all the same.
    pub fn look(&mut self) -> io::Result<Option<ExitStatus>> {
        #[cfg(unix)]
        {
            // SAFETY: `waitid` fills the structure, which has no invariants, and nothing else is involved. `Child` itself
            // can only look by waiting, which gives the number away before the group is killed.
            unsafe {
                let mut info: libc::siginfo_t = std::mem::zeroed();
                let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
                if libc::waitid(libc::P_PID, self.child.id() as libc::id_t, &mut info, options) != 0 {
                    return Err(io::Error::last_os_error());
                }
                // As waiting gives it: a status stands above the number of a signal.
                let shift = if info.si_code == libc::CLD_EXITED { 8 } else { 0 };
                let status = std::os::unix::process::ExitStatusExt::from_raw(info.si_status() << shift);
                Ok((info.si_pid() != 0).then_some(status))
            }
        }
        #[cfg(not(unix))]
        {
            self.child.try_wait()
        }
    }

    /// Asks it, and not its children, to end: SIGINT. On Windows it and its children: Ctrl-Break, for a group of its own does not
    /// hear Ctrl-C. Does nothing elsewhere.
    pub fn interrupt(&self) {
        #[cfg(unix)]
        if let Ok(leader) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: no memory is involved, and the child has not been waited for, which only takes this value
            // away, so the number is its own.
            unsafe { libc::kill(leader, libc::SIGINT) };
        }
        #[cfg(windows)]
        // SAFETY: no memory is involved, and the number is that of a group which this process has made; it is its own as long
        // as the handle of its leader, which is in the child, is open.
        unsafe {
            use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
            GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, self.child.id());
        }
    }

    /// Kills it and its group, and says how it ended: by itself, if it already had.
    pub fn end(mut self) -> Option<ExitStatus> {
        self.reap()
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        if std::mem::replace(&mut self.reaped, true) {
            return None;
        }
        LEADERS.lock().remove(&self.child.id());
        // Its children first, while the number of the group is still taken. (On Windows nothing is found of it when it has
        // ended, and looking takes a process.)
        if cfg!(unix) || !self.has_ended() {
            kill_group(self.child.id());
        }
        let is_killed = self.child.kill().is_ok();
        self.bury(is_killed)
    }

    /// Waits for its end: not for ever if we may not kill it, such as a command that `sudo` runs. The guard tries, too.
    fn bury(&mut self, is_killed: bool) -> Option<ExitStatus> {
        let status = if is_killed { self.child.wait().ok() } else { await_end(&mut self.child) };
        match status {
            Some(_) => tell_guard('-', self.child.id()),
            None => {
                let id = self.child.id();
                let _ = writeln!(io::stderr(), "adoube: process {id} goes on: it cannot be killed");
            }
        }
        status
    }
}

impl Drop for GroupLeader {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Kills a process that leads a group of its own, and all that it has started in it. On Windows: what it has started and
/// what these have, as long as it has not ended itself. Does nothing elsewhere.
pub fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = libc::pid_t::try_from(leader)
        && leader > 1
    {
        // SAFETY: no memory is involved. The group is named after a child that has not been waited for, so the number
        // cannot have passed to anybody else; or, when the guard calls, after one of a process that has just died, and
        // numbers are not given again so soon.
        unsafe { libc::kill(-leader, libc::SIGKILL) };
    }
    #[cfg(windows)]
    {
        let mut command = Command::new("taskkill");
        command.args(["/F", "/T", "/PID", &leader.to_string()]);
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
    #[cfg(not(any(unix, windows)))]
    let _ = leader;
}

/// So many threads of a process are looked at: each takes an open file.
const MOST_THREADS: usize = 8;

/// How long the threads of a process, the first ones, have waited for a processor, where the system tells (Linux's
/// `schedstat`).
#[derive(Debug)]
pub struct RunQueue {
    files: Vec<std::fs::File>,
}

impl RunQueue {
    /// The first threads that a process has now.
    pub fn of(process: u32) -> RunQueue {
        let threads = std::fs::read_dir(format!("/proc/{process}/task"));
        // One may end before it is looked at.
        let open = |thread: std::fs::DirEntry| std::fs::File::open(thread.path().join("schedstat"));
        let files = threads.into_iter().flatten().flatten().flat_map(open);
        RunQueue { files: files.take(MOST_THREADS).collect() }
    }

    /// True where the system tells nothing.
    pub fn is_unknown(&self) -> bool {
        self.files.is_empty()
    }

    /// The waiting time so far, of all these threads together.
    pub fn waited(&self) -> Duration {
        let of_one = |file: &std::fs::File| -> Option<u64> {
            let mut text = [0; 64];
            // Three numbers: time on a processor, time waiting for one, turns; the times in nanoseconds.
            #[cfg(unix)]
            let count = std::os::unix::fs::FileExt::read_at(file, &mut text, 0).ok()?;
            #[cfg(not(unix))]
            let count = {
                let _ = (file, &mut text);
                0
            };
            std::str::from_utf8(&text[..count]).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
        };
        Duration::from_nanos(self.files.iter().filter_map(of_one).sum())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn the_guard_kills_whom_it_was_told_of_and_nobody_else() {
        let start = || {
            let mut command = Command::new("sleep");
            in_group_of_its_own(command.arg("60")).spawn().unwrap()
        };
        let mut children = [start(), start()];
        let words = format!("+{0}\n+{1}\n-{1}\nnonsense\n", children[0].id(), children[1].id());
        guard(words.as_bytes());
        assert!(!children[0].wait().unwrap().success());
        assert!(children[1].try_wait().unwrap().is_none());
        children[1].kill().unwrap();
        children[1].wait().unwrap();
    }

    #[test]
    fn a_child_is_seen_to_end_and_tells_how() {
        let mut child = GroupLeader::spawn(Command::new("sh").args(["-c", "exit 3"])).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !child.has_ended() {
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::yield_now();
        }
        assert_eq!(child.look().unwrap().unwrap().code(), Some(3), "looking is not waiting");
        assert_eq!(child.end().unwrap().code(), Some(3));
    }

    #[test]
    fn who_cannot_be_killed_is_not_waited_for() {
        let mut child = GroupLeader::spawn(Command::new("sleep").arg("600")).unwrap();
        assert_eq!(child.bury(false), None);
        assert!(!child.end().unwrap().success(), "it had gone on");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_engine_of_many_threads_does_not_use_up_our_files() {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            for _ in 0..2 * MOST_THREADS {
                scope.spawn(|| receiver.lock().recv());
            }
            let queue = RunQueue::of(std::process::id());
            drop(sender);
            assert_eq!(queue.files.len(), MOST_THREADS);
        });
    }

    #[test]
    fn the_time_in_the_queue_is_the_second_number_of_each_thread() {
        let folder = Scratch::new();
        let path = folder.join("schedstat");
        std::fs::write(&path, "900000 7000 12\n").unwrap();
        let files = vec![std::fs::File::open(&path).unwrap(), std::fs::File::open(&path).unwrap()];
        let queue = RunQueue { files };
        // As often as it is asked.
        assert_eq!([queue.waited(), queue.waited()], [Duration::from_nanos(14_000); 2]);
    }
}
