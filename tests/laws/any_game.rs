//! Any sequence of events, made of bytes, with what has to hold whatever happens. The fuzz target has the same.

use adoube::board::{Board, Position};
use adoube::laws::event::{Adjudicated, Decision, Envelope, Failure, Fault, Ground, Penalty, Request};
use adoube::laws::{
    Bonus, Clock, DrawAgreement, Edition, Event, Game, GameResult, Period, Prover, Reason, Regulations,
    Ruling, Rulings, Scoring, TimeControl, Verdict, What,
};
use adoube::types::{Color, Move, Outcome, Square};
use std::time::Duration;

const STARTS: [&str; 14] = [
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k2r/8/8/8/8/8/4P3/4K3 w k - 0 1",
    "4k3/P6p/8/8/8/8/p6P/4K3 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 149 120",
    "4k2r/8/8/8/8/8/8/R3K3 b - - 98 90",
    "4k2r/8/8/8/8/8/8/R3K3 w - - 140 90",
    "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "r7/K1k5/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/4k3/8/8/4p3/4K1B1 w - - 0 1",
    "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1",
    "8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "nqrkbbrn/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBRN w GCgc - 0 1",
];

/// Bytes to make things of; zeros when there are none left.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first.into()
    }

    fn flag(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn color(&mut self) -> Color {
        Color::ALL[self.next() & 1]
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next() % list.len()]
    }

    fn time(&mut self) -> Duration {
        let unit = self.next();
        let count = self.next() as u64;
        match unit {
            0..100 => Duration::from_millis(count),
            100..180 => Duration::from_secs(count),
            180..220 => Duration::from_nanos(count),
            220..250 => Duration::from_secs(60 * count),
            _ => Duration::MAX,
        }
    }

    fn text(&mut self) -> String {
        self.pick(&["", "e2e5", "0000", "<html>", "ß\n\"", "a7a8"]).into()
    }

    fn legal(&mut self, position: &Position) -> Option<Move> {
        let legal = position.legal_moves();
        (!legal.is_empty()).then(|| self.pick(&legal))
    }

    fn any_move(&mut self) -> Option<Move> {
        Move::from_bits(u16::from_le_bytes([self.next() as u8, self.next() as u8]))
    }

    fn clock(&mut self, regulations: &Regulations) -> Option<Clock> {
        let bonus = |bytes: &mut Bytes| {
            let time = bytes.time().min(Duration::from_secs(30));
            bytes.pick(&[Bonus::None, Bonus::Increment(time), Bonus::Delay(time), Bonus::Bronstein(time)])
        };
        let control = match self.next() % 8 {
            0 => return None,
            1 => TimeControl::Hourglass(Duration::from_secs(60)),
            2 => TimeControl::fischer(Duration::from_secs(300), Duration::from_secs(3)),
            3 => TimeControl::fischer(Duration::from_secs(1800), Duration::ZERO),
            4 => TimeControl::fischer(Duration::from_secs(7200), Duration::ZERO),
            number => {
                let periods = (0..number - 4).map(|_| Period {
                    moves: self.pick(&[None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)]),
                    time: self.time(),
                    bonus: bonus(self),
                });
                TimeControl::Periods(periods.collect())
            }
        };
        let margin = Duration::from_millis(self.pick(&[0, 0, 50, 1000]));
        Some(Clock::new(control, regulations.clock_rules(), margin))
    }

    fn regulations(&mut self) -> Regulations {
        Regulations {
            edition: self.pick(&Edition::ALL),
            supervised: self.flag(),
            draws: self.pick(&[
                DrawAgreement::Free,
                DrawAgreement::Free,
                DrawAgreement::From(3),
                DrawAgreement::Never,
            ]),
            default_time: None,
            scoring: Scoring::Classic,
            quickplay: self.flag(),
            most_offers: self.pick(&[0, 1, 3]),
            restore_clock: self.flag(),
        }
    }

    fn event(&mut self, position: &Position) -> Event {
        let time = |bytes: &mut Bytes| if bytes.flag() { Duration::ZERO } else { bytes.time() };
        match self.next() % 64 {
            0..24 => match self.legal(position) {
                Some(mv) => Event::Move { mv, time: time(self) },
                None => Event::Flag,
            },
            24..27 => match self.any_move() {
                Some(mv) => Event::Move { mv, time: time(self) },
                None => Event::Interrupt,
            },
            27..31 => {
                let [from, to] = [0, 0].map(|_| Square::from_index(self.next() as u8 & 63));
                let text = self.text();
                let fault = match self.next() % 3 {
                    0 => Fault::Illegal(text),
                    1 => Fault::NoMove(text),
                    _ => Fault::PromotionMissing { from, to },
                };
                Event::Irregular { fault, time: time(self) }
            }
            31..35 => Event::Offer(self.color()),
            35 => Event::Decline(self.color()),
            36 => Event::Accept(self.color()),
            37..41 => Event::Claim {
                by: self.color(),
                ground: self.pick(&[Ground::Threefold, Ground::FiftyMoves, Ground::Any]),
                intended: if self.flag() { self.legal(position) } else { self.any_move() },
                time: time(self),
            },
            41 => Event::ClaimWin { by: self.color(), time: time(self) },
            42 => Event::Resign(self.color()),
            43 => Event::Flag,
            44 => Event::BothFlags { last_period: self.next().is_multiple_of(8) },
            45 => Event::Gone(self.color(), Failure::Disconnected(self.text())),
            46 => Event::BothGone(Failure::Stalled(self.text())),
            47 => Event::Absent([self.flag(), self.flag()]),
            48 => Event::WrongStart,
            49 => Event::ColoursReversed,
            50 | 51 => Event::Seal { time: time(self) },
            52..55 => {
                let envelope = match self.next() % 8 {
                    0 => Envelope::Lost,
                    1 => Envelope::Bad(self.text()),
                    _ => self.legal(position).map_or(Envelope::Lost, Envelope::Move),
                };
                let absent = if self.flag() { [false; 2] } else { [self.flag(), self.flag()] };
                Event::Resume { envelope, absent, waited: time(self) }
            }
            55 => {
                let (time, why) = (self.time(), self.text());
                let penalty = match self.next() % 8 {
                    0 => Penalty::Loss(why),
                    1 => Penalty::Expulsion(why),
                    2 | 3 => Penalty::OpponentTime(time),
                    4 | 5 => Penalty::OffenderTime(time),
                    _ => Penalty::Warning(why),
                };
                Event::Penalize(self.color(), penalty)
            }
            56 => Event::ExtraTime(self.time()),
            57 => Event::SetClocks([self.time(), self.time()]),
            58 | 59 => Event::Quickplay(self.color(), self.pick(&[Request::Bonus, Request::Draw])),
            60 | 61 => Event::Decide(match self.next() % 4 {
                0 => Decision::Agree(self.text()),
                1 => Decision::Reject,
                _ => Decision::Postpone { grant: self.flag() },
            }),
            62 => {
                let outcome =
                    self.pick(&[Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw]);
                let by = [Adjudicated::Score, Adjudicated::MaxMoves, Adjudicated::Tables];
                Event::Adjudicate(outcome, self.pick(&by))
            }
            _ => Event::Interrupt,
        }
    }
}

/// Decides by the position's key, so that each answer comes, and always the same to the same question.
struct Whims;

impl Prover for Whims {
    fn can_win(&mut self, position: &Position, side: Color) -> Option<bool> {
        match (position.key().0 >> (8 * side.index())) % 3 {
            0 => None,
            1 => Some(false),
            _ => Some(true),
        }
    }

    fn is_dead(&mut self, position: &Position) -> bool {
        (position.key().0 >> 32).is_multiple_of(64)
    }
}

fn left(game: &Game) -> [Option<Duration>; 2] {
    Color::ALL.map(|player| game.clock(player).map(Clock::left))
}

/// True if nothing that can be seen tells one game from the other.
fn same(a: &Game, b: &Game) -> bool {
    a.snapshot() == b.snapshot()
        && a.moves() == b.moves()
        && a.verdict() == b.verdict()
        && a.position().key() == b.position().key()
}

/// Plays what the bytes say. Panics if something does not hold.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let regulations = bytes.regulations();
    let start = Position::from_fen(STARTS[bytes.next() % STARTS.len()]).unwrap();
    let clocks = [0, 0].map(|_| bytes.clock(&regulations));
    let mut opening = vec![];
    let mut ahead = start;
    for _ in 0..bytes.next() % 5 {
        let Some(mv) = bytes.legal(&ahead) else { break };
        opening.push(mv);
        ahead = ahead.after(mv);
    }
    let mut game = Game::new(regulations.clone(), start, clocks.clone());
    let first = game.clone();
    let begun = game.begin(&opening, &mut Whims);
    check_articles(&regulations, &begun);
    let mut record: Vec<(Event, Rulings)> = vec![];
    let mut after_the_end = 0;
    while record.len() < 40 && after_the_end < 4 && !bytes.0.is_empty() {
        after_the_end += usize::from(game.verdict().is_some());
        let event = bytes.event(game.position());
        let before = game.clone();
        let rulings = game.apply(event.clone(), &mut Whims);
        check_step(&before, &event, &rulings, &game);
        record.push((event, rulings));
    }
    let overs = begun.iter().chain(record.iter().flat_map(|(_, rulings)| rulings));
    let overs = overs.filter(|ruling| matches!(ruling.what, What::Over(_))).count();
    assert_eq!(overs, usize::from(game.verdict().is_some()), "exactly one end, if any");
    let mut replayed = start;
    for &mv in game.moves() {
        assert!(replayed.is_legal(mv));
        replayed = replayed.after(mv);
    }
    assert_eq!(replayed.key(), game.position().key());
    let mut again = first;
    assert_eq!(again.begin(&opening, &mut Whims), begun);
    for (event, rulings) in record {
        assert_eq!(again.apply(event, &mut Whims), rulings, "the record gives the same rulings");
    }
    assert!(same(&again, &game));
    let restored = Game::restore(regulations, start, clocks, game.moves(), &game.snapshot());
    assert_eq!(restored.speed(), game.speed());
    if !is_endless(&game) {
        assert_eq!(restored.snapshot(), game.snapshot());
    }
}

/// True if a clock shows more than can be written down.
fn is_endless(game: &Game) -> bool {
    Color::ALL
        .into_iter()
        .filter_map(|player| game.clock(player))
        .any(|clock| clock.budget().max(clock.running()).max(clock.left()) > Duration::from_secs(1 << 32))
}

fn check_articles(regulations: &Regulations, rulings: &[Ruling]) {
    for ruling in rulings {
        assert!(!ruling.to_string().is_empty());
        if let Some(article) = ruling.article {
            assert_eq!(article.edition, regulations.edition);
            assert!(regulations.edition.is_fide() && !article.number.is_empty());
        }
        if let What::Over(verdict) = &ruling.what {
            assert_eq!(ruling.article, verdict.article);
            check_verdict(regulations, verdict);
        }
    }
}

fn check_step(before: &Game, event: &Event, rulings: &[Ruling], after: &Game) {
    check_articles(before.regulations(), rulings);
    assert!(!rulings.is_empty() || matches!(event, Event::ExtraTime(_) | Event::Penalize(..)), "{event:?}");
    if before.verdict().is_some() {
        assert!(matches!(rulings, [Ruling { what: What::NoEffect(_), .. }]));
        assert!(same(before, after), "what is over stays as it is");
        return;
    }
    let ends = rulings.iter().position(|ruling| matches!(ruling.what, What::Over(_)));
    assert_eq!(ends.is_some(), after.verdict().is_some());
    assert!(
        ends.is_none_or(|place| place + 1 == rulings.len()),
        "nothing is ruled after the end: {rulings:?}"
    );
    let stood = rulings.iter().filter(|ruling| matches!(ruling.what, What::Stands(..))).count();
    assert_eq!(before.moves().len() + stood, after.moves().len(), "a move stands if it is ruled so");
    match &after.verdict().map(|verdict| &verdict.reason) {
        Some(Reason::Checkmate) => assert!(after.position().is_checkmate()),
        Some(Reason::Stalemate) => assert!(after.position().has_no_moves() && !after.position().in_check()),
        None => assert!(!after.position().has_no_moves() || stood == 0, "a game that is over goes on"),
        _ => {}
    }
    check_clocks(before, event, rulings, after);
    let open = after.open_claims();
    assert_eq!(
        open.now.is_empty(),
        after.verdict().is_some() || after.is_adjourned() || !after.claim_holds(None)
    );
    assert!(open.with_move.iter().all(|&(mv, _)| after.claim_holds(Some(mv))));
}

/// Clocks change by what rulings say, and the mover's by his time.
fn check_clocks(before: &Game, event: &Event, rulings: &[Ruling], after: &Game) {
    let mover = before.position().side_to_move();
    let is_hourglass = |player: Color| {
        before.clock(player).is_some_and(|clock| matches!(clock.control(), TimeControl::Hourglass(_)))
    };
    let any_hourglass = Color::ALL.into_iter().any(is_hourglass);
    let moved = rulings.iter().any(|ruling| matches!(ruling.what, What::Stands(..)));
    let is_set = rulings.iter().any(|ruling| ruling.what == What::ClocksSet);
    let free = is_set && matches!(event, Event::SetClocks(_))
        || rulings.iter().any(|ruling| matches!(ruling.what, What::BonusGranted(_)));
    let thought = match event {
        Event::Move { .. } | Event::Irregular { .. } | Event::Seal { .. } => true,
        Event::Claim { by, .. } | Event::ClaimWin { by, .. } => *by == mover,
        _ => false,
    };
    for player in Color::ALL {
        let [Some(was), Some(is)] = [before, after].map(|game| left(game)[player.index()]) else {
            assert!(before.clock(player).is_none() && after.clock(player).is_none());
            continue;
        };
        let mut expected = was;
        for ruling in rulings {
            match ruling.what {
                What::TimeAdded(who, time) if who == player => expected = expected.saturating_add(time),
                What::TimeTaken(who, time) if who == player => expected = expected.saturating_sub(time),
                _ => {}
            }
        }
        let own = player == mover && (thought || moved);
        let fell = is.is_zero()
            && (matches!(event, Event::Flag | Event::Resume { .. } | Event::Decide(_))
                || player == mover && thought);
        if free || fell || any_hourglass && moved {
            continue;
        }
        if own && !moved {
            let most = if is_set { Duration::MAX } else { expected };
            assert!(is <= most, "{player} gained by {event:?}: {was:?} {is:?} {rulings:?}");
        } else if !own {
            let endless = expected == Duration::MAX || was > Duration::from_secs(1 << 60);
            // What a move has overrun within the margin is not told and is paid first.
            let overran = was.is_zero() && is <= expected;
            assert!(
                is == expected || endless || overran,
                "{player} by {event:?}: {was:?} {is:?} {rulings:?}"
            );
        }
    }
}

/// The result fits the reason and the edition.
fn check_verdict(regulations: &Regulations, verdict: &Verdict) {
    let edition = regulations.edition;
    let is_fide = edition.is_fide();
    let played = match verdict.result {
        GameResult::Played(outcome) => Some(outcome),
        _ => None,
    };
    let won = matches!(played, Some(Outcome::Win(_)));
    let drawn = played == Some(Outcome::Draw);
    let half = matches!(verdict.result, GameResult::HalfTo(_)) && is_fide;
    let both_lose = verdict.result == GameResult::BothLose;
    let fits = match &verdict.reason {
        Reason::Checkmate => won,
        Reason::Resignation => won || drawn && edition == Edition::Fide2023,
        Reason::Agreement => drawn && regulations.draws != DrawAgreement::Never,
        Reason::Stalemate | Reason::InsufficientMaterial => drawn,
        Reason::ThreefoldRepetition | Reason::FiftyMoves | Reason::BothFlags => drawn,
        Reason::DeadPosition => drawn && is_fide,
        Reason::FivefoldRepetition | Reason::SeventyFiveMoves => {
            drawn && is_fide && edition != Edition::Fide2005
        }
        Reason::TimeForfeit | Reason::IllegalMove(_) | Reason::SealedMove(_) => won || drawn && is_fide,
        Reason::Absence => won || both_lose || verdict.result.is_unplayed(),
        Reason::Disconnected(_) | Reason::Stalled(_) | Reason::Penalty(_) => won || half || both_lose,
        Reason::QuickplayFinish(_) => drawn && is_fide && regulations.quickplay,
        Reason::Annulled(_) => verdict.result == GameResult::Annulled,
        Reason::Adjudication | Reason::MaxMoves | Reason::Tablebase => won || drawn,
        Reason::Interrupted => played == Some(Outcome::Unfinished),
    };
    assert!(fits, "{edition}: {verdict:?}");
    assert!(!verdict.to_string().is_empty());
}
