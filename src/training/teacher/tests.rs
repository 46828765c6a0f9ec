//! Slopes against differences, and what a teacher sees.

use super::attention::{Desk, Field};
use super::file::{self, Header};
use super::learner::{Learner, Losses, Teacher};
use super::lessons::{LAMBDAS, Lessons};
use super::measure::gains;
use super::sample::{Sample, Truth};
use super::school::{School, Settings, State, foretell};
use super::tokens::{PLACES, SCALE, Tokens};
use super::weights::{self, HEAD, Places, RELATIONS, Shape};
use crate::board::Position;
use crate::eval::Evaluation;
use crate::sys::products::Products;
use crate::sys::scratch::Scratch;
use crate::training::data::{DataWriter, Origin, sample};
use crate::training::trainer::returns::returns;
use crate::training::work::Choice;
use crate::types::{Color, Outcome, PieceType};
use std::sync::atomic::AtomicBool;

/// Positions of all kinds with truths that differ.
fn samples(count: usize) -> Vec<Sample> {
    let games = sample::games(7, 40);
    let placed = games.iter().flat_map(|game| game.positions());
    let samples = placed.enumerate().filter_map(|(at, placed)| {
        let truth = Truth {
            score: (at * 37 % 801) as i16 - 400,
            returns: [(at * 7 % 11) as f32 / 10.0, (at * 3 % 11) as f32 / 10.0],
            points: (at % 3) as f32 / 2.0,
        };
        Sample::new(&placed, (at * 53 % 601) as i32 - 300, truth)
    });
    samples.step_by(13).take(count).collect()
}

const SHAPE: Shape = Shape { width: 64, layers: 2 };

fn loss(losses: &Losses) -> f64 {
    losses.values.iter().sum::<f64>() + 0.1 * losses.moves.iter().sum::<f64>()
}

#[test]
fn slopes_are_what_the_loss_changes_by() {
    let samples = samples(24);
    let places = Places::new(SHAPE);
    let mut begin = weights::random(SHAPE, &places, 3);
    // Nothing is to be zero, or of no effect.
    for (at, weight) in begin.iter_mut().enumerate() {
        *weight += ((at * 7919 % 101) as f32 - 50.0) / 1000.0;
    }
    // And what is found is to matter.
    for layer in &places.layers {
        begin[layer.gather.clone()].iter_mut().for_each(|weight| *weight *= 4.0);
    }
    let loss_of = |numbers: Vec<f32>| {
        let mut teacher = Teacher::new(SHAPE, numbers, Products::fastest());
        teacher.prepare(true);
        let mut learner = Learner::new(SHAPE);
        learner.learn(&teacher, &samples);
        (loss(&learner.losses), learner.gradients)
    };
    let (_, gradients) = loss_of(begin.clone());
    let mut groups = vec![
        ("rows", places.rows.clone()),
        ("pairs", places.pairs.clone()),
        ("stretch", places.last_norm[0].clone()),
        ("shift", places.last_norm[1].clone()),
        ("values", places.values.clone()),
        ("value biases", places.value_biases.clone()),
        ("value slopes", places.value_slopes.clone()),
        ("from", places.from.clone()),
        ("to", places.to.clone()),
        ("to biases", places.to_biases.clone()),
    ];
    for layer in &places.layers {
        groups.extend([
            ("first stretch", layer.first_norm[0].clone()),
            ("first shift", layer.first_norm[1].clone()),
            ("attend", layer.attend.clone()),
            ("attend bias", layer.attend_bias.clone()),
            ("relations", layer.relations.clone()),
            ("gather", layer.gather.clone()),
            ("gather bias", layer.gather_bias.clone()),
            ("second stretch", layer.second_norm[0].clone()),
            ("second shift", layer.second_norm[1].clone()),
            ("widen", layer.widen.clone()),
            ("widen bias", layer.widen_bias.clone()),
            ("narrow", layer.narrow.clone()),
            ("narrow bias", layer.narrow_bias.clone()),
        ]);
    }
    for (name, group) in groups {
        let square: f64 = gradients[group.clone()].iter().map(|&slope| f64::from(slope).powi(2)).sum();
        // As far as lets the loss change by much more than rounding does, though not out of sight.
        let step = (0.5 / square).min(0.5 / square.sqrt());
        let moved = |sign: f64| {
            let mut numbers = begin.clone();
            for at in group.clone() {
                numbers[at] += (sign * step * f64::from(gradients[at])) as f32;
            }
            loss_of(numbers).0
        };
        let ratio = (moved(1.0) - moved(-1.0)) / (2.0 * step * square);
        println!("{name}: {ratio:.4} ({square:.2e})");
        assert!((ratio - 1.0).abs() < 0.1, "{name}: {ratio}");
    }
}

#[test]
fn attention_is_what_it_is_by_hand() {
    let (width, heads) = (SHAPE.width, SHAPE.heads());
    let number = |at: usize| ((at * 7919 % 211) as f32 - 105.0) / 70.0;
    for sample in [samples(40)[0], *samples(200).iter().min_by_key(|sample| sample.count()).unwrap()] {
        let mut tokens = Tokens::default();
        tokens.push(&sample);
        let seen = &tokens.seen[0];
        let biases: Vec<f32> = (0..heads * PLACES * PLACES).map(|at| number(at + 5)).collect();
        let relations: Vec<f32> = (0..heads * RELATIONS).map(|at| number(at + 3)).collect();
        let attend: Vec<f32> = (0..seen.count * 3 * width).map(number).collect();
        let mut field = Field::default();
        field.set(SHAPE, seen, &tokens.places, &biases);
        let (mut shares, mut found) = (vec![0.0; field.size(SHAPE)], vec![0.0; seen.count * width]);
        let products = Products::fastest();
        field.look(products, SHAPE, &relations, &attend, &mut shares, &mut found, &mut Desk::default());
        let part = |token: usize, which: usize, head: usize| {
            attend[(token * 3 + which) * width + head * HEAD..][..HEAD]
                .iter()
                .map(|&number| f64::from(number))
        };
        let hits = |one: usize, other: usize| {
            let attacked = seen.attacks.get(one).copied().unwrap_or(0);
            f64::from((attacked >> other & 1) as u32)
        };
        for head in 0..heads {
            for token in 0..seen.count {
                let own = usize::from(tokens.places[token]);
                let weight = |other: usize| {
                    let product: f64 =
                        part(token, 0, head).zip(part(other, 1, head)).map(|(a, b)| a * b).sum();
                    let bias = biases[(head * PLACES + own) * PLACES + usize::from(tokens.places[other])];
                    let of_relations = [hits(token, other), hits(other, token)];
                    let relations = relations[head * RELATIONS..].iter().zip(of_relations);
                    let relations: f64 = relations.map(|(&weight, hits)| f64::from(weight) * hits).sum();
                    (product / (HEAD as f64).sqrt() + f64::from(bias) + relations).exp()
                };
                let sum: f64 = (0..seen.count).map(weight).sum();
                for at in 0..HEAD {
                    let value = |other: usize| part(other, 2, head).nth(at).unwrap();
                    let exact = (0..seen.count).map(|other| weight(other) * value(other)).sum::<f64>() / sum;
                    let found = f64::from(found[token * width + head * HEAD + at]);
                    assert!((found - exact).abs() < 0.02, "{head} {token} {at}: {found} {exact}");
                }
            }
        }
    }
}

/// A teacher drawn by lot, in which all that is found matters.
fn teacher(products: Products) -> Teacher {
    let places = Places::new(SHAPE);
    let mut teacher = Teacher::new(SHAPE, weights::random(SHAPE, &places, 5), products);
    for range in [&places.values, &places.from, &places.to] {
        for (at, weight) in teacher.weights[range.clone()].iter_mut().enumerate() {
            *weight = ((at * 31 % 17) as f32 - 8.0) / 40.0;
        }
    }
    teacher.prepare(false);
    teacher
}

#[test]
fn positions_do_not_see_each_other() {
    let samples = samples(70);
    // Some in short rows and some in long ones.
    assert!(
        samples.iter().any(|sample| sample.count() < 20) && samples.iter().any(|sample| sample.count() > 29)
    );
    let teacher = teacher(Products::fastest());
    let together = foretell(&teacher, &samples);
    let distinct: std::collections::HashSet<u32> =
        together.iter().map(|foretold| foretold[2].to_bits()).collect();
    assert!(distinct.len() > 60, "{}", distinct.len());
    for (sample, together) in samples.iter().zip(&together) {
        assert_eq!(foretell(&teacher, &[*sample]), [*together]);
    }
}

#[test]
fn each_kind_of_products_foretells_the_same_but_for_the_last_digits() {
    let samples = samples(20);
    let kinds = Products::all().into_iter().map(|products| foretell(&teacher(products), &samples));
    let kinds: Vec<_> = kinds.collect();
    for kind in &kinds {
        for (one, other) in kind.iter().flatten().zip(kinds[0].iter().flatten()) {
            assert!((one - other).abs() < 0.02, "{one} {other}");
        }
    }
}

#[test]
fn tokens_tell_what_attacks_a_square() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "6k1/P7/8/q2pP2Q/8/8/n6P/B6K w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let mut tokens = Tokens::default();
        // Behind another one.
        tokens.push(&samples(1)[0]);
        tokens.push(&Sample::of_board(position.board(), 77).unwrap());
        let seen = &tokens.seen[1];
        let pieces: Vec<_> = position.occupied().into_iter().collect();
        assert_eq!((seen.count, seen.attacks.len()), (pieces.len() + 5, pieces.len()));
        assert!((seen.still - 77.0 / SCALE).abs() < 1e-6);
        for (at, &square) in pieces.iter().enumerate() {
            let token = seen.first + at;
            assert_eq!(usize::from(tokens.places[token]), square.index());
            let attackers = position.attackers_to(square, position.occupied());
            for (other, &from) in pieces.iter().enumerate() {
                assert_eq!(seen.attacks[other] >> at & 1 != 0, attackers.has(from), "{fen} {from} {square}");
            }
            assert_eq!(seen.own >> at & 1 != 0, position.of_color(Color::White).has(square));
            // Piece and square, reach, then a row for each kind that attacks and each side that does so twice.
            let mut expected = 2;
            for color in Color::ALL {
                let of_color = attackers & position.of_color(color);
                let kinds = PieceType::ALL.iter().filter(|kind| (of_color & position.of_kind(**kind)).any());
                expected += kinds.count() + usize::from(of_color.several());
            }
            assert_eq!(tokens.rows_of(token).len(), expected, "{fen} {square}");
        }
        // The squares of two files each, empty ones too.
        for strip in 0..4 {
            let token = seen.first + pieces.len() + strip;
            let mut expected = 1;
            for square in
                crate::types::Square::ALL.into_iter().filter(|square| square.index() % 8 / 2 == strip)
            {
                for color in Color::ALL {
                    let attackers =
                        position.attackers_to(square, position.occupied()) & position.of_color(color);
                    let kinds =
                        PieceType::ALL.iter().filter(|kind| (attackers & position.of_kind(**kind)).any());
                    expected += kinds.count() + usize::from(attackers.several());
                }
            }
            assert_eq!(tokens.rows_of(token).len(), expected, "{fen} {strip}");
        }
    }
}

fn settings() -> Settings {
    Settings { shape: SHAPE, epochs: 20.0, batch: 32, rate: 2e-3, warm_up: 4, ..Settings::default() }
}

/// The state behind so many steps, and the losses of each.
fn taught(state: State, samples: &[Sample], threads: usize, steps: u64) -> (State, Vec<Losses>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut school = School::new(&settings(), state, samples.len(), Products::fastest());
    assert_eq!(school.steps(), 20 * samples.len() as u64 / 32);
    let losses = pool.install(|| (0..steps).map(|_| school.step(samples)).collect());
    (school.state(), losses)
}

#[test]
fn a_teacher_learns_and_the_same_from_the_same() {
    let samples = samples(96);
    let (state, losses) = taught(State::random(&settings()), &samples, 1, 60);
    let first = loss(&losses[0]);
    let last = losses[54..].iter().map(loss).sum::<f64>() / 6.0;
    assert!(last < 0.6 * first, "{first} {last}");
    // On any number of threads, and if it stops between.
    let (half, _) = taught(State::random(&settings()), &samples, 3, 25);
    assert_eq!(half.step, 25);
    let (whole, _) = taught(half, &samples, 2, 35);
    assert!(whole == state);
    assert!(state.average != state.weights);
}

#[test]
fn what_is_written_is_read_to_the_last_bit_and_damage_is_seen() {
    let folder = Scratch::new();
    let path = folder.join("a.teacher");
    let (state, _) = taught(State::random(&settings()), &samples(64), 2, 3);
    let header = |complete| Header {
        settings: settings(),
        evaluation: "classic".into(),
        fingerprint: u64::MAX - 7,
        step: 3,
        complete,
    };
    file::write(&path, &header(false), &state).unwrap();
    let read = file::read(&path).unwrap();
    assert!(read == (header(false), state.clone()));
    file::write(&path, &header(true), &state).unwrap();
    let read = file::read(&path).unwrap();
    assert!(read == (header(true), State::new(state.average.clone())));
    let bytes = std::fs::read(&path).unwrap();
    let damaged = folder.join("damaged");
    let told = |bytes: &[u8]| {
        std::fs::write(&damaged, bytes).unwrap();
        file::read(&damaged).unwrap_err().to_string()
    };
    for length in (0..40).chain((40..bytes.len()).step_by(60_007)) {
        told(&bytes[..length]);
    }
    for at in (0..40).chain((40..bytes.len()).step_by(60_007)) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 4;
        told(&bytes);
    }
    for (bytes, hint) in [
        (&b"AdoubeCP........"[..], "does not begin with 'AdoubeTe'"),
        (b"AdoubeTe\x09\0\0\0....", "version 9"),
        (&bytes[..bytes.len() / 2], "checksum"),
    ] {
        let told = told(bytes);
        assert!(told.contains(hint), "{told}");
    }
}

#[test]
fn quiet_positions_of_games_with_a_result_are_learnt_from() {
    let folder = Scratch::new();
    let path = folder.join("a.games");
    let games = sample::games(11, 60);
    let mut writer = DataWriter::create(&path, &Origin(serde_json::json!({}))).unwrap();
    games.iter().for_each(|game| writer.push(game.clone()).unwrap());
    writer.finish().unwrap();
    let read = |noisy, held_out| {
        let files = [path.clone()];
        let stop = AtomicBool::new(false);
        Lessons::read(&files, &Evaluation::Classic, Choice { noisy }, held_out, &stop, &mut |_| ()).unwrap()
    };
    for noisy in [false, true] {
        let lessons = read(noisy, 0.0);
        let decided = games.iter().filter(|game| game.outcome != Outcome::Unfinished);
        let mut samples = lessons.samples.iter();
        for game in decided {
            let placed: Vec<_> = game.positions().collect();
            let returns = LAMBDAS.map(|lambda| returns(&placed, lambda, SCALE));
            for (at, placed) in placed.iter().enumerate().filter(|(_, placed)| Choice { noisy }.takes(placed))
            {
                let truth = samples.next().unwrap().truth();
                assert_eq!(i32::from(truth.score), placed.score.unwrap().units());
                assert_eq!(Some(truth.points), placed.points);
                for (found, returns) in truth.returns.iter().zip(&returns) {
                    assert!((found - returns[at]).abs() < 1e-4);
                }
            }
        }
        assert!(samples.next().is_none() && lessons.held_out.is_empty());
    }
    let (all, some) = (read(false, 0.0), read(false, 0.3));
    assert_eq!(all.samples.len(), some.samples.len() + some.held_out.len());
    assert!((8..30).contains(&some.ends.len()), "{:?}", some.ends);
    assert_eq!(some.ends.last(), Some(&some.held_out.len()));
    assert_eq!(all.fingerprint, some.fingerprint);
}

#[test]
fn who_knows_the_results_leaves_nothing_and_who_knows_the_static_score_takes_nothing_away() {
    let samples = samples(250);
    let ends: Vec<usize> = (1..=25).map(|game| 10 * game).collect();
    let still: Vec<f32> = samples.iter().map(|sample| f32::from(sample.still) / SCALE).collect();
    let known: Vec<f32> = samples.iter().map(|sample| 60.0 * (sample.truth().points - 0.5)).collect();
    let opposite: Vec<f32> = known.iter().map(|logit| -logit).collect();
    let (left, gains) = gains(&samples, &ends, &[still, known, opposite]);
    assert!((120.0..180.0).contains(&left), "{left}");
    assert!(gains[0].mean == 0.0 && gains[0].error == 0.0);
    for gain in &gains[1..] {
        // A slope may well be below zero.
        assert!((gain.mean - left).abs() < 1e-3, "{gain:?} {left}");
    }
    let [many, some, few] = gains[1].by_pieces;
    let counts = [24..=32, 14..=23, 0..=13]
        .map(|range| samples.iter().filter(|sample| range.contains(&sample.count())).count() as f64);
    let mean = (many * counts[0] + some * counts[1] + few * counts[2]) / 250.0;
    assert!((mean - gains[1].mean).abs() < 1e-6 && counts.iter().all(|&count| count > 0.0), "{counts:?}");
}
