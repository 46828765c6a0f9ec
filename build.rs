//! Puts a network into the program: the one of the repository, or the file that `ADOUBE_EVALFILE` names.

use std::path::PathBuf;

const OWN: &str = "src/eval/adoube.nnue";

fn main() {
    println!("cargo::rerun-if-env-changed=ADOUBE_EVALFILE");
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let path = match std::env::var_os("ADOUBE_EVALFILE") {
        // Relative to where the package is, since a build script runs there.
        Some(given) if !given.is_empty() => root.join(given),
        _ => root.join(OWN),
    };
    let shown = path.display();
    println!("cargo::rerun-if-changed={shown}");
    match std::fs::read(&path) {
        Err(error) => println!("cargo::error=the network {shown} cannot be read: {error}"),
        Ok(bytes) if !bytes.is_empty() && !bytes.starts_with(b"AdoubeNN") => {
            println!("cargo::error={shown} is no Adoube network (it does not begin with 'AdoubeNN')");
        }
        // An empty file means none.
        Ok(_) => println!("cargo::rustc-env=ADOUBE_EVALFILE={shown}"),
    }
}
