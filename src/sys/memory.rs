//! Memory on huge pages, and how much memory there is.

#![allow(unsafe_code)]

use std::alloc::Layout;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// Huge pages are of this size on x86-64 and on most AArch64 systems.
const HUGE_PAGE: usize = 2 << 20;

/// Zeroed memory, on huge pages where the system gives them.
struct Block {
    allocated: NonNull<u8>,
    layout: Layout,
    /// The first multiple of a huge page in it; what was asked for begins here.
    start: NonNull<u8>,
}

impl Block {
    /// Room for `bytes` (at least one), or `None` if the system has not got it. The memory is only touched when it is used.
    fn new(bytes: usize) -> Option<Block> {
        let bytes = bytes.max(1);
        // Asked for with a larger alignment, the allocator would clear it by hand, and every page would be there, and
        // small, before the system hears that large ones are wanted.
        let room = bytes.checked_next_multiple_of(HUGE_PAGE)?.checked_add(HUGE_PAGE)?;
        let layout = Layout::from_size_align(room, 16).ok()?;
        let allocated = take(layout)?;
        let skipped = allocated.addr().get().next_multiple_of(HUGE_PAGE) - allocated.addr().get();
        // SAFETY: less than a huge page is skipped, and the block is a huge page longer than what follows.
        let start = unsafe { allocated.add(skipped) };
        #[cfg(target_os = "linux")]
        // SAFETY: the range lies in the block just allocated; the advice does not change its contents. A refusal does no
        // harm. Measured gain: 6 % of the bench's speed at depth 14 with a table of 512 MB (2.04 against 1.92 million
        // nodes a second, medians of five runs in turn).
        unsafe {
            libc::madvise(start.as_ptr().cast(), bytes.next_multiple_of(HUGE_PAGE), libc::MADV_HUGEPAGE)
        };
        Some(Block { allocated, layout, start })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: taken in `new` with this layout, and given back once.
        unsafe { give_back(self.allocated, self.layout) }
    }
}

/// Zeroed memory straight from the system. The allocator of glibc keeps, for threads to come, what threads that have ended
/// had: with 64 threads, and then one, 80 MB.
#[cfg(target_os = "linux")]
fn take(layout: Layout) -> Option<NonNull<u8>> {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new memory that nobody else has is asked for, wherever the system has room.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), layout.size(), protection, flags, -1, 0) };
    NonNull::new(start.cast()).filter(|_| start != libc::MAP_FAILED)
}

/// # Safety
/// `start` is what [`take`] has given for this layout, and nobody uses it any more.
#[cfg(target_os = "linux")]
unsafe fn give_back(start: NonNull<u8>, layout: Layout) {
    // SAFETY: the caller's promise.
    unsafe { libc::munmap(start.as_ptr().cast(), layout.size()) };
}

#[cfg(not(target_os = "linux"))]
fn take(layout: Layout) -> Option<NonNull<u8>> {
    // SAFETY: the size is not zero.
    NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
}

/// # Safety
/// `start` is what [`take`] has given for this layout, and nobody uses it any more.
#[cfg(not(target_os = "linux"))]
unsafe fn give_back(start: NonNull<u8>, layout: Layout) {
    // SAFETY: the caller's promise.
    unsafe { std::alloc::dealloc(start.as_ptr(), layout) }
}

/// A zeroed array of atomic words, on huge pages where the system gives them.
pub struct AtomicWords {
    block: Block,
    len: usize,
}

impl fmt::Debug for AtomicWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicWords").field("len", &self.len).finish_non_exhaustive()
    }
}

// SAFETY: the block is owned, and only atomics are reached through a shared reference to it. Needed to share a table
// between threads at all.
unsafe impl Send for AtomicWords {}
// SAFETY: as above.
unsafe impl Sync for AtomicWords {}

impl AtomicWords {
    /// `len` zeroed words, or `None` if the system has not got them.
    pub fn new(len: usize) -> Option<AtomicWords> {
        let block = Block::new(len.checked_mul(size_of::<AtomicU64>())?)?;
        Some(AtomicWords { block, len })
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];
    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the block has room for `len` words, a zeroed word is a valid atomic, and it lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.block.start.cast().as_ptr(), self.len) }
    }
}

/// A short array that is read all over, on huge pages where the system gives them: so its addresses take few places in
/// the processor's list of pages.
pub struct Pages<T> {
    block: Block,
    len: usize,
    holds: PhantomData<T>,
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("len", &self.len).finish_non_exhaustive()
    }
}

// SAFETY: the block is owned, and reached as a slice of its `T` is.
unsafe impl<T: Send> Send for Pages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Pages<T> {}

impl<T: Copy> Pages<T> {
    /// `len` values, each made from its place.
    ///
    /// # Panics
    /// If the system has not got the memory.
    pub fn new(len: usize, value: impl FnMut(usize) -> T) -> Pages<T> {
        Pages::try_new(len, value).expect("memory for a short array")
    }

    /// The same; `None` if the system has not got the memory.
    pub fn try_new(len: usize, mut value: impl FnMut(usize) -> T) -> Option<Pages<T>> {
        const { assert!(align_of::<T>() <= HUGE_PAGE) };
        let block = Block::new(len.checked_mul(size_of::<T>())?)?;
        let start = block.start.cast::<T>();
        for place in 0..len {
            // SAFETY: the block has room for `len` values, begins at a multiple of their alignment, and is nobody else's.
            // Measured gain of this type for histories and input weights: 1.02 times the nodes a second, in a build that is
            // not by profile (`benches/STRENGTH.md`).
            unsafe { start.add(place).write(value(place)) };
        }
        Some(Pages { block, len, holds: PhantomData })
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` values were written there in `new`, and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.block.start.cast().as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Pages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and `self` is borrowed by nobody else.
        unsafe { std::slice::from_raw_parts_mut(self.block.start.cast().as_ptr(), self.len) }
    }
}

impl<T: Copy> Clone for Pages<T> {
    fn clone(&self) -> Pages<T> {
        Pages::new(self.len, |place| self[place])
    }
}

impl<T: PartialEq> PartialEq for Pages<T> {
    fn eq(&self, other: &Pages<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for Pages<T> {}

/// Asks the processor to load the line that holds `word`, if it knows how.
#[inline(always)]
pub fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64. Measured gain: 7 % of the bench's speed
    // at depth 14 with 512 MB (2.09 against 1.95 million nodes a second, medians of five runs in turn).
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
    }
    // SAFETY: a prefetch is a hint: it reads nothing that the program sees, writes nothing, uses no stack, leaves the flags
    // alone and cannot fault. Its gain has not been measured.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(word),
            options(nomem, nostack, preserves_flags)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = word;
}

/// Main memory that the machine has, in mebibytes, if the system tells.
pub fn total_megabytes() -> Option<usize> {
    read_meminfo("MemTotal:")
}

/// Main memory that is free or can be freed, in mebibytes, if the system tells: no more than what the control groups of the
/// process leave, as those of a container.
pub fn available_megabytes() -> Option<usize> {
    let free = read_meminfo("MemAvailable:")?;
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(left_by_groups(&groups, Path::new("/sys/fs/cgroup")).map_or(free, |left| free.min(left)))
}

/// Memory that the narrowest of the groups that the text names leaves, in mebibytes; `None` if none has a limit. Of either
/// version (<https://docs.kernel.org/admin-guide/cgroup-v2.html>, <https://docs.kernel.org/admin-guide/cgroup-v1/memory.html>).
fn left_by_groups(groups: &str, root: &Path) -> Option<usize> {
    let left = |(group, [limit, used, freeable]): (PathBuf, [&str; 3])| {
        let read = |name| std::fs::read_to_string(group.join(name)).ok();
        let number = |text: &str| text.trim().parse::<usize>().ok();
        // Files that have been read stay as long as nobody wants the memory.
        let stat = read("memory.stat")?;
        let freeable = stat.lines().find_map(|line| number(line.strip_prefix(freeable)?)).unwrap_or(0);
        let used = number(&read(used)?)?.saturating_sub(freeable);
        Some(number(&read(limit)?)?.saturating_sub(used) >> 20)
    };
    let found = groups.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let (base, names) = match controllers {
            "" => (root.to_path_buf(), ["memory.max", "memory.current", "inactive_file "]),
            some if some.split(',').any(|name| name == "memory") => (
                root.join("memory"),
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
            ),
            _ => return None,
        };
        let path = Path::new(path.trim_start_matches('/'));
        // A group has what those above it leave.
        Some(path.ancestors().map(|group| (base.join(group), names)).collect::<Vec<_>>())
    });
    found.flatten().filter_map(left).min()
}

/// A figure of `/proc/meminfo`; `None` where there is no such file.
fn read_meminfo(name: &str) -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::scratch::Scratch;

    #[test]
    fn pages_hold_what_they_were_made_of() {
        // Shorter than a huge page, as long, and longer.
        for len in [0, 1, HUGE_PAGE / 4, HUGE_PAGE / 4 + 1] {
            let mut pages = Pages::new(len, |place| place as u32 * 3);
            assert_eq!(pages.as_ptr().addr() % HUGE_PAGE, 0);
            assert!(pages.iter().enumerate().all(|(place, &value)| value == place as u32 * 3));
            assert_eq!(pages.len(), len);
            let copy = pages.clone();
            assert!(copy == pages);
            if let Some(last) = pages.last_mut() {
                *last += 1;
                assert!(copy != pages);
                pages.fill(7);
                assert!(pages.iter().all(|&value| value == 7) && copy[0] == 0);
            }
        }
    }

    #[test]
    fn words_are_zero_and_what_cannot_be_had_is_refused() {
        let words = AtomicWords::new(3 << 18).unwrap();
        assert_eq!((words.len(), words.as_ptr().addr() % HUGE_PAGE), (3 << 18, 0));
        assert!(words.iter().all(|word| word.load(std::sync::atomic::Ordering::Relaxed) == 0));
        for len in [usize::MAX, usize::MAX / 8, usize::MAX / 8 - HUGE_PAGE / 8] {
            assert!(AtomicWords::new(len).is_none());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_told_in_mebibytes() {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap();
        let kibibytes: usize = text.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(text.starts_with("MemTotal:"));
        let (total, available) = (total_megabytes().unwrap(), available_megabytes().unwrap());
        assert_eq!(total, kibibytes / 1024);
        assert!(available <= total);
    }

    #[test]
    fn the_narrowest_group_counts() {
        let root = Scratch::new();
        let group = |path: &str, files: [(&str, &str); 3]| {
            std::fs::create_dir_all(root.join(path)).unwrap();
            files.iter().for_each(|(name, text)| std::fs::write(root.join(path).join(name), text).unwrap());
        };
        let new = |limit, used, freeable| {
            [("memory.max", limit), ("memory.current", used), ("memory.stat", freeable)]
        };
        group("a", new("104857600\n", "20971520\n", "anon 9\ninactive_file 10485760\nactive_file 9\n"));
        group("a/b", new("max\n", "20971520\n", "anon 9\n"));
        group("a/b/c", new("209715200\n", "10485760\n", "anon 9\n"));
        group("full", new("1048576\n", "2097152\n", "anon 9\n"));
        group(
            "memory/old",
            [
                ("memory.limit_in_bytes", "31457280\n"),
                ("memory.usage_in_bytes", "20971520\n"),
                ("memory.stat", "inactive_file 1\ntotal_inactive_file 5242880\n"),
            ],
        );
        let found = [
            "0::/a/b/c\n",
            "0::/a/b\n",
            "0::/full\n",
            "0::/\n",
            "0::/elsewhere/x\n",
            "3:cpu,cpuacct:/a\n2:pids,memory:/old\n0::/\n",
            "2:memory:/old\n0::/a\n",
            "1:cpu:/a\n",
            "nonsense",
            "",
        ]
        .map(|groups| left_by_groups(groups, &root));
        let none = None;
        assert_eq!(found, [Some(90), Some(90), Some(0), none, none, Some(15), Some(15), none, none, none]);
    }
}
