//! Requests to end, from the system to us.

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
