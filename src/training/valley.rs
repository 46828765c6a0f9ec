//! Where a function is lowest, by golden section (J. Kiefer, "Sequential Minimax Search for a Maximum", 1953).

use std::ops::Range;

/// Where a function with one valley is lowest, about so exactly.
pub(super) fn lowest(range: Range<f64>, tolerance: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (range.start, range.end);
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    while high - low > tolerance {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if function(left) < function(right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

/// The same; nothing at an end of the range, for it may be lower still beyond it.
pub(super) fn valley(range: Range<f64>, tolerance: f64, function: impl Fn(f64) -> f64) -> Option<f64> {
    let place = lowest(range.clone(), tolerance, function);
    (range.start + tolerance < place && place < range.end - tolerance).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valley_is_found_and_an_end_of_the_range_is_none() {
        let of = |bottom: f64| valley(1.0..100.0, 0.01, |place| (place - bottom).powi(2));
        for bottom in [1.5, 30.0, 99.5] {
            assert!(
                of(bottom).is_some_and(|place| (place - bottom).abs() < 0.01),
                "{bottom}: {:?}",
                of(bottom)
            );
        }
        assert_eq!([of(-5.0), of(1.0), of(100.0), of(200.0)], [None; 4]);
        assert_eq!(valley(1.0..100.0, 0.01, |_| 0.0), None);
        assert!(lowest(1.0..100.0, 0.01, |place| place) < 1.01);
    }
}
