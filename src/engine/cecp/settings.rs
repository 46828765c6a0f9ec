//! The lines that set an engine's options.

use super::features::Features;
use crate::engine::declared::OptionKind;

/// What an engine is told of its options, and what it is not.
#[derive(Default)]
pub(super) struct Settings {
    /// `memory`, the first of all such words (section 9 of the protocol text); empty without.
    pub(super) memory: String,
    /// Its options.
    pub(super) options: String,
    /// `cores`, the last of all such words.
    pub(super) cores: String,
    /// What it cannot be told: what stands behind its name in a warning.
    pub(super) refusals: Vec<String>,
}

impl Settings {
    /// Of options by name and value. `Hash` and `Threads`, as engines of the other protocol call them, are `memory` and `cores`
    /// to one that has asked for these and has no such options.
    pub(super) fn of(options: &[(String, String)], features: &Features) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in options {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            if let Some(declared) = features.options.find(name) {
                let value = flag(&declared.kind, value);
                let refusal = declared.refusal(&value);
                settings.refusals.extend(refusal.map(|refusal| format!("cannot do that: {refusal}")));
                let name = &declared.name;
                settings.options += &match &declared.kind {
                    OptionKind::Button if value == "false" => continue,
                    OptionKind::Button => format!("option {name}\n"),
                    OptionKind::Check => {
                        let value = match value.as_str() {
                            "true" => "1",
                            "false" => "0",
                            other => other,
                        };
                        format!("option {name}={value}\n")
                    }
                    _ => format!("option {name}={}\n", declared.spelled(&value)),
                };
            } else if features.memory && (is("Hash") || is("memory")) {
                settings.memory = format!("memory {value}\n");
            } else if features.smp && (is("Threads") || is("cores")) {
                settings.cores = format!("cores {value}\n");
            } else if !(is("Ponder") || is("UCI_Chess960")) {
                // These two are told with each game; what else it has not declared it would take for a move.
                settings.refusals.push(format!("doesn't have option {name}"));
            }
        }
        settings
    }
}

/// The value of a check as UCI writes it, whichever way it was given.
fn flag(kind: &OptionKind, value: &str) -> String {
    match (kind, value) {
        (OptionKind::Check, "1") => "true".into(),
        (OptionKind::Check, "0") => "false".into(),
        _ => value.into(),
    }
}
