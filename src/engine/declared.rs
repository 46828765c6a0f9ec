//! The options that an engine declares, and what may be set.

/// An option as the engine has declared it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// What may be set.
    pub kind: OptionKind,
}

/// What may be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number in this range.
    Spin {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
    /// A type that is none of UCI's, or a declaration that cannot be read.
    Unknown,
}

impl DeclaredOption {
    /// Reads the words after `option`; `None` if there is no name.
    pub fn parse(text: &str) -> Option<DeclaredOption> {
        let rest = text.trim().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ").unwrap_or((rest, ""));
        let mut words = rest.split_ascii_whitespace();
        let kind = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let number = |key: &str| -> Option<i64> {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match kind {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => {
                // Values may have several words; only `var` parts them.
                let values = format!(" {}", words.join(" "));
                let mut values = values.split(" var ").skip(1);
                OptionKind::Combo(values.by_ref().map(|value| value.trim().to_string()).collect())
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => OptionKind::Unknown,
        };
        Some(DeclaredOption { name: name.trim().to_string(), kind })
    }

    /// Why a value cannot be set, if it cannot.
    pub fn refusal(&self, value: &str) -> Option<String> {
        let name = &self.name;
        match &self.kind {
            OptionKind::Check if !["true", "false"].contains(&value) => {
                Some(format!("Invalid value for option {name}: '{value}' is neither true nor false"))
            }
            OptionKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => None,
                Ok(_) => Some(format!("Invalid value for option {name}: {value} is not in {min} to {max}")),
                Err(_) => Some(format!("Invalid value for option {name}: '{value}' is no whole number")),
            },
            OptionKind::Combo(values) if !values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                Some(format!("Invalid value for option {name}: '{value}' is none of {}", values.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(declaration: &str, value: &str) -> Option<String> {
        DeclaredOption::parse(declaration).unwrap().refusal(value)
    }

    #[test]
    fn values_are_held_against_the_declaration() {
        let spin = "name Hash Size type spin default 16 min 1 max 1024";
        assert_eq!(DeclaredOption::parse(spin).unwrap().name, "Hash Size");
        assert_eq!(refusal(spin, "1024"), None);
        assert_eq!(
            refusal(spin, "1025").unwrap(),
            "Invalid value for option Hash Size: 1025 is not in 1 to 1024"
        );
        assert_eq!(
            refusal(spin, "many").unwrap(),
            "Invalid value for option Hash Size: 'many' is no whole number"
        );
        let combo = "name Style type combo default Normal var Solid Rock var Normal";
        assert_eq!(refusal(combo, "solid rock"), None);
        assert_eq!(
            refusal(combo, "Wild").unwrap(),
            "Invalid value for option Style: 'Wild' is none of Solid Rock, Normal"
        );
        assert_eq!(refusal("name Ponder type check default false", "true"), None);
        assert!(refusal("name Ponder type check default false", "1").is_some());
        assert_eq!(refusal("name Path type string default <empty>", "anything at all"), None);
        assert_eq!(DeclaredOption::parse("type spin"), None);
    }
}
