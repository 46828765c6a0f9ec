//! Ends that the players' own scores bring about, before the rules do.

/// A draw when both players see one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// From this move number on, counted as the position's FEN does.
    pub move_number: u32,
    /// When the last so many moves of each side, none of them a capture or a pawn move, had such a score.
    pub move_count: u32,
    /// The largest score that counts as a draw, in centipawns.
    pub score: i32,
}

/// A loss for the player who sees himself lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// When the last so many moves of the loser had such a score.
    pub move_count: u32,
    /// The smallest disadvantage that counts as lost, in centipawns.
    pub score: i32,
    /// Only if the winner's scores say the same.
    pub two_sided: bool,
}

/// Which of these rules a match has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Draws by score.
    pub draw: Option<DrawRule>,
    /// Losses by score.
    pub resign: Option<ResignRule>,
    /// A draw after so many moves of each side.
    pub max_moves: Option<u32>,
}
