//! How well a network, as its file has it, foretells positions; for any network, so that an old one and a new one can be
//! compared on the same positions.

use super::export;
use super::kernel::sigmoid;
use super::record::Record;
use super::settings::Settings;
use crate::eval::network::Network;
use crate::eval::wdl;
use rayon::prelude::*;
use serde::Serialize;

/// What a network makes of positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Measure {
    /// The mean loss, with the target that a run ends with.
    pub loss: f64,
    /// The mean value without its sign, in hundredths of a pawn ([`wdl::centipawns_of`]).
    pub mean_centipawns: f64,
    /// Over so many positions.
    pub positions: usize,
}

/// Positions that one task looks at.
const CHUNK: usize = 1 << 12;

/// Measures a network on positions that were packed by a run with these settings, whose scale turns values into expected
/// points, whatever the network's own scale is. Nothing without positions. The same on any number of threads.
pub fn measure(network: &Network, settings: &Settings, records: &[Record]) -> Option<Measure> {
    let weights = network.weights();
    let chunk = |records: &[Record]| {
        let mut sums = [0.0; 2];
        for record in records {
            let value = export::value(network, &weights, record);
            let points = sigmoid(value as f32 / f32::from(settings.scale));
            let error = f64::from(points - record.target(settings.wdl[1] as f32)).abs();
            sums[0] += error.powf(settings.power);
            sums[1] += f64::from(value).abs();
        }
        sums
    };
    let sums: Vec<[f64; 2]> = records.par_chunks(CHUNK).map(chunk).collect();
    let mean = |which: usize| sums.iter().map(|sums| sums[which]).sum::<f64>() / records.len() as f64;
    (!records.is_empty()).then(|| Measure {
        loss: mean(0),
        mean_centipawns: wdl::centipawns_of(mean(1)),
        positions: records.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::Worth;
    use super::*;
    use crate::board::{Board, Position};
    use crate::eval::network::{Architecture, Inputs};

    const FENS: [&str; 3] = [
        Board::START_FEN,
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "8/8/8/4k3/8/8/3R4/3K4 w - - 0 60",
    ];

    fn records() -> Vec<Record> {
        let worth = [(0.5, 1), (0.1, 0), (0.8, 2)];
        let each = FENS.iter().zip(worth);
        each.map(|(fen, (expected, half_points))| {
            let returned = f32::from(half_points) / 2.0;
            let worth = Worth { score: 7, expected, returned, half_points };
            Record::new(&Position::from_fen(fen).unwrap(), worth).unwrap()
        })
        .collect()
    }

    #[test]
    fn a_network_that_knows_nothing_has_the_loss_of_even_chances() {
        // As records keep points.
        let kept = |points: f64| (points * 65_534.0).round() / 65_534.0;
        let (lost, won) = (0.5 - kept(0.1), kept(0.8) - 0.5);
        let zero = Network::zero(Architecture::new(Inputs::Mirrored, 32, 1)).unwrap();
        let settings = Settings { wdl: [0.9, 0.0], ..Settings::default() };
        let found = measure(&zero, &settings, &records()).unwrap();
        assert!((found.loss - (0.0 + lost * lost + won * won) / 3.0).abs() < 1e-7, "{found:?}");
        assert_eq!((found.mean_centipawns, found.positions), (0.0, 3));
        // Half of the target is the result: 0.5, 0.05 and 0.9 points.
        let settings = Settings { wdl: [0.0, 0.5], power: 1.0, ..settings };
        let found = measure(&zero, &settings, &records()).unwrap();
        assert!(
            (found.loss - (0.0 + (lost + 0.5) / 2.0 + (won + 0.5) / 2.0) / 3.0).abs() < 1e-7,
            "{found:?}"
        );
        assert_eq!(measure(&zero, &settings, &[]), None);
    }

    #[test]
    fn values_are_those_of_the_engine_and_count_by_the_scale_of_the_run() {
        let architecture = Architecture { scale: 300, ..Architecture::new(Inputs::Mirrored, 32, 2) };
        let network = Network::material(architecture, 2, 1).unwrap();
        let settings = Settings { scale: 500, wdl: [0.0, 0.0], ..Settings::default() };
        let values = FENS.map(|fen| f64::from(network.evaluate(&Position::from_fen(fen).unwrap())));
        assert!(values[1] < -500.0 && values[2] > 200.0, "{values:?}");
        let errors = values.iter().zip([0.5, 0.1, 0.8]).map(|(value, expected)| {
            let points = 1.0 / (1.0 + (-value / 500.0).exp());
            (points - expected).powi(2)
        });
        let loss = errors.sum::<f64>() / 3.0;
        let found = measure(&network, &settings, &records()).unwrap();
        assert!((found.loss - loss).abs() < 1e-6, "{found:?} {loss}");
        let mean = values.iter().map(|value| value.abs()).sum::<f64>() / 3.0;
        assert!((found.mean_centipawns - wdl::centipawns_of(mean)).abs() < 1e-9, "{found:?}");
    }
}
