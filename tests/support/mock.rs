//! Where the test engine is, `tests/engines/mock.rs`. Run without arguments it tells what it can do.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::SystemTime;

static MOCK: LazyLock<PathBuf> = LazyLock::new(|| find("mock-engine", ["mock.rs", "modes.rs", "words.rs"]));

/// The program of the test engine that speaks UCI. Built here if it is not there or older than its source: told which
/// test to run, cargo builds no examples.
pub fn mock_engine() -> PathBuf {
    MOCK.clone()
}

/// The program of an example, made of three files in `tests/engines`.
pub fn find(example: &str, files: [&str; 3]) -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_adoube")).parent().expect("a folder");
    let program = folder.join("examples").join(format!("{example}{}", std::env::consts::EXE_SUFFIX));
    let written = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
    let newest: Option<SystemTime> = files.into_iter().filter_map(|name| written(&sources.join(name))).max();
    if written(&program) < newest {
        build(example, folder);
    }
    assert!(program.exists(), "{} was not built", program.display());
    program
}

/// Builds it for the profile whose programs are in `folder`.
fn build(example: &str, folder: &Path) {
    let profile = match folder.file_name().and_then(|name| name.to_str()).expect("a folder's name") {
        "debug" => "dev",
        name => name,
    };
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--locked", "--example", example, "--profile", profile, "--target-dir"])
        .arg(folder.parent().expect("a target folder"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the test engine cannot be built");
}
