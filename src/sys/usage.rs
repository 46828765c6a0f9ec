//! What this process has used of the machine.

#![allow(unsafe_code)]

use std::time::Duration;

/// Processor time of all threads of this process so far, its own and the system's on its behalf; zero where the system
/// does not tell.
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        // SAFETY: the structure has no invariants, and the call fills it.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            if libc::getrusage(libc::RUSAGE_SELF, &mut usage) != 0 {
                return Duration::ZERO;
            }
            usage
        };
        let time = |time: libc::timeval| {
            let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
            Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
        };
        time(usage.ru_utime) + time(usage.ru_stime)
    }
    #[cfg(not(unix))]
    {
        Duration::ZERO
    }
}

/// Lets this process, and those that it starts, have as many open files as the system allows; each engine needs some.
pub fn allow_many_files() {
    #[cfg(unix)]
    // SAFETY: the structure has no invariants; the calls fill and read it. A refusal does no harm. Without it a hundred games
    // at once run out of files.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 && limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        }
    }
}

/// The most memory that this process has had at once, in kibibytes; `None` where the system does not tell.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_and_memory_are_seen() {
        let before = processor_time();
        let mut sum = 0_u64;
        while processor_time() < before + Duration::from_millis(20) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0 && peak_memory().unwrap() > 100);
    }
}
