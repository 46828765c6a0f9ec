//! Requests to end, from the system to us.

#![allow(unsafe_code)]

use crossbeam_channel::{Receiver, never};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status if somebody ends the process before there is anything to keep, or at once.
pub const INTERRUPTED: u8 = 130;

/// Who asks again so soon means the same request: `timeout` of GNU sends its signal to a process and to its group.
#[cfg(unix)]
const ONE_REQUEST: std::time::Duration = std::time::Duration::from_millis(100);

/// A channel that says something when the process is asked to end: SIGINT, SIGTERM or SIGHUP, but for a SIGHUP that
/// whoever started the process wants to be ignored, as `nohup` does. (An ignored SIGINT is taken: shells start so whatever
/// a script runs in the background.) On Windows: Ctrl-C and Ctrl-Break, the window closed, the user logged off; only the first
/// call of a process is served there, a typed Ctrl-Break reaches the programs that were started too, and when the window is
/// closed the system waits for nobody. Silent where there is none of these.
pub fn interrupts() -> Receiver<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let wanted: &[i32] = if is_ignored(SIGHUP) { &[SIGINT, SIGTERM] } else { &[SIGINT, SIGTERM, SIGHUP] };
        let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else {
            return never();
        };
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let watch = move || {
            let mut last: Option<std::time::Instant> = None;
            for _ in signals.forever() {
                if last.is_none_or(|last| last.elapsed() > ONE_REQUEST) {
                    // One request is enough; more while it is being served are dropped.
                    let _ = sender.try_send(());
                    last = Some(std::time::Instant::now());
                }
            }
        };
        match std::thread::Builder::new().name("signals".into()).spawn(watch) {
            Ok(_) => receiver,
            Err(_) => never(),
        }
    }
    #[cfg(windows)]
    {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let ask = move || {
            // One request is enough.
            let _ = sender.try_send(());
        };
        match ctrlc::try_set_handler(ask) {
            Ok(()) => receiver,
            Err(_) => never(),
        }
    }
    #[cfg(not(any(unix, windows)))]
    {
        never()
    }
}

/// Does this at the first request to end, as `interrupts` has it; the second one ends the process at once, whatever it waits
/// for. False where no thread can be had: nobody hears then what a signal asks for.
pub fn at_first_interrupt(act: impl Fn() + Send + 'static) -> bool {
    let requests = interrupts();
    let watch = move || {
        if requests.recv().is_err() {
            return;
        }
        act();
        if requests.recv().is_ok() {
            std::process::exit(INTERRUPTED.into());
        }
    };
    std::thread::Builder::new().name("stop".into()).spawn(watch).is_ok()
}

/// Says something at the first request to end, as `at_first_interrupt` has it.
pub fn first_interrupt() -> Receiver<()> {
    let (sender, receiver) = crossbeam_channel::bounded(1);
    let is_heard = at_first_interrupt(move || {
        // Nobody may listen any more.
        let _ = sender.send(());
    });
    if is_heard { receiver } else { never() }
}

/// Set at the first request to end, as `at_first_interrupt` has it.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let asked = Arc::new(AtomicBool::new(false));
    let setter = asked.clone();
    at_first_interrupt(move || setter.store(true, Ordering::Relaxed));
    asked
}

/// Lets nothing happen when the process is asked to end. Does nothing where there are no signals.
pub fn ignore_requests() {
    #[cfg(unix)]
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let nobody_asks = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal, nobody_asks);
    }
}

/// Does this from now on whenever Ctrl-Z asks the process to stand still, which that has to do itself then. Never where there
/// are no signals, or this one is to be ignored.
pub fn at_standstill(act: impl Fn() + Send + 'static) {
    #[cfg(unix)]
    if !is_ignored(libc::SIGTSTP)
        && let Ok(mut signals) = signal_hook::iterator::Signals::new([libc::SIGTSTP])
    {
        // Without the thread Ctrl-Z does nothing.
        let watch = move || {
            loop {
                if signals.wait().count() > 0 {
                    act();
                    // Whoever asked once more meanwhile has got it.
                    signals.pending().for_each(drop);
                }
            }
        };
        let _ = std::thread::Builder::new().name("standstill".into()).spawn(watch);
    }
    #[cfg(not(unix))]
    drop(act);
}

/// Does what Ctrl-Z does where nobody has said what else to do, and returns when the process goes on: at once where nobody could
/// let it, for no shell has started it to control its jobs.
#[cfg(unix)]
pub(super) fn stand_still() {
    let mut ours = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zeros are an action, the usual one (SIG_DFL) without flags. The old one is written to a place of its type and put
    // back, and zeros, which are there if it is not, are one, too.
    unsafe {
        let usual = std::mem::zeroed::<libc::sigaction>();
        libc::sigaction(libc::SIGTSTP, &usual, ours.as_mut_ptr());
        libc::raise(libc::SIGTSTP);
        libc::sigaction(libc::SIGTSTP, ours.as_ptr(), std::ptr::null_mut());
    }
}

/// Lets this process, and those that it starts in groups of their own, write to a terminal that would stop whoever does so
/// from the background (`stty tostop`). Does nothing where there are no signals.
pub fn write_from_background() {
    #[cfg(unix)]
    // SAFETY: no memory is involved, and nobody else has a say about this signal here. What is started inherits it.
    unsafe {
        libc::signal(libc::SIGTTOU, libc::SIG_IGN);
    }
}

/// Takes a write beyond the largest size that a file may have for one that fails, and not for the end of the process. What
/// is started from here does not inherit that, unless whoever started us wants the signal to be ignored. Does nothing where
/// there are no signals.
pub fn survive_file_limit() {
    #[cfg(unix)]
    if !is_ignored(libc::SIGXFSZ) {
        let nobody_asks = std::sync::Arc::default();
        // Without it the system does what it does.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, nobody_asks);
    }
}

/// True if nothing happens at this signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing is changed; the old one is written to a place of its type, and zeros, which are
    // there if it is not, are one, too. Asked a few times in the life of a process.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}
