//! Whether an engine declares its options so that clients can read them.

use crate::engine::declared::Declaration;

/// Words that several clients take for keys wherever they stand.
const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
const KINDS: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// Options that clients set by themselves, and the kind that they take them to be.
const KNOWN: [(&str, &str); 11] = [
    ("Hash", "spin"),
    ("Threads", "spin"),
    ("MultiPV", "spin"),
    ("Ponder", "check"),
    ("OwnBook", "check"),
    ("UCI_Chess960", "check"),
    ("UCI_ShowWDL", "check"),
    ("UCI_AnalyseMode", "check"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("SyzygyPath", "string"),
];

impl Declaration {
    /// What clients cannot read, if anything, and what they do not like.
    pub(super) fn problems(&self) -> (Option<String>, Option<String>) {
        let name = &self.name;
        if name.is_empty() {
            return (Some("declares an option without a name".to_string()), None);
        }
        if let Some(key) = name.split(' ').find(|word| KEYS.contains(word)) {
            return (
                Some(format!("declares {name}, in which clients take the word '{key}' for a key")),
                None,
            );
        }
        if !KINDS.contains(&self.kind.as_str()) {
            return (
                Some(format!("declares {name} with the type '{}', which UCI has not got", self.kind)),
                None,
            );
        }
        let known = KNOWN.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, kind)) = known.filter(|(_, kind)| *kind != self.kind) {
            return (
                Some(format!("declares {name} with the type {}, which clients take for {kind}", self.kind)),
                None,
            );
        }
        let default = self.default.as_deref();
        let broken = match self.kind.as_str() {
            "check" if !matches!(default, Some("true" | "false")) => {
                "a default that is neither true nor false"
            }
            "spin" => match self.range() {
                None => "no whole numbers as default, min and max",
                Some([default, min, max]) if !(min <= default && default <= max) => {
                    "a default outside of min and max"
                }
                Some(_) => "",
            },
            "combo" if self.vars.is_empty() => "no var",
            "combo"
                if !self
                    .vars
                    .iter()
                    .any(|var| default.is_some_and(|text| text.eq_ignore_ascii_case(var))) =>
            {
                "a default that is none of its values"
            }
            // Cute Chess rejects the former; PyChess reads a number out of the latter's blank.
            "string" if default.is_none() => "no default; write '<empty>'",
            _ => "",
        };
        if !broken.is_empty() {
            return (Some(format!("declares {name} with {broken}")), None);
        }
        let disliked = match self.kind.as_str() {
            "string" if default == Some("") => "a bare default; write '<empty>'",
            "button" if default.is_some() => "a default, though it is a button",
            _ => return (None, None),
        };
        (None, Some(format!("declares {name} with {disliked}")))
    }

    /// Default, min and max of a spin.
    fn range(&self) -> Option<[i64; 3]> {
        let number = |text: &Option<String>| text.as_deref()?.parse().ok();
        Some([number(&self.default)?, number(&self.min)?, number(&self.max)?])
    }

    /// The line that sets it to its own default; `None` for buttons that do more than clearing something.
    pub(super) fn setting(&self) -> Option<String> {
        let name = &self.name;
        match (&self.default, self.kind.as_str()) {
            (_, "button") => {
                name.to_ascii_lowercase().starts_with("clear").then(|| format!("setoption name {name}"))
            }
            (Some(default), _) if !default.is_empty() => {
                Some(format!("setoption name {name} value {default}"))
            }
            // Nothing, as it says itself: Stockfish 15 takes the word '<empty>' for the name of a file.
            (Some(_), "string") => Some(format!("setoption name {name} value")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_declarations_pass_and_can_be_set() {
        for (line, setting) in [
            ("option name Hash type spin default 16 min 1 max 1024", Some("setoption name Hash value 16")),
            ("option name Clear Hash type button", Some("setoption name Clear Hash")),
            ("option name Save Everything type button", None),
            (
                "option name Style type combo default Very Risky var Solid var Very Risky",
                Some("setoption name Style value Very Risky"),
            ),
            ("option name Ponder type check default false", Some("setoption name Ponder value false")),
            ("option name Path type string default <empty>", Some("setoption name Path value <empty>")),
            // At the ends of its range, and in other capitals than the value has.
            ("option name A type spin default 1 min 1 max 4", Some("setoption name A value 1")),
            ("option name A type spin default 4 min 1 max 4", Some("setoption name A value 4")),
            ("option name A type combo default x var X var Y", Some("setoption name A value x")),
        ] {
            let declaration = Declaration::read(line).unwrap();
            assert_eq!(declaration.problems(), (None, None), "{line}");
            assert_eq!(declaration.setting().as_deref(), setting, "{line}");
        }
    }

    #[test]
    fn bad_declarations_are_found() {
        for bad in [
            "option",
            "option name",
            "option name A",
            "option name A type number default 1",
            "option name A type spin default 1",
            "option name A type spin default 5 min 1 max 4",
            "option name A type spin default 1 min 4 max 1",
            "option name A type spin default 1.5 min 1 max 4",
            "option name A type check",
            "option name A type check default 1",
            "option name A type combo default x",
            "option name A type combo default x var y",
            "option name A type string",
            "option name Hash type string default 16",
            "option name hash type string default 16",
            "option name UCI_Elo type check default false",
            "option name Use min depth type check default false",
            "option type check name A default false",
        ] {
            assert!(Declaration::read(bad).unwrap().problems().0.is_some(), "{bad}");
        }
        for disliked in ["option name A type string default", "option name A type button default x"] {
            let (broken, disliked) = Declaration::read(disliked).unwrap().problems();
            assert!(broken.is_none() && disliked.is_some());
        }
        let bare = Declaration::read("option name A type string default").unwrap();
        assert_eq!(bare.setting().as_deref(), Some("setoption name A value"));
    }
}
