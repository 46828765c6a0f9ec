//! What a word looks ahead for: blanks in castling, results and offers (`0 - 0`, `1 - 0`, `( = )`), and what makes a sign or
//! digits a part of a move.

use super::{TAG_NAME, Tokens, is_number, is_part_of_word};
use crate::notation::characters::castles;
use crate::notation::glyphs;
use crate::notation::pgn_result::outcome;
use std::io::{self, Read};

/// The longest judgement, `⇆⇆⇆`, in bytes.
const LONGEST_JUDGEMENT: usize = 9;

/// The longest that stands behind a piece's letter: `g1-f3`.
const LONGEST_REST: usize = 5;

impl<R: Read> Tokens<R> {
    /// The first character from so far ahead that is no blank, where it stands and how many bytes it has.
    fn behind_blanks(&mut self, mut ahead: usize) -> io::Result<(Option<char>, usize, usize)> {
        loop {
            let (character, bytes) = self.character_at(ahead)?;
            match character {
                Some(c) if c.is_whitespace() && ahead < TAG_NAME => ahead += bytes,
                _ => return Ok((character, ahead, bytes)),
            }
        }
    }

    /// Castling that comes next, with any dashes and with blanks around them, and how many bytes it has. What is another
    /// word than this one is none: `0 - 0-1` has a result in it.
    pub(super) fn castling(&mut self) -> io::Result<Option<(String, usize)>> {
        let (first, mut end) = self.character_at(0)?;
        let Some(king) = first.and_then(castles) else { return Ok(None) };
        let (mut word, mut whole) = (String::from(king), None);
        for _ in 0..2 {
            let (dash, at, bytes) = self.behind_blanks(end)?;
            if dash != Some('-') {
                break;
            }
            let (side, at, bytes) = self.behind_blanks(at + bytes)?;
            let Some(side) = side.and_then(castles).filter(|side| *side == king) else { break };
            word.extend(['-', side]);
            end = at + bytes;
            if self.word_ends(end)? {
                whole = Some((word.clone(), end));
            }
        }
        Ok(whole)
    }

    /// The number of the judgement of several signs that comes next and stands by itself, and how many bytes it has: `⊕⊕`,
    /// `=/&`, `=, quiet`.
    pub(super) fn judgement(&mut self) -> io::Result<Option<(u8, usize)>> {
        let (mut text, mut end) = (String::new(), 0);
        loop {
            let (next, bytes) = self.character_at(end)?;
            match next {
                Some(c) if c.is_alphanumeric() && text.is_empty() => return Ok(None),
                Some(c) if c.is_whitespace() && text == "=," && end < TAG_NAME => {}
                Some(',') if text != "=" => break,
                Some(c) if !c.is_whitespace() && !"(){;$!?*".contains(c) => text.push(c),
                _ => break,
            }
            if text.len() > LONGEST_JUDGEMENT {
                return Ok(None);
            }
            end += bytes;
        }
        Ok(glyphs::of_word(&text).map(|number| (number, end)))
    }

    /// True if no letter, digit or one behind a sign or a stop goes on with the word so far ahead; signs of check and
    /// judgements may.
    fn word_ends(&mut self, ahead: usize) -> io::Result<bool> {
        let (next, bytes) = self.character_at(ahead)?;
        Ok(match next {
            Some('-' | '/' | ':' | '.') => {
                let (behind, _) = self.character_at(ahead + bytes)?;
                !behind.is_some_and(char::is_alphanumeric)
            }
            Some(c) => !c.is_alphanumeric(),
            None => true,
        })
    }

    /// The rest of a result that begins with this word and has blanks around its sign, as a whole result, and how many bytes
    /// it has.
    pub(super) fn result_behind(&mut self, word: &str) -> io::Result<Option<(String, usize)>> {
        let half = word.trim_end_matches(['-', ':']);
        if !matches!(half, "0" | "1" | "1/2") || word.len() > half.len() + 1 {
            return Ok(None);
        }
        let mut end = 0;
        if half == word {
            let (sign, at, bytes) = self.behind_blanks(0)?;
            if !matches!(sign, Some('-' | ':')) {
                return Ok(None);
            }
            end = at + bytes;
        }
        let (mut other, mut at, mut bytes) = self.behind_blanks(end)?;
        let mut rest = String::new();
        while let Some(c) = other.filter(|&c| is_part_of_word(c) || c == '½') {
            if rest.len() > 3 {
                return Ok(None);
            }
            if c == '½' {
                rest.push_str("1/2")
            } else {
                rest.push(c)
            }
            at += bytes;
            (other, bytes) = self.character_at(at)?;
        }
        let result = format!("{half}-{rest}");
        let is_result = !rest.is_empty() && outcome(&result).is_some();
        Ok(is_result.then_some((result, at)))
    }

    /// A move with a blank before or behind the sign of a promotion (`e8 =Q`, `e8= Q`) as a whole, and how many bytes its
    /// rest has.
    pub(super) fn promotion_behind(&mut self, word: &str) -> io::Result<Option<(String, usize)>> {
        let square = word.strip_suffix('=').unwrap_or(word);
        if !square.starts_with(|c| matches!(c, 'a'..='h')) || !square.ends_with(['1', '8']) {
            return Ok(None);
        }
        let (mut next, mut at, mut bytes) = self.behind_blanks(0)?;
        if square == word {
            if next != Some('=') {
                return Ok(None);
            }
            (next, at, bytes) = self.behind_blanks(at + bytes)?;
        }
        let Some(piece) = next.filter(|&c| matches!(c, 'Q' | 'R' | 'B' | 'N')) else { return Ok(None) };
        let (mut whole, mut end) = (format!("{square}={piece}"), at + bytes);
        while let (Some(sign @ ('+' | '#')), bytes) = self.character_at(end)? {
            whole.push(sign);
            end += bytes;
        }
        Ok((!self.goes_on(end)?).then_some((whole, end)))
    }

    /// How many bytes the offer of a draw has that comes next, if one does.
    pub(super) fn offer(&mut self) -> io::Result<Option<usize>> {
        let (sign, at, bytes) = self.behind_blanks(1)?;
        if sign != Some('=') {
            return Ok(None);
        }
        let (close, at, bytes) = self.behind_blanks(at + bytes)?;
        Ok((close == Some(')')).then_some(at + bytes))
    }

    /// True if what comes so far ahead may be the rest of a word.
    pub(super) fn goes_on(&mut self, ahead: usize) -> io::Result<bool> {
        Ok(self.bytes.peek(ahead)?.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()))
    }

    /// True if this may be the number of the next move.
    pub(super) fn is_due(&self, digits: &str) -> bool {
        self.due.is_none_or(|due| digits.parse().is_ok_and(|number| due.contains(&number)))
    }

    /// True if a letter may stand behind this word: before a square, and behind one on which a pawn becomes something.
    pub(super) fn may_be_piece(&mut self, word: &str, ahead: usize) -> io::Result<bool> {
        let is_promotion = word.ends_with(['1', '8', '=']) && !is_number(word);
        Ok(is_promotion || word.is_empty() && self.square_comes(ahead)?)
    }

    /// True if so far ahead stands what is behind a piece's letter, with its square: `f3`, `xf3`, `bd2`, `g1-f3`.
    pub(super) fn square_comes(&mut self, ahead: usize) -> io::Result<bool> {
        let mut is_behind_file = false;
        for ahead in ahead..ahead + LONGEST_REST {
            match self.bytes.peek(ahead)? {
                Some(b'1'..=b'8') if is_behind_file => return Ok(true),
                Some(b'a'..=b'h') => is_behind_file = true,
                Some(b'1'..=b'8' | b'x' | b':' | b'-') => is_behind_file = false,
                _ => break,
            }
        }
        Ok(false)
    }

    /// How many signs stand here before a square where a piece was, perhaps, that somebody could not write: `?f6`, `N?c6`.
    /// Behind a whole move they would judge it.
    pub(super) fn lost_piece(&mut self) -> io::Result<usize> {
        let is_behind_move =
            |byte: u8| !byte.is_ascii_whitespace() && !matches!(byte, b'.' | b'N' | b'D' | b'R');
        if self.bytes.last.is_some_and(is_behind_move) {
            return Ok(0);
        }
        let mut signs = 0;
        while matches!(self.bytes.peek(signs)?, Some(b'?' | b'!' | b'~' | b'@' | b'&' | b'%' | b'^' | b'\\'))
            && signs < LONGEST_REST
        {
            signs += 1;
        }
        Ok(if signs > 0 && self.square_comes(signs)? { signs } else { 0 })
    }

    /// True if digits with a stop behind them are no number but castling, of careless writers: "00." and "0.0".
    pub(super) fn is_castling_with(&mut self, digits: &str, ahead: usize) -> io::Result<bool> {
        let goes_on = |next: Option<char>| next.and_then(castles).is_some();
        Ok(matches!(digits, "00" | "000") || digits == "0" && goes_on(self.character_at(ahead)?.0))
    }

    /// True if digits are a move in numeric notation: two squares, files by their numbers too, and perhaps the piece that a
    /// pawn becomes.
    pub(super) fn is_numeric_move(&self, digits: &str) -> bool {
        matches!(digits.len(), 4 | 5)
            && digits.bytes().all(|digit| matches!(digit, b'1'..=b'8'))
            && !self.is_due(digits)
    }

    /// True if a file or a rank stands in brackets here: where a piece comes from.
    pub(super) fn is_departure(&mut self) -> io::Result<bool> {
        let from = self.bytes.peek(1)?;
        Ok(matches!(from, Some(b'a'..=b'h' | b'1'..=b'8')) && self.bytes.peek(2)? == Some(b')'))
    }

    pub(super) fn is_promotion(&mut self) -> io::Result<bool> {
        let piece = self.bytes.peek(1)?;
        Ok(matches!(piece, Some(b'Q' | b'R' | b'B' | b'N')) && self.bytes.peek(2)? == Some(b')'))
    }
}

/// True if a character before a square can be a piece, of whatever font.
pub(super) fn may_stand_for_piece(c: char) -> bool {
    !c.is_ascii()
        && !c.is_whitespace()
        && !matches!(c, '½' | '…')
        && glyphs::of_word(c.encode_utf8(&mut [0; 4])).is_none()
}
