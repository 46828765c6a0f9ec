//! The file: a header of 64 bytes, then the numbers, everything little-endian.
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `AdoubeNN` |
//! | 8 | 2 | version, 1 |
//! | 10 | 1 | inputs: 1 plain, 2 mirrored, 3 mirrored with threatened pieces apart, 4 those with marks, 5 exposures with marks |
//! | 11 | 1 | king buckets |
//! | 12 | 2 | hidden size |
//! | 14 | 1 | output buckets |
//! | 15 | 1 | activation: 1 clamp to 0 to 1, then square |
//! | 16 | 2 | QA, 255 |
//! | 18 | 2 | QB, 64 |
//! | 20 | 2 | scale |
//! | 22 | 4 | bytes of the payload |
//! | 26 | 4 | CRC-32 of the whole file with these four bytes zero |
//! | 30 | 8 | id, free |
//! | 38 | 1 | 1 if there are deep layers, else 0 |
//! | 39 | 25 | zero |
//!
//! With more than one king bucket the king table (32 bytes) follows. Then the payload: feature weights, biases and
//! output weights (two bytes a number), output biases (four), in the order of [`Weights`]; with deep layers the weights of
//! the first (one byte) and the others (floats, four).

use super::{Architecture, DeepWeights, Inputs, Network, NetworkError, QA, QB, Weights, unpack};

const MAGIC: &[u8; 8] = b"AdoubeNN";
const VERSION: u16 = 1;
const HEADER: usize = 64;
const ACTIVATION: u8 = 1;
const CRC_AT: usize = 26;
const ID_AT: usize = 30;
const ID_END: usize = ID_AT + 8;
const DEEP_AT: usize = ID_END;

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..CRC_AT]);
    crc.update(&[0; 4]);
    crc.update(&bytes[CRC_AT + 4..]);
    crc.finalize()
}

/// A field that has only one value so far, or two.
fn expect(field: &'static str, value: u64, right: bool, expected: &'static str) -> Result<(), NetworkError> {
    if right { Ok(()) } else { Err(NetworkError::Field { field, value, expected }) }
}

/// Reads the fields, and says how long the whole file must be; the payload is its end.
fn read_header(bytes: &[u8]) -> Result<(Architecture, usize), NetworkError> {
    let begin = &bytes[..bytes.len().min(MAGIC.len())];
    if bytes.is_empty() {
        return Err(NetworkError::Truncated(0, HEADER));
    }
    if begin != &MAGIC[..begin.len()] {
        return Err(NetworkError::Foreign);
    }
    if bytes.len() < HEADER {
        return Err(NetworkError::Truncated(bytes.len(), HEADER));
    }
    let version = u16_at(bytes, 8);
    expect("format version", version.into(), version == VERSION, "1; a newer Adoube may read this file")?;
    let inputs = match bytes[10] {
        1 => Inputs::Plain,
        2 => Inputs::Mirrored,
        3 => Inputs::Threats,
        4 => Inputs::Marks,
        5 => Inputs::Exposure,
        other => {
            let expected = "1 (plain), 2 (mirrored), 3 (and threatened pieces apart), 4 (and marks) or 5 (exposures and marks)";
            return Err(NetworkError::Field { field: "kind of inputs", value: other.into(), expected });
        }
    };
    expect("activation", bytes[15].into(), bytes[15] == ACTIVATION, "1 (clamped and squared)")?;
    let (qa, qb) = (u16_at(bytes, 16), u16_at(bytes, 18));
    expect("quantisation of the sums", qa.into(), i32::from(qa) == QA, "255")?;
    expect("quantisation of the output weights", qb.into(), i32::from(qb) == QB, "64")?;
    let deep = bytes[DEEP_AT];
    expect("mark of deep layers", deep.into(), deep < 2, "0 (none) or 1")?;
    let reserved = bytes[DEEP_AT + 1..HEADER].iter().find(|&&byte| byte != 0).copied().unwrap_or(0);
    expect("reserved bytes", reserved.into(), reserved == 0, "0; a newer Adoube may read this file")?;
    let mut architecture = Architecture {
        inputs,
        king_buckets: bytes[11].into(),
        king_table: [0; 32],
        hidden: u16_at(bytes, 12).into(),
        output_buckets: bytes[14].into(),
        deep: deep == 1,
        scale: u16_at(bytes, 20),
    };
    let mut length = HEADER;
    if architecture.king_buckets > 1 {
        length += architecture.king_table.len();
        let table = bytes.get(HEADER..length).ok_or(NetworkError::Truncated(bytes.len(), length))?;
        architecture.king_table.copy_from_slice(table);
    }
    architecture.check()?;
    let payload = u32_at(bytes, 22);
    let right = payload as usize == architecture.payload_bytes();
    expect("payload length", payload.into(), right, "what the sizes in the header come to")?;
    Ok((architecture, length + architecture.payload_bytes()))
}

impl Network {
    /// Reads a file's content.
    ///
    /// # Errors
    /// If it is no network, cut short or damaged, of a kind that this program does not know, or could overflow.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (architecture, length) = read_header(bytes)?;
        if bytes.len() < length {
            return Err(NetworkError::Truncated(bytes.len(), length));
        }
        if bytes.len() > length {
            return Err(NetworkError::TooLong(bytes.len(), length));
        }
        let (written, found) = (u32_at(bytes, CRC_AT), checksum(bytes));
        if written != found {
            return Err(NetworkError::Damaged(written, found));
        }
        // The numbers are taken apart, packed and laid on pages. Here it can be told that there is no room for that.
        let mut room = Vec::<u8>::new();
        if room.try_reserve_exact(4 * length).is_err() {
            return Err(NetworkError::Memory(length));
        }
        // Else the compiler takes for granted that there is.
        drop(std::hint::black_box(room));
        let mut rest = &bytes[length - architecture.payload_bytes()..];
        let mut take = |count: usize| {
            let (here, after) = rest.split_at(count);
            rest = after;
            here
        };
        let small = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two)).collect();
        let [features, biases, outputs, output_biases] = architecture.sizes();
        let [first, rest] = architecture.deep_sizes();
        let weights = Weights {
            features: small(take(2 * features)),
            biases: small(take(2 * biases)),
            outputs: small(take(2 * outputs)),
            output_biases: take(4 * output_biases)
                .as_chunks()
                .0
                .iter()
                .map(|&four| i32::from_le_bytes(four))
                .collect(),
            deep: DeepWeights {
                first: take(first).iter().map(|&byte| byte.cast_signed()).collect(),
                rest: take(4 * rest).as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect(),
            },
        };
        let mut id = [0; 8];
        id.copy_from_slice(&bytes[ID_AT..ID_END]);
        Network::new(architecture, &weights, id)
    }

    /// The file's content.
    pub fn write(&self) -> Vec<u8> {
        let Architecture { inputs, king_buckets, king_table, hidden, output_buckets, deep, scale } =
            self.architecture;
        let payload = self.architecture.payload_bytes();
        let mut bytes = Vec::with_capacity(HEADER + king_table.len() + payload);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([inputs as u8, king_buckets as u8]);
        bytes.extend((hidden as u16).to_le_bytes());
        bytes.extend([output_buckets as u8, ACTIVATION]);
        bytes.extend((QA as u16).to_le_bytes());
        bytes.extend((QB as u16).to_le_bytes());
        bytes.extend(scale.to_le_bytes());
        bytes.extend((payload as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.id);
        bytes.push(deep.into());
        bytes.resize(HEADER, 0);
        if king_buckets > 1 {
            bytes.extend(king_table);
        }
        for part in [&self.features[..], &self.biases, &self.outputs] {
            bytes.extend(unpack(part).into_iter().flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let deep = self.deep_weights();
        bytes.extend(deep.first.iter().map(|weight| weight.cast_unsigned()));
        bytes.extend(deep.rest.iter().flat_map(|number| number.to_le_bytes()));
        let crc = checksum(&bytes);
        bytes[CRC_AT..CRC_AT + 4].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets() -> Architecture {
        let mut architecture = Architecture::new(Inputs::Mirrored, 64, 3);
        architecture.king_buckets = 4;
        architecture.king_table = std::array::from_fn(|square| (square % 4) as u8);
        architecture
    }

    /// Writes a change into a file so that the checksum is right again.
    fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        let crc = checksum(&bytes);
        bytes[CRC_AT..CRC_AT + 4].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let threats = Architecture { inputs: Inputs::Threats, ..buckets() };
        let marks = Architecture { inputs: Inputs::Marks, ..buckets() };
        let exposure = Architecture { inputs: Inputs::Exposure, ..buckets() };
        let deep = Architecture { deep: true, ..exposure };
        for architecture in
            [Architecture::new(Inputs::Plain, 32, 1), buckets(), threats, marks, exposure, deep]
        {
            let network = Network::random(architecture, 7).unwrap();
            let bytes = network.write();
            let again = Network::read(&bytes).unwrap();
            assert!(again == network && again.write() == bytes);
            assert_eq!(again.weights(), network.weights());
            assert_eq!(again.id(), 7u64.to_be_bytes());
        }
    }

    #[test]
    fn every_truncation_and_every_damaged_byte_is_found() {
        let bytes = Network::random(buckets(), 1).unwrap().write();
        let step = 977;
        for length in (0..200).chain((200..bytes.len()).step_by(step)) {
            let read = Network::read(&bytes[..length]);
            assert!(matches!(read, Err(NetworkError::Truncated(there, _)) if there == length), "{read:?}");
        }
        for at in (0..200).chain((200..bytes.len()).step_by(step)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Network::read(&damaged).is_err(), "byte {at}");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert!(matches!(Network::read(&longer), Err(NetworkError::TooLong(..))));
    }

    #[test]
    fn foreign_files_and_unknown_kinds_are_named() {
        let bytes = Network::random(Architecture::new(Inputs::Plain, 32, 1), 1).unwrap().write();
        assert_eq!(Network::read(b"\x7fELF"), Err(NetworkError::Foreign));
        assert_eq!(Network::read(&[0; 5_000]), Err(NetworkError::Foreign));
        assert_eq!(Network::read(b""), Err(NetworkError::Truncated(0, HEADER)));
        for (at, new, name) in [
            (8, &[2, 0][..], "format version"),
            (10, &[9], "kind of inputs"),
            (11, &[0], "king buckets"),
            (12, &[33, 0], "hidden size"),
            (12, &[0, 0], "hidden size"),
            (12, &[0, 255], "hidden size"),
            (14, &[9], "output buckets"),
            (15, &[2], "activation"),
            (16, &[181, 0], "quantisation of the sums"),
            (18, &[65, 0], "quantisation of the output weights"),
            (20, &[0, 0], "scale"),
            (22, &[255, 255, 255, 255], "payload length"),
            (38, &[1], "payload length"),
            (38, &[2], "mark of deep layers"),
            (39, &[1], "reserved bytes"),
            (63, &[128], "reserved bytes"),
        ] {
            match Network::read(&with(&bytes, at, new)) {
                Err(NetworkError::Field { field, .. }) => assert_eq!(field, name),
                other => panic!("{name}: {other:?}"),
            }
        }
        let plain_with_table = [&with(&bytes, 11, &[2])[..], &[0; 32]].concat();
        assert!(matches!(
            Network::read(&plain_with_table),
            Err(NetworkError::Field { field: "king buckets", .. })
        ));
        let bytes = Network::random(buckets(), 1).unwrap().write();
        let beyond = with(&bytes, HEADER + 3, &[4]);
        assert!(matches!(Network::read(&beyond), Err(NetworkError::Field { field: "king table entry", .. })));
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let architecture = Architecture::new(Inputs::Mirrored, 32, 2);
        let good = Network::random(architecture, 3).unwrap().weights();
        let new = |change: &dyn Fn(&mut Weights)| {
            let mut weights = good.clone();
            change(&mut weights);
            Network::new(architecture, &weights, [0; 8]).map(|_| ())
        };
        assert_eq!(new(&|_| ()), Ok(()));
        assert_eq!(new(&|weights| weights.outputs[5] = -128), Err(NetworkError::OutputWeight(5, -128)));
        let hidden = |weight: i16| {
            new(&move |weights| weights.features.iter_mut().skip(9).step_by(32).for_each(|w| *w = weight))
        };
        assert!(matches!(hidden(1_100), Err(NetworkError::HiddenSum(9, _))));
        assert!(matches!(hidden(-1_100), Err(NetworkError::HiddenSum(9, _))));
        assert_eq!(hidden(1_000), Ok(()));
        // Only one piece stands on a square, so twelve large weights there count once.
        let one_square = |weights: &mut Weights| {
            for plane in 0..12 {
                weights.features[(plane * 64 + 20) * 32] = 20_000;
            }
        };
        assert_eq!(new(&one_square), Ok(()));
        assert!(matches!(
            new(&|weights| {
                one_square(weights);
                weights.features[21 * 32] = 20_000;
            }),
            Err(NetworkError::HiddenSum(0, _))
        ));
        assert!(matches!(
            new(&|w| {
                w.biases.pop();
            }),
            Err(NetworkError::Count("biases", 31, 32))
        ));
        // A position has threatened pieces and others, and such as are exposed in any way.
        for (inputs, last) in [(Inputs::Threats, 1), (Inputs::Exposure, 12)] {
            let apart = Architecture { inputs, ..architecture };
            let mut weights = Network::random(apart, 3).unwrap().weights();
            for feature in [20, last * 768 + 21] {
                weights.features[feature * 32] = 20_000;
            }
            assert!(matches!(Network::new(apart, &weights, [0; 8]), Err(NetworkError::HiddenSum(0, _))));
        }
        // All marks may be there at once; those that go the other way do not help.
        let marks = Architecture { inputs: Inputs::Marks, ..architecture };
        let mut weights = Network::random(marks, 3).unwrap().weights();
        let mut set = |rows: std::ops::Range<usize>, weight: i16| {
            for row in 0..marks.inputs.marks() {
                let at = (marks.sets() * 768 + row) * 32 + 5;
                weights.features[at] = if rows.contains(&row) { weight } else { 0 };
            }
            Network::new(marks, &weights, [0; 8])
        };
        assert!(set(0..marks.inputs.marks(), 400).is_ok());
        assert!(matches!(set(0..marks.inputs.marks(), 500), Err(NetworkError::HiddenSum(5, _))));
        assert!(matches!(set(0..marks.inputs.marks(), -500), Err(NetworkError::HiddenSum(5, _))));
        assert!(matches!(set(0..8, 5_000), Err(NetworkError::HiddenSum(5, _))));
        assert!(set(0..4, 5_000).is_ok());
        // Floats must be numbers, and not so large that sums of theirs could be none.
        let deep = Architecture { deep: true, ..architecture };
        for (number, good) in [(1000.0, true), (1000.1, false), (f32::NEG_INFINITY, false), (f32::NAN, false)]
        {
            let mut weights = Network::random(deep, 3).unwrap().weights();
            weights.deep.rest[7] = number;
            let made = Network::new(deep, &weights, [0; 8]);
            assert_eq!(made.is_ok(), good, "{number}");
            assert!(good || matches!(made, Err(NetworkError::DeepWeight(7))), "{made:?}");
        }
        let without = Network::new(deep, &good, [0; 8]);
        assert!(
            matches!(without, Err(NetworkError::Count("weights of the first deep layer", 0, 2_048))),
            "{without:?}"
        );
        let noisy = Network::material(architecture, i16::MAX, 1);
        assert!(matches!(noisy, Err(NetworkError::HiddenSum(..))), "{noisy:?}");
        let wide = Architecture::new(Inputs::Plain, 256, 1);
        let mut weights = Network::random(wide, 3).unwrap().weights();
        weights.outputs.fill(100);
        assert!(matches!(Network::new(wide, &weights, [0; 8]), Err(NetworkError::OutputSum(0, _))));
        // Half of them the other way: the whole sum fits.
        weights.outputs[256..].fill(-100);
        assert!(Network::new(wide, &weights, [0; 8]).is_ok());
    }

    #[test]
    fn sums_of_thirty_two_pieces_and_the_bias_just_fit() {
        let architecture = Architecture::new(Inputs::Mirrored, 32, 1);
        let new = |weight: i16, bias: i16| {
            let mut weights = Network::zero(architecture).unwrap().weights();
            weights.features.iter_mut().step_by(32).for_each(|there| *there = weight);
            weights.biases[0] = bias;
            Network::new(architecture, &weights, [0; 8]).map(|_| ())
        };
        assert_eq!((new(1_023, 31), new(-1_024, 0)), (Ok(()), Ok(())));
        assert_eq!(new(1_023, 32), Err(NetworkError::HiddenSum(0, 32_768)));
        assert_eq!(new(-1_024, -1), Err(NetworkError::HiddenSum(0, -32_769)));
    }
}
