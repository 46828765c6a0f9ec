//! The known word that was probably meant.

/// The Damerau-Levenshtein distance, in which exchanged neighbours count once (optimal string alignment).
pub(super) fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    // rows[i][j]: from the first i letters of `a` to the first j of `b`.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let other = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + other);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

/// How far a word is from one that is known; its beginning will do, at the price of one letter.
fn far(word: &str, known: &str) -> usize {
    let length = word.chars().count();
    let whole = distance(word, known);
    if length < 3 || length >= known.chars().count() {
        return whole;
    }
    let beginning: String = known.chars().take(length).collect();
    whole.min(distance(word, &beginning) + 1)
}

/// The nearest of the known words, if it is near.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = match word.chars().count() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let best = known.into_iter().map(|known| (far(word, known), known)).min_by_key(|&(far, _)| far);
    best.filter(|&(far, _)| far <= near).map(|(_, known)| known)
}

/// The end of a message: `: did you mean '-rounds'?`, or nothing.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, before: &str) -> String {
    nearest(word, known).map_or_else(String::new, |known| format!(": did you mean '{before}{known}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("ac", "abc", 1),
            ("acb", "abc", 1),
            ("ca", "abc", 3),
            ("Tc", "tc", 0),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
        let known = ["concurrency", "rounds", "timemargin", "tc", "st"];
        for (word, expected) in [
            ("concurency", Some("concurrency")),
            ("conc", Some("concurrency")),
            ("round", Some("rounds")),
            ("tmie", Some("timemargin")),
            ("ct", Some("tc")),
            ("banana", None),
            ("xx", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
