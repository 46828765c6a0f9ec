//! What words say against each other.

use super::Surroundings;
use super::line::{Findings, Line, Params, value};
use super::values::variant;
use crate::laws::event::Request;
use crate::laws::{Edition, Speed};
use crate::openings::Format;
use crate::sys::files::is_one_file;
use crate::tournament::config::{Affinity, MatchConfig, Player, Variant};
use crate::tournament::journal_place::{journal_path, may_be_file};
use std::collections::BTreeSet;

/// What the settings say against each other.
pub(super) fn contradictions(
    config: &MatchConfig,
    place: &Surroundings<'_>,
    line: &Line,
    findings: &mut Findings,
) {
    if config.players.len() < 2 {
        let hint = if config.resume {
            " (or -config file=JOURNAL -resume, for a match told by its journal)"
        } else {
            ""
        };
        findings.missing(format!(
            "a match needs at least two engines, {} given: expected -engine cmd=A -engine cmd=B{hint}",
            config.players.len()
        ));
    }
    if let Some(processors) = place.processors
        && config.concurrency > processors
        && !config.force_concurrency
    {
        findings.error(format!(
            "-concurrency {}: this machine has {processors} processors; say -force-concurrency if it is meant",
            config.concurrency
        ));
    }
    if let Some(Affinity::List(list)) = &config.affinity
        && list.len() < config.concurrency
    {
        findings.error(format!(
            "-use-affinity names {} processors for {} games at the same time",
            list.len(),
            config.concurrency
        ));
    }
    if config.affinity.is_some() {
        for (index, player) in config.players.iter().enumerate() {
            if let Some(threads) = player.engine.option("Threads")
                && threads.trim().parse::<u64>().is_ok_and(|threads| threads > 1)
            {
                findings.error(format!(
                    "-use-affinity holds each game to one processor, but -engine {} ({}) has option.Threads={threads}: \
                     leave one of them out",
                    index + 1,
                    player.engine.name
                ));
            }
        }
    }
    if config.variant == Variant::Chess960 && line.get("openings").is_none() {
        findings.missing(
            "-variant fischerandom has no start positions: expected -openings chess960=lot or file=FILE",
        );
    }
    // One that was misspelt is told as such, and may have been meant so.
    let is_read = |params: &Params| value(params, "").is_some_and(|name| variant(name).is_ok());
    if let Some(Format::Chess960(_)) = config.openings.as_ref().map(|openings| openings.format)
        && config.variant != Variant::Chess960
        && line.get("variant").is_none_or(is_read)
    {
        findings.missing("-openings chess960= is for Chess960: expected -variant fischerandom");
    }
    if !config.regulations.quickplay {
        if config.judge.is_some() {
            findings.note("-laws judge= changes nothing without quickplay=true");
        }
        if config.players.iter().any(|player| player.proxy.finish.is_some()) {
            findings.note("finish= changes nothing without -laws quickplay=true");
        }
    } else {
        let edition = config.regulations.edition;
        let is_blitz = |player: &Player| edition.speed(player.limits.clock.as_ref()) == Speed::Blitz;
        let mut finishes = config.players.iter().filter_map(|player| player.proxy.finish);
        if edition == Edition::Fide2005 && finishes.clone().any(|finish| finish.request == Request::Bonus) {
            findings.note("finish=delay: changes nothing with -laws fide-2005, which knows no such request");
        } else if finishes.next().is_some() && config.players.iter().all(is_blitz) {
            findings.note("finish= changes nothing in blitz games, which have no quickplay finish");
        }
    }
    if config.session.is_some() && !config.regulations.edition.is_fide() {
        findings.note("-session: with -laws engine games are broken off at its end, and played anew");
    }
    one_use_of_each_file(config, line, findings);
    if config.output.crc32 && config.pgn.is_none() {
        findings.missing("-crc32 pgn=true: there is no -pgnout file");
    }
    // The rules for whoever asks for a match; here most have been told in the words that they are about.
    if findings.errors.is_empty()
        && let Err(error) = config.check()
    {
        findings.error(error.0);
    }
}

/// Each file has one use: two texts in one, or games behind the openings, would spoil both.
fn one_use_of_each_file(config: &MatchConfig, line: &Line, findings: &mut Findings) {
    let openings =
        config.openings.as_ref().filter(|openings| !matches!(openings.format, Format::Chess960(_)));
    let journal = journal_path(config);
    let errors = config.players.iter().filter_map(|player| player.engine.stderr.as_ref());
    // Engines may share theirs.
    let errors: BTreeSet<_> = errors.collect();
    // The words may be those of the journal.
    let words = line.config.as_ref().filter(|words| !is_one_file(words, &journal));
    let files = [
        ("-config file=", words),
        ("-openings file=", openings.map(|openings| &openings.file)),
        ("-pgnout file=", config.pgn.as_ref().map(|pgn| &pgn.file)),
        ("-epdout file=", config.epd.as_ref()),
        ("-log file=", config.log.as_ref().map(|log| &log.file)),
        ("the journal ", Some(&journal)),
    ];
    let files: Vec<_> =
        files.into_iter().chain(errors.into_iter().map(|file| ("stderr=", Some(file)))).collect();
    for (index, (word, file)) in files.iter().enumerate() {
        for (other, second) in &files[index + 1..] {
            if let (Some(file), Some(second)) = (file, second)
                // Nothing is spoilt in a device.
                && may_be_file(file)
                && is_one_file(file, second)
            {
                findings.error(format!(
                    "{word}{} and {other}{} are one file: expected a file for each",
                    file.display(),
                    second.display()
                ));
            }
        }
    }
}
