//! The players: what is said of one, and below it what is said of each.

use super::laws::{claims, finish, offers, resigns};
use super::line::{Findings, Line, Params, value};
use super::values::{Read, choice, milliseconds, move_time, small, split, time_control, whole};
use crate::arbiter::clock::Limits;
use crate::arbiter::proxy::{Claims, Finish, Proxy, Row};
use crate::engine::config::{EngineConfig, Protocol};
use crate::laws::TimeControl;
use crate::tournament::config::Player;
use std::path::PathBuf;
use std::time::Duration;

/// What one group of words says of a player.
#[derive(Default)]
struct Said {
    cmd: Option<PathBuf>,
    name: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<PathBuf>,
    stderr: Option<PathBuf>,
    protocol: Option<Protocol>,
    options: Vec<(String, String)>,
    /// A clock, or `inf`.
    clock: Option<Option<TimeControl>>,
    movetime: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<Duration>,
    restart: Option<bool>,
    ponder: Option<bool>,
    claims: Option<Claims>,
    offers: Option<Row>,
    resigns: Option<Row>,
    finish: Option<Finish>,
}

impl Said {
    fn read(place: &str, params: &Params, findings: &mut Findings) -> Said {
        let mut said = Said::default();
        for (key, value) in params {
            let place = format!("{place} {key}='{value}'");
            match key.as_str() {
                "cmd" => said.cmd = Some(value.into()),
                "name" => said.name = findings.read(&place, name(value)),
                "args" => {
                    if let Some(args) = findings.read(&place, split(value, false)) {
                        said.args.get_or_insert_default().extend(args);
                    }
                }
                "arg" => said.args.get_or_insert_default().push(value.clone()),
                "dir" => said.dir = Some(value.into()),
                "stderr" => said.stderr = Some(value.into()),
                "proto" => {
                    let known =
                        [("uci", Protocol::Uci), ("xboard", Protocol::Cecp), ("cecp", Protocol::Cecp)];
                    said.protocol = findings.read(&place, choice(value, &known));
                }
                "tc" => said.clock = findings.read(&place, time_control(value)),
                "st" => said.movetime = findings.read(&place, move_time(value)),
                "nodes" => said.nodes = findings.read(&place, whole(value, 1, u64::MAX, "100000")),
                "depth" => said.depth = findings.read(&place, small(value, 1, "12")),
                "timemargin" => said.margin = findings.read(&place, milliseconds(value, 0)),
                "restart" => {
                    // "auto" leaves it to the engine, which in UCI cannot say; in xboard's protocol it always may.
                    let modes = [("on", true), ("off", false), ("auto", false)];
                    said.restart = findings.read(&place, choice(value, &modes));
                }
                "claims" => said.claims = findings.read(&place, claims(value)),
                "offers" => said.offers = findings.read(&place, offers(value)),
                "finish" => said.finish = findings.read(&place, finish(value)),
                "resigns" => said.resigns = findings.read(&place, resigns(value)),
                "ponder" => said.ponder = Some(value == "true"),
                "trust" => findings.note("trust changes nothing: what engines claim is looked at"),
                other if other.contains(char::is_control) || value.contains(char::is_control) => {
                    findings.error(format!(
                        "{place}: a line end or another control character would be a command of its own"
                    ));
                }
                other => {
                    let option = other.strip_prefix("option.").unwrap_or(other);
                    said.options.push((option.to_string(), value.clone()));
                }
            }
        }
        if matches!(said.clock, Some(Some(_))) && said.movetime.is_some() {
            findings.error(format!("{place}: tc and st contradict each other: give one of them"));
        }
        said
    }

    /// What is said here, and below it what is said of each.
    fn over(self, each: &Said) -> Said {
        let own_time = self.clock.is_some() || self.movetime.is_some();
        let has = |name: &str| self.options.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let mut options: Vec<_> = each.options.iter().filter(|(name, _)| !has(name)).cloned().collect();
        options.extend(self.options.iter().cloned());
        Said {
            cmd: self.cmd.or_else(|| each.cmd.clone()),
            name: self.name.or_else(|| each.name.clone()),
            args: self.args.or_else(|| each.args.clone()),
            dir: self.dir.or_else(|| each.dir.clone()),
            stderr: self.stderr.or_else(|| each.stderr.clone()),
            protocol: self.protocol.or(each.protocol),
            options,
            clock: if own_time { self.clock } else { each.clock.clone() },
            movetime: if own_time { self.movetime } else { each.movetime },
            nodes: self.nodes.or(each.nodes),
            depth: self.depth.or(each.depth),
            margin: self.margin.or(each.margin),
            restart: self.restart.or(each.restart),
            ponder: self.ponder.or(each.ponder),
            claims: self.claims.or(each.claims),
            offers: self.offers.or(each.offers),
            resigns: self.resigns.or(each.resigns),
            finish: self.finish.or(each.finish),
        }
    }
}

/// A name goes into PGN tags and lines of text.
fn name(text: &str) -> Read<String> {
    if text.trim().is_empty() || text.contains(|letter: char| letter.is_control() || letter == '"') {
        return Err("expected a name without quotation marks and line ends, such as new".to_string());
    }
    Ok(text.trim().to_string())
}

/// All players of a line.
pub(super) fn players(line: &Line, findings: &mut Findings) -> Vec<Player> {
    let errors_before = findings.errors.len();
    let each = line.get("each").map(|params| Said::read("-each", params, findings)).unwrap_or_default();
    let mut all = vec![];
    for (index, params) in line.engines.iter().enumerate() {
        let place = match value(params, "name").or(value(params, "cmd")) {
            Some(name) => format!("-engine {} ({name})", index + 1),
            None => format!("-engine {}", index + 1),
        };
        let errors_before_this = findings.errors.len();
        let said = Said::read(&place, params, findings).over(&each);
        let limits = Limits {
            clock: said.clock.flatten(),
            movetime: said.movetime,
            nodes: said.nodes,
            depth: said.depth,
            margin: said.margin.unwrap_or_default(),
        };
        // A limit that could not be read has been told already.
        let read = findings.errors.len() == errors_before_this && !params.is_empty();
        let none = limits.clock.is_none() && limits.movetime.is_none();
        if read
            && none
            && limits.nodes.is_none()
            && limits.depth.is_none()
            && errors_before == errors_before_this
        {
            findings.missing(format!(
                "{place} may think for ever: give tc=, st=, nodes= or depth=, such as tc=10+0.1"
            ));
        }
        if said.protocol == Some(Protocol::Cecp) && limits.nodes.is_some() {
            findings.error(format!(
                "{place}: nodes= cannot be told in xboard's protocol: give tc=, st= or depth= instead"
            ));
        }
        if said.protocol == Some(Protocol::Cecp) && limits.movetime.is_some_and(|time| time.as_secs() == 0) {
            findings.note(format!(
                "{place}: xboard's protocol knows no st= below a second: it is told 'st 1', and may take too long"
            ));
        }
        if said.cmd.is_none() {
            findings.missing(format!("{place} has no program: give cmd=FILE"));
        }
        let engine = EngineConfig {
            name: said.name.unwrap_or_default(),
            cmd: said.cmd.unwrap_or_default(),
            args: said.args.unwrap_or_default(),
            dir: said.dir,
            options: said.options,
            restart: said.restart.unwrap_or_default(),
            stderr: said.stderr,
            protocol: said.protocol.unwrap_or_default(),
        };
        let proxy = Proxy {
            draws: said.offers,
            claims: said.claims.unwrap_or_default(),
            resigns: said.resigns,
            finish: said.finish,
        };
        all.push(Player { engine, limits, ponder: said.ponder.unwrap_or_default(), proxy });
    }
    give_names(&mut all, findings);
    all
}

/// Refuses names given twice; those not given are made from the programs' file names.
fn give_names(players: &mut [Player], findings: &mut Findings) {
    let mut taken: Vec<String> = vec![];
    for player in players.iter().filter(|player| !player.engine.name.is_empty()) {
        let name = &player.engine.name;
        if taken.contains(name) {
            findings.error(format!("two engines are called '{name}': names must be unique"));
        } else {
            taken.push(name.clone());
        }
    }
    for (index, player) in players.iter_mut().enumerate() {
        if !player.engine.name.is_empty() {
            continue;
        }
        let file = player.engine.cmd.to_string_lossy().into_owned();
        // Backslashes too: the same line means the same everywhere.
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let bare = match file.to_ascii_lowercase().strip_suffix(".exe") {
            Some(stem) if !stem.is_empty() => &file[..stem.len()],
            _ => file,
        };
        if bare.contains(|letter: char| letter.is_control() || letter == '"') {
            findings.error(format!(
                "-engine {}: its program's name {bare:?} has quotation marks or control characters: give it a name=",
                index + 1
            ));
        }
        let bare = if bare.is_empty() { "engine" } else { bare };
        let mut name = bare.to_string();
        let mut number = 2;
        while taken.contains(&name) {
            name = format!("{bare}_{number}");
            number += 1;
        }
        taken.push(name.clone());
        player.engine.name = name;
    }
}
