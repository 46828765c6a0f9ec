//! Output weights and biases that make up for what rounding does.

use super::*;

/// A network whose values are told exactly, and positions enough for all of its output weights.
fn fine(output_buckets: usize) -> (Architecture, Parameters, Vec<Record>) {
    let settings = Settings { hidden: 32, output_buckets, scale: 4_000, ..Settings::default() };
    let architecture = settings.architecture();
    (architecture, Parameters::random(&architecture, 4), records(&games(6, 60, 160), 400.0))
}

/// By how much the network's values are too low on average.
fn too_low(
    architecture: &Architecture,
    parameters: &Parameters,
    outputs: Option<&rounding::Outputs>,
    records: &[Record],
) -> f32 {
    let network = export::quantise(architecture, parameters, outputs).unwrap();
    let (weights, features) = (network.weights(), parameters.merged_features());
    let each = records.iter().map(|record| {
        let exact = 4_000.0 * model::output(architecture, parameters, &features, record);
        exact - export::value(&network, &weights, record) as f32
    });
    each.sum::<f32>() / records.len() as f32
}

#[test]
fn few_positions_move_no_weight_and_hardly_any_nothing_at_all() {
    let (architecture, parameters, records) = fine(1);
    let nearest = export::quantise(&architecture, &parameters, None).unwrap().weights();
    let fit = |count: usize| {
        rounding::fit(&architecture, &parameters, &nearest, &records[..count], &mut || false).unwrap()
    };
    // Asked to stop behind the first look, where the sums of products would be made.
    let mut looks = 0;
    let is_stopped = &mut || {
        looks += 1;
        looks > 1
    };
    assert_eq!(rounding::fit(&architecture, &parameters, &nearest, &records, is_stopped), None);
    let hardly = fit(99);
    assert!(hardly.weights == nearest.outputs && hardly.biases == nearest.output_biases);
    let few = fit(511);
    assert!(few.weights == nearest.outputs && few.biases != nearest.output_biases);
    assert!(fit(512).weights != nearest.outputs);
    let low = |outputs| too_low(&architecture, &parameters, outputs, &records[..511]);
    assert!(low(Some(&few)).abs() < 0.75 && low(None).abs() > 3.0, "{} {}", low(Some(&few)), low(None));
}

#[test]
fn each_set_of_output_weights_is_fitted_on_its_own_positions() {
    let (architecture, parameters, records) = fine(2);
    let nearest = export::quantise(&architecture, &parameters, None).unwrap().weights();
    let outputs = rounding::fit(&architecture, &parameters, &nearest, &records, &mut || false).unwrap();
    for bucket in 0..2 {
        let own = records.iter().filter(|record| architecture.output_bucket(record.count() as u32) == bucket);
        let own: Vec<Record> = own.copied().collect();
        assert!(own.len() > 600, "{}", own.len());
        let low = too_low(&architecture, &parameters, Some(&outputs), &own);
        assert!(low.abs() < 0.75, "bucket {bucket}: {low}");
    }
}

#[test]
fn fitted_weights_stay_in_the_range_of_the_file() {
    let (architecture, mut parameters, records) = fine(1);
    // Rounded down by a fifth, which the output weights can make up for only beyond their limit.
    for (at, weight) in parameters.features.iter_mut().enumerate() {
        *weight = if (at / 32 + at % 32) % 3 == 0 { 2.45 / 255.0 } else { 0.0 };
    }
    parameters.biases.fill(0.0);
    parameters.outputs.fill(1.98);
    let nearest = export::quantise(&architecture, &parameters, None).unwrap().weights();
    let outputs = rounding::fit(&architecture, &parameters, &nearest, &records, &mut || false).unwrap();
    assert_eq!(outputs.weights.iter().max(), Some(&127));
    export::quantise(&architecture, &parameters, Some(&outputs)).unwrap();
}

#[test]
fn the_largest_error_is_that_of_any_position() {
    let (architecture, parameters, records) = fine(1);
    let network = export::quantise(&architecture, &parameters, None).unwrap();
    let each = |record: &Record| export::rounding_error(&network, &parameters, &[*record]).largest;
    let largest = records[..300].iter().map(each).fold(0.0, f64::max);
    let found = export::rounding_error(&network, &parameters, &records[..300]);
    assert!(found.largest == largest && found.mean < largest, "{found:?} {largest}");
}
