//! A step number by number, and what a run makes of its settings.

use super::*;
use crate::board::Position;

/// All kinds of numbers: of several sets, shared, of marks, of deep layers.
fn everything() -> Settings {
    Settings { hidden: 32, inputs: Inputs::Exposure, deep: true, output_buckets: 2, ..Settings::default() }
}

/// Numbers with averages as they may be in the middle of a run.
fn on_the_way(architecture: &Architecture) -> State {
    let mut state = State::new(architecture, Parameters::random(architecture, 4));
    for (number, part) in state.means.parts_mut().into_iter().enumerate() {
        let mean = |at: usize| ((at + number) % 11) as f32 * 1e-3 - 5e-3;
        part.iter_mut().enumerate().for_each(|(at, to)| *to = mean(at));
    }
    for (number, part) in state.squares.parts_mut().into_iter().enumerate() {
        let square = |at: usize| ((at + number) % 7 + 1) as f32 * 1e-4;
        part.iter_mut().enumerate().for_each(|(at, to)| *to = square(at));
    }
    state
}

#[test]
fn a_state_comes_back_as_it_was_put_in() {
    for settings in [everything(), Settings { hidden: 64, output_buckets: 3, ..Settings::default() }] {
        let architecture = settings.architecture();
        let state = on_the_way(&architecture);
        let core = core(&architecture, &state, 1, Vectors::widest()).unwrap();
        assert!(core.state() == state, "{architecture}");
    }
}

#[test]
fn each_number_is_moved_by_its_own_gradient_at_its_own_rate() {
    let records = records(&games(3, 12, 90), 400.0);
    for settings in [everything(), Settings { hidden: 32, output_buckets: 2, ..Settings::default() }] {
        let architecture = settings.architecture();
        let before = on_the_way(&architecture);
        let mut core = core(&architecture, &before, 2, Vectors::widest()).unwrap();
        let batch = batch(&records, 0.5, 2.0);
        let gradients = core.gradients(&batch);
        core.step(&batch, Rates { all: 1e-2, marks: 2e-2, deep: 5e-3 });
        let after = core.state();
        let first_mark = architecture.sets() * 768 * 32;
        let input_limit = if architecture.sets() > 1 { 0.99 } else { 1.98 };
        for part in 0..7 {
            for (at, &gradient) in gradients.parts()[part].iter().enumerate() {
                let (rate, limit) = match part {
                    0 if at >= first_mark => (2e-2, 1.98),
                    0 | 1 => (1e-2, input_limit),
                    2 | 3 => (1e-2, 1.98),
                    4 => (1e-2, f64::INFINITY),
                    5 => (5e-3, 1.98),
                    _ => (5e-3, f64::INFINITY),
                };
                let number = |of: &Parameters| f64::from(of.parts()[part][at]);
                let gradient = f64::from(gradient) / records.len() as f64;
                let mean = 0.9 * number(&before.means) + 0.1 * gradient;
                let square = 0.999 * number(&before.squares) + 0.001 * gradient * gradient;
                let weight =
                    number(&before.weights) * (1.0 - 0.01 * rate) - rate * mean / (square.sqrt() + 1e-8);
                for (found, exact) in [
                    (number(&after.means), mean),
                    (number(&after.squares), square),
                    (number(&after.weights), weight.clamp(-limit, limit)),
                ] {
                    assert!(
                        (found - exact).abs() < 2e-6,
                        "{architecture}: part {part}, {at}: {found} {exact}"
                    );
                }
            }
        }
    }
}

/// So large that each thread's share is worked on in several pieces.
#[test]
fn losses_and_gradients_of_a_large_batch_are_the_sums_of_its_parts() {
    let some = records(&games(3, 12, 90), 400.0);
    let records: Vec<Record> = some.iter().cycle().take(5_000).copied().collect();
    let architecture =
        Settings { hidden: 32, deep: true, output_buckets: 2, ..Settings::default() }.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, 4));
    let mut core = core(&architecture, &state, 2, Vectors::widest()).unwrap();
    let (one, other) = records.split_at(2_500);
    let [one, other, whole] = [one, other, &records].map(|part| batch(part, 0.5, 2.0));
    let loss = core.loss(&one) + core.loss(&other);
    assert!((core.loss(&whole) - loss).abs() < 1e-9 * loss.abs() + 1e-6, "{loss}");
    let [one, other, whole] = [one, other, whole].map(|batch| core.gradients(&batch));
    for part in 0..7 {
        let sums = one.parts()[part].iter().zip(other.parts()[part]).map(|(one, other)| one + other);
        for (at, (found, sum)) in whole.parts()[part].iter().zip(sums).enumerate() {
            assert!((found - sum).abs() < 1e-3 * sum.abs() + 1e-3, "part {part}, {at}: {found} {sum}");
        }
    }
}

/// A run in which nothing moves, of one step a round.
fn still(settings: &Settings, records: &[Record], held_out: &[Record]) -> Run {
    let settings = Settings { batch: records.len(), rate: 1e-8, final_rate: 0.0, ..settings.clone() };
    let dataset = Dataset::of_records(records.to_vec(), held_out.to_vec());
    let mut run = Run::new(&settings, dataset, Start::Random, 2, Vectors::widest()).unwrap();
    to_the_end(&mut run);
    run
}

#[test]
fn rounds_tell_the_loss_by_the_share_and_the_power_of_the_settings() {
    let records = records(&games(3, 12, 90), 200.0);
    let (held_out, rest) = records.split_at(200);
    let settings = Settings {
        hidden: 32,
        length: Length::Epochs(3),
        wdl: [0.0, 0.8],
        power: 1.5,
        ..Settings::default()
    };
    let run = still(&settings, rest, held_out);
    let architecture = settings.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, settings.seed));
    let mut core = core(&architecture, &state, 1, Vectors::widest()).unwrap();
    let mut mean = |records: &[Record], wdl| core.loss(&batch(records, wdl, 1.5)) / records.len() as f64;
    assert_eq!(run.progress().rounds.len(), 3);
    for (round, wdl) in run.progress().rounds.iter().zip([0.0, 0.4, 0.8]) {
        assert!((round.wdl - f64::from(wdl)).abs() < 1e-6, "{round:?}");
        assert!((round.training_loss - mean(rest, wdl)).abs() < 1e-6, "{round:?} {}", mean(rest, wdl));
        assert!((round.validation_loss.unwrap() - mean(held_out, 0.8)).abs() < 1e-6, "{round:?}");
    }
}

#[test]
fn all_positions_that_are_held_out_count() {
    let start = Position::default();
    let [even, won] = [0.5, 1.0].map(|expected| Record::new(&start, worth(0, expected, 1)).unwrap());
    let mut held_out = vec![even; 1 << 16];
    held_out.extend([won; 16_384]);
    let settings = Settings { hidden: 32, length: Length::Epochs(1), wdl: [0.0; 2], ..Settings::default() };
    let loss = |held_out: &[Record]| {
        still(&settings, &[even; 8], held_out).progress().rounds[0].validation_loss.unwrap()
    };
    let (all, even, won) = (loss(&held_out), loss(&[even]), loss(&[won]));
    assert!((all - (0.8 * even + 0.2 * won)).abs() < 1e-6, "{all} {even} {won}");
    assert!(won > 2.0 * even, "{even} {won}");
}

#[test]
fn marks_and_deep_layers_learn_at_the_rates_of_the_settings() {
    let records = records(&games(3, 12, 90), 400.0);
    let first_mark = everything().architecture().sets() * 768 * 32;
    let moved = |marks_rate, deep_rate| {
        let settings =
            Settings { marks_rate, deep_rate, batch: 256, length: Length::Epochs(1), ..everything() };
        let mut run = Run::new(
            &settings,
            Dataset::of_records(records.clone(), vec![]),
            Start::Random,
            2,
            Vectors::widest(),
        )
        .unwrap();
        let before = run.state().weights;
        run.advance(1).unwrap();
        let after = run.state().weights;
        [
            before.features[..first_mark] != after.features[..first_mark],
            before.features[first_mark..] != after.features[first_mark..],
            before.deep_first != after.deep_first,
            before.deep_rest != after.deep_rest,
        ]
    };
    assert_eq!(moved(0.0, 1.0), [true, false, true, true]);
    assert_eq!(moved(1.0, 0.0), [true, true, false, false]);
}

#[test]
fn a_run_shows_its_positions_in_a_mirror_if_it_is_to() {
    let records = records(&games(3, 12, 90), 400.0);
    let learnt = |mirror_data| {
        let settings = Settings { hidden: 32, inputs: Inputs::Plain, mirror_data, ..Settings::default() };
        let settings = Settings { batch: records.len(), length: Length::Epochs(1), ..settings };
        let mut run = small_run(&settings, &records, Start::Random, 1, Vectors::widest());
        to_the_end(&mut run);
        run.state().weights.features
    };
    assert!(learnt(true) != learnt(false));
}

#[test]
fn a_run_takes_its_positions_in_their_order_at_the_rate_and_the_share_of_each_step() {
    let records = records(&games(3, 8, 90), 200.0);
    let settings = Settings {
        hidden: 32,
        batch: records.len().div_ceil(5),
        length: Length::Epochs(4),
        warm_up: 2,
        wdl: [0.0, 1.0],
        ..Settings::default()
    };
    let dataset = || Dataset::of_records(records.clone(), vec![]);
    let mut run = Run::new(&settings, dataset(), Start::Random, 1, Vectors::PORTABLE).unwrap();
    to_the_end(&mut run);
    let architecture = settings.architecture();
    let state = State::new(&architecture, Parameters::random(&architecture, settings.seed));
    let mut core = core(&architecture, &state, 1, Vectors::PORTABLE).unwrap();
    let (dataset, count, steps) = (dataset(), run.batch(), run.steps());
    assert_eq!(steps, 20);
    for step in 0..steps {
        let place = dataset.place(step, count, settings.seed);
        let at = |number| records[place.order.at(place.first + number) as usize];
        let picked: Vec<Record> = (0..count as u64).map(at).collect();
        let rate = settings.rate_at(step, steps) as f32;
        let batch = batch(&picked, settings.wdl_at(step, steps) as f32, 2.0);
        core.step(&batch, Rates { all: rate, marks: rate, deep: rate });
    }
    assert!(core.state() == run.state());
}

#[test]
fn where_the_rate_comes_to_nothing_nothing_moves() {
    let records = records(&games(3, 8, 90), 200.0);
    let settings = Settings { hidden: 32, final_rate: 0.0, length: Length::Epochs(2), ..Settings::default() };
    let settings = Settings { batch: records.len(), ..settings };
    let dataset = Dataset::of_records(records, vec![]);
    let mut run = Run::new(&settings, dataset, Start::Random, 1, Vectors::widest()).unwrap();
    let begin = run.state().weights;
    run.advance(1).unwrap();
    let first = run.state();
    run.advance(1).unwrap();
    let second = run.state();
    assert!(first.weights != begin && second.weights == first.weights && second.means != first.means);
}
