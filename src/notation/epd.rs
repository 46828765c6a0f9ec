//! Positions with remarks for programs, one a line: EPD (PGN standard, section 16.2), and FEN, which is found in the
//! same files.

use crate::board::fen::FenField;
use crate::board::{FenError, FenStyle, Position};
use std::fmt;

/// A position and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position, with the counters that the line gives, else 0 and 1.
    pub position: Position,
    /// Everything else that the line says, in its order, without `hmvc` and `fmvn`.
    pub operations: Vec<Operation>,
}

/// One remark, as `bm Nf3 e4;` or `id "WAC.001";`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// What follows, without quotation marks.
    pub operands: Vec<String>,
}

impl Operation {
    /// A remark with one operand.
    pub fn new(opcode: &str, operand: impl Into<String>) -> Operation {
        Operation { opcode: opcode.to_string(), operands: vec![operand.into()] }
    }
}

/// Why a text is no EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// The position or a counter (`hmvc` is the fifth field of a FEN, `fmvn` the sixth).
    Fen(FenError),
    /// Something that should be the name of an operation: the text.
    Opcode(String),
    /// A quotation mark opens and none closes: the name of the operation.
    Quotation(String),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Fen(error) => error.fmt(f),
            EpdError::Opcode(text) => {
                write!(f, "'{text}' follows the position, expected counters or an operation like 'id \"A\";'")
            }
            EpdError::Quotation(opcode) => {
                write!(f, "the text of '{opcode}' has no closing quotation mark")
            }
        }
    }
}

impl std::error::Error for EpdError {}

impl From<FenError> for EpdError {
    fn from(error: FenError) -> EpdError {
        EpdError::Fen(error)
    }
}

/// What ends a word.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || c == ';'
}

/// Cuts the first word off.
fn next_word<'a>(rest: &mut &'a str) -> &'a str {
    let text = rest.trim_start();
    let end = text.find(ends_word).unwrap_or(text.len());
    *rest = &text[end..];
    &text[..end]
}

/// Reads a line: four fields of a FEN, perhaps its two counters, perhaps operations. A counter may be given as an
/// operation too (`hmvc 3; fmvn 12;`), which then counts.
///
/// # Errors
/// What is wrong, and where.
pub fn parse_epd(line: &str) -> Result<Epd, EpdError> {
    let mut rest = line;
    let mut fields: [&str; 4] = [""; 4];
    for (field, meaning) in fields.iter_mut().zip([
        FenField::Placement,
        FenField::SideToMove,
        FenField::Castling,
        FenField::EnPassant,
    ]) {
        *field = next_word(&mut rest);
        if field.is_empty() {
            return Err(FenError::Missing(meaning).into());
        }
    }
    let mut counters = ["0".to_string(), "1".to_string()];
    for counter in &mut counters {
        let mut after = rest;
        let number = next_word(&mut after);
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        *counter = number.to_string();
        rest = after.trim_start_matches(';');
    }
    let mut operations = parse_operations(rest)?;
    operations.retain_mut(|operation| {
        let counter = match operation.opcode.as_str() {
            "hmvc" => &mut counters[0],
            "fmvn" => &mut counters[1],
            _ => return true,
        };
        *counter = operation.operands.join(" ");
        false
    });
    let [halfmoves, moves] = counters;
    // Some programs count moves from 0.
    let moves = if moves == "0" { "1" } else { &moves };
    let [placement, side, castling, en_passant] = fields;
    let fen = format!("{placement} {side} {castling} {en_passant} {halfmoves} {moves}");
    Ok(Epd { position: Position::from_fen(&fen)?, operations })
}

fn parse_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = vec![];
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(ends_word);
        if rest.is_empty() {
            return Ok(operations);
        }
        let end = rest.find(ends_word).unwrap_or(rest.len());
        let (opcode, after) = rest.split_at(end);
        let is_name = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(EpdError::Opcode(opcode.chars().take(40).collect()));
        }
        let mut operands = vec![];
        rest = after;
        loop {
            rest = rest.trim_start();
            if let Some(quoted) = rest.strip_prefix('"') {
                let (operand, after) =
                    unquote(quoted).ok_or_else(|| EpdError::Quotation(opcode.to_string()))?;
                operands.push(operand);
                rest = after;
            } else if rest.is_empty() || rest.starts_with(';') {
                break;
            } else {
                let end = rest.find(ends_word).unwrap_or(rest.len());
                operands.push(rest[..end].to_string());
                rest = &rest[end..];
            }
        }
        operations.push(Operation { opcode: opcode.to_string(), operands });
    }
}

/// The text up to the closing quotation mark, and what follows. A backslash makes the next character an ordinary one.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut operand = String::new();
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Some((operand, &text[index + 1..])),
            '\\' => operand.push(characters.next()?.1),
            other => operand.push(other),
        }
    }
    None
}

impl Epd {
    /// The first operand of the first operation of this name.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        operation.operands.first().map(String::as_str)
    }

    /// The moves of the operation `moves`, as UCI has them; to say them in an EPD is Adoube's own habit.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        let played = self.operations.iter().find(|operation| operation.opcode == "moves");
        played.into_iter().flat_map(|operation| &operation.operands).flat_map(|text| text.split_whitespace())
    }

    /// The line, with the counters as operations where they are not 0 and 1.
    pub fn to_line(&self, style: FenStyle) -> String {
        let fen = self.position.to_fen(style);
        let mut line = fen.rsplitn(3, ' ').last().unwrap_or_default().to_string();
        let (clock, number) = (self.position.halfmove_clock(), self.position.fullmove_number());
        if (clock, number) != (0, 1) {
            line += &format!(" hmvc {clock}; fmvn {number};");
        }
        for operation in &self.operations {
            line += &format!(" {}", operation.opcode);
            let is_text = operation.opcode == "id" || is_comment(&operation.opcode);
            for operand in &operation.operands {
                let special = |c: char| c.is_whitespace() || matches!(c, ';' | '"' | '\\');
                if is_text || operand.is_empty() || operand.contains(special) {
                    line += &format!(" \"{}\"", operand.replace('\\', "\\\\").replace('"', "\\\""));
                } else {
                    line += &format!(" {operand}");
                }
            }
            line.push(';');
        }
        line
    }
}

/// `c0` to `c9`, whose operand is always a text in quotation marks.
fn is_comment(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACEMENT: &str = "4k3/8/8/8/8/8/4P3/4K2R w K -";

    #[test]
    fn operations_and_counters_are_read_and_written() {
        let line = format!("{PLACEMENT} bm e4 O-O; hmvc 3; id \"a; \\\"b\\\"\"; fmvn 12; c0 \"x\";");
        let epd = parse_epd(&line).unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 12));
        assert_eq!(epd.operand("id"), Some("a; \"b\""));
        assert_eq!(epd.operations[0].operands, ["e4", "O-O"]);
        assert_eq!((epd.operand("c0"), epd.operand("pv")), (Some("x"), None));
        assert_eq!(
            epd.to_line(FenStyle::XFen),
            format!("{PLACEMENT} hmvc 3; fmvn 12; bm e4 O-O; id \"a; \\\"b\\\"\"; c0 \"x\";")
        );
        assert_eq!(parse_epd(&epd.to_line(FenStyle::Shredder)), Ok(epd));
    }

    #[test]
    fn a_fen_with_or_without_counters_is_an_epd() {
        for (tail, halfmoves, moves) in [
            ("", 0, 1),
            (" 7", 7, 1),
            (" 7 30", 7, 30),
            (" 0 0", 0, 1),
            ("  7\t30 ; id \"x\"", 7, 30),
            (" 7 30;id \"x\"", 7, 30),
            (" 7; 30; id \"x\"", 7, 30),
            (" 7 30;", 7, 30),
            (" 1 2 hmvc 4; fmvn 5", 4, 5),
            (" ;D1 20 ;D2 400", 0, 1),
        ] {
            let epd = parse_epd(&format!("{PLACEMENT}{tail}")).unwrap();
            let position = epd.position;
            assert_eq!((position.halfmove_clock(), position.fullmove_number()), (halfmoves, moves), "{tail}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (tail, hint) in [
            (" id \"x", "'id' has no closing"),
            (" id \"x\\", "'id' has no closing"),
            (" 1 2 3", "'3' follows the position"),
            (" -1 2", "'-1' follows"),
            (" hmvc x;", "half-move clock"),
            (" hmvc;", "half-move clock"),
            (" fmvn 70000;", "move number"),
        ] {
            let error = parse_epd(&format!("{PLACEMENT}{tail}")).unwrap_err().to_string();
            assert!(error.contains(hint), "{tail}: {error}");
        }
        assert_eq!(parse_epd("4k3/8 w"), Err(EpdError::Fen(FenError::Missing(FenField::Castling))));
        assert_eq!(parse_epd(""), Err(EpdError::Fen(FenError::Missing(FenField::Placement))));
    }
}
