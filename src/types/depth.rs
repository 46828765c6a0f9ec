//! How deep a search looks.

/// Remaining or nominal search depth in plies; at or below 0 the quiescence search takes over.
pub type Depth = i32;

/// The deepest iteration. Below 255 because some clients read the depth of an info line into one byte.
pub const MAX_DEPTH: Depth = 245;

/// The longest line from the root in plies, extensions and quiescence included.
pub const MAX_PLY: usize = 246;
