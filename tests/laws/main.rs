//! The Laws of Chess, article by article: each rule that applies to games between engines has a test here that is named
//! after it. `src/laws/ARTICLES.md` is the index.

mod draws;
mod ends;
mod moves;
mod support;
mod time;
