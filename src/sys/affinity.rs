//! Holding a thread, and the processes that it starts, to one processor.

#![allow(unsafe_code)]

use std::io;

/// The processors that this process may use, those that share no core first. Empty where the system does not tell.
pub fn processors() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: the set is a plain bit field that the call fills; its size is given.
        let allowed = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
                return vec![];
            }
            (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &set)).collect::<Vec<_>>()
        };
        let (mut first, mut second) = (vec![], vec![]);
        let mut cores_seen = std::collections::HashSet::new();
        for cpu in allowed {
            let siblings = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            // Without the file each counts as a core of its own.
            let core = std::fs::read_to_string(siblings).unwrap_or_else(|_| cpu.to_string());
            if cores_seen.insert(core) { first.push(cpu) } else { second.push(cpu) }
        }
        first.append(&mut second);
        first
    }
    #[cfg(not(target_os = "linux"))]
    {
        vec![]
    }
}

/// Holds the calling thread to a processor, and with it the processes that it starts from now on.
///
/// # Errors
/// If there is no such processor, or the system cannot do it.
pub fn hold_to(cpu: usize) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        if cpu >= libc::CPU_SETSIZE as usize {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: the set is a plain bit field, the processor lies in it, and its size is given.
        let done = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(cpu, &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
        };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cpu;
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_held_where_it_was_told() {
        let all = processors();
        assert!(!all.is_empty());
        let last = *all.last().unwrap();
        let held = std::thread::spawn(move || {
            hold_to(last).unwrap();
            processors()
        });
        assert_eq!(held.join().unwrap(), [last]);
        assert!(hold_to(usize::MAX).is_err());
    }
}
