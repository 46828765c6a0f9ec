//! The numbers of one network as the beginning of another, which may be wider or have another scale and then says the same
//! of every position at first (T. Chen, I. Goodfellow and J. Shlens, "Net2Net: Accelerating Learning via Knowledge
//! Transfer", 2015, <https://arxiv.org/abs/1511.05641>).

use super::deep::REST;
use super::layer::{SHARED_LIMIT, WEIGHT_LIMIT};
use super::model::Parameters;
use crate::board::Exposure;
use crate::eval::network::{Architecture, FEATURES, Inputs, Network, QA, QB, SECOND};
use crate::types::{PieceType, Square};

/// Rows of input weights of a piece.
const SQUARES: usize = Square::NUM;

/// The numbers of a network before they were rounded, as nearly as the network tells. Of several sets the middle of what a
/// weight is in them is what they share: so neither part of it leaves the range that learning keeps it in
/// (`SHARED_LIMIT`), wherever two such parts have made the network.
pub fn of_network(network: &Network) -> Parameters {
    let weights = network.weights();
    let small = |numbers: &[i16], unit: i32| -> Vec<f32> {
        numbers.iter().map(|&number| f32::from(number) / unit as f32).collect()
    };
    let mut parameters = Parameters::zero(network.architecture());
    parameters.features = small(&weights.features, QA);
    parameters.biases = small(&weights.biases, QA);
    parameters.outputs = small(&weights.outputs, QB);
    parameters.output_biases =
        weights.output_biases.iter().map(|&number| number as f32 / (QA * QB) as f32).collect();
    parameters.deep_first = weights.deep.first.iter().map(|&number| f32::from(number) / QB as f32).collect();
    parameters.deep_rest = weights.deep.rest;
    let Parameters { features, shared, .. } = &mut parameters;
    for (at, shared) in shared.iter_mut().enumerate() {
        let places = (0..network.architecture().sets()).map(|set| set * weights.biases.len() * FEATURES + at);
        let range = places.clone().map(|place| features[place]);
        let (least, most) =
            range.fold((f32::MAX, f32::MIN), |(least, most), weight| (least.min(weight), most.max(weight)));
        *shared = (0.5 * (least + most)).clamp(-SHARED_LIMIT, SHARED_LIMIT);
        places.for_each(|place| features[place] -= *shared);
    }
    parameters
}

/// Copies rows of `from` numbers to the beginnings of rows of `to`, times `factor`; where there are more rows, all again.
fn copy_rows(source: &[f32], from: usize, target: &mut [f32], to: usize, factor: f32) {
    for (target, source) in target.chunks_mut(to).zip(source.chunks(from).cycle()) {
        for (target, source) in target.iter_mut().zip(source) {
            *target = source * factor;
        }
    }
}

/// The set of `from` that a piece of this kind meets where it meets that of `to`, which has as many sets or tells more apart.
fn set_before(from: Inputs, to: Inputs, kind: PieceType, set: usize) -> usize {
    match to {
        _ if from.sets() == to.sets() => set,
        Inputs::Exposure => from.set(kind, Exposure::ALL[set]),
        _ => 0,
    }
}

/// The numbers for a network of another architecture that has at least as many neurons, and as many king and output
/// buckets or those instead of one, or tells more pieces apart (than mirrored inputs only where there is one king bucket) or
/// has marks or deep layers where the other does not. New
/// neurons see something, by chance, but have no say yet; new buckets and sets are all alike, new marks count nothing, new
/// deep layers say nothing. With a smaller scale output weights are larger, and those that would pass the limit of a
/// network are cut to it.
///
/// # Errors
/// If the architectures do not fit; why.
pub fn widened(
    weights: Parameters,
    from: &Architecture,
    to: &Architecture,
    seed: u64,
) -> Result<Parameters, String> {
    if from.deep && !to.deep {
        return Err(format!(
            "the weights to begin with are of {from}; without --deep its deep layers would be lost"
        ));
    }
    if from == to {
        return Ok(weights);
    }
    let of_kings = |of: &Architecture| (of.king_buckets, of.king_table);
    let fewer_marks = from.inputs.marks() <= to.inputs.marks();
    let both_turned = (from.inputs == Inputs::Plain) == (to.inputs == Inputs::Plain);
    let same_sets = from.inputs.sets() == to.inputs.sets();
    let finer_sets = from.inputs.sets() == Inputs::Threats.sets() && to.inputs == Inputs::Exposure;
    let kings = of_kings(from) == of_kings(to) || from.king_buckets == 1;
    let more_sets = from.sets() == 1 && to.sets() > 1;
    let inputs = (more_sets || kings && (same_sets || finer_sets)) && both_turned && fewer_marks;
    let outputs = from.output_buckets == 1 || from.output_buckets == to.output_buckets;
    if !inputs || !outputs || from.hidden > to.hidden {
        return Err(format!(
            "the weights to begin with are of {from}, and cannot be those of {to}: only --hidden may be more, \
             --king-buckets and --output-buckets where there is one, and --inputs later in the order mirrored, threats, \
             marks, exposure, from mirrored only where there is one king bucket"
        ));
    }
    let mut wide = Parameters::random(to, seed);
    wide.outputs.fill(0.0);
    let (narrow, hidden) = (from.hidden, to.hidden);
    // Half in each set and half in what they share: either part has half the range.
    let (shared, factor) = if more_sets { (&weights.features, 0.5) } else { (&weights.shared, 1.0) };
    let (of_pieces, of_marks) = weights.features.split_at(from.sets() * FEATURES * narrow);
    let (wide_pieces, wide_marks) = wide.features.split_at_mut(to.sets() * FEATURES * hidden);
    for (set, rows) in wide_pieces.chunks_exact_mut(FEATURES * hidden).enumerate() {
        let bucket = set / to.inputs.sets() % from.king_buckets;
        for (plane, rows) in rows.chunks_exact_mut(SQUARES * hidden).enumerate() {
            let kind = PieceType::ALL[plane % PieceType::NUM];
            let before = set_before(from.inputs, to.inputs, kind, set % to.inputs.sets());
            let first = (bucket * from.inputs.sets() + before) * FEATURES + plane * SQUARES;
            copy_rows(&of_pieces[first * narrow..][..SQUARES * narrow], narrow, rows, hidden, factor);
        }
    }
    if !of_marks.is_empty() {
        copy_rows(of_marks, narrow, wide_marks, hidden, 1.0);
    }
    copy_rows(shared, narrow, &mut wide.shared, hidden, factor);
    copy_rows(&weights.biases, narrow, &mut wide.biases, hidden, 1.0);
    let stretch = f32::from(from.scale) / f32::from(to.scale);
    copy_rows(&weights.outputs, narrow, &mut wide.outputs, hidden, stretch);
    copy_rows(&weights.output_biases, 1, &mut wide.output_biases, 1, stretch);
    // The third layer says what the two others have found.
    let third = |rest: &mut [f32], stretch: f32| {
        rest.chunks_exact_mut(REST)
            .for_each(|rest| rest[REST - SECOND..].iter_mut().for_each(|weight| *weight *= stretch));
    };
    if from.deep {
        wide.deep_first.fill(0.0);
        copy_rows(&weights.deep_first, narrow, &mut wide.deep_first, hidden, 1.0);
        copy_rows(&weights.deep_rest, REST, &mut wide.deep_rest, REST, 1.0);
        third(&mut wide.deep_rest, stretch);
    } else {
        third(&mut wide.deep_rest, 0.0);
    }
    wide.outputs.iter_mut().for_each(|weight| *weight = weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT));
    Ok(wide)
}

#[cfg(test)]
mod tests {
    use super::super::export;
    use super::super::model::output;
    use super::super::record::{Record, Worth};
    use super::super::settings::Settings;
    use super::*;
    use crate::board::{Board, Position};
    use crate::sys::chance::Chance;

    fn architecture(hidden: usize, king_buckets: usize, output_buckets: usize) -> Architecture {
        Settings { hidden, king_buckets, output_buckets, ..Settings::default() }.architecture()
    }

    #[test]
    fn a_network_is_what_its_numbers_make() {
        for king_buckets in [1, 4] {
            let deep = king_buckets > 1;
            let network =
                Network::random(Architecture { deep, ..architecture(64, king_buckets, 3) }, 7).unwrap();
            let numbers = of_network(&network);
            let again = export::quantise(network.architecture(), &numbers, None).unwrap();
            assert!(again.weights() == network.weights());
        }
    }

    #[test]
    fn the_numbers_of_a_network_can_be_learnt_from_as_they_are() {
        let architecture = architecture(32, 4, 1);
        let mut made = Parameters::zero(&architecture);
        let mut chance = Chance::of_part(5, 0);
        let mut fill = |numbers: &mut [f32]| {
            let number = |chance: &mut Chance| SHARED_LIMIT * (chance.below(2_001) as f32 / 1_000.0 - 1.0);
            numbers.iter_mut().for_each(|to| *to = number(&mut chance));
        };
        fill(&mut made.features);
        fill(&mut made.shared);
        let network = export::quantise(&architecture, &made, None).unwrap();
        let numbers = of_network(&network);
        let rounding = 0.51 / QA as f32;
        assert!(numbers.shared.iter().all(|weight| weight.abs() <= SHARED_LIMIT));
        assert!(numbers.features.iter().all(|weight| weight.abs() <= SHARED_LIMIT + rounding));
        assert!(export::quantise(&architecture, &numbers, None).unwrap().weights() == network.weights());
    }

    #[test]
    fn a_wider_network_says_the_same_and_can_learn_more() {
        let from = architecture(32, 1, 1);
        let weights = of_network(&Network::random(from, 7).unwrap());
        let threats = Architecture { inputs: Inputs::Threats, ..architecture(64, 1, 8) };
        let marks = Architecture { inputs: Inputs::Marks, ..threats };
        let marked = of_network(&Network::random(Architecture { hidden: 32, ..marks }, 8).unwrap());
        let exposure = Architecture { inputs: Inputs::Exposure, ..marks };
        let deep = Architecture { deep: true, ..architecture(64, 1, 8) };
        let sizes = [architecture(96, 1, 1), architecture(32, 4, 1), architecture(64, 2, 8), deep];
        let beginnings = [from].into_iter().chain(sizes).chain([threats, marks, exposure]);
        let beginnings = beginnings.map(|to| (from, &weights, to));
        let from_marks = Architecture { hidden: 32, ..marks };
        let marked = [marks, exposure].map(|to| (from_marks, &marked, to));
        let from_deep = Architecture { deep: true, ..from };
        let layered = of_network(&Network::random(from_deep, 9).unwrap());
        let layers = [from_deep, deep].map(|to| (from_deep, &layered, to));
        // Several king buckets of one, where there are several sets already.
        let narrow = |inputs| Architecture { inputs, ..from };
        let several = [Inputs::Threats, Inputs::Marks, Inputs::Exposure]
            .map(|inputs| (narrow(inputs), of_network(&Network::random(narrow(inputs), 10).unwrap())));
        let kings = |inputs, buckets| Architecture { inputs, ..architecture(64, buckets, 8) };
        let [threatened, marking, exposed] = &several;
        let by_kings = [
            (threatened, kings(Inputs::Threats, 4)),
            (threatened, kings(Inputs::Exposure, 4)),
            (marking, kings(Inputs::Marks, 2)),
            (exposed, kings(Inputs::Exposure, 4)),
        ]
        .map(|((from, weights), to)| (*from, weights, to));
        for (from, weights, to) in beginnings.chain(marked).chain(layers).chain(by_kings) {
            let wide = widened(weights.clone(), &from, &to, 3).unwrap();
            for fen in [
                Board::START_FEN,
                "r4rk1/1b3ppp/p7/1p1nq3/8/1B6/PPP2PPP/R2QR1K1 b - - 0 1",
                "8/5k2/8/3p4/3P4/8/1K6/8 w - - 0 1",
            ] {
                let worth = Worth { score: 0, expected: 0.5, returned: 0.5, half_points: 1 };
                let record = Record::new(&Position::from_fen(fen).unwrap(), worth).unwrap();
                let said = output(&from, weights, &weights.merged_features(), &record);
                let again = output(&to, &wide, &wide.merged_features(), &record);
                assert!(said.abs() > 0.01 && (said - again).abs() < 1e-4, "{to} {fen}: {said} {again}");
            }
            if to.hidden > from.hidden {
                let seen = &wide.merged_features()[from.hidden..to.hidden];
                assert!(seen.iter().all(|&weight| weight != 0.0), "{to}");
            }
        }
    }

    #[test]
    fn with_another_scale_the_values_stay_and_weights_beyond_the_limit_are_cut() {
        let from = architecture(32, 1, 1);
        let mut weights = of_network(&Network::random(from, 7).unwrap());
        // None comes to the limit.
        weights.outputs.iter_mut().for_each(|weight| *weight *= 0.25);
        let record = Record::new(
            &Position::default(),
            Worth { score: 0, expected: 0.5, returned: 0.5, half_points: 1 },
        )
        .unwrap();
        let value = |of: &Architecture, weights: &Parameters| {
            output(of, weights, &weights.merged_features(), &record) * f32::from(of.scale)
        };
        let said = value(&from, &weights);
        for scale in [from.scale / 2, from.scale * 3] {
            let to = Architecture { scale, ..architecture(64, 4, 8) };
            let other = widened(weights.clone(), &from, &to, 3).unwrap();
            let again = value(&to, &other);
            assert!(said.abs() > 1.0 && (said - again).abs() < 0.05, "{scale}: {said} {again}");
        }
        weights.outputs[0] = -1.5;
        let to = Architecture { scale: from.scale / 2, ..from };
        assert_eq!(widened(weights, &from, &to, 3).unwrap().outputs[0], -WEIGHT_LIMIT);
    }

    #[test]
    fn what_would_be_lost_is_refused() {
        let from = architecture(64, 2, 4);
        let weights = of_network(&Network::random(from, 7).unwrap());
        let plain = Settings { inputs: Inputs::Plain, ..Settings::default() }.architecture();
        let threats = Architecture { inputs: Inputs::Threats, ..from };
        for to in [architecture(32, 2, 4), architecture(64, 4, 4), architecture(64, 2, 8), plain, threats] {
            let told = widened(weights.clone(), &from, &to, 3).unwrap_err();
            assert!(told.contains(&from.to_string()) && told.contains(&to.to_string()), "{told}");
            assert!(told.ends_with("from mirrored only where there is one king bucket"), "{told}");
        }
        let marks = Architecture { inputs: Inputs::Marks, ..threats };
        let weights = of_network(&Network::random(marks, 7).unwrap());
        let exposure = Architecture { inputs: Inputs::Exposure, ..threats };
        let other_kings = Architecture { king_table: std::array::from_fn(|at| (at % 2) as u8), ..exposure };
        for to in [threats, other_kings] {
            assert!(widened(weights.clone(), &marks, &to, 3).is_err());
        }
        assert!(widened(weights, &marks, &exposure, 3).is_ok());
        let weights = of_network(&Network::random(plain, 7).unwrap());
        for inputs in [Inputs::Mirrored, Inputs::Threats] {
            assert!(widened(weights.clone(), &plain, &Architecture { inputs, ..plain }, 3).is_err());
        }
        let deep = Architecture { deep: true, ..plain };
        assert!(widened(weights, &deep, &plain, 3).unwrap_err().contains("without --deep"));
    }

    #[test]
    fn with_another_scale_deep_layers_and_biases_keep_what_they_say() {
        let from = Architecture { deep: true, ..architecture(32, 1, 1) };
        let mut weights = of_network(&Network::random(from, 9).unwrap());
        weights.outputs.fill(0.0);
        let record = Record::new(
            &Position::default(),
            Worth { score: 0, expected: 0.5, returned: 0.5, half_points: 1 },
        )
        .unwrap();
        let to = Architecture { scale: 2 * from.scale, ..from };
        let value = |of: &Architecture, weights: &Parameters| {
            output(of, weights, &weights.merged_features(), &record) * f32::from(of.scale)
        };
        for bias in [0.0, 0.75] {
            weights.output_biases[0] = bias;
            let said = value(&from, &weights);
            let again = value(&to, &widened(weights.clone(), &from, &to, 3).unwrap());
            assert!(said.abs() > 1.0 && (said - again).abs() < 0.05, "{bias}: {said} {again}");
        }
    }
}
