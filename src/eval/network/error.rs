//! Why a file is no network that can be used.

use std::fmt;

/// What is wrong with a network or its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The system has not got the memory for its numbers: bytes.
    Memory(usize),
    /// Shorter than a header, or than the header says: bytes there, bytes expected.
    Truncated(usize, usize),
    /// Longer than the header says: bytes there, bytes expected.
    TooLong(usize, usize),
    /// It does not begin as our files do.
    Foreign,
    /// The checksum is another: written in the file, found.
    Damaged(u32, u32),
    /// A field has a value that this program does not know or that cannot be.
    Field {
        /// Which.
        field: &'static str,
        /// What it is.
        value: u64,
        /// What it may be.
        expected: &'static str,
    },
    /// Not as many numbers as the architecture says: of which part, there, expected.
    Count(&'static str, usize, usize),
    /// An output weight that is too large: its place, its value.
    OutputWeight(usize, i16),
    /// A number of the deep layers behind the first one's weights that is none or too large: its place.
    DeepWeight(usize),
    /// Some position could make this sum of the hidden layer overflow: which, the sum.
    HiddenSum(usize, i32),
    /// Some sums could make the output of this bucket overflow: which, the output in units of 1/(QA QA QB).
    OutputSum(usize, i64),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NetworkError::Memory(bytes) => {
                write!(f, "the memory for {bytes} bytes of weights cannot be had")
            }
            NetworkError::Truncated(there, expected) => {
                write!(f, "the file is cut short: {there} bytes instead of {expected}")
            }
            NetworkError::TooLong(there, expected) => {
                write!(f, "the file has {there} bytes where its header says {expected}")
            }
            NetworkError::Foreign => {
                f.write_str("this is no Adoube network (it does not begin with 'AdoubeNN'); networks of other programs do not fit")
            }
            NetworkError::Damaged(written, found) => {
                write!(f, "the file is damaged: its checksum is {found:08x} where {written:08x} is written")
            }
            NetworkError::Field { field, value, expected } => {
                write!(f, "the {field} is {value}; expected {expected}")
            }
            NetworkError::Count(part, there, expected) => {
                write!(f, "there are {there} {part}; the architecture has {expected}")
            }
            NetworkError::OutputWeight(index, weight) => {
                write!(f, "output weight {index} is {weight}; it may be 127 at most either way")
            }
            NetworkError::DeepWeight(index) => {
                write!(f, "number {index} of the deep layers is none, or beyond 1000 either way")
            }
            NetworkError::HiddenSum(neuron, sum) => {
                write!(f, "hidden sum {neuron} could become {sum}, which sixteen bits do not hold; train with smaller weights, as come of a lower rate")
            }
            NetworkError::OutputSum(bucket, sum) => {
                write!(f, "the output of bucket {bucket} could become {sum}, which 32 bits do not hold; train with smaller weights, as come of a lower rate")
            }
        }
    }
}

impl std::error::Error for NetworkError {}
