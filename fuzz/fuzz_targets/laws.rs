//! No sequence of events brings the arbiter down or makes it contradict itself: what the tests of the Laws check for random
//! events.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/laws/any_game.rs"]
mod any_game;

fuzz_target!(|bytes: &[u8]| any_game::check(bytes));
