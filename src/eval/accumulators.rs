//! The sums of a network along a line of moves, computed when somebody asks and from the last ones that are known.
//!
//! Each move leaves what it changed; a question walks back to the nearest position whose sums are there and comes
//! forward again, a fused addition and subtraction a move. Where the own king has changed the view (crossed the middle
//! of a mirrored board, or gone to another bucket) the sums come from a cache instead: for each view the sums of the
//! last position that had it, brought up to date by the pieces that differ
//! (<https://www.chessprogramming.org/NNUE#Refreshing_the_Accumulators>).

use super::network::{Lanes, Network, View};
use super::simd::Kernels;
use crate::board::{Board, Observer, Position};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// What a move changed: one or two pieces came (castling), one or two went (captures, castling).
#[derive(Clone, Debug, Default)]
struct Changes {
    came: ArrayVec<(Piece, Square), 2>,
    went: ArrayVec<(Piece, Square), 2>,
}

impl Observer for Changes {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.came.push((piece, square));
    }
    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.went.push((piece, square));
    }
}

/// A position of the line.
#[derive(Clone, Debug)]
struct Ply {
    /// The move that led to it.
    changes: Changes,
    /// How each side sees it.
    views: [View; Color::NUM],
    /// Whether each side's sums are there.
    ready: [bool; Color::NUM],
}

/// The sums of the last position with a view, and its pieces.
#[derive(Clone, Debug)]
struct Cached {
    kinds: [Bitboard; PieceType::NUM],
    colors: [Bitboard; Color::NUM],
}

/// Both sides' sums at the end of a line of moves.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    network: Arc<Network>,
    kernels: &'static Kernels,
    plies: Vec<Ply>,
    /// By ply, then side.
    sums: Vec<Lanes>,
    /// By side, then view.
    cached: Vec<Cached>,
    cached_sums: Vec<Lanes>,
}

/// The most rows that a refresh adds or takes away: one for each square.
type Rows<'a> = ArrayVec<&'a [Lanes], 64>;

impl Accumulators {
    /// Ready for `root` and what follows from it.
    pub(super) fn new(network: Arc<Network>, kernels: &'static Kernels, root: &Position) -> Accumulators {
        let architecture = network.architecture();
        let views = Color::ALL.map(|side| architecture.view(side, root.king(side)));
        let empty = Cached { kinds: Default::default(), colors: Default::default() };
        let slots = Color::NUM * architecture.views();
        let mut accumulators = Accumulators {
            kernels,
            plies: vec![Ply { changes: Changes::default(), views, ready: [false; Color::NUM] }],
            sums: vec![Lanes::ZERO; Color::NUM * network.lanes()],
            cached: vec![empty; slots],
            cached_sums: network.biases().repeat(slots),
            network,
        };
        for side in Color::ALL {
            accumulators.refresh(side, root);
        }
        accumulators
    }

    /// Plays a legal move of the position at the end of the line, and returns the position after it.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move) -> Position {
        let mut changes = Changes::default();
        let next = position.make(mv, &mut changes);
        let mut views = self.plies[self.plies.len() - 1].views;
        if position.kind_on(mv.from()) == Some(PieceType::King) {
            let side = position.side_to_move();
            views[side.index()] = self.network.architecture().view(side, next.king(side));
        }
        self.plies.push(Ply { changes, views, ready: [false; Color::NUM] });
        next
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.plies.pop();
    }

    /// What the network says of the position at the end of the line for its side to move, in internal units.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        for side in Color::ALL {
            self.bring_up_to_date(side, position);
        }
        let lanes = self.network.lanes();
        let at = Color::NUM * lanes * (self.plies.len() - 1);
        let (white, black) = self.sums[at..at + Color::NUM * lanes].split_at(lanes);
        let sums = match position.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let bucket = self.network.architecture().output_bucket(position.occupied().count());
        let (own, other) = self.network.outputs(bucket);
        self.network.value((self.kernels.output)(sums, [own, other]), bucket)
    }

    #[inline]
    fn bring_up_to_date(&mut self, side: Color, position: &Position) {
        let index = side.index();
        let last = self.plies.len() - 1;
        let mut known = last;
        while !self.plies[known].ready[index] {
            if known == 0 || self.plies[known].views[index] != self.plies[known - 1].views[index] {
                return self.refresh(side, position);
            }
            known -= 1;
        }
        for ply in known + 1..=last {
            self.advance(side, ply);
        }
    }

    /// The sums of a ply from those of the one before, which has the same view.
    #[inline]
    fn advance(&mut self, side: Color, ply: usize) {
        let index = side.index();
        let lanes = self.network.lanes();
        let needed = Color::NUM * lanes * (ply + 1);
        if self.sums.len() < needed {
            self.sums.resize(needed, Lanes::ZERO);
        }
        let (before, here) = self.sums.split_at_mut(Color::NUM * lanes * ply);
        let from = &before[Color::NUM * lanes * (ply - 1) + index * lanes..][..lanes];
        let to = &mut here[index * lanes..][..lanes];
        let Ply { changes: Changes { came, went }, views, .. } = &self.plies[ply];
        let features = self.network.features();
        let row = |&(piece, square): &(Piece, Square)| {
            &features[views[index].row(piece, square) * lanes..][..lanes]
        };
        match (came.as_slice(), went.as_slice()) {
            ([a], [b]) => (self.kernels.add_sub)(to, from, row(a), row(b)),
            ([a], [b, c]) => (self.kernels.add_sub_sub)(to, from, row(a), [row(b), row(c)]),
            ([a, b], [c, d]) => (self.kernels.add_add_sub_sub)(to, from, [row(a), row(b)], [row(c), row(d)]),
            (came, went) => {
                let (came, went) = (came.iter().map(row), went.iter().map(row));
                unusual(self.kernels, to, from, came, went);
            }
        }
        self.plies[ply].ready[index] = true;
    }

    /// The sums of the last ply by way of the cache.
    #[inline(never)]
    fn refresh(&mut self, side: Color, board: &Board) {
        let index = side.index();
        let lanes = self.network.lanes();
        let ply = self.plies.len() - 1;
        let view = self.plies[ply].views[index];
        let slot = index * self.network.architecture().views() + view.index();
        let cached = &mut self.cached[slot];
        let (mut came, mut went) = (Rows::new(), Rows::new());
        for piece in Piece::ALL {
            let (kind, color) = (piece.kind(), piece.color());
            let old = cached.kinds[kind.index()] & cached.colors[color.index()];
            let new = board.pieces(color, kind);
            let row = |square| &self.network.features()[view.row(piece, square) * lanes..][..lanes];
            came.extend(new.without(old).into_iter().map(row));
            went.extend(old.without(new).into_iter().map(row));
        }
        cached.kinds = PieceType::ALL.map(|kind| board.of_kind(kind));
        cached.colors = Color::ALL.map(|color| board.of_color(color));
        let sums = &mut self.cached_sums[slot * lanes..][..lanes];
        (self.kernels.update)(sums, &came, &went);
        let needed = Color::NUM * lanes * (ply + 1);
        if self.sums.len() < needed {
            self.sums.resize(needed, Lanes::ZERO);
        }
        self.sums[Color::NUM * lanes * ply + index * lanes..][..lanes].copy_from_slice(sums);
        self.plies[ply].ready[index] = true;
    }
}

/// No legal move changes so few or so many pieces; whatever it was, the sums shall be right.
#[cold]
#[inline(never)]
fn unusual<'a>(
    kernels: &Kernels,
    to: &mut [Lanes],
    from: &[Lanes],
    came: impl Iterator<Item = &'a [Lanes]>,
    went: impl Iterator<Item = &'a [Lanes]>,
) {
    to.copy_from_slice(from);
    let (came, went): (Rows, Rows) = (came.collect(), went.collect());
    (kernels.update)(to, &came, &went);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::chess960;
    use crate::eval::network::{Architecture, Inputs};
    use crate::types::File;
    use proptest::prelude::*;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn architectures(hidden: usize) -> [Architecture; 3] {
        let mut bucketed = Architecture::new(Inputs::Mirrored, hidden, 8);
        bucketed.king_buckets = 5;
        bucketed.king_table = std::array::from_fn(|square| (square % 5) as u8);
        [
            Architecture::new(Inputs::Plain, hidden, 1),
            Architecture::new(Inputs::Mirrored, hidden, 2),
            bucketed,
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
        fn incremental_equals_the_definition(seed: u64, which in 0usize..3, game in 0u16..960, other in 0u16..960) {
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
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for (index, architecture) in architectures(64).into_iter().enumerate() {
            let network = network(architecture, 1);
            let mut position = Position::default();
            let mut mirror_differs = false;
            for _ in 0..200 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    position = Position::default();
                    continue;
                }
                position = position.after(legal[random.random_range(0..legal.len())]);
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
