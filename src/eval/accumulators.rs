//! The sums of a network along a line of moves, computed when somebody asks and from the last ones that are known.
//!
//! A question walks back to the nearest position whose sums are there and comes forward again, ply by ply: pieces that came
//! and went, such as are exposed in another way, and marks are added and taken away in one go. Where the own king has
//! changed the view (crossed the middle of a mirrored board, or gone to another bucket) the sums come from a cache
//! instead: for each view the sums of the last position that had it, brought up to date in the same way
//! (<https://www.chessprogramming.org/NNUE#Refreshing_the_Accumulators>).

use super::changes::{Changes, Placement, Starts};
use super::network::{Architecture, Lanes, Network};
use super::simd::Kernels;
use crate::board::Position;
use crate::types::{Color, Move, PieceType, Square};
use std::sync::Arc;

/// A position of the line.
#[derive(Clone, Debug)]
struct Ply {
    /// Whether the sums are there, and the tension is known.
    ready: bool,
    /// How each side sees it: the number of its view among those of both.
    views: [usize; Color::NUM],
    placement: Placement,
}

/// Both sides' sums at the end of a line of moves.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    network: Arc<Network>,
    kernels: &'static Kernels,
    /// Of the line, and behind its end room for more.
    plies: Vec<Ply>,
    /// The last of the line.
    last: usize,
    /// By ply, then side.
    sums: Vec<Lanes>,
    /// By view: where its rows of weights begin, and the last position that had it.
    starts: Vec<Starts>,
    cached: Vec<Placement>,
    cached_sums: Vec<Lanes>,
    /// What the move that was looked at last changed for both sides.
    changes: Changes<{ Color::NUM }>,
}

impl Accumulators {
    /// Ready for `root` and what follows from it.
    pub(super) fn new(network: Arc<Network>, kernels: &'static Kernels, root: &Position) -> Accumulators {
        let architecture = network.architecture();
        let views = Color::ALL.map(|side| number_of_view(architecture, side, root.king(side)));
        let starts: Vec<Starts> =
            architecture.all_views().into_iter().map(|view| Starts::new(&network, view)).collect();
        let mut accumulators = Accumulators {
            kernels,
            plies: vec![Ply { ready: false, views, placement: Placement::EMPTY }],
            last: 0,
            sums: vec![Lanes::ZERO; Color::NUM * network.lanes()],
            cached: vec![Placement::EMPTY; starts.len()],
            cached_sums: network.biases().repeat(starts.len()),
            starts,
            changes: Changes::NONE,
            network,
        };
        accumulators.plies[0].placement.board = *root.board();
        accumulators.bring_up_to_date();
        accumulators
    }

    /// Plays a legal move of the position at the end of the line, and returns the position after it.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move) -> Position {
        let next = position.after(mv);
        let mut views = self.plies[self.last].views;
        if position.kind_on(mv.from()) == Some(PieceType::King) {
            let side = position.side_to_move();
            views[side.index()] = number_of_view(self.network.architecture(), side, next.king(side));
        }
        self.last += 1;
        if self.plies.len() == self.last {
            self.plies.push(Ply { ready: false, views, placement: Placement::EMPTY });
            self.sums.resize(self.sums.len() + Color::NUM * self.network.lanes(), Lanes::ZERO);
        }
        let ply = &mut self.plies[self.last];
        (ply.ready, ply.views, ply.placement.board) = (false, views, *next.board());
        next
    }

    /// Takes the last move back; nothing, at the root.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.last = self.last.saturating_sub(1);
    }

    /// What the network says of the position at the end of the line for its side to move, in internal units.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        if !self.plies[self.last].ready {
            self.bring_up_to_date();
        }
        let lanes = self.network.lanes();
        let at = Color::NUM * lanes * self.last;
        let (white, black) = self.sums[at..at + Color::NUM * lanes].split_at(lanes);
        let sums = match position.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let bucket = self.network.architecture().output_bucket(position.occupied().count());
        let (own, other) = self.network.outputs(bucket);
        let deep = self.network.deep(bucket).map_or(0, |deep| (self.kernels.deep)(sums, deep));
        self.network.value((self.kernels.output)(sums, [own, other]), deep, bucket)
    }

    /// Gets the sums of the last position.
    #[inline]
    fn bring_up_to_date(&mut self) {
        let mut first = self.last;
        while first > 0 && !self.plies[first - 1].ready {
            first -= 1;
        }
        for ply in first..=self.last {
            self.advance(ply);
        }
    }

    /// Gets the sums of a ply; those of the one before are there, if there is one.
    #[inline]
    fn advance(&mut self, ply: usize) {
        let (line, rest) = self.plies.split_at_mut(ply);
        let Some(here) = rest.first_mut() else { return };
        here.placement.tension = self.network.architecture().tension(&here.placement.board);
        here.ready = true;
        let (lanes, features) = (self.network.lanes(), self.network.features());
        let (before, sums) = self.sums.split_at_mut(Color::NUM * lanes * ply);
        let (white, black) = sums[..Color::NUM * lanes].split_at_mut(lanes);
        let last = line.last().map(|last| (last, before[Color::NUM * lanes * (ply - 1)..].split_at(lanes)));
        // Most often both sides see what the move changed, and only that.
        if let Some((last, (white_before, black_before))) = last.filter(|(last, _)| last.views == here.views)
        {
            let views = here.views.map(|view| &self.starts[view]);
            self.changes.find(&last.placement, &here.placement, views);
            let (came, went) = (self.changes.came(), self.changes.went());
            (self.kernels.update_both)([white, black], [white_before, black_before], features, came, went);
            return;
        }
        let mut changes = Changes::NONE;
        for (index, to) in [white, black].into_iter().enumerate() {
            let view = here.views[index];
            match last.filter(|(last, _)| last.views[index] == view) {
                Some((last, (white_before, black_before))) => {
                    changes.find(&last.placement, &here.placement, [&self.starts[view]]);
                    let from = [white_before, black_before][index];
                    (self.kernels.update)([to], [from], features, changes.came(), changes.went());
                }
                None => {
                    changes.find(&self.cached[view], &here.placement, [&self.starts[view]]);
                    self.cached[view] = here.placement;
                    let cached = &mut self.cached_sums[view * lanes..][..lanes];
                    (self.kernels.update)([to], [cached], features, changes.came(), changes.went());
                    cached.copy_from_slice(to);
                }
            }
        }
    }
}

/// The number of how `side` sees the board with its king on `king`.
#[inline(always)]
fn number_of_view(architecture: &Architecture, side: Color, king: Square) -> usize {
    side.index() * architecture.views() + architecture.view(side, king).index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{chess960, played_by_chance};
    use crate::eval::network::{Architecture, Inputs};
    use crate::types::{File, Piece};
    use proptest::prelude::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn architectures(hidden: usize) -> [Architecture; 6] {
        let mut bucketed = Architecture::new(Inputs::Mirrored, hidden, 8);
        bucketed.king_buckets = 5;
        bucketed.king_table = std::array::from_fn(|square| (square % 5) as u8);
        let mut exposure = Architecture { inputs: Inputs::Exposure, king_buckets: 3, deep: true, ..bucketed };
        exposure.king_table = std::array::from_fn(|square| (square % 3) as u8);
        [
            Architecture::new(Inputs::Plain, hidden, 1),
            Architecture::new(Inputs::Mirrored, hidden, 2),
            bucketed,
            Architecture { inputs: Inputs::Threats, ..bucketed },
            Architecture { inputs: Inputs::Marks, ..bucketed },
            exposure,
        ]
    }

    fn network(architecture: Architecture, seed: u64) -> Arc<Network> {
        Arc::new(Network::random(architecture, seed).unwrap())
    }

    /// Plays, takes back, passes, and asks now and then; the answer must be the definition's.
    fn walk(start: Position, network: &Arc<Network>, kernels: &'static Kernels, seed: u64, steps: usize) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut line = vec![start];
        // True for a move that the accumulators know of; passing changes no piece.
        let mut moves: Vec<bool> = vec![];
        let mut accumulators = Accumulators::new(network.clone(), kernels, &start);
        for _ in 0..steps {
            let position = *line.last().unwrap();
            let legal = position.legal_moves();
            match random.random_range(0..10) {
                0..=1 if !moves.is_empty() => {
                    line.pop();
                    if moves.pop() == Some(true) {
                        accumulators.unmake();
                    }
                }
                2 if !position.in_check() => {
                    line.push(position.after_null());
                    moves.push(false);
                }
                _ if !legal.is_empty() => {
                    // Kings and castling oftener than by chance.
                    let of_king: Vec<Move> = legal
                        .iter()
                        .copied()
                        .filter(|mv| mv.from() == position.king(position.side_to_move()))
                        .collect();
                    let mv = if !of_king.is_empty() && random.random_range(0..3) == 0 {
                        of_king[random.random_range(0..of_king.len())]
                    } else {
                        legal[random.random_range(0..legal.len())]
                    };
                    line.push(accumulators.make(&position, mv));
                    moves.push(true);
                }
                _ => {}
            }
            let position = line.last().unwrap();
            if random.random_range(0..3) == 0 {
                assert_eq!(accumulators.evaluate(position), network.evaluate(position), "{position:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn incremental_equals_the_definition(seed: u64, which in 0usize..6, game in 0u16..960, other in 0u16..960) {
            let start = Position::from(chess960::start(game, other));
            for kernels in Kernels::available() {
                let network = network(architectures(64)[which], seed);
                walk(start, &network, kernels, seed, 120);
            }
        }
    }

    #[test]
    fn every_size_and_form_gives_the_definitions_value() {
        let castling =
            Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
                .unwrap();
        for (seed, hidden) in [32, 64, 128, 256, 512].into_iter().enumerate() {
            for architecture in architectures(hidden) {
                let network = network(architecture, seed as u64);
                for kernels in Kernels::available() {
                    walk(castling, &network, kernels, seed as u64, 200);
                    walk(Position::default(), &network, kernels, seed as u64 + 100, 200);
                }
            }
        }
    }

    #[test]
    fn every_castling_move_keeps_the_sums_right() {
        let network = network(architectures(32)[1], 4);
        let mut castled = 0;
        for game in 0..960 {
            // Without queens, bishops and knights castling is possible at once.
            let full = chess960::start(game, 959 - game);
            let board = Square::ALL.into_iter().fold(full, |board, square| match board.kind_on(square) {
                Some(PieceType::Queen | PieceType::Bishop | PieceType::Knight) => board.without_piece(square),
                _ => board,
            });
            let position = Position::from(board);
            let mut accumulators = Accumulators::new(network.clone(), Kernels::best(), &position);
            for mv in position.legal_moves().iter().copied().filter(|mv| mv.is_castling()) {
                castled += 1;
                let next = accumulators.make(&position, mv);
                assert_eq!(accumulators.evaluate(&next), network.evaluate(&next));
                accumulators.unmake();
                assert_eq!(accumulators.evaluate(&position), network.evaluate(&position));
            }
        }
        assert!(castled > 900, "{castled}");
    }

    /// A rank with its ones added up, as FEN wants it.
    fn joined(mut rank: String) -> String {
        for empty in (2..=8).rev() {
            rank = rank.replace(&"1".repeat(empty), &empty.to_string());
        }
        rank
    }

    /// The position with every square changed by `change` and, if wanted, the colours swapped.
    fn reflected(position: &Position, change: impl Fn(Square) -> Square, swap: bool) -> Position {
        let mut ranks = vec![vec!['1'; 8]; 8];
        for square in position.occupied() {
            let piece = position.piece_on(square).unwrap();
            let color = if swap { !piece.color() } else { piece.color() };
            let to = change(square);
            ranks[7 - to.rank().index()][to.file().index()] = Piece::new(piece.kind(), color).letter();
        }
        let side = if swap { !position.side_to_move() } else { position.side_to_move() };
        let ranks: Vec<String> = ranks.into_iter().map(String::from_iter).map(joined).collect();
        Position::from_fen(&format!("{} {} - - 0 1", ranks.join("/"), side.letter())).unwrap()
    }

    #[test]
    fn colours_flip_and_files_mirror_exactly() {
        for (index, architecture) in architectures(64).into_iter().enumerate() {
            let network = network(architecture, 1);
            let mut mirror_differs = false;
            for position in played_by_chance(9).take(200) {
                let flipped = reflected(&position, Square::flip_rank, true);
                assert_eq!(network.evaluate(&position), network.evaluate(&flipped));
                let file =
                    |square: Square| Square::new(File::from_index(7 - square.file() as u8), square.rank());
                let mirrored = reflected(&position, file, false);
                let same = network.evaluate(&position) == network.evaluate(&mirrored);
                mirror_differs |= !same;
                assert!(same || index == 0, "{position:?}");
            }
            assert_eq!(mirror_differs, index == 0);
        }
    }
}
