//! Castling, results and offers with blanks in them: `0 - 0`, `1 - 0`, `( = )`.

use super::{TAG_NAME, Tokens, is_part_of_word};
use crate::notation::characters::castles;
use crate::notation::pgn_result::outcome;
use std::io::{self, Read};

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
            let Some(side) = side.and_then(castles) else { break };
            word.extend(['-', side]);
            end = at + bytes;
            if self.word_ends(end)? {
                whole = Some((word.clone(), end));
            }
        }
        Ok(whole)
    }

    /// True if no letter, digit or one behind a sign goes on with the word so far ahead; signs of check and judgements may.
    fn word_ends(&mut self, ahead: usize) -> io::Result<bool> {
        let (next, bytes) = self.character_at(ahead)?;
        Ok(match next {
            Some('-' | '/' | ':') => {
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

    /// How many bytes the offer of a draw has that comes next, if one does.
    pub(super) fn offer(&mut self) -> io::Result<Option<usize>> {
        let (sign, at, bytes) = self.behind_blanks(1)?;
        if sign != Some('=') {
            return Ok(None);
        }
        let (close, at, bytes) = self.behind_blanks(at + bytes)?;
        Ok((close == Some(')')).then_some(at + bytes))
    }
}
