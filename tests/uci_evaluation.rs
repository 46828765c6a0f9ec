//! The option `EvalFile`: which evaluation is used, and that nothing goes wrong silently.

mod support;

use adoube::eval::network::{Architecture, Inputs, Network};
use std::path::PathBuf;
use support::engine::{Engine, best_moves, says};

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("adoube-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn network() -> Network {
    Network::material(Architecture::new(Inputs::Mirrored, 64, 2), 2, 3).unwrap()
}

/// The line with the final value that `eval` ends with.
fn value(engine: &mut Engine) -> String {
    let lines = engine.ask("eval");
    lines.iter().find(|line| line.starts_with("static evaluation")).expect("a value").clone()
}

#[test]
fn a_good_file_is_used_until_another_setting() {
    let folder = Folder::new("good");
    let path = folder.file("a good network.nnue", &network().write());
    let mut engine = Engine::start();
    engine.send("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
    let before = value(&mut engine);
    let lines = engine.ask("setoption name EvalFile value classic");
    assert!(!says(&lines, "ERROR"), "{lines:?}");
    let classic = value(&mut engine);
    let lines = engine.ask(&format!("setoption name EvalFile value {path}"));
    assert!(says(&lines, "evaluation: network (768hm -> 64)x2 -> 2"), "{lines:?}");
    let by_network = value(&mut engine);
    assert_ne!(by_network, classic);
    let lines = engine.ask("eval");
    assert!(lines.iter().any(|line| line.starts_with("output bucket 1:")), "{lines:?}");
    assert_eq!(best_moves(&engine.go("go depth 6")).len(), 1);
    assert!(engine.ask("setoption name EvalFile value classic").iter().all(|line| !line.contains("ERROR")));
    assert_eq!(value(&mut engine), classic);
    assert!(
        engine.ask("setoption name EvalFile value <internal>").iter().all(|line| !line.contains("ERROR"))
    );
    assert_eq!(value(&mut engine), before);
    engine.quit();
}

#[test]
fn a_file_that_cannot_be_used_is_named_and_the_hand_made_evaluation_steps_in() {
    let folder = Folder::new("bad");
    let bytes = network().write();
    let mut damaged = bytes.clone();
    damaged[5_000] ^= 1;
    let missing = folder.0.join("missing.nnue").to_str().unwrap().to_string();
    let cases = [
        (missing, "cannot be read"),
        (folder.file("short.nnue", &bytes[..3_000]), "cut short"),
        (folder.file("damaged.nnue", &damaged), "damaged"),
        (folder.file("foreign.nnue", b"\x20\xaf\x32\x7a and so on"), "no Adoube network"),
        (folder.file("empty.nnue", b""), "cut short"),
        (folder.0.to_str().unwrap().to_string(), "cannot be read"),
    ];
    let good = folder.file("good.nnue", &bytes);
    let mut engine = Engine::start();
    engine.ask("setoption name EvalFile value classic");
    let classic = value(&mut engine);
    for (path, reason) in cases {
        engine.ask(&format!("setoption name EvalFile value {good}"));
        assert_ne!(value(&mut engine), classic);
        let lines = engine.ask(&format!("setoption name EvalFile value {path}"));
        let told = lines.iter().any(|line| {
            let words = ["info string ERROR", &path, reason, "hand-made evaluation is used"];
            words.into_iter().all(|word| line.contains(word))
        });
        assert!(told, "{path}: {lines:?}");
        assert_eq!(value(&mut engine), classic);
        assert_eq!(best_moves(&engine.go("go depth 4")).len(), 1);
    }
    engine.quit();
}

/// What was learned with one evaluation must not be believed with the other.
#[test]
fn another_evaluation_begins_with_an_empty_memory() {
    let folder = Folder::new("memory");
    let path = folder.file("network.nnue", &network().write());
    let nodes = |engine: &mut Engine| -> String {
        let lines = engine.go("go depth 9");
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("an info line").clone();
        last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().to_string()
    };
    let mut engine = Engine::start();
    engine.ask("setoption name EvalFile value classic");
    let first = nodes(&mut engine);
    engine.ask(&format!("setoption name EvalFile value {path}"));
    let other = nodes(&mut engine);
    engine.ask("setoption name EvalFile value classic");
    assert_eq!(nodes(&mut engine), first);
    engine.ask(&format!("setoption name EvalFile value {path}"));
    assert_eq!(nodes(&mut engine), other);
    assert_ne!(first, other);
    // The same again changes nothing: what was learned stays.
    engine.ask(&format!("setoption name EvalFile value {path}"));
    engine.ask("setoption name EvalFile value classic");
    nodes(&mut engine);
    engine.ask("setoption name EvalFile value classic");
    assert_ne!(nodes(&mut engine), first);
    engine.quit();
}
