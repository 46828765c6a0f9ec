//! What a match was played with, in one line.

use super::text::plain;
use crate::engine::config::EngineConfig;
use crate::engine::declared::Defaults;
use crate::tournament::config::MatchConfig;

/// What a match was played with, as it stands behind the names: `8+0.08, 1t, 16MB, book.epd`. As fastchess has it, each part but
/// the last one stands in its place whatever the engines know, what they are not told is what they have declared, and `NULL`
/// stands for what they have not.
pub(super) fn conditions(config: &MatchConfig, defaults: &[Defaults]) -> String {
    let of_all = |mut parts: Vec<String>| {
        parts.dedup();
        parts.join(" - ")
    };
    let option = |name: &str, unit: &str, of: fn(&Defaults) -> &Option<String>| {
        let value = |(player, engine): (usize, &EngineConfig)| {
            let declared = || defaults.get(player).and_then(|defaults| of(defaults).as_deref());
            let value = engine.option(name).or_else(declared);
            value.map_or("NULL".to_string(), |value| format!("{}{unit}", plain(value)))
        };
        of_all(config.players.iter().map(|player| &player.engine).enumerate().map(value).collect())
    };
    let limits = of_all(config.players.iter().map(|player| player.limits.to_string()).collect());
    let book = config.openings.as_ref().and_then(|openings| openings.file.file_name());
    let parts = [
        Some(limits),
        Some(option("Threads", "t", |defaults| &defaults.threads)),
        Some(option("Hash", "MB", |defaults| &defaults.hash)),
        book.map(|name| plain(&name.to_string_lossy())),
    ];
    parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::{Format, OpeningsConfig};
    use crate::tournament::config::Player;

    #[test]
    fn each_part_stands_in_its_place() {
        let mut config = MatchConfig { players: vec![Player::default(); 2], ..MatchConfig::default() };
        config.players.iter_mut().for_each(|player| player.limits.depth = Some(9));
        assert_eq!(conditions(&config, &[]), "depth 9, NULL, NULL", "nothing is known");
        let usual = Defaults { threads: Some("1".into()), hash: Some("16".into()) };
        let other = Defaults { threads: Some("1".into()), hash: None };
        assert_eq!(conditions(&config, &[usual.clone(), usual.clone()]), "depth 9, 1t, 16MB");
        config.openings = Some(OpeningsConfig::new("books/a.epd", Format::Epd));
        config.players[1].limits.depth = Some(8);
        config.players[0].engine.options = vec![("hash".into(), "32".into())];
        let both = [usual.clone(), usual.clone()];
        assert_eq!(conditions(&config, &both), "depth 9 - depth 8, 1t, 32MB - 16MB, a.epd");
        assert_eq!(conditions(&config, &[usual, other]), "depth 9 - depth 8, 1t, 32MB - NULL, a.epd");
    }
}
