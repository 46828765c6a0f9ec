//! What the pieces of both sides could do to each other, as networks are told it beside where the pieces are.
//!
//! Which numbers tell of king safety and of attacks is old knowledge of hand-made evaluations
//! (<https://www.chessprogramming.org/King_Safety>); what they are worth a network learns.

use super::attacks::{Attacks, Colors, Kinds, attacks_of};
use super::magics::{bishop_attacks, rook_attacks};
use super::tables::{king_attacks, knight_attacks, pawn_attack_set};
use crate::types::{Bitboard, Color, PieceType, Rank, Square};

/// How the pieces stand, and the marks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tension {
    /// Of the pieces of both sides.
    pub exposures: Exposures,
    /// White's and Black's.
    pub marks: [Marks; Color::NUM],
}

/// How exposed a piece is: the least that attacks it, and the least that protects it, as far as it matters. Kings are
/// never exposed, they attack only what nothing protects, and pins do not count.
///
/// | bits | value | meaning |
/// |---|---|---|
/// | 0 and 1 | 0 | nothing attacks it, and the other bits are 0 too |
/// | | 1 | attacked, and nothing protects it |
/// | | 2 | attacked, and something other than a pawn protects it |
/// | | 3 | attacked, and a pawn protects it |
/// | 2 and 3 | 0 to 3 | the least that attacks it: a pawn, a knight or bishop, a rook, a queen or the king |
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Exposure(pub u8);

impl Exposure {
    /// How many different ones there are: not exposed, and each of four attackers with each of three protections.
    pub const NUM: usize = 13;
    /// Numbers of four bits, some of which stand for nothing.
    pub const CODES: usize = 16;

    /// All of them, in the order of their numbers.
    pub const ALL: [Exposure; Exposure::NUM] = {
        let mut all = [Exposure(0); Exposure::NUM];
        let mut code = 0;
        while code < Exposure::CODES as u8 {
            let exposure = Exposure(code);
            if exposure.number() > 0 {
                all[exposure.number()] = exposure;
            }
            code += 1;
        }
        all
    };

    /// A number for each, less than [`Exposure::NUM`]; 0 is not exposed.
    #[inline(always)]
    pub const fn number(self) -> usize {
        match self.0 & 3 {
            0 => 0,
            protection => (4 * (protection - 1) + (self.0 >> 2 & 3)) as usize + 1,
        }
    }

    /// Whether a piece of this kind, so exposed, can be taken at a gain at first sight: attacked by something of less worth,
    /// or attacked and not protected. A knight and a bishop are worth the same.
    #[inline(always)]
    pub const fn threatens(self, kind: PieceType) -> bool {
        let least = match kind {
            PieceType::Pawn => 0,
            PieceType::Knight | PieceType::Bishop => 1,
            PieceType::Rook => 2,
            PieceType::Queen => 3,
            PieceType::King => return false,
        };
        let protection = self.0 & 3;
        protection == 1 || protection > 1 && (self.0 >> 2 & 3) < least
    }
}

/// The [`Exposure`] of each square's piece, a bitboard for each bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exposures(pub [Bitboard; 4]);

impl Exposures {
    /// Nothing is exposed.
    pub const NONE: Exposures = Exposures([Bitboard::EMPTY; 4]);

    /// That of the piece on `square`.
    #[inline(always)]
    pub fn of(&self, square: Square) -> Exposure {
        let bit = |place: usize| ((self.0[place].0 >> square as u8 & 1) as u8) << place;
        Exposure(bit(0) | bit(1) | bit(2) | bit(3))
    }

    /// The squares where the two differ.
    #[inline(always)]
    pub fn differs(&self, other: &Exposures) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for (one, two) in self.0.iter().zip(other.0) {
            squares |= *one ^ two;
        }
        squares
    }
}

/// Small numbers about one side, each as so many marks in a row as it is large ("thermometer"), [`Marks::NUM`] at most.
///
/// | from | how many | number |
/// |---|---|---|
/// | 0 | 2 | squares from which an enemy knight could give check safely |
/// | 2 | 2 | the same of bishops |
/// | 4 | 3 | of rooks |
/// | 7 | 3 | of queens |
/// | 10 | 3 | squares next to the king that it could go to |
/// | 13 | 3 | pieces that are attacked twice, and not protected twice |
/// | 16 | 2 | pieces that an enemy pawn could attack by a safe push |
/// | 18 | 2 | squares from which an enemy knight could safely attack a queen |
/// | 20 | 2 | the same of bishops and rooks |
/// | 22 | 3 | thirds of the squares that the knights attack, without own pieces and what enemy pawns attack |
/// | 25 | 3 | the same of the bishops |
/// | 28 | 3 | fifths of those of the rooks |
/// | 31 | 3 | fifths of those of the queens |
///
/// A square is safe for the enemy if this side does not attack it, or only with a queen or the king while the enemy
/// attacks it twice and this side once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks(pub u64);

impl Marks {
    /// How many there are.
    pub const NUM: usize = 34;
    /// None of them.
    pub const NONE: Marks = Marks(0);

    /// The marks that are in `self` and not in `other`.
    #[inline(always)]
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// The numbers of the marks, the lowest first.
    #[inline(always)]
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        Bitboard(self.0).into_iter().map(|place| place as usize)
    }
}

impl Tension {
    /// Nothing exposed, no marks.
    pub const NONE: Tension = Tension { exposures: Exposures::NONE, marks: [Marks::NONE; Color::NUM] };

    /// Of a position with these squares of each kind of piece and of each side's pieces; without `MARKS` only who is
    /// exposed.
    #[inline]
    pub fn new<const MARKS: bool>(
        kinds: &[Bitboard; PieceType::NUM],
        colors: &[Bitboard; Color::NUM],
    ) -> Tension {
        let white = attacks_of(kinds, colors, Color::White);
        let black = attacks_of(kinds, colors, Color::Black);
        let of_white = Side { kinds, colors, color: Color::White, own: &white, other: &black };
        let of_black = Side { kinds, colors, color: Color::Black, own: &black, other: &white };
        let (white, black) = (of_white.exposures(), of_black.exposures());
        Tension {
            exposures: Exposures(std::array::from_fn(|bit| white[bit] | black[bit])),
            marks: if MARKS { [of_white.marks(), of_black.marks()] } else { [Marks::NONE; Color::NUM] },
        }
    }
}

/// A side, and what both attack.
#[derive(Clone, Copy)]
struct Side<'a> {
    kinds: &'a Kinds,
    colors: &'a Colors,
    color: Color,
    own: &'a Attacks,
    other: &'a Attacks,
}

/// As many marks from `place` on as `number` is large.
#[inline(always)]
fn scale(place: u32, most: u32, number: u32) -> u64 {
    ((1 << number.min(most)) - 1) << place
}

impl Side<'_> {
    #[inline(always)]
    fn exposures(&self) -> [Bitboard; 4] {
        let Side { own, other, .. } = self;
        let kings = self.kinds[PieceType::King.index()];
        let pieces = self.colors[self.color.index()].without(kings);
        let attacked = pieces & (other.by_rooks() | other.queens | other.all.without(own.all));
        let not_by_pawns = attacked.without(other.pawns);
        [
            attacked & (own.pawns | !own.all),
            attacked & own.all,
            not_by_pawns & (other.by_minors() | !other.rooks),
            not_by_pawns.without(other.by_minors()),
        ]
    }

    #[inline(always)]
    fn marks(&self) -> Marks {
        let [_, _, _, _, queens, kings] = *self.kinds;
        let Side { own, other, color, .. } = self;
        let (ours, theirs) = (self.colors[color.index()], self.colors[(!*color).index()]);
        let occupied = ours | theirs;
        let Some(king) = (kings & ours).first() else { return Marks::NONE };
        let outnumbered = other.twice.without(own.twice | own.by_rooks());
        let safe = (!own.all | outnumbered).without(theirs);
        let (lines, diagonals) = (rook_attacks(king, occupied), bishop_attacks(king, occupied));
        let checks = |squares: Bitboard, attacked: Bitboard| (squares & attacked & safe).count();
        let mut marks = scale(0, 2, checks(knight_attacks(king), other.knights))
            | scale(2, 2, checks(diagonals, other.bishops))
            | scale(4, 3, checks(lines, other.rooks))
            | scale(7, 3, checks(lines | diagonals, other.queens))
            | scale(10, 3, king_attacks(king).without(ours | other.all).count())
            | scale(13, 3, (ours & other.twice).without(own.twice).count())
            | scale(16, 2, self.pushes(occupied).count());
        let (mut knights, mut sliders) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for queen in queens & ours {
            knights |= knight_attacks(queen) & other.knights;
            sliders |= rook_attacks(queen, occupied) & other.rooks;
            sliders |= bishop_attacks(queen, occupied) & other.bishops;
        }
        marks |= scale(18, 2, (knights & safe).count()) | scale(20, 2, (sliders & safe).count());
        let reach = |attacked: Bitboard| attacked.without(ours | other.pawns).count();
        marks |= scale(22, 3, reach(own.knights) / 3)
            | scale(25, 3, reach(own.bishops) / 3)
            | scale(28, 3, reach(own.rooks) / 5)
            | scale(31, 3, reach(own.queens) / 5);
        Marks(marks)
    }

    /// The pieces, no pawns, that an enemy pawn could attack by a safe push.
    #[inline(always)]
    fn pushes(&self, occupied: Bitboard) -> Bitboard {
        let Side { own, other, color, .. } = self;
        let pawns = self.kinds[PieceType::Pawn.index()];
        let theirs = pawns & self.colors[(!*color).index()];
        let (up, third) = match color {
            Color::White => (-8, Rank::Sixth),
            Color::Black => (8, Rank::Third),
        };
        let once = theirs.shift(up).without(occupied);
        let twice = (once & Bitboard::from_rank(third)).shift(up).without(occupied);
        let safe = (once | twice).without(own.pawns | own.all.without(other.all));
        pawn_attack_set(safe, !*color) & self.colors[color.index()].without(pawns | other.pawns)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::pawn_attacks;
    use super::super::{Position, played_by_chance};
    use super::*;
    use crate::types::Square;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn positions(count: usize) -> impl Iterator<Item = Position> {
        played_by_chance(4).take(count)
    }

    #[test]
    fn exposures_tell_the_least_that_attacks_and_the_least_that_protects() {
        // A knight and a bishop are worth the same, and so are a queen and the king as attackers.
        let rank = |kind: PieceType| match kind {
            PieceType::Pawn => 0,
            PieceType::Knight | PieceType::Bishop => 1,
            PieceType::Rook => 2,
            PieceType::Queen | PieceType::King => 3,
        };
        let mut seen = [0; Exposure::NUM];
        for position in positions(6_000) {
            let exposures = position.tension::<false>().exposures;
            for square in Square::ALL {
                let exposure = exposures.of(square);
                let Some(piece) = position.piece_on(square).filter(|piece| piece.kind() != PieceType::King)
                else {
                    assert_eq!(exposure, Exposure(0), "{position:?} {square}");
                    continue;
                };
                let around = position.attackers_to(square, position.occupied());
                let kinds = |squares: Bitboard| squares.into_iter().filter_map(|from| position.kind_on(from));
                let protecting = around & position.of_color(piece.color());
                let protection = match kinds(protecting).map(rank).min() {
                    None => 1,
                    Some(1..) => 2,
                    Some(0) => 3,
                };
                let attackers = kinds(around & position.of_color(!piece.color()));
                let least = attackers
                    .filter(|&kind| kind != PieceType::King || protecting.is_empty())
                    .min_by_key(|&kind| rank(kind));
                let code = least.map_or(0, |least| 4 * rank(least) + protection);
                assert_eq!(exposure, Exposure(code), "{position:?} {square}");
                seen[exposure.number()] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
        assert_eq!(Exposure::ALL.map(Exposure::number), std::array::from_fn(|number| number));
    }

    #[test]
    fn threatened_is_what_is_attacked_by_less_or_not_protected() {
        let worth = |kind: PieceType| match kind {
            PieceType::Pawn => 1,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 5,
            PieceType::Queen => 9,
            PieceType::King => 100,
        };
        let (mut by_less, mut unprotected) = (0, 0);
        for position in positions(2_000) {
            let exposures = position.tension::<false>().exposures;
            for square in position.occupied() {
                let piece = position.piece_on(square).unwrap();
                let around = position.attackers_to(square, position.occupied());
                let attackers = around & position.of_color(!piece.color());
                let less =
                    |from| position.kind_on(from).is_some_and(|kind| worth(kind) < worth(piece.kind()));
                let attacked_by_less = attackers.into_iter().any(less);
                let free = attackers.any() && (around & position.of_color(piece.color())).is_empty();
                by_less += usize::from(attacked_by_less && !free);
                unprotected += usize::from(free && !attacked_by_less);
                let expected = piece.kind() != PieceType::King && (attacked_by_less || free);
                assert_eq!(exposures.of(square).threatens(piece.kind()), expected, "{position:?} {square}");
            }
        }
        assert!(by_less > 1_000 && unprotected > 1_000, "{by_less} {unprotected}");
    }

    #[test]
    fn exposures_differ_where_one_bit_does() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut one = Exposures(std::array::from_fn(|_| Bitboard(random.random())));
        for (bit, square) in (0..4).flat_map(|bit| Square::ALL.map(|square| (bit, square))) {
            let before = one;
            one.0[bit] ^= Bitboard::from(square);
            assert_eq!(one.differs(&before), Bitboard::from(square));
            assert_eq!(one.of(square).0 ^ before.of(square).0, 1 << bit);
        }
        assert_eq!(one.differs(&one), Bitboard::EMPTY);
    }

    /// The numbers that the marks of `us` stand for, square by square.
    fn numbers(position: &Position, us: Color) -> [usize; 13] {
        let occupied = position.occupied();
        let (ours, theirs) = (position.of_color(us), position.of_color(!us));
        let by = |square, color| position.attackers_to(square, occupied) & position.of_color(color);
        let of = |square, color, kind| (by(square, color) & position.of_kind(kind)).any();
        let safe = |square: &Square| {
            let (own, other) = (by(*square, us), by(*square, !us));
            let lasting = position.of_kind(PieceType::Queen) | position.of_kind(PieceType::King);
            let outnumbered = own.count() == 1 && other.count() > 1 && own.without(lasting).is_empty();
            !theirs.has(*square) && (own.is_empty() || outnumbered)
        };
        let count = |test: &dyn Fn(&Square) -> bool| Square::ALL.iter().filter(|square| test(square)).count();
        let king = position.king(us);
        let lines = |target| rook_attacks(target, occupied);
        let diagonals = |target| bishop_attacks(target, occupied);
        let from = |target: &dyn Fn(Square) -> bool, kind| {
            count(&|square| target(*square) && of(*square, !us, kind) && safe(square))
        };
        let queens = || (position.of_kind(PieceType::Queen) & ours).into_iter();
        let by_pawn = |square: Square| of(square, !us, PieceType::Pawn);
        let mut pushed = vec![];
        for pawn in theirs & position.of_kind(PieceType::Pawn) {
            let up: i8 = if us == Color::White { -8 } else { 8 };
            let home = pawn.rank() == if us == Color::White { Rank::Seventh } else { Rank::Second };
            for steps in 1..=if home { 2 } else { 1 } {
                let Ok(to @ 0..64) = u8::try_from(pawn as i8 + up * steps) else { break };
                let to = Square::from_index(to);
                if occupied.has(to) {
                    break;
                }
                let falls = by(to, us).any() && by(to, !us).is_empty();
                if !of(to, us, PieceType::Pawn) && !falls {
                    pushed.extend(pawn_attacks(!us, to));
                }
            }
        }
        let reach = |kind| count(&|square| of(*square, us, kind) && !ours.has(*square) && !by_pawn(*square));
        [
            from(&|square| knight_attacks(king).has(square), PieceType::Knight),
            from(&|square| diagonals(king).has(square), PieceType::Bishop),
            from(&|square| lines(king).has(square), PieceType::Rook),
            from(&|square| (lines(king) | diagonals(king)).has(square), PieceType::Queen),
            count(&|square| {
                king_attacks(king).has(*square) && !ours.has(*square) && by(*square, !us).is_empty()
            }),
            count(&|square| ours.has(*square) && by(*square, !us).count() > 1 && by(*square, us).count() < 2),
            count(&|square| {
                let is_piece = ours.has(*square) && position.kind_on(*square) != Some(PieceType::Pawn);
                is_piece && pushed.contains(square) && !by_pawn(*square)
            }),
            from(&|square| queens().any(|queen| knight_attacks(queen).has(square)), PieceType::Knight),
            count(&|square| {
                let at = |queen| {
                    lines(queen).has(*square) && of(*square, !us, PieceType::Rook)
                        || diagonals(queen).has(*square) && of(*square, !us, PieceType::Bishop)
                };
                queens().any(at) && safe(square)
            }),
            reach(PieceType::Knight) / 3,
            reach(PieceType::Bishop) / 3,
            reach(PieceType::Rook) / 5,
            reach(PieceType::Queen) / 5,
        ]
    }

    #[test]
    fn marks_stand_for_their_numbers() {
        let most = [2, 2, 3, 3, 3, 3, 2, 2, 2, 3, 3, 3, 3];
        assert_eq!(most.iter().sum::<usize>(), Marks::NUM);
        let mut seen = Marks::NONE;
        for position in positions(6_000) {
            let tension = position.tension::<true>();
            assert_eq!(tension.exposures, position.tension::<false>().exposures);
            for us in Color::ALL {
                let mut expected = vec![];
                let mut first = 0;
                for (number, most) in numbers(&position, us).into_iter().zip(most) {
                    expected.extend(first..first + number.min(most));
                    first += most;
                }
                let marks = tension.marks[us.index()];
                assert_eq!(marks.numbers().collect::<Vec<_>>(), expected, "{us:?} {position:?}");
                seen.0 |= marks.0;
            }
        }
        assert_eq!(seen.0, (1 << Marks::NUM) - 1, "{:?}", Marks(!seen.0).numbers().collect::<Vec<_>>());
    }
}
