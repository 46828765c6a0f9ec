//! The losses of a run as a drawing (SVG).

use super::checkpoint::Round;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 45.0;

/// Training and validation loss by round.
pub fn svg(rounds: &[Round], title: &str) -> String {
    let losses = rounds.iter().flat_map(|round| [Some(round.training_loss), round.validation_loss]).flatten();
    let losses: Vec<f64> = losses.filter(|loss| loss.is_finite()).collect();
    let low = losses.iter().copied().fold(f64::INFINITY, f64::min);
    let high = losses.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // One value, or none, has room around it too.
    let (low, high) = if low < high { (low, high) } else { (0.0, if high > 0.0 { 2.0 * high } else { 1.0 }) };
    let last = rounds.len().max(2) as f64;
    let x = |round: u64| LEFT + (WIDTH - LEFT - RIGHT) * (round as f64 - 1.0) / (last - 1.0);
    let y = |loss: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / (high - low);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    for part in 0..=4 {
        let loss = low + (high - low) * f64::from(part) / 4.0;
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{1:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(loss),
            y(loss) + 4.0,
        );
    }
    let marks = rounds.len().clamp(1, 10);
    for mark in 1..=marks {
        let round = (rounds.len() * mark / marks).max(1) as u64;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{round}</text>",
            x(round),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let curves = [
        ("training", "#1f77b4", rounds.iter().map(|round| Some(round.training_loss)).collect::<Vec<_>>()),
        ("validation", "#d62728", rounds.iter().map(|round| round.validation_loss).collect()),
    ];
    for (number, (name, color, losses)) in curves.into_iter().enumerate() {
        let mut points = String::new();
        for (round, loss) in rounds.iter().zip(losses) {
            if let Some(loss) = loss.filter(|loss| loss.is_finite()) {
                let _ = write!(points, "{:.1},{:.1} ", x(round.round), y(loss));
            }
        }
        // Of one round there is no line: a dot by the round ends of nothing.
        if points.matches(',').count() == 1 {
            points = points.repeat(2);
        }
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linecap=\"round\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{color}\">{name} loss</text>",
            points.trim_end(),
            WIDTH - RIGHT,
            TOP + 14.0 + 16.0 * number as f64
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">round</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(round: u64, training_loss: f64, validation_loss: Option<f64>) -> Round {
        Round { round, training_loss, validation_loss, rate: 1e-3, wdl: 0.1, speed: 1.0 }
    }

    #[test]
    fn lower_losses_are_drawn_lower() {
        let rounds = [round(1, 0.5, Some(0.4)), round(2, 0.3, Some(0.35)), round(3, 0.2, None)];
        let text = svg(&rounds, "(768hm -> 64)x2");
        let points = |number: usize| {
            let list = text.split("<polyline points=\"").nth(number).unwrap().split('"').next().unwrap();
            let pair = |pair: &str| pair.split_once(',').map(|(_, y)| y.parse::<f64>().unwrap()).unwrap();
            list.split(' ').map(pair).collect::<Vec<f64>>()
        };
        assert_eq!(points(1), [TOP, 220.0, HEIGHT - BOTTOM]);
        assert_eq!(points(2), [125.0, 172.5]);
        assert!(text.contains("-&gt;") && text.ends_with("</svg>\n"));
    }

    #[test]
    fn one_round_is_a_dot() {
        let text = svg(&[round(1, 0.5, Some(0.4))], "");
        let dots = text.split("<polyline points=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        for dot in dots {
            let ends: Vec<&str> = dot.split(' ').collect();
            assert!(ends.len() == 2 && ends[0] == ends[1], "{dot}");
        }
        assert_eq!(text.matches("stroke-linecap").count(), 2);
    }

    #[test]
    fn few_rounds_and_broken_losses_are_no_trouble() {
        for rounds in [vec![], vec![round(1, 0.1, None)], vec![round(1, f64::NAN, None); 3]] {
            let text = svg(&rounds, "");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
