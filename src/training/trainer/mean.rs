//! Several networks as one: those that were trained on from the same weights are often better together than each alone
//! (M. Wortsman and others, "Model soups: averaging weights of multiple fine-tuned models improves accuracy without
//! increasing inference time", 2022, <https://arxiv.org/abs/2203.05482>).

use super::export;
use crate::eval::network::{Architecture, DeepWeights, Network, NetworkError, Weights};
use std::fmt;
use std::sync::Arc;

/// Why networks have no mean.
#[derive(Debug)]
pub enum MeanError {
    /// There are none.
    Nothing,
    /// One has not the architecture of the first: its place from 0, its architecture, the first one's.
    Differs(usize, Box<[Architecture; 2]>),
    /// The mean is no network that can be used.
    Network(NetworkError),
}

impl fmt::Display for MeanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeanError::Nothing => f.write_str("there is no network to take the mean of"),
            MeanError::Differs(place, architectures) => {
                let [its, first] = architectures.as_ref();
                write!(
                    f,
                    "network {} is {its}, scale {}; the first is {first}, scale {}",
                    place + 1,
                    its.scale,
                    first.scale
                )?;
                if its.king_table != first.king_table {
                    f.write_str(", with other king buckets")?;
                }
                Ok(())
            }
            MeanError::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MeanError {}

/// The network whose numbers are the means of these networks' numbers, rounded to the nearest, halves to the even one (floats are not); as
/// [`export::with_id_of`] makes it.
///
/// # Errors
/// If there are none, they are not all of one architecture (size, inputs, king buckets and scale), or the mean could
/// overflow.
pub fn mean(networks: &[Arc<Network>]) -> Result<Network, MeanError> {
    let first = networks.first().ok_or(MeanError::Nothing)?;
    let architecture = *first.architecture();
    if let Some(place) = networks.iter().position(|network| *network.architecture() != architecture) {
        return Err(MeanError::Differs(place, Box::new([*networks[place].architecture(), architecture])));
    }
    let all: Vec<Weights> = networks.iter().map(|network| network.weights()).collect();
    let share = |sum: i64| (sum as f64 / all.len() as f64).round_ties_even();
    let small = |part: fn(&Weights) -> &[i16]| -> Vec<i16> {
        let number = |index| share(all.iter().map(|weights| i64::from(part(weights)[index])).sum()) as i16;
        (0..part(&all[0]).len()).map(number).collect()
    };
    let first = |index| share(all.iter().map(|weights| i64::from(weights.deep.first[index])).sum()) as i8;
    let rest = |index: usize| {
        let sum: f64 = all.iter().map(|weights| f64::from(weights.deep.rest[index])).sum();
        (sum / all.len() as f64) as f32
    };
    let weights = Weights {
        features: small(|weights| &weights.features),
        biases: small(|weights| &weights.biases),
        outputs: small(|weights| &weights.outputs),
        output_biases: (0..all[0].output_biases.len())
            .map(|index| {
                share(all.iter().map(|weights| i64::from(weights.output_biases[index])).sum()) as i32
            })
            .collect(),
        deep: DeepWeights {
            first: (0..all[0].deep.first.len()).map(first).collect(),
            rest: (0..all[0].deep.rest.len()).map(rest).collect(),
        },
    };
    export::with_id_of(&architecture, &weights).map_err(MeanError::Network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Inputs;

    #[test]
    fn every_number_is_the_mean_and_halves_go_to_the_even_one() {
        let architecture = Architecture { deep: true, ..Architecture::new(Inputs::Threats, 32, 2) };
        let [one, two, three] = [1, 2, 3].map(|seed| Arc::new(Network::random(architecture, seed).unwrap()));
        let [a, b, c] = [&one, &two, &three].map(|network| network.weights());
        let of_two = mean(&[one.clone(), two.clone()]).unwrap().weights();
        let (mut halves, mut outputs) = (0, 0);
        for ((mean, a), b) in of_two.features.iter().zip(&a.features).zip(&b.features) {
            let sum = i32::from(*a) + i32::from(*b);
            match sum.rem_euclid(2) {
                0 => assert_eq!(2 * i32::from(*mean), sum),
                _ => {
                    halves += 1;
                    assert!(mean % 2 == 0 && (2 * i32::from(*mean) - sum).abs() == 1, "{a} {b} {mean}");
                }
            }
        }
        // One that is named twice counts twice.
        let of_four = mean(&[one.clone(), two, one.clone(), three]).unwrap();
        assert_ne!(of_four.id(), one.id());
        let of_four = of_four.weights();
        for (index, mean) in of_four.output_biases.iter().enumerate() {
            let sum = 2 * a.output_biases[index] + b.output_biases[index] + c.output_biases[index];
            assert!((4 * mean - sum).abs() <= 2, "{mean} {sum}");
        }
        for (part, [a, b, c]) in [
            (&of_four.biases, [&a.biases, &b.biases, &c.biases]),
            (&of_four.outputs, [&a.outputs, &b.outputs, &c.outputs]),
        ] {
            for (index, &mean) in part.iter().enumerate() {
                let sum = 2 * i32::from(a[index]) + i32::from(b[index]) + i32::from(c[index]);
                assert!((4 * i32::from(mean) - sum).abs() <= 2, "{mean} {sum}");
                outputs += 1;
            }
        }
        let deep = [&of_four, &a, &b, &c].map(|weights| &weights.deep);
        for index in 0..deep[0].first.len() {
            let [mean, a, b, c] = deep.map(|deep| i32::from(deep.first[index]));
            assert!((4 * mean - (2 * a + b + c)).abs() <= 2, "{mean} {a} {b} {c}");
        }
        for index in 0..deep[0].rest.len() {
            let [mean, a, b, c] = deep.map(|deep| deep.rest[index]);
            assert!((4.0 * mean - (2.0 * a + b + c)).abs() < 1e-5, "{mean} {a} {b} {c}");
        }
        assert!(deep[0].first.len() == 2 * 16 * 64 && deep[0].rest.len() == 2 * 1_104);
        assert!(halves > 1_000 && outputs == 32 + 2 * 2 * 32, "{halves} {outputs}");
    }

    #[test]
    fn only_networks_of_one_kind_have_a_mean() {
        let network = |architecture| Arc::new(Network::random(architecture, 1).unwrap());
        let first = Architecture::new(Inputs::Mirrored, 32, 1);
        for other in [
            Architecture::new(Inputs::Mirrored, 64, 1),
            Architecture::new(Inputs::Threats, 32, 1),
            Architecture::new(Inputs::Mirrored, 32, 2),
            Architecture { scale: 200, ..first },
            Architecture { deep: true, ..first },
        ] {
            let error = mean(&[network(first), network(first), network(other)]).unwrap_err();
            assert!(matches!(error, MeanError::Differs(2, _)), "{error}");
            assert!(error.to_string().starts_with("network 3 is (768"), "{error}");
        }
        assert!(matches!(mean(&[]), Err(MeanError::Nothing)));
    }
}
