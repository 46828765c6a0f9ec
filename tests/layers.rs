//! Holds the code to the table in `src/lib.rs`, where a module imports only what lies before it, and files to the rules of
//! the house.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module with those that it may use; what those may use it may use too.
const ALLOWED: &[(&str, &[&str])] = &[
    ("sys", &[]),
    ("types", &[]),
    ("board", &["types", "sys"]),
    ("movegen", &["board"]),
    ("eval", &["movegen"]),
    ("notation", &["movegen"]),
    ("openings", &["notation", "laws"]),
    ("laws", &["movegen"]),
    ("tablebase", &["movegen"]),
    ("search", &["eval", "laws", "tablebase"]),
    ("uci", &["search", "openings"]),
    ("engine", &["notation"]),
    ("arbiter", &["laws", "engine", "tablebase"]),
    ("tournament", &["arbiter", "openings"]),
    ("training", &["search", "openings"]),
    ("report", &["tournament"]),
    ("cli", &["report", "training", "uci"]),
    ("lib", &[]),
    ("main", &["cli"]),
];

/// True if `module` may use `other`, directly or through others.
fn may_use(module: &str, other: &str) -> bool {
    let (_, direct) = ALLOWED.iter().find(|(name, _)| *name == module).unwrap_or_else(|| {
        panic!("the module '{module}' is not in the table: add it to src/lib.rs and to this test")
    });
    module == other || direct.iter().any(|before| may_use(before, other))
}

/// The modules of ours that a source file names: after `crate::`, or in `main.rs` after `adoube::`.
fn imports(text: &str) -> Vec<String> {
    let code =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = vec![];
    for prefix in ["crate::", "adoube::"] {
        for rest in code.split(prefix).skip(1) {
            let names = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
            let list = if rest.starts_with('{') { names.split(',').collect() } else { vec![names] };
            for name in list {
                let name: String =
                    name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.push(name);
            }
        }
    }
    found
}

/// The files under a folder and what they say, but for the network, which lies beside the code that reads it.
fn files_in(folder: &str) -> Vec<(PathBuf, String)> {
    let (mut folders, mut files) = (vec![PathBuf::from(folder)], vec![]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|extension| extension != "nnue") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files
}

/// The module that a file belongs to: its folder in `src`, or itself.
fn module_of(path: &Path) -> &str {
    let place = path.strip_prefix("src").unwrap().iter().next().unwrap();
    Path::new(place).file_stem().unwrap().to_str().unwrap()
}

#[test]
fn arrows_point_one_way() {
    let mut wrong = vec![];
    for (path, text) in files_in("src") {
        for import in imports(&text) {
            let known = ALLOWED.iter().any(|(name, _)| *name == import);
            if known && !may_use(module_of(&path), &import) {
                wrong.push(format!("{} uses '{import}'", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_check_sees_what_it_should() {
    assert!(may_use("uci", "types") && may_use("cli", "sys"));
    assert!(!may_use("board", "eval") && !may_use("search", "uci") && !may_use("arbiter", "search"));
    assert_eq!(imports("use crate::board::Board;\nfn f() { crate::eval::x() }"), ["board", "eval"]);
    assert_eq!(imports("use crate::{types::Move, search};\n// use crate::uci;"), ["types", "search"]);
}

#[test]
fn files_keep_the_rules_of_the_house() {
    for (path, text) in ["src", "tests", "benches"].into_iter().flat_map(files_in) {
        // The record of the games that the search was tested with grows with each of them.
        let is_record = path.ends_with("benches/STRENGTH.md");
        assert!(is_record || text.lines().count() <= 600, "{} has become two files", path.display());
    }
    for (path, text) in files_in("src") {
        let at_home = ["src/sys", "src/eval/simd"].iter().any(|home| path.starts_with(home));
        let words = ["unsafe {", "unsafe impl", "unsafe fn", "unsafe extern", "allow(unsafe_code)"];
        let uses = text.lines().any(|line| words.iter().any(|word| line.contains(word)));
        assert!(at_home || !uses, "{} uses unsafe code", path.display());
        // They panic when the terminal is gone.
        let prints = text.contains("eprint");
        assert!(!prints, "{} prints, and does not look whether it can", path.display());
    }
}
