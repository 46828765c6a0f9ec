//! Requests to end: from the system to us, and from us to others.

#![allow(unsafe_code)]

use crossbeam_channel::{Receiver, never};

/// A channel that says something when the process is asked to end: SIGINT, SIGTERM or SIGHUP. Silent where there are no
/// signals.
pub fn interrupts() -> Receiver<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return never();
        };
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let watch = move || {
            for _ in signals.forever() {
                // One request is enough; more while it is being served are dropped.
                let _ = sender.try_send(());
            }
        };
        match std::thread::Builder::new().name("signals".into()).spawn(watch) {
            Ok(_) => receiver,
            Err(_) => never(),
        }
    }
    #[cfg(not(unix))]
    {
        never()
    }
}

/// Kills a process that leads a group of its own, and all that it has started in it. Does nothing where there are no
/// groups.
pub fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = libc::pid_t::try_from(leader)
        && leader > 1
    {
        // SAFETY: no memory is involved. The group is named after a child of ours that has not been waited for, so the
        // number cannot have passed to anybody else.
        unsafe { libc::kill(-leader, libc::SIGKILL) };
    }
    #[cfg(not(unix))]
    let _ = leader;
}
