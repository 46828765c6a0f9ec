//! The Laws of Chess, article by article: each rule that applies to games between engines has a test here that is named
//! after it. `src/laws/ARTICLES.md` is the index.

mod adjournment;
mod any_game;
mod articles;
mod draws;
mod ends;
mod faults;
mod moves;
mod points;
mod quickplay;
mod random;
mod repetition;
mod support;
mod time;
