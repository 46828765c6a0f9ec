//! The trainer as a whole: its gradients against a reference, what it learns, and that nothing but data, settings and seed
//! changes the result.

mod files;
mod rounded;
mod steps;

use super::checkpoint;
use super::core::{Batch, Rates, State, core};
use super::dataset::{Dataset, DatasetError, Storage};
use super::deep;
use super::export;
use super::filter::Filter;
use super::model::{self, Parameters};
use super::order::Order;
use super::record::{Record, Worth};
use super::rounding;
use super::run::{End, Event, Files, Run, Start, fitting_scale};
use super::settings::{Length, Settings};
use crate::board::{Board, Marks, Position};
use crate::eval::network::{Architecture, FIRST, Inputs, Network, SECOND};
use crate::eval::{Evaluation, Evaluator, endings};
use crate::sys::chance::Chance;
use crate::sys::scratch::Scratch;
use crate::sys::vectors::Vectors;
use crate::training::data::{DataWriter, Ending, Origin, Ply, SelfplayGame};
use crate::types::{Color, Outcome, PieceType, Score};
use std::path::{Path, PathBuf};

/// Material as the side to move sees it, in hundredths of a pawn.
fn material(position: &Position) -> i32 {
    let us = position.side_to_move();
    let values = [100, 300, 310, 500, 900, 0];
    let each = PieceType::ALL.iter().zip(values).map(|(&kind, value)| {
        value * (position.pieces(us, kind).count() as i32 - position.pieces(!us, kind).count() as i32)
    });
    each.sum()
}

/// A game of random moves, in which captures are liked.
fn game(chance: &mut Chance, plies: usize) -> SelfplayGame {
    let start = Position::default();
    let mut position = start;
    let mut game = vec![];
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.occupied().count() < 5 {
            break;
        }
        let captures: Vec<_> = moves.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
        let list = if captures.is_empty() || chance.below(2) == 0 { &moves[..] } else { &captures };
        let mv = list[chance.below(list.len() as u64) as usize];
        game.push(Ply { mv, score: (ply >= 6).then(|| Score::new(material(&position))) });
        position = position.after(mv);
    }
    let white = material(&position) * if position.side_to_move() == Color::White { 1 } else { -1 };
    let outcome = match white {
        200.. => Outcome::Win(Color::White),
        ..=-200 => Outcome::Win(Color::Black),
        _ => Outcome::Draw,
    };
    SelfplayGame { start, plies: game, outcome, ending: Ending::TooLong }
}

fn games(seed: u64, count: u64, plies: usize) -> Vec<SelfplayGame> {
    (0..count).map(|number| game(&mut Chance::of_part(seed, number), plies)).collect()
}

/// All positions of games, packed.
fn records(games: &[SelfplayGame], scale: f32) -> Vec<Record> {
    let filter = Filter { ply: 6, drop_checks: false, drop_tactical: false, ..Filter::default() };
    let mut counts = Default::default();
    let positions = games.iter().flat_map(SelfplayGame::positions);
    positions
        .filter_map(|placed| filter.pack(&placed, placed.points.unwrap(), scale, 1, &mut counts))
        .collect()
}

/// What a position is worth where nothing but the result came after it.
fn worth(score: i16, expected: f32, half_points: u8) -> Worth {
    Worth { score, expected, returned: f32::from(half_points) / 2.0, half_points }
}

fn batch(records: &[Record], wdl: f32, power: f32) -> Batch<'_> {
    Batch { records, order: None, first: 0, count: records.len(), mirror: None, wdl, power }
}

/// The loss of a position by a network of doubles, written as the definition says, from the board itself.
fn reference_deep(squares: &[f64], first: &[f64], rest: &[f64]) -> f64 {
    let sums = first.chunks(squares.len()).zip(rest).take(FIRST).map(|(weights, bias)| {
        bias + squares.iter().zip(weights).map(|(square, weight)| square * weight).sum::<f64>()
    });
    let sums: Vec<f64> = sums.collect();
    let handed: Vec<f64> = sums
        .iter()
        .map(|sum| sum.clamp(0.0, 1.0))
        .chain(sums.iter().map(|sum| (sum * sum).min(1.0)))
        .collect();
    let (second, rest) = rest[FIRST..].split_at(2 * FIRST * SECOND);
    (0..SECOND)
        .map(|neuron| {
            let products =
                handed.iter().enumerate().map(|(at, handed)| handed * second[at * SECOND + neuron]);
            (rest[neuron] + products.sum::<f64>()).clamp(0.0, 1.0) * rest[SECOND + neuron]
        })
        .sum()
}

fn reference_loss(
    architecture: &Architecture,
    parts: &[Vec<f64>; 7],
    (position, score, points): (&Position, i32, f64),
    (wdl, power): (f64, f64),
) -> f64 {
    let [features, shared, biases, outputs, output_biases, deep_first, deep_rest] = parts;
    let hidden = architecture.hidden;
    let us = position.side_to_move();
    let bucket = (position.occupied().count() as usize - 2) * architecture.output_buckets / 31;
    let mut output = output_biases[bucket];
    let mut squares = vec![];
    for (number, side) in [us, !us].into_iter().enumerate() {
        let turned = if side == Color::White { 0 } else { 56 };
        let king = position.king(side) as usize ^ turned;
        let mirror = if architecture.inputs != Inputs::Plain && king % 8 > 3 { 7 } else { 0 };
        let king = king ^ mirror;
        let king_bucket = if architecture.king_buckets == 1 {
            0
        } else {
            usize::from(architecture.king_table[king / 8 * 4 + king % 8])
        };
        for column in 0..hidden {
            let mut sum = biases[column];
            let tension = position.tension::<true>();
            for (color, marks) in Color::ALL.into_iter().zip(tension.marks) {
                let first = architecture.sets() * 768 + if color == side { 0 } else { Marks::NUM };
                if architecture.inputs.marks() > 0 {
                    sum += marks
                        .numbers()
                        .map(|number| features[(first + number) * hidden + column])
                        .sum::<f64>();
                }
            }
            for square in position.occupied() {
                let piece = position.piece_on(square).unwrap();
                let feature = if piece.color() == side { 0 } else { 384 }
                    + 64 * piece.kind().index()
                    + (square as usize ^ turned ^ mirror);
                let exposure = tension.exposures.of(square);
                let set = match architecture.inputs {
                    Inputs::Plain | Inputs::Mirrored => king_bucket,
                    Inputs::Threats | Inputs::Marks => {
                        2 * king_bucket + usize::from(exposure.threatens(piece.kind()))
                    }
                    Inputs::Exposure => 13 * king_bucket + exposure.number(),
                };
                sum += features[(set * 768 + feature) * hidden + column];
                sum += shared.get(feature * hidden + column).unwrap_or(&0.0);
            }
            let square = sum.clamp(0.0, 1.0).powi(2);
            output += square * outputs[(bucket * 2 + number) * hidden + column];
            squares.push(square);
        }
    }
    if architecture.deep {
        output += reference_deep(
            &squares,
            &deep_first[FIRST * 2 * hidden * bucket..],
            &deep_rest[deep::REST * bucket..],
        );
    }
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    // Records keep points to that precision.
    let kept = |points: f64| (points * 65_534.0).round() / 65_534.0;
    let expected = kept(sigmoid(f64::from(score) / f64::from(architecture.scale)));
    let target = wdl * points + (1.0 - wdl) * expected;
    (sigmoid(output) - target).abs().powf(power)
}

#[test]
fn losses_and_gradients_are_those_of_the_definition() {
    let games = games(3, 4, 90);
    let placed: Vec<_> =
        games.iter().flat_map(SelfplayGame::positions).filter(|placed| placed.score.is_some()).collect();
    let plain =
        Settings { hidden: 32, inputs: Inputs::Plain, output_buckets: 3, scale: 300, ..Settings::default() };
    let mirrored = Settings { hidden: 64, inputs: Inputs::Mirrored, output_buckets: 1, ..plain.clone() };
    let bucketed = Settings { hidden: 32, inputs: Inputs::Mirrored, king_buckets: 4, ..plain.clone() };
    let threats = Settings { inputs: Inputs::Threats, ..bucketed.clone() };
    let marks = Settings { inputs: Inputs::Marks, ..threats.clone() };
    let exposure = Settings { inputs: Inputs::Exposure, ..marks.clone() };
    let deep = Settings { hidden: 64, deep: true, inputs: Inputs::Mirrored, ..plain.clone() };
    for (settings, wdl, power) in [
        (plain, 0.0, 2.0),
        (mirrored, 0.3, 2.0),
        (bucketed, 1.0, 2.5),
        (threats, 0.5, 2.0),
        (marks, 0.5, 2.0),
        (exposure, 0.5, 2.0),
        (deep, 0.5, 2.0),
    ] {
        let architecture = settings.architecture();
        let mut weights = Parameters::random(&architecture, 5);
        if !weights.shared.is_empty() {
            let set = |number| Parameters::random(&architecture, 6 + number as u64).shared;
            let all = (0..=architecture.sets()).flat_map(set).map(|weight| weight * 0.5);
            weights.features = all.take(architecture.rows() * architecture.hidden).collect();
        }
        // The last layer begins with little to say.
        for rest in weights.deep_rest.chunks_exact_mut(deep::REST) {
            rest[deep::REST - SECOND..].iter_mut().for_each(|weight| *weight *= 20.0);
        }
        let records: Vec<Record> = placed
            .iter()
            .map(|placed| {
                let score = placed.score.unwrap().units();
                let expected = (1.0 / (1.0 + (-f64::from(score) / 300.0).exp())) as f32;
                let half_points = (2.0 * placed.points.unwrap()) as u8;
                Record::new(&placed.position, worth(score as i16, expected, half_points)).unwrap()
            })
            .collect();
        let mut parts =
            weights.parts().map(|part| part.iter().map(|&number| f64::from(number)).collect::<Vec<f64>>());
        let reference = |parts: &[Vec<f64>; 7]| -> f64 {
            let each = placed.iter().map(|placed| {
                let values =
                    (&placed.position, placed.score.unwrap().units(), f64::from(placed.points.unwrap()));
                reference_loss(&architecture, parts, values, (wdl, power))
            });
            each.sum()
        };
        let mut core =
            core(&architecture, &State::new(&architecture, weights), 2, Vectors::widest()).unwrap();
        let batch = batch(&records, wdl as f32, power as f32);
        let (loss, exact) = (core.loss(&batch), reference(&parts));
        assert!((loss - exact).abs() < 1e-5 * exact, "{loss} {exact}");
        let gradients = core.gradients(&batch);
        let mut chance = Chance::new(8);
        for part in 0..7 {
            let found = gradients.parts()[part];
            // Of weights that matter: a position of the games meets them.
            let used: Vec<usize> = (0..found.len()).filter(|&at| found[at] != 0.0).collect();
            let not_there = (part == 1 && architecture.sets() == 1) || (part > 4 && !architecture.deep);
            assert_eq!(used.is_empty(), not_there, "part {part} of {architecture}");
            for _ in 0..used.len().min(25) {
                let at = used[chance.below(used.len() as u64) as usize];
                let before = parts[part][at];
                let mut slope = |step: f64| {
                    parts[part][at] = before + step;
                    let above = reference(&parts);
                    parts[part][at] = before - step;
                    let below = reference(&parts);
                    parts[part][at] = before;
                    (above - below) / (2.0 * step)
                };
                let exact = slope(1e-5);
                let error = (f64::from(found[at]) - exact).abs();
                assert!(error < 1e-4 * exact.abs() + 2e-5, "part {part}, {at}: {} {exact}", found[at]);
            }
        }
    }
}

/// A small run on records in memory.
fn small_run(settings: &Settings, records: &[Record], start: Start, threads: usize, vectors: Vectors) -> Run {
    let (held_out, rest) = records.split_at(records.len() / 20);
    Run::new(settings, Dataset::of_records(rest.to_vec(), held_out.to_vec()), start, threads, vectors)
        .unwrap()
}

fn to_the_end(run: &mut Run) {
    while run.progress().step < run.steps() {
        run.advance(u64::MAX).unwrap();
    }
}

#[test]
fn material_is_learnt_and_rounding_changes_little() {
    let games = games(1, 500, 160);
    let records = records(&games, 400.0);
    let settings = Settings {
        hidden: 32,
        batch: 1024,
        rate: 4e-3,
        length: Length::Epochs(12),
        wdl: [0.0, 0.0],
        output_buckets: 2,
        scale: 400,
        ..Settings::default()
    };
    let mut run = small_run(&settings, &records, Start::Random, 2, Vectors::widest());
    to_the_end(&mut run);
    let rounds = &run.progress().rounds;
    let (first, last) = (rounds[0].validation_loss.unwrap(), rounds[11].validation_loss.unwrap());
    assert!(rounds.len() == 12 && last < 1e-3 && last < first / 10.0, "{first} {last}");
    assert!(rounds[11].training_loss < 1e-3);

    let architecture = settings.architecture();
    let weights = run.state().weights;
    let features = weights.merged_features();
    let network = export::quantise(&architecture, &weights, None).unwrap();
    for (fen, low, high) in [
        (Board::START_FEN, -60.0, 60.0),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 600.0, 1300.0),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -1300.0, -600.0),
        ("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", 300.0, 700.0),
    ] {
        let record = Record::new(&Position::from_fen(fen).unwrap(), worth(0, 0.5, 1)).unwrap();
        let value = model::output(&architecture, &weights, &features, &record) * 400.0;
        assert!((low..high).contains(&value), "{fen}: {value}");
        let rounded = export::value(&network, &network.weights(), &record) as f32;
        assert!((rounded - value).abs() < 25.0, "{fen}: {value} {rounded}");
    }
    let plain = export::rounding_error(&network, &weights, &records[..2000]);
    // Fitted on some positions, and better on others.
    let outputs =
        rounding::fit(&architecture, &weights, &network.weights(), &records[2000..], &mut || false).unwrap();
    let network = export::quantise(&architecture, &weights, Some(&outputs)).unwrap();
    let error = export::rounding_error(&network, &weights, &records[..2000]);
    assert!(error.mean < 0.8 * plain.mean, "{error:?} {plain:?}");
    assert!(error.mean < 5.0 && error.largest < 60.0 && error.positions == 2000, "{error:?}");
    assert!(error.mean > 0.0 && error.mean_value > 100.0, "{error:?}");
}

/// Deep layers go into the file as they are: output weights that are fitted must leave to them what they say.
#[test]
fn output_weights_leave_to_deep_layers_what_these_say() {
    let records = records(&games(6, 120, 160), 400.0);
    let settings = Settings { hidden: 32, output_buckets: 2, deep: true, scale: 400, ..Settings::default() };
    let architecture = settings.architecture();
    let mut weights = Parameters::random(&architecture, 4);
    for rest in weights.deep_rest.chunks_exact_mut(deep::REST) {
        rest[deep::REST - SECOND..].iter_mut().for_each(|weight| *weight *= 20.0);
    }
    let error = |network: &Network| export::rounding_error(network, &weights, &records[..2000]).mean;
    let plain = export::quantise(&architecture, &weights, None).unwrap();
    let mut silent = plain.weights();
    silent.deep.rest.fill(0.0);
    let silent = Network::new(architecture, &silent, [0; 8]).unwrap();
    assert!(
        error(&silent) > 5.0 * error(&plain),
        "they say too little: {} {}",
        error(&silent),
        error(&plain)
    );
    let outputs =
        rounding::fit(&architecture, &weights, &plain.weights(), &records[2000..], &mut || false).unwrap();
    let fitted = export::quantise(&architecture, &weights, Some(&outputs)).unwrap();
    assert!(error(&fitted) < error(&plain), "{} {}", error(&fitted), error(&plain));
}

#[test]
fn the_engine_sees_the_network_that_was_trained() {
    let settings =
        Settings { hidden: 64, king_buckets: 4, output_buckets: 8, scale: 300, ..Settings::default() };
    let marks = Settings { inputs: Inputs::Marks, ..settings.clone() };
    let exposure = Settings { inputs: Inputs::Exposure, ..marks.clone() };
    let deep = Settings { deep: true, ..exposure.clone() };
    [settings, marks, exposure, deep].iter().for_each(the_engine_sees_what_was_trained);
}

fn the_engine_sees_what_was_trained(settings: &Settings) {
    let architecture = settings.architecture();
    let mut weights = Parameters::random(&architecture, 3);
    // Of the king buckets too something must be there to be seen.
    weights.features = (0..weights.features.len()).map(|at| (at % 101) as f32 / 1000.0 - 0.05).collect();
    let network = export::quantise(&architecture, &weights, None).unwrap();
    let features = weights.merged_features();
    let evaluation = Evaluation::Network(std::sync::Arc::new(network.clone()));
    let mut largest = 0;
    for placed in games(5, 20, 150).iter().flat_map(SelfplayGame::positions) {
        if placed.position.halfmove_clock() == 0 {
            let record = Record::new(&placed.position, worth(0, 0.5, 1)).unwrap();
            let seen = Evaluator::new(&placed.position, &evaluation).evaluate(&placed.position).units();
            let float = model::output(&architecture, &weights, &features, &record) * 300.0;
            let said = export::value(&network, &network.weights(), &record);
            // Of some endings the engine knows more than the network says.
            assert_eq!(seen, endings::corrected(&placed.position, said));
            assert!((float - said as f32).abs() < 12.0, "{float} {said}");
            largest = largest.max(seen.abs());
        }
    }
    assert!(largest > 30, "{largest}");
}

#[test]
fn the_weights_of_marks_learn_at_their_own_rate_and_share_nothing() {
    let records = records(&games(3, 10, 90), 400.0);
    let settings = Settings { hidden: 32, inputs: Inputs::Marks, ..Settings::default() };
    let architecture = settings.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, 2));
    let first_mark = architecture.sets() * 768 * 32;
    let changed = |rate, marks_rate| {
        let mut core = core(&architecture, &state, 1, Vectors::widest()).unwrap();
        core.step(&batch(&records, 0.5, 2.0), Rates { all: rate, marks: marks_rate, deep: rate });
        let after = core.state().weights;
        let (pieces, marks) = after.features.split_at(first_mark);
        assert_eq!(marks, &after.merged_features()[first_mark..]);
        [pieces != &state.weights.features[..first_mark], marks.iter().any(|&weight| weight != 0.0)]
    };
    assert_eq!(changed(1e-3, 0.0), [true, false]);
    assert_eq!(changed(0.0, 1e-3), [false, true]);
}

#[test]
fn the_mirror_shows_half_of_the_positions_turned() {
    // A network of plain inputs that sees only pieces on the left learns those on the right from the mirror.
    let start = Position::from_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1").unwrap();
    let records = vec![Record::new(&start, worth(0, 0.9, 1)).unwrap(); 64];
    let settings = Settings { hidden: 32, inputs: Inputs::Plain, ..Settings::default() };
    let architecture = settings.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, 1));
    let mut core = core(&architecture, &state, 1, Vectors::PORTABLE).unwrap();
    let row = |parameters: &Parameters, square: usize| {
        parameters.features[square * 32..(square + 1) * 32].iter().map(|number| number.abs()).sum::<f32>()
    };
    let plain = core.gradients(&batch(&records, 0.0, 2.0));
    assert!(row(&plain, 8) > 0.0 && row(&plain, 15) == 0.0);
    let turned = core.gradients(&Batch { mirror: Some(9), ..batch(&records, 0.0, 2.0) });
    let share = row(&turned, 15) / (row(&turned, 8) + row(&turned, 15));
    assert!((0.2..0.8).contains(&share), "{share}");
}

#[test]
fn neither_threads_nor_vectors_nor_an_interruption_change_a_bit() {
    let records = records(&games(2, 60, 120), 400.0);
    let folder = Scratch::new();
    let path = folder.join("run.checkpoint");
    for (hidden, king_buckets) in [(64, 1), (32, 4)] {
        let settings = Settings {
            hidden,
            king_buckets,
            batch: 700,
            length: Length::Epochs(3),
            output_buckets: 2,
            wdl: [0.1, 0.4],
            ..Settings::default()
        };
        let mut whole = small_run(&settings, &records, Start::Random, 1, Vectors::PORTABLE);
        assert!(whole.steps() > 12, "{}", whole.steps());
        to_the_end(&mut whole);
        for vectors in Vectors::all() {
            let mut other = small_run(&settings, &records, Start::Random, 3, vectors);
            to_the_end(&mut other);
            assert!(other.state() == whole.state(), "{vectors:?}");
        }
        // Killed after each step, the checkpoint being all that remains.
        let mut part = small_run(&settings, &records, Start::Random, 2, Vectors::widest());
        loop {
            part.advance(1).unwrap();
            checkpoint::write(&path, part.progress(), &part.state()).unwrap();
            if part.progress().step == part.steps() {
                break;
            }
            let start = Start::Resume(Box::new(checkpoint::read(&path).unwrap()));
            part = small_run(&settings, &records, start, 2, Vectors::widest());
        }
        assert!(part.state() == whole.state());
        let losses = |run: &Run| -> Vec<_> {
            run.progress().rounds.iter().map(|round| (round.training_loss, round.validation_loss)).collect()
        };
        assert_eq!(losses(&part), losses(&whole));
        assert_eq!(losses(&whole).len(), 3);
        // The test can fail: another seed gives other numbers.
        let mut other = small_run(
            &Settings { seed: 2, ..settings.clone() },
            &records,
            Start::Random,
            1,
            Vectors::widest(),
        );
        to_the_end(&mut other);
        assert!(other.state() != whole.state());
    }
}

#[test]
fn only_the_same_run_goes_on_and_weights_are_taken_over() {
    let records = records(&games(2, 20, 120), 400.0);
    let settings = Settings { hidden: 32, batch: 500, length: Length::Epochs(1), ..Settings::default() };
    let mut run = small_run(&settings, &records, Start::Random, 1, Vectors::widest());
    run.advance(2).unwrap();
    let kept = || Box::new((run.progress().clone(), run.state()));
    let begin = |settings: &Settings, records: &[Record], start| {
        Run::new(settings, Dataset::of_records(records.to_vec(), vec![]), start, 1, Vectors::PORTABLE)
            .map(|run| run.state())
            .map_err(|error| error.to_string())
    };
    let rest = &records[records.len() / 20..];
    begin(&settings, rest, Start::Resume(kept())).unwrap();
    for (other, hint) in [
        (Settings { seed: 9, ..settings.clone() }, "--seed was 1 and is 9"),
        (Settings { inputs: Inputs::Marks, ..settings.clone() }, "--inputs was mirrored and is marks"),
        (Settings { power: 2.5, ..settings.clone() }, "--loss-power was 2 and is 2.5"),
        (
            Settings { length: Length::Superbatches(3), ..settings.clone() },
            "--epochs was 1 and --superbatches is 3",
        ),
    ] {
        let told = begin(&other, rest, Start::Resume(kept())).unwrap_err();
        assert!(told.contains(hint), "{told}");
    }
    let told = begin(&settings, &rest[1..], Start::Resume(kept())).unwrap_err();
    assert!(told.contains("the data is not that of the checkpoint"), "{told}");
    let from = || Start::From(Box::new((settings.architecture(), run.state().weights)));
    let taken = begin(&Settings { seed: 9, ..settings.clone() }, rest, from()).unwrap();
    assert!(taken.weights == run.state().weights && taken.means != run.state().means);
    let wider = begin(&Settings { hidden: 64, ..settings.clone() }, rest, from()).unwrap();
    assert_eq!(wider.weights.biases[..32], run.state().weights.biases);
    let told = begin(&Settings { inputs: Inputs::Plain, ..settings.clone() }, rest, from()).unwrap_err();
    assert!(told.contains("(768hm -> 32)x2 -> 1") && told.contains("(768 -> 32)x2"), "{told}");
}

#[test]
fn weights_stay_in_the_range_of_the_file() {
    let records = records(&games(2, 20, 120), 400.0);
    for king_buckets in [1, 2] {
        let settings =
            Settings { hidden: 32, king_buckets, rate: 1.0, final_rate: 0.5, ..Settings::default() };
        let settings = Settings { batch: 256, length: Length::Epochs(2), ..settings };
        let mut run = small_run(&settings, &records, Start::Random, 1, Vectors::widest());
        to_the_end(&mut run);
        let weights = run.state().weights;
        let largest = |numbers: &[f32]| numbers.iter().fold(0.0f32, |most, number| most.max(number.abs()));
        assert_eq!(largest(&weights.features), if king_buckets == 1 { 1.98 } else { 0.99 });
        assert!(largest(&weights.merged_features()) <= 1.98);
        assert_eq!(largest(&weights.outputs), 1.98);
        let network = export::quantise(&settings.architecture(), &weights, None).unwrap();
        assert!(Network::read(&network.write()).unwrap() == network);
    }
}

#[test]
fn the_scale_that_fits_is_found() {
    let start = Position::default();
    let mut chance = Chance::new(1);
    // Of scores on one side alone too: what draws count too little there is not made up for on the other.
    for (lowest, drawn) in [(-800, 0.0), (0, 0.0), (0, 0.9), (-800, 0.9)] {
        let record = |_| {
            let score = lowest + chance.below((800 - lowest) as u64) as i16;
            let points = 1.0 / (1.0 + (-f64::from(score) / 230.0).exp());
            // As many draws as can be without other points on average, or none.
            let half = drawn * points.min(1.0 - points);
            let lot = chance.below(1 << 20) as f64 / f64::from(1 << 20);
            let half_points = if lot < points - half { 2 } else { u8::from(lot < points + half) };
            Record::new(&start, worth(score, 0.5, half_points)).unwrap()
        };
        let scale = fitting_scale(&(0..60_000).map(record).collect::<Vec<_>>()).unwrap();
        assert!((220.0..240.0).contains(&scale), "{lowest} {drawn}: {scale}");
    }
    // The first file's positions are no more than their part.
    let all = |half_points: u8, count: usize| {
        vec![Record::new(&start, worth(100, 0.5, half_points)).unwrap(); count]
    };
    let both = [all(2, 45_000), all(0, 15_000), all(2, 190_000), all(0, 110_000)].concat();
    let expected = 100.0 / (235_000f64 / 125_000.0).ln();
    assert!((fitting_scale(&both).unwrap() / expected - 1.0).abs() < 0.02);
    // Few are of few games.
    let few = |count: usize| fitting_scale(&[all(2, 3 * count), all(0, count)].concat()).is_some();
    assert!(!few(0) && !few(1_249) && few(1_250));
    // Who stands better loses: no scale is large enough.
    let wrong = |score: i16| Record::new(&start, worth(score, 0.5, if score > 0 { 0 } else { 2 })).unwrap();
    assert_eq!(fitting_scale(&(-3_000..3_000).map(wrong).collect::<Vec<_>>()), None);
}

#[test]
fn an_order_takes_positions_of_a_batch_as_they_come() {
    let records = records(&games(4, 3, 60), 400.0);
    let architecture = Settings { hidden: 32, ..Settings::default() }.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, 1));
    let mut core = core(&architecture, &state, 1, Vectors::widest()).unwrap();
    let order = Order::new(records.len() as u64, 3);
    let some = Batch { order: Some(order), first: 5, count: 20, ..batch(&records, 0.5, 2.0) };
    let picked: Vec<Record> = (5..25).map(|place| records[order.at(place) as usize]).collect();
    assert_eq!(core.loss(&some), core.loss(&batch(&picked, 0.5, 2.0)));
}
