//! Live lines of a match in the forms of fastchess and cutechess-cli, which scripts read, and the block that goes
//! into commit messages.
//!
//! The forms are those of the programs; the numbers come from [`crate::tournament`] and stay finite where those
//! programs print `inf` or `nan`. If that took a regularisation, a line beginning with `Regularised:` stands below
//! the block.

use crate::tournament::elo::{Estimate, Interval, Ratio, los_of_decisive_games};
use crate::tournament::sprt::{Progress, Sprt, Verdict};
use crate::tournament::stats::{Pairs, Tally};
use std::fmt::Write;

/// An engine and what it scored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The engine's name.
    pub name: String,
    /// Its results, against all that it played.
    pub tally: Tally,
}

/// The rule above and below a block of fastchess.
const RULE: &str = "--------------------------------------------------\n";

/// The least width of a table's column of names.
const NAME_WIDTH: usize = 25;

/// A text of somebody else, such as an engine or a file, as a part of a line that scripts read: of it there is no more
/// than so much, and nothing but printable ASCII, since some of them read nothing else.
pub fn plain(text: &str) -> String {
    plain_and_short(text, LONGEST_PART)
}

/// The same with at most so many letters.
pub fn plain_and_short(text: &str, longest: usize) -> String {
    let mut letters = text.chars();
    let mut shown: String = letters.by_ref().take(longest).map(printable).collect();
    if letters.next().is_some() {
        shown += "...";
    }
    shown
}

/// The first two of these texts that read the same once they are plain: their places, from 0.
pub fn alike(texts: &[&str]) -> Option<(usize, usize)> {
    let shown: Vec<String> = texts.iter().map(|text| plain(text)).collect();
    let before = |place: usize| shown[..place].iter().position(|other| *other == shown[place]);
    (0..shown.len()).find_map(|place| Some((before(place)?, place)))
}

/// The longest text of somebody else.
const LONGEST_PART: usize = 200;

fn printable(letter: char) -> char {
    if letter == ' ' || letter.is_ascii_graphic() { letter } else { '?' }
}

/// The block of fastchess: for two engines the first's results against the second, for more a ranking table.
///
/// `conditions` is what stands in parentheses for two, such as `8+0.08, 1t, 16MB, book.epd`. With `pairs`
/// everything is that of finished pairs of games, as scripts check that pairs and games agree; else of games.
/// A test is shown for two engines only, as it compares two.
pub fn fastchess(standings: &[Standing], conditions: &str, pairs: bool, sprt: Option<&Sprt>) -> String {
    let mut out = RULE.to_string();
    let mut notes = Notes::default();
    let counted: Vec<Standing>;
    let standings = if pairs {
        counted = standings.iter().map(of_pairs).collect();
        &counted
    } else {
        standings
    };
    if let [first, second] = standings {
        out += &head_to_head(first, &second.name, conditions, pairs, &mut notes);
        if let Some(sprt) = sprt {
            let progress = sprt.of_tally(&first.tally, pairs);
            notes.llr |= progress.regularised;
            out += &llr_line(sprt, progress);
        }
    } else {
        out += &fastchess_table(standings, pairs, &mut notes);
    }
    out + RULE + &notes.line()
}

/// The same without the games whose pairs are not finished.
fn of_pairs(standing: &Standing) -> Standing {
    let Pairs { ll, ld, dd, wl, wd, ww } = standing.tally.pairs;
    let (wins, losses, draws) = (2 * ww + wd + wl, 2 * ll + ld + wl, 2 * dd + ld + wd);
    Standing { tally: Tally { wins, losses, draws, ..standing.tally }, ..standing.clone() }
}

/// `Elo: …, nElo: …` and, in a line of its own without its end, `LOS: … %, DrawRatio: … %`.
pub fn strength(estimate: &Estimate) -> String {
    let of = |interval: Interval| format!("{} +/- {}", fixed(interval.value, 2), fixed(interval.error, 2));
    let (elo, normalized) = (of(estimate.elo), of(estimate.normalized));
    let (los, draws) = (percent(estimate.los, 2), percent(estimate.draw_ratio, 2));
    format!("Elo: {elo}, nElo: {normalized}\nLOS: {los} %, DrawRatio: {draws} %")
}

fn head_to_head(first: &Standing, second: &str, conditions: &str, pairs: bool, notes: &mut Notes) -> String {
    let Standing { name, tally } = first;
    let estimate = Estimate::of(&tally.sample(pairs));
    notes.elo |= estimate.regularised;
    let mut out = format!("Results of {name} vs {second} ({conditions}):\n");
    out += &strength(&estimate);
    if pairs {
        let ratio = Ratio::of_pairs(&tally.pairs);
        notes.ratio |= ratio.regularised;
        let _ = write!(out, ", PairsRatio: {}", fixed(ratio.value, 2));
    }
    let (games, points) = (tally.games(), tally.points());
    let score = Estimate::of(&tally.sample(false)).score;
    let Tally { wins, losses, draws, .. } = tally;
    let _ = write!(out, "\nGames: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, ");
    let _ = writeln!(out, "Points: {} ({} %)", fixed(points, 1), percent(score, 2));
    if pairs {
        let ratio = Ratio::of_middle(&tally.pairs);
        notes.ratio |= ratio.regularised;
        let _ =
            writeln!(out, "Ptnml(0-2): {:?}, WL/DD Ratio: {}", tally.pairs.counts(), fixed(ratio.value, 2));
    }
    out
}

/// `LLR: 2.99 (101.5%) (-2.94, 2.94) [0.00, 50.00]`: the ratio, how far it is on its way, the bounds, the hypotheses.
fn llr_line(sprt: &Sprt, progress: Progress) -> String {
    let (llr, way) = (fixed(progress.llr, 2), percent(sprt.fraction(progress.llr), 1));
    format!("LLR: {llr} ({way}%) {} {}\n", bounds(sprt), hypotheses(sprt))
}

fn bounds(sprt: &Sprt) -> String {
    format!("({}, {})", fixed(sprt.lower(), 2), fixed(sprt.upper(), 2))
}

fn hypotheses(sprt: &Sprt) -> String {
    format!("[{}, {}]", fixed(sprt.config().elo0, 2), fixed(sprt.config().elo1, 2))
}

fn fastchess_table(standings: &[Standing], pairs: bool, notes: &mut Notes) -> String {
    let width = name_width(standings);
    let mut out = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    out += &if pairs { format!(" {:>20}\n", "Ptnml(0-2)") } else { "\n".into() };
    for (rank, (standing, estimate)) in ranked(standings, pairs, notes).into_iter().enumerate() {
        let Standing { name, tally } = standing;
        let score = Estimate::of(&tally.sample(false)).score;
        let _ = write!(
            out,
            "{:>4} {name:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}%",
            rank + 1,
            fixed(estimate.elo.value, 2),
            fixed(estimate.elo.error, 2),
            fixed(estimate.normalized.value, 2),
            fixed(estimate.normalized.error, 2),
            tally.games(),
            percent(score, 1),
            percent(estimate.draw_ratio, 1),
        );
        out += &if pairs { format!(" {:>20}\n", format!("{:?}", tally.pairs.counts())) } else { "\n".into() };
    }
    out
}

/// The line of cutechess-cli after a game: `Score of A vs B: 10 - 5 - 20  [0.571] 35` (won, lost, drawn).
pub fn cutechess_score(first: &Standing, second: &str) -> String {
    let Standing { name, tally } = first;
    let score = Estimate::of(&tally.sample(false)).score;
    let Tally { wins, losses, draws, .. } = tally;
    format!(
        "Score of {name} vs {second}: {wins} - {losses} - {draws}  [{}] {}\n",
        fixed(score, 3),
        tally.games()
    )
}

/// The lines of cutechess-cli at each rating interval: for two engines the first's Elo difference to the second,
/// for more a ranking table. It always counts games, and decisive games alone for the likelihood of superiority;
/// the test counts what `pairs` asks for.
pub fn cutechess(standings: &[Standing], pairs: bool, sprt: Option<&Sprt>) -> String {
    let mut notes = Notes::default();
    let [first, _] = standings else { return cutechess_table(standings, &mut notes) + &notes.line() };
    let estimate = Estimate::of(&first.tally.sample(false));
    notes.elo |= estimate.regularised;
    let los = los_of_decisive_games(first.tally.wins, first.tally.losses);
    let mut out = format!(
        "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
        fixed(estimate.elo.value, 1),
        fixed(estimate.elo.error, 1),
        percent(los, 1),
        percent(estimate.draw_ratio, 1),
    );
    if let Some(sprt) = sprt {
        let Progress { llr, verdict, regularised } = sprt.of_tally(&first.tally, pairs);
        notes.llr |= regularised;
        let (way, lower, upper) = (percent(sprt.fraction(llr), 1), sprt.lower(), sprt.upper());
        let [llr, lower, upper] = [llr, lower, upper].map(|value| significant(value, 3));
        let _ = write!(out, "SPRT: llr {llr} ({way}%), lbound {lower}, ubound {upper}");
        out += &if verdict == Verdict::GoOn { "\n".into() } else { format!(" - {verdict}\n") };
    }
    out + &notes.line()
}

fn cutechess_table(standings: &[Standing], notes: &mut Notes) -> String {
    let width = name_width(standings);
    let mut out = format!(
        "{:<4} {:<width$} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    for (rank, (Standing { name, tally }, estimate)) in
        ranked(standings, false, notes).into_iter().enumerate()
    {
        let _ = writeln!(
            out,
            "{:>4} {name:<width$} {:>7} {:>7} {:>7} {:>6}% {:>6}%",
            rank + 1,
            fixed(estimate.elo.value, 0),
            fixed(estimate.elo.error, 0),
            tally.games(),
            percent(estimate.score, 1),
            percent(estimate.draw_ratio, 1),
        );
    }
    out
}

/// What was regularised in a block.
#[derive(Clone, Copy, Default, Debug)]
pub struct Notes {
    /// An Elo difference or its interval.
    pub elo: bool,
    /// A log-likelihood ratio.
    pub llr: bool,
    /// A quotient of counts.
    pub ratio: bool,
}

impl Notes {
    /// A line that says so; empty if nothing was.
    pub fn line(&self) -> String {
        let told: Vec<&str> = [
            (self.elo, "Elo (the results alone bound it on one side only, or not at all)"),
            (self.llr, "LLR (empty classes count 0.001)"),
            (self.ratio, "ratios (0.5 is added to both sides of a division by 0)"),
        ]
        .into_iter()
        .filter_map(|(applies, text)| applies.then_some(text))
        .collect();
        if told.is_empty() { String::new() } else { format!("Regularised: {}\n", told.join(", ")) }
    }
}

/// Standings with their estimates, the best first; equals stay in the order given.
fn ranked<'a>(standings: &'a [Standing], pairs: bool, notes: &mut Notes) -> Vec<(&'a Standing, Estimate)> {
    let mut ranked: Vec<_> =
        standings.iter().map(|standing| (standing, Estimate::of(&standing.tally.sample(pairs)))).collect();
    ranked.sort_by(|(_, one), (_, other)| other.elo.value.total_cmp(&one.elo.value));
    notes.elo |= ranked.iter().any(|(_, estimate)| estimate.regularised);
    ranked
}

fn name_width(standings: &[Standing]) -> usize {
    standings.iter().map(|standing| standing.name.chars().count()).fold(NAME_WIDTH, usize::max)
}

/// A number with so many digits after the point; what rounds to zero has no sign.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(unsigned) if !unsigned.contains(|digit: char| matches!(digit, '1'..='9')) => {
            unsigned.to_string()
        }
        _ => text,
    }
}

/// A share as a percentage, without the sign of it.
pub fn percent(share: f64, digits: usize) -> String {
    fixed(share * 100.0, digits)
}

/// A number with so many significant digits and no trailing zeros, as `%g` of C writes it.
fn significant(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
    if value == 0.0 {
        return "0".into();
    }
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let mantissa = scientific.split('e').next().unwrap_or_default();
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    trimmed(&format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::config::{SprtConfig, SprtModel};
    use proptest::prelude::*;

    fn standing(name: &str, wins: u64, losses: u64, draws: u64, pairs: [u64; 6]) -> Standing {
        let [ll, ld, dd, wl, wd, ww] = pairs;
        let pairs = Pairs { ll, ld, dd, wl, wd, ww };
        Standing { name: name.into(), tally: Tally { wins, losses, draws, pairs } }
    }

    fn sprt(elo0: f64, elo1: f64, beta: f64) -> Sprt {
        Sprt::new(SprtConfig { elo0, elo1, alpha: 0.05, beta, model: SprtModel::Normalized }).unwrap()
    }

    /// A published match of 57776 games, as fastchess printed it.
    #[test]
    fn fastchess_for_two() {
        let dev = standing("dev", 15367, 15016, 27393, [835, 6884, 6654, 6462, 7201, 852]);
        let base = Standing { name: "base".into(), tally: dev.tally.reversed() };
        let conditions = "1+0.01, 1t, 16MB, UHO_Lichess_4852_v1.epd";
        let both = [dev, base];
        let shown = fastchess(&both, conditions, true, Some(&sprt(0.0, 3.0, 0.1)));
        let expected = "\
--------------------------------------------------
Results of dev vs base (1+0.01, 1t, 16MB, UHO_Lichess_4852_v1.epd):
Elo: 2.11 +/- 1.70, nElo: 3.52 +/- 2.83
LOS: 99.25 %, DrawRatio: 45.40 %, PairsRatio: 1.04
Games: 57776, Wins: 15367, Losses: 15016, Draws: 27393, Points: 29063.5 (50.30 %)
Ptnml(0-2): [835, 6884, 13116, 7201, 852], WL/DD Ratio: 0.97
LLR: 2.89 (100.1%) (-2.25, 2.89) [0.00, 3.00]
--------------------------------------------------
";
        assert_eq!(shown, expected);
        let games = fastchess(&both, "c", false, None);
        assert!(games.contains("%, DrawRatio: 47.41 %\nGames: "), "{games}");
        assert!(
            !games.contains("Ptnml") && !games.contains("LLR") && !games.contains("Regularised"),
            "{games}"
        );
        let reversed = fastchess(&[both[1].clone(), both[0].clone()], "c", true, Some(&sprt(0.0, 3.0, 0.1)));
        assert!(reversed.contains("Results of base vs dev (c):\nElo: -2.11 +/- 1.70"), "{reversed}");
    }

    #[test]
    fn what_was_regularised_is_told_below() {
        let first = standing("A", 31, 2, 5, [0, 0, 0, 2, 5, 12]);
        let second = Standing { name: "B".into(), tally: first.tally.reversed() };
        let both = [first, second];
        let shown = fastchess(&both, "8+0.08, 1t, 16MB, book.epd", true, Some(&sprt(0.0, 50.0, 0.05)));
        let expected = "\
--------------------------------------------------
Results of A vs B (8+0.08, 1t, 16MB, book.epd):
Elo: 348.73 +/- 147.86, nElo: 552.97 +/- 110.47
LOS: 100.00 %, DrawRatio: 10.53 %, PairsRatio: 35.00
Games: 38, Wins: 31, Losses: 2, Draws: 5, Points: 33.5 (88.16 %)
Ptnml(0-2): [0, 0, 2, 5, 12], WL/DD Ratio: 5.00
LLR: 2.99 (101.5%) (-2.94, 2.94) [0.00, 50.00]
--------------------------------------------------
Regularised: LLR (empty classes count 0.001), ratios (0.5 is added to both sides of a division by 0)
";
        assert_eq!(shown, expected);
        let none = [standing("A", 0, 0, 0, [0; 6]), standing("B", 0, 0, 0, [0; 6])];
        let shown = fastchess(&none, "c", true, None);
        assert!(shown.contains("\nElo: 0.00 +/- ") && shown.contains("\nRegularised: Elo ("), "{shown}");
    }

    /// Fishtest gives a match up where pairs and games differ.
    #[test]
    fn with_pairs_only_their_games_count() {
        let more = standing("A", 9, 8, 11, [1, 2, 3, 1, 2, 1]);
        let second = Standing { name: "B".into(), tally: more.tally.reversed() };
        let both = [more, second];
        let shown = fastchess(&both, "c", true, None);
        assert!(shown.contains("\nGames: 20, Wins: 5, Losses: 5, Draws: 10, Points: 10.0 (50.00 %)\nPtnml(0-2): [1, 2, 4, 2, 1]"), "{shown}");
        assert!(fastchess(&both, "c", false, None).contains("\nGames: 28, Wins: 9, "));
        assert!(cutechess_score(&both[0], "B").contains(": 9 - 8 - 11 "));
        let three = [both[0].clone(), both[1].clone(), both[0].clone()];
        let shown = fastchess(&three, "c", true, None);
        assert_eq!(
            shown.matches("         20      50.0%      40.0%      [1, 2, 4, 2, 1]\n").count(),
            3,
            "{shown}"
        );
        assert!(fastchess(&three, "c", false, None).contains("         28 "));
    }

    #[test]
    fn names_that_read_the_same_are_found() {
        assert_eq!(alike(&["a", "Мат", "b", "Пат", "???"]), Some((1, 3)));
        assert_eq!(alike(&["Мат", "Маты", "a"]), None);
    }

    #[test]
    fn texts_of_others_are_short_and_plain() {
        assert_eq!(plain("½ move\n\t\u{1b}[1m e2e4~"), "? move???[1m e2e4~");
        assert_eq!(plain(&"é".repeat(300)), "?".repeat(200) + "...");
        assert_eq!(plain(&"a".repeat(200)), "a".repeat(200));
    }

    #[test]
    fn fastchess_for_more() {
        let standings = [
            standing("CT800 v1.46", 11, 7, 8, [1, 3, 2, 2, 1, 4]),
            standing("Juggernaut 1.55", 95, 44, 41, [5, 5, 6, 30, 22, 22]),
            standing("Fox Chess 1.0", 5, 11, 10, [2, 2, 4, 5, 0, 0]),
        ];
        // The first two lines are as fastchess printed them for a published gauntlet.
        let expected = "\
--------------------------------------------------
Rank Name                             Elo        +/-       nElo        +/-      Games      Score       Draw           Ptnml(0-2)
   1 Juggernaut 1.55               101.21      42.63     128.22      50.76        180      64.2%      40.0%   [5, 5, 36, 22, 22]
   2 CT800 v1.46                    53.88     134.87      57.12     133.55         26      57.7%      30.8%      [1, 3, 4, 1, 4]
   3 Fox Chess 1.0                 -81.65      75.76    -152.04     133.55         26      38.5%      69.2%      [2, 2, 9, 0, 0]
--------------------------------------------------
";
        assert_eq!(fastchess(&standings, "c", true, None), expected);
        let games = fastchess(&standings, "c", false, None);
        assert!(games.contains("      Score       Draw\n   1 Juggernaut 1.55"), "{games}");
        let long = standing("a name of more than twenty-five letters", 10, 10, 10, [0; 6]);
        let short = standing("short", 10, 10, 10, [0; 6]);
        let three = [long.clone(), short, long];
        for shown in [fastchess(&three, "c", false, None), cutechess(&three, false, None)] {
            let widths: Vec<usize> = shown.lines().map(str::len).filter(|&width| width != 50).collect();
            assert!(widths.len() == 4 && widths.iter().all(|width| *width == widths[0]), "{shown}");
        }
    }

    /// Published matches, as cutechess-cli printed them; it approximates, so
    /// its ratio differs in the third digit, and the last line here has ±7.7.
    #[test]
    fn cutechess_for_two() {
        let carp = standing("Carp0002", 1448, 1320, 1679, [0; 6]);
        assert_eq!(
            cutechess_score(&carp, "Carp0000"),
            "Score of Carp0002 vs Carp0000: 1448 - 1320 - 1679  [0.514] 4447\n"
        );
        let logistic = |elo0, elo1| {
            let config = SprtConfig { elo0, elo1, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
            Sprt::new(config).unwrap()
        };
        let both =
            |first: &Standing| [first.clone(), Standing { name: "B".into(), tally: first.tally.reversed() }];
        let accepted = standing("A", 880, 759, 1863, [0; 6]);
        assert_eq!(
            cutechess(&both(&accepted), false, Some(&logistic(0.0, 5.0))),
            "Elo difference: 12.0 +/- 7.9, LOS: 99.9 %, DrawRatio: 53.2 %\n\
             SPRT: llr 2.95 (100.1%), lbound -2.94, ubound 2.94 - H1 was accepted\n"
        );
        let refused = &both(&accepted)[1].clone();
        let shown = cutechess(&both(refused), false, Some(&logistic(-5.0, 0.0)));
        assert!(
            shown.ends_with("llr -2.95 (-100.1%), lbound -2.94, ubound 2.94 - H0 was accepted\n"),
            "{shown}"
        );
        let open = standing("A", 1038, 1037, 1925, [0; 6]);
        assert_eq!(
            cutechess(&both(&open), false, Some(&logistic(-5.0, 5.0))),
            "Elo difference: 0.1 +/- 7.8, LOS: 50.9 %, DrawRatio: 48.1 %\n\
             SPRT: llr 0.0555 (1.9%), lbound -2.94, ubound 2.94\n"
        );
    }

    #[test]
    fn cutechess_for_more() {
        let standings = [
            standing("Halogen-12.0", 693, 895, 1412, [0; 6]),
            standing("Blackmarlin-9.0", 1159, 513, 1328, [0; 6]),
            standing("dev", 2090, 2845, 4065, [0; 6]),
        ];
        // Numbers as cutechess-cli printed them for a published gauntlet.
        let expected = "\
Rank Name                          Elo     +/-   Games   Score    Draw
   1 Blackmarlin-9.0                76       9    3000   60.8%   44.3%
   2 Halogen-12.0                  -23       9    3000   46.6%   47.1%
   3 dev                           -29       5    9000   45.8%   45.2%
";
        assert_eq!(cutechess(&standings, true, None), expected);
    }

    #[test]
    fn numbers() {
        assert_eq!([fixed(-0.001, 2), fixed(-0.006, 2), fixed(0.0, 1)], ["0.00", "-0.01", "0.0"]);
        for (value, text) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (-2.9444, "-2.94"),
            (0.05551, "0.0555"),
            (0.009881, "0.00988"),
            (12.04, "12"),
            (-123.4, "-123"),
            (1234.0, "1.23e+03"),
            (0.0000123, "1.23e-05"),
            (9.999, "10"),
        ] {
            assert_eq!(significant(value, 3), text);
        }
    }

    proptest! {
        #[test]
        fn nothing_is_infinite(games in prop::array::uniform3(0..4u64), pairs in prop::array::uniform6(0..3u64)) {
            let [wins, losses, draws] = games;
            let first = standing("A", wins, losses, draws, pairs);
            let second = Standing { name: "B".into(), tally: first.tally.reversed() };
            let two = [first.clone(), second.clone()];
            let three = [first.clone(), second.clone(), first.clone()];
            for pairs in [true, false] {
                let test = sprt(0.0, 5.0, 0.05);
                let mut shown = cutechess_score(&first, "B");
                for standings in [&two[..], &three] {
                    shown += &fastchess(standings, "c", pairs, Some(&test));
                    shown += &cutechess(standings, pairs, Some(&test));
                }
                prop_assert!(shown.is_ascii() && !shown.contains("\n\n"), "{shown}");
                prop_assert!(!shown.contains("inf") && !shown.to_lowercase().contains("nan"), "{shown}");
            }
        }
    }

    #[test]
    fn cutechess_tests_pairs_where_they_are_wanted_and_tells_of_empty_classes() {
        let both = |first: Standing| {
            let second = Standing { name: "B".into(), tally: first.tally.reversed() };
            [first, second]
        };
        let dev = both(standing("dev", 15367, 15016, 27393, [835, 6884, 6654, 6462, 7201, 852]));
        let shown = cutechess(&dev, true, Some(&sprt(0.0, 3.0, 0.1)));
        let line = "\nSPRT: llr 2.89 (100.1%), lbound -2.25, ubound 2.89 - H1 was accepted\n";
        assert!(shown.ends_with(line), "{shown}");
        assert!(!cutechess(&dev, false, Some(&sprt(0.0, 3.0, 0.1))).contains("llr 2.89 "));
        let few = both(standing("A", 3, 5, 0, [0; 6]));
        let shown = cutechess(&few, false, Some(&sprt(0.0, 3.0, 0.1)));
        assert!(shown.ends_with("\nRegularised: LLR (empty classes count 0.001)\n"), "{shown}");
    }

    #[test]
    fn equals_stay_in_the_order_given() {
        let equals = ["B", "C", "A"].map(|name| standing(name, 4, 4, 2, [1, 0, 1, 2, 0, 1]));
        for shown in [fastchess(&equals, "c", true, None), cutechess(&equals, false, None)] {
            let lines = shown.lines().filter(|line| line.starts_with("   "));
            let names: Vec<&str> = lines.filter_map(|line| line.split_whitespace().nth(1)).collect();
            assert_eq!(names, ["B", "C", "A"], "{shown}");
        }
    }
}
