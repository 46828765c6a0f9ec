//! Games in PGN: what was played or scored against the Laws.

use super::thorough::Thorough;
use crate::cli::words::tagged_time_control;
use crate::cli::{Failure, input};
use crate::laws::event::Ground;
use crate::laws::rule::{Article, illegal_move_penalty};
use crate::laws::{Edition, Event, Game, GameResult, Prover, Reason, Regulations, Rule, Speed, TimeControl};
use crate::notation::characters::legible;
use crate::notation::pgn_reader::{PgnError, PgnErrorKind, PgnGame, PgnReader, number_behind};
use crate::notation::pgn_result;
use crate::notation::san::{SanError, parse_san};
use crate::types::{Color, Outcome};
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Something that is not as the Laws have it.
struct Finding {
    /// The line of the file that the game, or the mistake in it, stands on, from 1.
    line: u64,
    /// A word for programs.
    kind: &'static str,
    /// The move number with its dots; `None` for the game as a whole.
    at: Option<String>,
    article: Option<Article>,
    text: String,
}

/// Audits every game of a file, or of the standard input, and writes a line for each finding.
pub(super) fn run(file: &Path, edition: Edition, as_json: bool) -> Result<(), Failure> {
    let (name, input) = input::open_games(Some(file), "judge")?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut solver = Thorough::new();
    let (mut games, mut found) = (0_u64, 0_u64);
    let mut cut_off = None;
    for game in PgnReader::new(input) {
        games += 1;
        cut_off = None;
        let (findings, mistake) = match game.and_then(PgnGame::closed) {
            Ok(game) => {
                let (mut findings, is_open) = Audit::new(&game, edition, &mut solver).findings();
                findings.extend(game.cut_text().map(|error| unreadable(&error, edition)));
                cut_off = perhaps_cut_off(&game).filter(|_| is_open);
                (findings, None)
            }
            Err(PgnError { kind: PgnErrorKind::Io(error), .. }) => {
                out.flush()?;
                return Err(format!("{name}: {error}").into());
            }
            Err(error) => broken_off(&error, edition, &mut solver),
        };
        for finding in findings.iter().chain(&mistake) {
            found += 1;
            write_finding(&mut out, games, finding, as_json)?;
            out.flush()?;
        }
    }
    if let Some(finding) = cut_off {
        found += 1;
        write_finding(&mut out, games, &finding, as_json)?;
    }
    if games == 0 {
        return Err(format!("{name}: there is no game").into());
    }
    if !as_json {
        let (games_word, findings_word) = (plural(games, "game"), plural(found, "finding"));
        writeln!(out, "{games} {games_word}, {found} {findings_word}")?;
    }
    out.flush()?;
    match found {
        0 => Ok(()),
        _ => Err(format!("{found} {}", plural(found, "finding")).into()),
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { word.into() } else { format!("{word}s") }
}

fn write_finding(out: &mut impl Write, game: u64, finding: &Finding, as_json: bool) -> io::Result<()> {
    let Finding { line, kind, at, article, text } = finding;
    if as_json {
        let article = article.map(|article| article.to_string());
        let object =
            json!({ "game": game, "line": line, "kind": kind, "move": at, "article": article, "text": text });
        return writeln!(out, "{object}");
    }
    let at = at.as_ref().map_or(String::new(), |at| format!("move {at} "));
    let article = article.map_or(String::new(), |article| format!(" ({article})"));
    // What stands in a file is not to move the cursor.
    let text = legible(text, usize::MAX);
    writeln!(out, "game {game}, line {line}: {at}{text}{article}")
}

/// What is wrong with the last game of a file if nothing stands behind its moves, though they have not ended it.
fn perhaps_cut_off(game: &PgnGame) -> Option<Finding> {
    let result = game.untold_result()?;
    let text =
        format!("the tag Result says {result}, and nothing stands behind the moves: the file may be cut off");
    Some(Finding { line: game.line, kind: "cut_off", at: None, article: None, text })
}

/// What is found in a game up to a mistake in its text, and the mistake itself, unless the game was over by then.
fn broken_off(error: &PgnError, edition: Edition, solver: &mut Thorough) -> (Vec<Finding>, Option<Finding>) {
    let Some(game) = &error.before else { return (vec![], Some(unreadable(error, edition))) };
    let mut audit = Audit::new(game, edition, solver);
    audit.compare_tags();
    let played = audit.play();
    // Behind the end nothing is an illegal move; but what cannot be read cannot be read anywhere.
    let is_move =
        matches!(error.kind, PgnErrorKind::Move(_, SanError::Illegal(_)) | PgnErrorKind::NullMove(..));
    let counts = if is_move {
        played.is_some_and(|ended| audit.is_open(&ended))
    } else {
        // No move follows that could be too late; but if that was the end, the result is what it is. Where none is seen it
        // may stand in what cannot be read.
        if let Some(ended) = played.filter(|ended| ended.verdict().is_some())
            && game.outcome != Outcome::Unfinished
        {
            audit.look_at_end(&ended);
        }
        true
    };
    (audit.findings, counts.then(|| unreadable(error, edition)))
}

/// True if a legal move lacks nothing but the piece that the pawn becomes.
fn lacks_promotion(error: &PgnError, text: &str) -> bool {
    let position = error.before.as_ref().map(|game| game.end());
    let read = |text: &str| position.is_some_and(|position| parse_san(text, &position).is_ok());
    read(&format!("{}=Q", text.trim_end_matches(['+', '#', '!', '?', '=', ' '])))
}

fn unreadable(whole: &PgnError, edition: Edition) -> Finding {
    let line = whole.line;
    match &whole.kind {
        PgnErrorKind::Move(at, error) => {
            // What is no move, or can be two, was written down badly: what was played nobody knows.
            let (kind, rule) = match error {
                SanError::Illegal(text) if lacks_promotion(whole, text) => {
                    ("illegal_move", Some(Rule::PromotionMissing))
                }
                SanError::Illegal(_) => ("illegal_move", Some(Rule::IllegalMove)),
                _ => ("unreadable", None),
            };
            let text = match rule {
                Some(Rule::PromotionMissing) => format!("{error}: it does not say what the pawn becomes"),
                _ => error.to_string(),
            };
            Finding {
                line,
                kind,
                at: Some(at.clone()),
                article: rule.and_then(|rule| rule.article(edition)),
                text,
            }
        }
        PgnErrorKind::NullMove(at, word) => Finding {
            line,
            kind: "illegal_move",
            at: Some(at.clone()),
            article: Rule::NoMove.article(edition),
            text: format!("'{word}' passes, which is no move"),
        },
        PgnErrorKind::CutOff(at, word) => Finding {
            line,
            kind: "cut_off",
            at: Some(at.clone()),
            article: None,
            text: format!("the file ends with '{word}', and may be cut off"),
        },
        other => Finding { line, kind: "unreadable", at: None, article: None, text: other.to_string() },
    }
}

/// Ends of which an edition excepts those whose opponent cannot mate.
enum Ended {
    OnTime,
    ByIllegalMoves,
    ByResignation,
}

/// One game.
struct Audit<'a> {
    game: &'a PgnGame,
    edition: Edition,
    solver: &'a mut Thorough,
    findings: Vec<Finding>,
}

impl<'a> Audit<'a> {
    fn new(game: &'a PgnGame, edition: Edition, solver: &'a mut Thorough) -> Audit<'a> {
        Audit { game, edition, solver, findings: vec![] }
    }

    fn find(&mut self, kind: &'static str, at: Option<String>, article: Option<Article>, text: String) {
        self.findings.push(Finding { line: self.game.line, kind, at, article, text });
    }

    /// What is found, and whether moves could follow.
    fn findings(mut self) -> (Vec<Finding>, bool) {
        self.compare_tags();
        let end = self.play();
        if let Some(ended) = &end {
            self.look_at_end(ended);
        }
        (self.findings, end.is_some_and(|end| end.verdict().is_none()))
    }

    fn compare_tags(&mut self) {
        let stated = self.game.stated.unwrap_or(self.game.outcome);
        if let Some(other) = self.game.restated {
            let text = format!("behind the moves stands {stated}, and then {other}");
            self.find("two_results", None, None, text);
        }
        for name in ["FideResult", "Result"] {
            let Some(tag) = self.game.tag(name) else { continue };
            match tagged_result(tag) {
                Some(tagged) if !may_stand_with(tagged, stated) => {
                    let text = format!("the tag {name} says {tag}, and behind the moves stands {stated}");
                    self.find("two_results", None, None, text);
                }
                // FideResult is no tag of PGN's: others may mean something else by it.
                None if name == "Result" && !matches!(tag, "" | "?") => {
                    let text = format!("the tag Result says {tag}, which is no result");
                    self.find("unknown_result", None, None, text);
                }
                _ => {}
            }
        }
    }

    /// Plays the moves. The game at its end; `None` if it went on after an end, which is told.
    fn play(&mut self) -> Option<Game> {
        self.solver.prepare(&self.game.start, self.game.moves.iter().map(|played| played.mv));
        let mut game = Game::new(Regulations::of(self.edition), self.game.start, [None, None]);
        game.begin(&[], self.solver);
        let mut told = [false; 2];
        for played in &self.game.moves {
            if !self.is_open(&game) {
                return None;
            }
            self.look_for_claims(&game, &mut told);
            game.apply(Event::Move { mv: played.mv, time: Duration::ZERO }, self.solver);
        }
        if self.game.outcome != Outcome::Draw {
            self.look_for_claims(&game, &mut told);
        }
        Some(game)
    }

    /// Whether a move can follow; tells it if the game is over.
    fn is_open(&mut self, game: &Game) -> bool {
        let Some(verdict) = game.verdict() else { return true };
        let kind = match verdict.reason {
            Reason::Checkmate => "mate_passed_over",
            Reason::DeadPosition | Reason::InsufficientMaterial => "dead_position",
            _ => "draw_passed_over",
        };
        let (at, article) = (self.next(game), verdict.article);
        let text = format!("the game was over before this move: {verdict}; {}", self.scored());
        self.find(kind, Some(at), article, text);
        false
    }

    /// A result that the tag Result has no value for (8.7), by what stands behind the moves or by a tag.
    fn exceptional(&self) -> Option<GameResult> {
        let tags = ["FideResult", "Result"].into_iter().filter_map(|name| self.game.tag(name));
        let texts = self.game.exceptional.into_iter().chain(tags);
        texts.filter_map(tagged_result).find(|result| result.is_exceptional())
    }

    /// What the result is, in words.
    fn scored(&self) -> String {
        match self.game.outcome {
            Outcome::Unfinished if let Some(result) = self.exceptional() => format!("the result is {result}"),
            Outcome::Unfinished => "the game has no result".into(),
            outcome => format!("the result is {outcome}"),
        }
    }

    /// Tells the first claim of each kind that was open to the player on move and not made.
    fn look_for_claims(&mut self, game: &Game, told: &mut [bool; 2]) {
        let grounds = [(Ground::Threefold, Rule::Threefold), (Ground::FiftyMoves, Rule::FiftyMoves)];
        for (index, (ground, rule)) in grounds.into_iter().enumerate() {
            if told[index] || !game.open_claims().now.contains(&ground) {
                continue;
            }
            told[index] = true;
            let (player, at) = (game.position().side_to_move(), self.next(game));
            let what = match ground {
                Ground::FiftyMoves => "after fifty moves without capture or pawn move",
                _ => "by threefold repetition",
            };
            let text = format!("{player} could have claimed a draw {what}");
            self.find("claim_missed", Some(at), rule.article(self.edition), text);
        }
    }

    /// Whether the result fits the position at the end and what the tags say.
    fn look_at_end(&mut self, game: &Game) {
        let outcome = self.game.outcome;
        if let Some(verdict) = game.verdict() {
            let by_laws = verdict.result.outcome();
            if by_laws != outcome {
                let text = format!("{verdict}, so the result is {by_laws}; {}", self.scored());
                self.find("wrong_result", self.last(game), verdict.article, text);
            }
            return;
        }
        for (word, reason) in [("checkmate", "mate"), ("stalemate", "stalemate")] {
            if self.termination_says(&[word]) {
                let text = format!("the tag Termination speaks of {word}, but this is no {reason}");
                self.find("wrong_termination", self.last(game), None, text);
            }
        }
        match outcome {
            Outcome::Win(winner) => self.look_at_win(game, winner),
            Outcome::Draw => self.look_at_draw(game),
            Outcome::Unfinished => {}
        }
    }

    fn look_at_win(&mut self, game: &Game, winner: Color) {
        let Some((rule, ended)) = self.exception() else { return };
        let how = match ended {
            Ended::OnTime => "on time",
            Ended::ByIllegalMoves => "by the opponent's illegal moves",
            // Where nothing says how.
            Ended::ByResignation if self.ended_as_usual() => "without mate",
            Ended::ByResignation => "by the opponent's resignation",
        };
        if self.solver.can_win(game.position(), winner) == Some(false) {
            let text = format!("{winner} wins {how}, but cannot mate by any series of legal moves: a draw");
            self.find("winner_cannot_mate", self.last(game), rule, text);
        }
    }

    /// Whether a draw that the board does not give can be one.
    fn look_at_draw(&mut self, game: &Game) {
        let start = &self.game.start;
        let is_whole = start.fullmove_number() == 1
            && start.side_to_move() == Color::White
            && start.occupied().count() == 32;
        // What an arbiter or a program ended nobody agreed to.
        let is_agreed = self.ended_as_usual() || self.termination_says(&["agreement", "agreed"]);
        if let (true, 0 | 1, Some(article)) =
            (is_whole && is_agreed, self.game.moves.len(), Rule::BothHaveMoved.article(self.edition))
        {
            let text = "a draw cannot be agreed before both players have moved".to_string();
            return self.find("agreed_too_early", self.last(game), Some(article), text);
        }
        // Whoever is on move has overstepped, or moved against the rules.
        let loser = game.position().side_to_move();
        let (article, how) = match self.exception() {
            Some((article, Ended::OnTime)) => (article, "on time"),
            Some((article, Ended::ByIllegalMoves)) => (article, "by illegal moves"),
            _ => return,
        };
        if self.solver.can_win(game.position(), !loser) == Some(true) {
            let text = format!("{loser} does not lose {how}, but {} can mate", !loser);
            self.find("loser_draws", self.last(game), article, text);
        }
    }

    /// The number of the next move.
    fn next(&self, game: &Game) -> String {
        number_behind(&self.game.start, game.moves().len())
    }

    /// The number of the last move, if there is one.
    fn last(&self, game: &Game) -> Option<String> {
        let behind = game.moves().len();
        (behind > 0).then(|| number_behind(&self.game.start, behind - 1))
    }

    /// How fast the game was, by the clocks that the tags name.
    fn speed(&self) -> Speed {
        let tags = ["TimeControl", "WhiteTimeControl", "BlackTimeControl"];
        let controls = tags.into_iter().filter_map(|name| tagged_time_control(self.game.tag(name)?.trim()));
        self.edition.speed(controls.max_by_key(TimeControl::time_for_sixty_moves).as_ref())
    }

    fn termination(&self) -> String {
        self.game.tag("Termination").unwrap_or_default().to_lowercase()
    }

    /// True if the tag Termination names nothing that decided the game but the players' own doing.
    fn ended_as_usual(&self) -> bool {
        matches!(&*self.termination(), "" | "?" | "-" | "normal")
    }

    /// True if the tag Termination has one of these words, beside the players' names, which may stand there too ("NAME won on
    /// time").
    fn termination_says(&self, words: &[&str]) -> bool {
        let mut text = self.termination();
        for name in ["White", "Black"].into_iter().filter_map(|tag| self.game.tag(tag)) {
            text = without_name(&text, &name.to_lowercase());
        }
        text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
    }

    /// The article by which the game is drawn if the one who does not lose cannot mate, and how it ended.
    fn exception(&self) -> Option<(Option<Article>, Ended)> {
        let edition = self.edition;
        if !edition.is_fide() {
            None
        } else if self.ended_as_usual()
            || self.termination_says(&["resign", "resigns", "resigned", "resignation"])
        {
            // A game that was won and not by mate was resigned.
            (edition == Edition::Fide2023).then(|| (Rule::Resignation.article(edition), Ended::ByResignation))
        } else if self.termination_says(&["time", "timeout"]) {
            Some((Rule::FlagFall.article(edition), Ended::OnTime))
        } else if self.termination_says(&["illegal"]) {
            let speed = self.speed();
            (edition != Edition::Fide2005 || speed == Speed::Blitz)
                .then(|| (illegal_move_penalty(edition, speed, true), Ended::ByIllegalMoves))
        } else {
            None
        }
    }
}

/// The text without a name that stands in it as a whole, once: what comes behind it may be the same word.
fn without_name(text: &str, name: &str) -> String {
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let place = text
        .match_indices(name)
        .map(|(at, _)| (&text[..at], &text[at + name.len()..]))
        .find(|(before, behind)| is_apart(before.chars().next_back()) && is_apart(behind.chars().next()));
    place
        .filter(|_| !name.is_empty())
        .map_or_else(|| text.to_string(), |(before, behind)| format!("{before} {behind}"))
}

/// The result that a tag tells, with any dashes.
fn tagged_result(tag: &str) -> Option<GameResult> {
    let in_pgn = || pgn_result::outcome(tag).map(GameResult::Played);
    GameResult::parse(&pgn_result::plain(tag)).or_else(in_pgn)
}

/// True if this may stand behind the moves of a game with such a result. For one that PGN has no value for `*` may, or
/// what counts of it; and where `+/-` stands, the reader sees nothing, for that is a judgement elsewhere.
fn may_stand_with(result: GameResult, stated: Outcome) -> bool {
    stated == result.outcome() || result.is_exceptional() && stated == Outcome::Unfinished
}
