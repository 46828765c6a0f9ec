//! The board as people read it on a screen.

use crate::board::Board;
use crate::types::{File, Rank, Square};

/// The eight ranks from the eighth down, with their numbers: letters for pieces, dots for empty squares.
pub fn ranks(board: &Board) -> [String; 8] {
    std::array::from_fn(|row| {
        let rank = Rank::ALL[7 - row];
        let letter = |file| board.piece_on(Square::new(file, rank)).map_or('.', |piece| piece.letter());
        File::ALL.into_iter().fold(format!(" {rank} "), |line, file| format!("{line} {}", letter(file)))
    })
}

/// The letters of the files, to go below.
pub const FILES: &str = "    a b c d e f g h";

/// The board in a frame as Stockfish draws it, with the ranks' numbers to the right and the files' letters below.
pub fn framed(board: &Board) -> String {
    let frame = format!(" +{}\n", "---+".repeat(8));
    let row = |rank: &Rank| {
        let cell = |file| board.piece_on(Square::new(file, *rank)).map_or(' ', |piece| piece.letter());
        let cells: String = File::ALL.into_iter().map(|file| format!(" | {}", cell(file))).collect();
        format!("{cells} | {rank}\n{frame}")
    };
    let rows: String = Rank::ALL.iter().rev().map(row).collect();
    format!("{frame}{rows}   a   b   c   d   e   f   g   h")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_below() {
        let board = Board::from_fen(Board::START_FEN).unwrap();
        let lines = ranks(&board);
        assert_eq!(lines[0], " 8  r n b q k b n r");
        assert_eq!(lines[4], " 4  . . . . . . . .");
        assert_eq!(lines[7], " 1  R N B Q K B N R");
        let framed = framed(&board);
        let lines: Vec<&str> = framed.lines().collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[1], " | r | n | b | q | k | b | n | r | 8");
        assert_eq!(lines[2], " +---+---+---+---+---+---+---+---+");
        assert_eq!(lines[9], " |   |   |   |   |   |   |   |   | 4");
        assert_eq!(lines[17], "   a   b   c   d   e   f   g   h");
    }
}
