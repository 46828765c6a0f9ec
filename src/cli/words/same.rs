//! What may differ between a match and its resumption.

use crate::openings::OpeningsConfig;
use crate::tournament::config::{MatchConfig, PgnConfig, Player};

/// Tells whether two requests are of the same match: the later one may have more rounds, and may differ in what
/// is not of the games themselves (games at the same time, pauses, output, log, waiting times, what ends a match
/// early).
///
/// # Errors
/// If they are not; the message names the word that differs.
pub fn same_match(first: &MatchConfig, now: &MatchConfig) -> Result<(), String> {
    let of_player = (1..).zip(first.players.iter().zip(&now.players)).find_map(|(number, (a, b))| {
        difference(a, b).map(|key| format!("-engine {number} ({}), its {key}", a.engine.name))
    });
    let word = if first.players.len() != now.players.len() {
        "the number of engines".to_string()
    } else if let Some(word) = of_player {
        word
    } else {
        let checks = [
            ("-tournament", first.kind == now.kind),
            ("-games", first.games == now.games),
            ("-noswap", first.no_swap == now.no_swap),
            ("-reverse", first.reverse == now.reverse),
            ("-variant", first.variant == now.variant),
            ("-openings", openings(first) == openings(now) && first.policy == now.policy),
            ("-sprt", first.sprt == now.sprt),
            // Which results the test is of.
            ("-report penta", first.sprt.is_none() || first.output.penta == now.output.penta),
            (
                "-laws",
                first.regulations == now.regulations
                    && first.expulsion == now.expulsion
                    && first.judge == now.judge,
            ),
            ("-draw", first.adjudication.draw == now.adjudication.draw),
            ("-resign", first.adjudication.resign == now.adjudication.resign),
            (
                "-tb",
                first.tables.is_some() == now.tables.is_some()
                    && first.adjudication.tables == now.adjudication.tables,
            ),
            ("-maxmoves", first.adjudication.max_moves == now.adjudication.max_moves),
            ("-pgnout", pgn(first) == pgn(now)),
            ("-epdout", first.epd == now.epd),
            // Not given again: it goes on with the first one.
            ("-srand", now.seed.is_none() || first.seed == now.seed),
            ("-event", first.event == now.event),
            ("-site", first.site == now.site),
        ];
        match checks.iter().find(|(_, same)| !same) {
            Some((word, _)) => (*word).to_string(),
            None if now.rounds < first.rounds => {
                return Err(format!(
                    "-rounds {} is less than the {} that the match was begun with",
                    now.rounds, first.rounds
                ));
            }
            None => return Ok(()),
        }
    };
    Err(format!("this is another match than the one to go on with: {word} differs"))
}

/// The openings, however broken files are taken: of one that is not they are the same.
fn openings(config: &MatchConfig) -> Option<OpeningsConfig> {
    config.openings.clone().map(|openings| OpeningsConfig { strict: false, ..openings })
}

/// The file of games: whoever goes on with a match adds to it in any case.
fn pgn(config: &MatchConfig) -> Option<PgnConfig> {
    config.pgn.clone().map(|pgn| PgnConfig { append: true, ..pgn })
}

/// In which key two players differ, if in one: where their error output goes does not matter.
fn difference(a: &Player, b: &Player) -> Option<&'static str> {
    let checks = [
        ("name", a.engine.name == b.engine.name),
        ("cmd", a.engine.cmd == b.engine.cmd),
        ("args", a.engine.args == b.engine.args),
        ("proto", a.engine.protocol == b.engine.protocol),
        ("dir", a.engine.dir == b.engine.dir),
        ("options", a.engine.options == b.engine.options),
        ("restart", a.engine.restart == b.engine.restart),
        ("tc", a.limits.clock == b.limits.clock),
        ("st", a.limits.movetime == b.limits.movetime),
        ("nodes", a.limits.nodes == b.limits.nodes),
        ("depth", a.limits.depth == b.limits.depth),
        ("timemargin", a.limits.margin == b.limits.margin),
        ("ponder", a.ponder == b.ponder),
        ("claims", a.proxy.claims == b.proxy.claims),
        ("offers", a.proxy.draws == b.proxy.draws),
        ("finish", a.proxy.finish == b.proxy.finish),
        ("resigns", a.proxy.resigns == b.proxy.resigns),
    ];
    checks.iter().find(|(_, same)| !same).map(|(key, _)| *key)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{TWO, match_of};
    use super::*;

    #[test]
    fn a_match_is_known_again() {
        let base = format!("{TWO} -rounds 5 -srand 3 -openings file=o.epd");
        let first = match_of(&base);
        for words in [
            "-concurrency 4 -force-concurrency -recover -wait 5 -ratinginterval 3 -scoreinterval 0 -quiet -json -log file=l -use-affinity",
            "-journal file=j -resume -startup-ms 5 -strict -show-latency -check-mate-pvs",
        ] {
            assert_eq!(same_match(&first, &match_of(&format!("{base} {words}"))), Ok(()), "{words}");
        }
        assert_eq!(same_match(&first, &match_of(&base.replace("-rounds 5", "-rounds 50"))), Ok(()));
        assert_eq!(same_match(&first, &match_of(&base.replace("-srand 3", ""))), Ok(()));
        // Both files are added to by whoever goes on.
        let written = |more: &str| match_of(&format!("{base} -pgnout file=p {more} -epdout file=e {more}"));
        assert_eq!(same_match(&written("append=false"), &written("")), Ok(()));
        for (from, to, expected) in [
            ("-rounds 5", "-rounds 4", "-rounds 4 is less than the 5"),
            ("-srand 3", "-srand 4", "-srand"),
            ("o.epd", "p.epd", "-openings"),
            ("cmd=b", "cmd=c", "-engine 2 (b), its name"),
            ("cmd=b", "cmd=b option.Hash=5", "-engine 2 (b), its options"),
            ("tc=1+0", "tc=1+1", "-engine 1 (a), its tc"),
            ("-rounds 5", "-rounds 5 -engine cmd=c", "number of engines"),
            ("-rounds 5", "-rounds 5 -games 1", "-games"),
            ("-rounds 5", "-rounds 5 -noswap", "-noswap"),
            ("-rounds 5", "-rounds 5 -reverse", "-reverse"),
            ("-rounds 5", "-rounds 5 -variant fischerandom", "-variant"),
            ("-rounds 5", "-rounds 5 -sprt elo0=0 elo1=1", "-sprt"),
            ("-rounds 5", "-rounds 5 -draw score=1", "-draw"),
            ("-rounds 5", "-rounds 5 -resign score=1", "-resign"),
            ("-rounds 5", "-rounds 5 -maxmoves 9", "-maxmoves"),
            ("-rounds 5", "-rounds 5 -tournament gauntlet", "-tournament"),
            ("-rounds 5", "-rounds 5 -pgnout p", "-pgnout"),
            ("-rounds 5", "-rounds 5 -epdout p", "-epdout"),
            ("-rounds 5", "-rounds 5 -event e", "-event"),
            ("-rounds 5", "-rounds 5 -site s", "-site"),
            ("o.epd", "o.epd policy=encounter", "-openings"),
            ("-rounds 5", "-rounds 5 -laws engine", "-laws"),
            ("-rounds 5", "-rounds 5 -laws expel=3", "-laws"),
            ("-rounds 5", "-rounds 5 -laws judge=j", "-laws"),
            ("-rounds 5", "-rounds 5 -tb t", "-tb"),
            ("cmd=b", "cmd=b args=x", "-engine 2 (b), its args"),
            ("cmd=b", "cmd=b proto=xboard", "-engine 2 (b), its proto"),
            ("cmd=b", "cmd=b dir=/", "-engine 2 (b), its dir"),
            ("cmd=b", "cmd=b restart=on", "-engine 2 (b), its restart"),
            ("cmd=b", "cmd=b st=1", "-engine 2 (b), its"),
            ("cmd=b", "cmd=b nodes=7", "-engine 2 (b), its nodes"),
            ("cmd=b", "cmd=b depth=7", "-engine 2 (b), its depth"),
            ("cmd=b", "cmd=b timemargin=7", "-engine 2 (b), its timemargin"),
            ("cmd=b", "cmd=b ponder", "-engine 2 (b), its ponder"),
            ("cmd=b", "cmd=b claims=auto", "-engine 2 (b), its claims"),
            ("cmd=b", "cmd=b offers=10/3", "-engine 2 (b), its offers"),
            ("cmd=b", "cmd=b resigns=600/3", "-engine 2 (b), its resigns"),
            ("cmd=b", "cmd=b finish=20/5", "-engine 2 (b), its finish"),
        ] {
            let told = same_match(&first, &match_of(&base.replacen(from, to, 1))).unwrap_err();
            assert!(told.contains(expected), "{to}: {told}");
        }
        let first = match_of(&base.replace("tc=1+0", "st=2"));
        let told = same_match(&first, &match_of(&base.replace("tc=1+0", "st=1"))).unwrap_err();
        assert!(told.contains("-engine 1 (a), its st "), "{told}");
        // A test of pairs is none of games; where nothing is tested they are only shown otherwise.
        let penta =
            |base: &str| same_match(&match_of(base), &match_of(&format!("{base} -report penta=false")));
        assert_eq!(penta(&base), Ok(()));
        assert!(penta(&format!("{base} -sprt elo0=0 elo1=1")).unwrap_err().contains("-report penta"));
    }
}
