//! The option `EvalFile`: which evaluation is used, and that nothing goes wrong silently.

mod support;

use adoube::eval::network::{Architecture, Inputs, Network};
use support::engine::{Engine, best_moves, says};
use support::folder::Folder;

/// The path of a file with these bytes.
fn file(folder: &Folder, name: &str, bytes: &[u8]) -> String {
    std::fs::write(folder.join(name), bytes).unwrap();
    folder.path(name)
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
    let path = file(&folder, "a good network.nnue", &network().write());
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
    let missing = folder.path("missing.nnue");
    let cases = [
        (missing, "cannot be read"),
        (file(&folder, "short.nnue", &bytes[..3_000]), "cut short"),
        (file(&folder, "damaged.nnue", &damaged), "damaged"),
        (file(&folder, "foreign.nnue", b"\x20\xaf\x32\x7a and so on"), "no Adoube network"),
        (file(&folder, "empty.nnue", b""), "cut short"),
        (folder.path(""), "cannot be read"),
    ];
    let good = file(&folder, "good.nnue", &bytes);
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
    let path = file(&folder, "network.nnue", &network().write());
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
