//! The table of articles: it names tests that exist and numbers that rulings cite, and leaves no rule out. No rule is
//! there that no ruling cites.

use adoube::laws::Rule;
use std::collections::HashSet;
use std::path::Path;

const TABLE: &str = include_str!("../../src/laws/ARTICLES.md");

struct Row {
    numbers: [&'static str; 4],
    rule: &'static str,
    test: &'static str,
    line: &'static str,
}

fn rows() -> Vec<Row> {
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| 2005");
    TABLE
        .lines()
        .filter(is_row)
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [a, b, c, d, rule, _, _, test] = cells[..] else { panic!("eight cells: {line}") };
            Row { numbers: [a, b, c, d], rule: rule.trim_matches('`'), test, line }
        })
        .collect()
}

/// The names of all tests in a folder.
fn tests_in(folder: &Path, found: &mut HashSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut is_test = false;
            for line in std::fs::read_to_string(&path).unwrap().lines().map(str::trim) {
                let name = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
                if let (true, Some(name)) = (is_test, name) {
                    found.insert(name.to_string());
                }
                is_test = line == "#[test]" || is_test && line.starts_with("#[");
            }
        }
    }
}

#[test]
fn every_article_has_a_test_or_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = HashSet::new();
    for folder in ["src", "tests"] {
        tests_in(&root.join(folder), &mut tests);
    }
    assert!(tests.contains("every_article_has_a_test_or_a_reason"), "tests are found");
    let rows = rows();
    let mut without = 0;
    for row in &rows {
        match row.test.strip_prefix("not applicable: ") {
            Some(reason) => {
                assert!(reason.len() > 3 && row.rule.is_empty(), "{}", row.line);
                without += 1;
            }
            None => {
                for name in row.test.split(", ") {
                    assert!(tests.contains(name.trim_matches('`')), "no test {name}: {}", row.line);
                }
            }
        }
        assert!(row.numbers.iter().any(|number| !number.is_empty()), "{}", row.line);
    }
    assert!(rows.len() >= 111 && without == 15, "{} rows, {without} not applicable", rows.len());
}

#[test]
fn the_table_and_the_rulings_have_the_same_numbers() {
    let rows = rows();
    for rule in Rule::ALL {
        let name = format!("{rule:?}");
        let named: Vec<&Row> = rows.iter().filter(|row| row.rule == name).collect();
        let [row] = named[..] else { panic!("{name} stands in {} rows of the table", named.len()) };
        assert_eq!(row.numbers, rule.numbers(), "{name}");
    }
    let known = rows.iter().filter(|row| !row.rule.is_empty()).count();
    assert_eq!(known, Rule::ALL.len(), "a name in the table that is no rule");
}

/// The sources of the Laws without their comments, but for the list of the rules itself.
fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("rule.rs") {
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                text.push_str(line.split("//").next().unwrap_or_default());
                text.push('\n');
            }
        }
    }
}

#[test]
fn every_rule_is_cited_by_some_ruling() {
    let mut text = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/laws"), &mut text);
    let cited: HashSet<&str> = text
        .split("Rule::")
        .skip(1)
        .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default())
        .collect();
    let uncited: Vec<Rule> =
        Rule::ALL.into_iter().filter(|rule| !cited.contains(format!("{rule:?}").as_str())).collect();
    assert!(uncited.is_empty(), "no ruling rests on {uncited:?}");
}
