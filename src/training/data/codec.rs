//! Games as bytes and back, before compression.

use super::{Ending, Ply, SelfplayGame};
use crate::board::chess960::{self, ARRAYS};
use crate::board::{Board, FenStyle, Position};
use crate::types::{Color, File, Move, Outcome, PieceType, Rank, Score, Square};

/// Where a game begins, as the first stream has it.
const STANDARD: u64 = 0;
const CHESS960: u64 = 1;
const FEN: u64 = 2;

/// A game of more plies is none of ours.
const MOST_PLIES: u64 = 1 << 16;

/// The payload of a block of these games, uncompressed.
pub(super) fn encode(games: &[SelfplayGame]) -> Vec<u8> {
    let (mut heads, mut moves, mut scores) = (vec![], vec![], vec![]);
    for game in games {
        heads.push((game.outcome.index() as u8) << 4 | game.ending.code());
        put(&mut heads, game.plies.len() as u64);
        put_start(&mut heads, &game.start);
        let mut position = game.start;
        let mut before = None;
        for ply in &game.plies {
            moves.push(index_of(&position, ply.mv));
            put(&mut scores, ply.score.map_or(0, |score| 1 + zigzag(score.units() - foretold(before))));
            before = ply.score;
            position = position.after(ply.mv);
        }
    }
    [heads, moves, scores].concat()
}

/// The games of a payload; their number is known from the block's head.
///
/// # Errors
/// What is wrong.
pub(super) fn decode(payload: &[u8], games: usize, plies: usize) -> Result<Vec<SelfplayGame>, String> {
    let mut heads = Bytes(payload);
    let mut begun = vec![];
    let mut sum = 0;
    for number in 0..games {
        let game = head(&mut heads).map_err(|what| format!("game {}: {what}", number + 1))?;
        sum += game.1;
        begun.push(game);
    }
    if sum != plies {
        return Err(format!("its games have {sum} plies, its head says {plies}"));
    }
    let (moves, scores) = heads.0.split_at_checked(plies).ok_or("it ends among the moves")?;
    let mut moves = moves.iter();
    let mut scores = Bytes(scores);
    for (number, (game, length)) in begun.iter_mut().enumerate() {
        let mut position = game.start;
        let mut before = None;
        game.plies.reserve_exact(*length);
        for ply in 0..*length {
            let here = |what: &str| format!("game {}, ply {}: {what}", number + 1, ply + 1);
            let index = moves.next().copied().unwrap_or(u8::MAX);
            let mv = move_at(&position, index).ok_or_else(|| here("no such legal move"))?;
            let code = scores.number().ok_or_else(|| here("the scores end"))?;
            let score = match code.checked_sub(1) {
                None => None,
                Some(coded) => Some(score(coded, before).ok_or_else(|| here("no such score"))?),
            };
            game.plies.push(Ply { mv, score });
            before = score;
            position = position.after(mv);
        }
    }
    if !scores.0.is_empty() {
        return Err(format!("{} bytes are left over", scores.0.len()));
    }
    Ok(begun.into_iter().map(|(game, _)| game).collect())
}

/// A game without its moves yet, and how many there are.
fn head(heads: &mut Bytes) -> Result<(SelfplayGame, usize), String> {
    let code = heads.byte().ok_or("it ends among the games")?;
    let outcome = Outcome::ALL.get(usize::from(code >> 4)).copied();
    let outcome = outcome.ok_or_else(|| format!("no such result: {code}"))?;
    let ending = Ending::from_code(code & 15).ok_or_else(|| format!("no such ending: {code}"))?;
    let length = heads.number().filter(|&length| length <= MOST_PLIES).ok_or("no such number of plies")?;
    let start = start(heads)?;
    Ok((SelfplayGame { start, plies: vec![], outcome, ending }, length as usize))
}

fn put_start(out: &mut Vec<u8>, start: &Position) {
    if *start == Position::default() {
        return put(out, STANDARD);
    }
    if let Some((white, black)) = arrays_of(start) {
        [CHESS960, white, black].into_iter().for_each(|number| put(out, number));
        return;
    }
    let fen = start.to_fen(FenStyle::Shredder);
    put(out, FEN);
    put(out, fen.len() as u64);
    out.extend(fen.as_bytes());
}

fn start(heads: &mut Bytes) -> Result<Position, String> {
    match heads.number() {
        Some(STANDARD) => Ok(Position::default()),
        Some(CHESS960) => {
            let mut array = || heads.number().filter(|&number| number < ARRAYS.into()).ok_or("no such array");
            Ok(Position::from(chess960::start(array()? as u16, array()? as u16)))
        }
        Some(FEN) => {
            let length = heads.number().ok_or("the start is cut off")?;
            let text = heads.take(length).ok_or("the start is cut off")?;
            let fen = std::str::from_utf8(text).map_err(|_| "the start is no text")?;
            Board::from_fen(fen).map(Position::from).map_err(|error| format!("its start: {error}"))
        }
        _ => Err("no such kind of start".into()),
    }
}

/// The arrays of White and Black, if it is a start position of (double) Chess960.
fn arrays_of(start: &Position) -> Option<(u64, u64)> {
    // Most positions are told apart by their counters and pawns.
    if start.fullmove_number() != 1 || start.of_kind(PieceType::Pawn).count() != 16 {
        return None;
    }
    let array = |color: Color| {
        let kind = |file| start.kind_on(Square::new(file, Rank::First.relative_to(color)));
        (0..ARRAYS).find(|&number| File::ALL.into_iter().map(kind).eq(chess960::array(number).map(Some)))
    };
    let (white, black) = (array(Color::White)?, array(Color::Black)?);
    (Position::from(chess960::start(white, black)) == *start).then_some((white.into(), black.into()))
}

/// The place of a legal move among all in the order of their bits.
fn index_of(position: &Position, mv: Move) -> u8 {
    position.legal_moves().iter().filter(|other| other.bits() < mv.bits()).count() as u8
}

fn move_at(position: &Position, index: u8) -> Option<Move> {
    let mut moves = position.legal_moves();
    let index = usize::from(index);
    (index < moves.len()).then(|| *moves.select_nth_unstable_by_key(index, |mv| mv.bits()).1)
}

/// What the score before says about this one.
fn foretold(before: Option<Score>) -> i32 {
    before.map_or(0, |score| -score.units())
}

fn score(coded: u64, before: Option<Score>) -> Option<Score> {
    let difference = i32::try_from(coded >> 1).ok()? ^ -((coded & 1) as i32);
    let units = difference.checked_add(foretold(before))?;
    (units.unsigned_abs() <= Score::MATE.units().unsigned_abs()).then(|| Score::new(units))
}

fn zigzag(number: i32) -> u64 {
    u64::from(((number << 1) ^ (number >> 31)) as u32)
}

/// Adds a number in LEB128.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number in LEB128 of at most five bytes.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_beyond_mate_are_none() {
        let mate = Score::MATE.units();
        for (units, expected) in [(mate, Some(Score::MATE)), (mate + 1, None), (i32::MAX, None)] {
            assert_eq!(score(zigzag(units), None), expected);
        }
        assert_eq!(score(zigzag(-mate), None), Some(-Score::MATE));
        // The least number has no absolute value.
        assert_eq!(score(u64::from(u32::MAX), None), None);
    }
}
