//! Files of unit tests.

use std::fs;
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that no other test uses. It goes with all that is in it, even if its test fails.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    pub fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("adoube-scratch-{}-{number}", std::process::id()));
            match fs::create_dir(&folder) {
                // A process of the same number that was killed has left it.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => (),
                made => {
                    made.unwrap();
                    return Scratch(folder);
                }
            }
        }
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn each_test_has_a_folder_of_its_own_which_goes_with_all_in_it() {
    let [one, other] = [(); 2].map(|()| Scratch::new());
    assert_ne!(*one, *other);
    fs::create_dir(one.join("a")).unwrap();
    [&one, &other].iter().for_each(|folder| fs::write(folder.join("b"), "b").unwrap());
    fs::write(one.join("a").join("c"), "c").unwrap();
    let gone = one.to_path_buf();
    drop(one);
    assert!(!gone.exists() && other.join("b").exists());
}
