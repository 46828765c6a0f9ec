//! What an engine says of itself with `feature`, and what it is answered.

use crate::engine::declared::{DeclaredOption, OptionKind, Options};
use crate::engine::dialogue::LONGEST_KEPT;
use crate::notation::characters::legible;

/// The features, with the values that hold for an engine that says nothing.
#[derive(Clone, Debug)]
pub(super) struct Features {
    /// At least one `feature` has come: it speaks version 2.
    pub(super) any: bool,
    /// `done` as it was last said.
    pub(super) done: Option<bool>,
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) san: bool,
    pub(super) usermove: bool,
    pub(super) time: bool,
    pub(super) draw: bool,
    pub(super) reuse: bool,
    pub(super) colors: bool,
    pub(super) ics: bool,
    pub(super) name: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    pub(super) myname: String,
    /// `None`: whatever one likes.
    pub(super) variants: Option<Vec<String>>,
    pub(super) options: Options,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            any: false,
            done: None,
            ping: false,
            setboard: false,
            san: false,
            usermove: false,
            time: true,
            draw: true,
            reuse: true,
            colors: true,
            ics: false,
            name: false,
            memory: false,
            smp: false,
            myname: String::new(),
            variants: None,
            options: Options::default(),
        }
    }
}

impl Features {
    /// Takes note of what follows the word `feature`; appends to `replies` what the engine is to be answered.
    pub(super) fn read(&mut self, text: &str, replies: &mut String) {
        self.any = true;
        for (name, value) in pairs(text) {
            let taken = self.set(name, value);
            let verdict = if taken { "accepted" } else { "rejected" };
            // The protocol text wants the value of an option that is refused to be told.
            let refused_option = if name == "option" && !taken { value } else { "" };
            replies.push_str(format!("{verdict} {name} {refused_option}").trim_end());
            replies.push('\n');
        }
    }

    /// False if there is no such feature here, or it has no such value.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let flag = match value {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        };
        let place = match name {
            "ping" => &mut self.ping,
            "setboard" => &mut self.setboard,
            "san" => &mut self.san,
            "usermove" => &mut self.usermove,
            "time" => &mut self.time,
            "draw" => &mut self.draw,
            "reuse" => &mut self.reuse,
            "colors" => &mut self.colors,
            "ics" => &mut self.ics,
            "name" => &mut self.name,
            "memory" => &mut self.memory,
            "smp" => &mut self.smp,
            // Known and of no consequence: no signals are sent, and none of these commands is used.
            "playother" | "sigint" | "sigterm" | "analyze" | "pause" | "nps" | "debug" => {
                return flag.is_some();
            }
            "done" => {
                self.done = flag;
                return flag.is_some();
            }
            "myname" => {
                self.myname = legible(value.trim(), LONGEST_KEPT);
                return true;
            }
            "variants" => {
                self.variants = Some(value.split(',').map(|name| name.trim().to_string()).collect());
                return true;
            }
            "option" => {
                let Some(option) = option(value) else { return false };
                // One that is asked twice declares twice.
                self.options.forget(&option.name);
                return self.options.add(option, value.len());
            }
            _ => return false,
        };
        flag.map(|flag| *place = flag).is_some()
    }

    /// True if it says that it plays this, or says nothing of variants.
    pub(super) fn plays(&self, variant: &str) -> bool {
        self.variants.as_ref().is_none_or(|known| known.iter().any(|known| known == variant))
    }
}

/// The `name=value` pairs of a line; values may be in double quotes.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut found = vec![];
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        // A word without a value before it belongs to nothing.
        let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name, value));
        rest = after.trim_start();
    }
    found
}

/// Reads an option's declaration, `NAME -TYPE VALUES`.
fn option(text: &str) -> Option<DeclaredOption> {
    // The type is the first such word that is known: names can have dashes, and so can default values.
    const TYPES: [&str; 10] =
        ["button", "save", "reset", "check", "string", "spin", "combo", "slider", "file", "path"];
    let (at, kind) = text.match_indices(" -").find_map(|(at, sign)| {
        let word = text[at + sign.len()..].split_ascii_whitespace().next()?;
        TYPES.into_iter().find(|&kind| kind == word).map(|kind| (at, kind))
    })?;
    let (name, values) = (text[..at].trim(), text[at + 2 + kind.len()..].trim());
    let kind = match kind {
        "check" => OptionKind::Check,
        "spin" | "slider" => {
            let numbers: Vec<i128> =
                values.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
            let (min, max) = (numbers.get(1), numbers.get(2));
            OptionKind::Spin { min: *min.unwrap_or(&i128::MIN), max: *max.unwrap_or(&i128::MAX) }
        }
        "combo" => {
            let labels = values.split("///").map(|label| label.trim().trim_start_matches('*').trim());
            OptionKind::Combo(labels.map(String::from).collect())
        }
        "button" | "save" | "reset" => OptionKind::Button,
        _ => OptionKind::Text,
    };
    (!name.is_empty()).then(|| DeclaredOption { name: name.to_string(), kind, default: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::declared::MOST_OPTIONS;

    #[test]
    fn features_are_read_and_answered() {
        let mut features = Features::default();
        let mut replies = String::new();
        features.read(
            "ping=1 myname=\"Miracle Chess = 0.9\" setboard=2 colors=0  egt=\"nalimov\" done=0",
            &mut replies,
        );
        assert_eq!(
            replies,
            "accepted ping\naccepted myname\nrejected setboard\naccepted colors\nrejected egt\naccepted done\n"
        );
        assert_eq!((features.ping, features.setboard, features.colors), (true, false, false));
        assert_eq!((features.myname.as_str(), features.done), ("Miracle Chess = 0.9", Some(false)));
        assert!(features.plays("fischerandom"), "nothing has been said of variants");
        features.read("variants=\"normal, fischerandom\" done=1 stray", &mut replies);
        assert!(features.plays("fischerandom") && !features.plays("losers") && features.done == Some(true));
        features.read("myname=\"\u{1b}[2Jnever closed", &mut replies);
        assert_eq!(features.myname, "?[2Jnever closed", "as it was last said");
        features.read("", &mut replies);
        features.read("=", &mut replies);
    }

    #[test]
    fn options_are_read() {
        let read = |text: &str| option(text).unwrap();
        let slider = read("Randomizer (0-50) -slider 0 0 50");
        assert_eq!(
            (slider.name.as_str(), &slider.kind),
            ("Randomizer (0-50)", &OptionKind::Spin { min: 0, max: 50 })
        );
        assert_eq!(read("debug -spin 0 -5 7").kind, OptionKind::Spin { min: -5, max: 7 });
        assert_eq!(
            read("Style -combo Solid Rock /// *Normal").kind,
            OptionKind::Combo(vec!["Solid Rock".into(), "Normal".into()])
        );
        assert_eq!(read("Contempt -spin 5").kind, OptionKind::Spin { min: i128::MIN, max: i128::MAX });
        for button in ["Clear Hash -button", "Keep -save", "Forget -reset"] {
            assert_eq!(read(button).kind, OptionKind::Button, "{button}");
        }
        assert_eq!(read("Ini -file /a -path b").kind, OptionKind::Text);
        assert_eq!(read("Anti-aliasing -check 1").name, "Anti-aliasing");
        assert_eq!(option("nonsense"), None);
        let mut replies = String::new();
        Features::default().read("option=\"nonsense -spun 1\"", &mut replies);
        assert_eq!(replies, "rejected option nonsense -spun 1\n");
    }

    /// The defaults of section 9 of the protocol text.
    #[test]
    fn who_says_nothing_wants_times_offers_and_colors_and_plays_again() {
        let silent = Features::default();
        assert!(silent.time && silent.draw && silent.colors && silent.reuse);
        assert!(
            !(silent.ping || silent.setboard || silent.san || silent.usermove || silent.ics || silent.name)
        );
        assert!(!(silent.memory || silent.smp || silent.any));
    }

    #[test]
    fn more_options_than_anybody_has_are_refused() {
        let mut features = Features::default();
        let mut replies = String::new();
        for number in 0..=MOST_OPTIONS {
            replies.clear();
            features.read(&format!("option=\"O{number} -check 1\""), &mut replies);
        }
        assert_eq!(
            (features.options.len(), replies),
            (MOST_OPTIONS, format!("rejected option O{MOST_OPTIONS} -check 1\n"))
        );
    }

    #[test]
    fn so_much_is_kept_of_all_options_and_no_more() {
        let mut features = Features::default();
        let mut replies = String::new();
        let labels = "a///".repeat(10_000);
        for number in 0..100 {
            features.read(&format!("option=\"O{number} -combo {labels}\""), &mut replies);
        }
        let kept = features.options.len();
        let answers = |word: &str| replies.lines().filter(|line| line.starts_with(word)).count();
        assert!((4..60).contains(&kept), "{kept} of forty thousand bytes");
        assert_eq!([answers("accepted option"), answers("rejected option O")], [kept, 100 - kept]);
        // Who declares one again takes no more room.
        for _ in 0..100 {
            replies.clear();
            features.read(&format!("option=\"O0 -combo {labels}\""), &mut replies);
        }
        assert_eq!((features.options.len(), replies.as_str()), (kept, "accepted option\n"));
    }

    #[test]
    fn an_option_that_is_declared_twice_is_what_it_was_last() {
        let mut features = Features::default();
        let mut replies = String::new();
        features.read("option=\"Book -check 1\" option=\"Style -string\"", &mut replies);
        features.read("option=\"Book -spin 3 0 9\"", &mut replies);
        let known: Vec<_> =
            features.options.iter().map(|option| (option.name.as_str(), &option.kind)).collect();
        assert_eq!(known, [("Style", &OptionKind::Text), ("Book", &OptionKind::Spin { min: 0, max: 9 })]);
    }
}
