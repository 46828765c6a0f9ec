//! The conversation: what is set, what is on the board, what is being searched.
//!
//! The session never waits for the search. What can be answered at once is; what needs an idle engine is queued behind
//! the running search and carried out in its order. Every `go` is answered by exactly one `bestmove`, but for
//! those that still wait for their turn when the client quits. A count (`go perft`, `bench`) is finished before what comes
//! behind it, `quit` too, since scripts write all of it at once; `stop` ends it, and `isready` is answered meanwhile.

use super::command::{self, Command, CommandError, GoCommand, PositionCommand};
use super::count::Count;
use super::format::{self, Style};
use super::game::Game;
use super::io::Output;
use super::options::{self, OptionId, Options, Value};
use super::own_book::OwnBook;
use super::{AUTHOR, about, go, inspect, name_and_version};
use crate::board::Position;
use crate::eval::Evaluation;
use crate::search::{Event, Searcher, SearcherError, Task};
use crossbeam_channel::{Receiver, after, never, select};
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;

/// How often it is looked whether anybody still reads, once nothing is to come from the client.
const LOOK_FOR_CLIENT: Duration = Duration::from_millis(500);

/// Characters of a remark: room for a FEN and an explanation.
const LONGEST_REMARK: usize = 500;

/// What the engine is doing.
enum Activity {
    Idle,
    Searching {
        events: Receiver<Event>,
        root: Box<Position>,
        /// Only `stop` can end it.
        unbounded: bool,
        /// It waits for `ponderhit`.
        pondering: bool,
    },
    Counting(Count),
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

/// One conversation with a client.
pub struct Session {
    searcher: Searcher,
    options: Options,
    book: OwnBook,
    game: Game,
    /// False after a `position` that could not be read, until the next good one: better no move than one in another
    /// position.
    position_is_good: bool,
    activity: Activity,
    /// The activity has been told to end.
    stopping: bool,
    queue: VecDeque<Command>,
    debug: bool,
    output: Output,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Session {
    /// A session that speaks through `output`.
    ///
    /// # Errors
    /// If the system has not got the memory for the smallest start.
    pub fn new(output: Output) -> Result<Session, SearcherError> {
        Ok(Session {
            searcher: Searcher::new(16, 1)?,
            options: Options::default(),
            book: OwnBook::new(),
            game: Game::default(),
            position_is_good: true,
            activity: Activity::Idle,
            stopping: false,
            queue: VecDeque::new(),
            debug: false,
            output,
        })
    }

    /// Serves the client until it quits, `input` ends, `interrupts` says something, or nobody listens any more. At the
    /// end of the input a search with a limit is finished first.
    ///
    /// # Errors
    /// If the output cannot be written, though somebody listens.
    pub fn run(mut self, input: &Receiver<String>, interrupts: &Receiver<()>) -> io::Result<()> {
        self.output.line(&format!("{} by {AUTHOR}", name_and_version()));
        if let Err(error) = Evaluation::internal() {
            self.remark(&format!("ERROR: {error}; the {} is used", Evaluation::Classic));
        }
        let (mut input_ended, mut quits) = (false, false);
        loop {
            let is_done = quits && !self.has_counts() || input_ended && self.is_idle();
            if self.output.is_closed() || is_done {
                break;
            }
            if input_ended {
                self.end_of_input();
            }
            // A search that says nothing for long would not see that nobody reads any more.
            let look_again = if input_ended { after(LOOK_FOR_CLIENT) } else { never() };
            let no_input = never();
            let input = if input_ended { &no_input } else { input };
            let no_events = never();
            let no_lines = never();
            let (events, lines) = match &self.activity {
                Activity::Idle => (&no_events, &no_lines),
                Activity::Searching { events, .. } => (events, &no_lines),
                Activity::Counting(count) => (&no_events, &count.lines),
            };
            select! {
                recv(input) -> line => match line {
                    Ok(line) => {
                        if self.read(&line) == Next::Quit {
                            (quits, input_ended) = (true, true);
                        }
                    }
                    Err(_) => input_ended = true,
                },
                recv(events) -> event => match event {
                    Ok(event) => self.on_event(event),
                    Err(_) => self.become_idle(),
                },
                recv(lines) -> lines => {
                    match lines {
                        Ok(lines) => lines.iter().for_each(|line| self.output.line(line)),
                        Err(_) => self.remark("ERROR: the count failed"),
                    }
                    self.become_idle();
                },
                recv(look_again) -> _ => {}
                recv(interrupts) -> _ => break,
            }
        }
        self.finish();
        self.output.outcome()
    }

    fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    fn is_counting(&self) -> bool {
        matches!(self.activity, Activity::Counting(_))
    }

    /// True if one runs or waits for its turn.
    fn has_counts(&self) -> bool {
        let counts = |command: &Command| matches!(command, Command::Perft(_) | Command::Bench(_));
        self.is_counting() || self.queue.iter().any(counts)
    }

    /// Tells the client something for a person to read. What it repeats of the client's own words must not look like a
    /// line of its own or flood anybody.
    fn remark(&self, text: &str) {
        let shown = text.chars().take(LONGEST_REMARK);
        let shown: String = shown.map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.output.line(&format!("info string {shown}"));
    }

    fn read(&mut self, line: &str) -> Next {
        self.output.heard(line);
        if self.debug {
            self.remark(&format!("received: {}", line.trim()));
        }
        match command::parse(line) {
            Ok(None) => Next::GoOn,
            Ok(Some(command)) => self.dispatch(command),
            Err(error @ CommandError::Malformed("position", _)) => {
                self.dispatch(Command::NoPosition(error.to_string()))
            }
            Err(error) => {
                self.remark(&format!("ERROR: {error}"));
                Next::GoOn
            }
        }
    }

    /// Carries a command out, or queues it behind the search.
    fn dispatch(&mut self, command: Command) -> Next {
        match command {
            Command::Quit => return Next::Quit,
            Command::Uci => self.introduce(),
            // A search that goes on does not keep it waiting. One that ends does, for whoever asks whether what he has said
            // since has been done, or takes the next move that he hears for that of the next search (Scid).
            Command::IsReady if !self.stopping => self.output.line("readyok"),
            Command::Debug(on) => self.debug = on,
            Command::Ignored => {}
            Command::Help => self.help(),
            Command::Compiler => self.output.line(&about::program(&Evaluation::default())),
            // Who asks for it behind `go` may read the answer before the move (the crate `stockfish` does).
            Command::Display if self.queue.is_empty() && !self.is_counting() => self.display(),
            // Meant for the last thing that was started, which may still be waiting for its turn, and for a count in its way.
            Command::Stop => {
                let waits = self.queue.iter().any(starts_anew);
                if !waits || self.is_counting() {
                    self.stop();
                }
                if waits {
                    self.queue.push_back(command);
                }
            }
            Command::PonderHit if !self.queue.iter().any(starts_anew) => self.ponder_hit(),
            command if self.is_idle() => self.carry_out(command),
            command => {
                if starts_anew(&command) {
                    self.stop_search();
                }
                self.queue.push_back(command);
            }
        }
        Next::GoOn
    }

    /// Carries out a command that needs an idle engine, or comes from the queue.
    fn carry_out(&mut self, command: Command) {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.searcher.new_game(),
            Command::Position(position) => self.set_position(&position),
            Command::NoPosition(problem) => self.lose_position(&problem),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => {
                self.count(Count::perft(self.game.position, depth, self.options.chess960));
            }
            Command::Bench(options) => {
                let evaluation = self.searcher.evaluation().clone();
                self.count(Count::bench(options, self.game.position, evaluation));
            }
            Command::Display => self.display(),
            // The moves that have led to it do not go with it.
            Command::Flip => self.game = Game::from(Position::from(self.game.position.flipped())),
            Command::Eval => {
                let evaluation = self.searcher.evaluation();
                self.output.line(&inspect::evaluation(&self.game.position, evaluation));
            }
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::IsReady => self.output.line("readyok"),
            other => {
                debug_assert!(false, "{other:?} is never queued");
            }
        }
    }

    fn display(&self) {
        self.output.line(&inspect::position(&self.game.position));
    }

    /// The activity is over: what was queued has its turn.
    fn become_idle(&mut self) {
        (self.activity, self.stopping) = (Activity::Idle, false);
        while self.is_idle()
            && let Some(command) = self.queue.pop_front()
        {
            self.carry_out(command);
        }
        if self.is_idle() {
            return;
        }
        // What was said to the one that has just begun has waited long enough.
        let next = self.queue.iter().position(starts_anew).unwrap_or(self.queue.len());
        let later = self.queue.split_off(next);
        for command in std::mem::take(&mut self.queue) {
            match command {
                Command::Stop => self.stop(),
                Command::PonderHit => self.ponder_hit(),
                // Behind `stop` the move comes first.
                Command::IsReady if !self.stopping => self.output.line("readyok"),
                other => self.queue.push_back(other),
            }
        }
        if !later.is_empty() {
            self.stop_search();
        }
        self.queue.extend(later);
    }

    /// Makes way for what starts anew: a client that does so does not wait for a search.
    fn stop_search(&mut self) {
        if !self.is_counting() {
            self.stop();
        }
    }

    fn stop(&mut self) {
        self.stopping = !self.is_idle();
        match &self.activity {
            Activity::Idle => {}
            Activity::Searching { .. } => self.searcher.stop(),
            Activity::Counting(count) => count.stop(),
        }
    }

    fn ponder_hit(&mut self) {
        if let Activity::Searching { pondering, .. } = &mut self.activity {
            *pondering = false;
            self.searcher.ponder_hit();
        }
    }

    /// What only a word from the client could end, ends now.
    fn end_of_input(&mut self) {
        if let Activity::Searching { unbounded, pondering, .. } = self.activity
            && (unbounded || pondering)
        {
            self.stop();
        }
    }

    /// Stops whatever runs and waits for its answer, so that the `go` that runs has its `bestmove`, and a count its word.
    fn finish(&mut self) {
        self.queue.clear();
        self.stop();
        if let Activity::Counting(count) = &self.activity {
            count.lines.recv().iter().flatten().for_each(|line| self.output.line(line));
        }
        if let Activity::Searching { events, .. } = &self.activity {
            let events = events.clone();
            for event in events {
                let finished = matches!(event, Event::Finished { .. });
                self.on_event(event);
                if finished {
                    break;
                }
            }
        }
    }

    fn style(&self) -> Style {
        Style { chess960: self.options.chess960, show_wdl: self.options.show_wdl }
    }

    fn on_event(&mut self, event: Event) {
        let Activity::Searching { root, .. } = &self.activity else { return };
        match event {
            Event::Info(info) => self.output.line(&format::info(&info, root, self.style())),
            Event::CurrentMove(depth, mv, number) => {
                self.output.line(&format::current_move(depth, mv, number, root, self.options.chess960));
            }
            Event::Problem(text) => self.remark(&format!("ERROR: {text}")),
            Event::Finished { best, ponder } => {
                self.output.line(&format::best_move(best, ponder, root, self.options.chess960));
                self.become_idle();
            }
        }
    }

    fn introduce(&self) {
        let mut text = format!("id name {}\nid author {AUTHOR}\n", name_and_version());
        for spec in options::table() {
            text += &format!("{spec}\n");
        }
        #[cfg(feature = "tune")]
        for parameter in crate::search::params::ALL {
            let crate::types::tunable::Parameter { name, default, min, max, .. } = parameter;
            text += &format!("option name {name} type spin default {default} min {min} max {max}\n");
        }
        self.output.line(&(text + "uciok"));
    }

    fn help(&self) {
        let text = "commands: uci, debug, isready, setoption, ucinewgame, position, go, stop, ponderhit, quit; \
                    go perft N (counts moves), d (shows the board), flip (turns it round), eval (shows the evaluation), \
                    compiler (shows how the program was built), bench [depth] [threads] [hash] or as Stockfish has it (measures speed)";
        self.remark(text);
        for spec in options::table() {
            self.remark(&format!("option {}: {}", spec.name, spec.about));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if let Some(value) = value.and_then(|value| value.parse().ok())
            && crate::search::params::set(name, value)
        {
            return;
        }
        let (id, value, remark) = match options::read(name, value) {
            Ok(setting) => setting,
            Err(error) => return self.remark(&format!("ERROR: {error}")),
        };
        if let Some(remark) = remark {
            self.remark(&remark);
        }
        match (id, value) {
            (OptionId::Hash, Value::Number(megabytes)) => {
                // More than can be counted is refused as what is not there.
                let megabytes = usize::try_from(megabytes).unwrap_or(usize::MAX);
                if let Err(error) = self.searcher.resize_hash(megabytes) {
                    let kept = self.searcher.hash_megabytes();
                    self.remark(&format!("ERROR: {error}; the table of {kept} MB stays"));
                }
            }
            (OptionId::Threads, Value::Number(threads)) => {
                let got = self.searcher.set_threads(threads as usize);
                if got != threads as usize {
                    self.remark(&format!("ERROR: {threads} threads cannot be had; {got} are there"));
                }
            }
            (OptionId::ClearHash, _) => self.searcher.clear_hash(),
            (OptionId::DebugLogFile, Value::Text(path)) => self.begin_log(&path),
            (OptionId::BookFile, Value::Text(setting)) => {
                let told = self.book.open(&setting);
                self.remark(&told);
            }
            (OptionId::EvalFile, Value::Text(setting)) => self.set_evaluation(&setting),
            (OptionId::SyzygyPath, Value::Text(paths)) => self.open_tables(&paths),
            // It can only be read.
            (OptionId::EngineAbout, _) => {}
            (id, value) => self.options.set(id, value),
        }
    }

    /// Begins to log what is said, or says why not.
    fn begin_log(&self, path: &str) {
        let file = (!path.is_empty()).then(|| Path::new(path));
        let head = format!("process {}\n{}", std::process::id(), about::program(self.searcher.evaluation()));
        if let Err(error) = self.output.log_to(file, &head) {
            self.remark(&format!("ERROR: {path} cannot be written: {error}; no log is kept"));
        }
    }

    /// Loads a network, or says why not and takes the hand-made evaluation.
    fn set_evaluation(&mut self, setting: &str) {
        let evaluation = Evaluation::from_setting(setting).unwrap_or_else(|error| {
            self.remark(&format!("ERROR: {error}; the {} is used instead", Evaluation::Classic));
            Evaluation::Classic
        });
        self.searcher.set_evaluation(evaluation);
        self.remark(&format!("evaluation: {}", self.searcher.evaluation()));
    }

    /// Opens tablebases, or says why not and goes on without.
    fn open_tables(&mut self, paths: &str) {
        let told = match self.searcher.open_tables(paths) {
            Ok(Some(tables)) => {
                format!("{} tablebases with up to {} pieces", tables.count(), tables.most_pieces())
            }
            Ok(None) => "no tablebases".into(),
            Err(error) => format!("ERROR: {error}; there are none now"),
        };
        self.remark(&told);
    }

    /// Sets up the whole position with all its moves, or leaves the old one and says why.
    fn set_position(&mut self, command: &PositionCommand) {
        match Game::read(command) {
            Ok((game, left_out)) => {
                self.game = game;
                self.position_is_good = true;
                if let Some(words) = left_out {
                    self.remark(&format!("'{words}' behind the FEN is left out"));
                }
            }
            Err(problem) => self.lose_position(&problem),
        }
    }

    fn lose_position(&mut self, problem: &str) {
        self.position_is_good = false;
        self.remark(&format!(
            "ERROR: {problem}; the position before stays on the board, and 'go' gives no move until the next good \
             'position'"
        ));
    }

    fn go(&mut self, go: &GoCommand) {
        let Game { position, history, book_key } = self.game.clone();
        let (mut limits, problems) = go::limits(go, &position);
        for problem in problems {
            self.remark(&format!("ERROR: {problem}"));
        }
        if !self.position_is_good {
            self.remark("ERROR: no move, since the last 'position' could not be read");
            limits.search_moves = Some(vec![]);
        }
        if self.options.own_book
            && !self.options.search.analysis
            && let Some(told) = self.book.choose(book_key, &position, &mut limits)
        {
            self.remark(&told);
        }
        let (unbounded, pondering) = (limits.is_unbounded(), limits.ponder);
        let mut settings = self.options.settings();
        if unbounded && !pondering {
            // Without a word of `UCI_AnalyseMode`, which most clients do not know: nobody plays a game so.
            settings.elo = None;
        }
        let (sender, events) = crossbeam_channel::unbounded();
        self.activity = Activity::Searching { events, root: Box::new(position), unbounded, pondering };
        self.searcher.start(Task { position, history, limits, events: Some(sender) }, settings);
    }

    /// Goes on with a count, if it could be begun.
    fn count(&mut self, count: io::Result<Count>) {
        match count {
            Ok(count) => self.activity = Activity::Counting(count),
            Err(error) => self.remark(&format!("ERROR: no thread to count in: {error}")),
        }
    }
}

/// True for what needs an idle engine and ends a running search.
fn starts_anew(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::NewGame)
}

#[cfg(test)]
mod tests {
    use super::options::{Kind, Spec};
    use super::*;

    #[test]
    fn each_option_sets_what_its_name_says() {
        let mut session = Session::new(Output::new(io::sink())).unwrap();
        for (name, value) in [
            ("MultiPV", "3"),
            ("Ponder", "true"),
            ("Move Overhead", "77"),
            ("UCI_Elo", "1500"),
            ("UCI_LimitStrength", "true"),
            ("SyzygyProbeDepth", "5"),
            ("SyzygyProbeLimit", "4"),
            ("Syzygy50MoveRule", "false"),
        ] {
            session.set_option(name, Some(value));
        }
        let settings = session.options.settings();
        assert_eq!((settings.multi_pv, settings.may_ponder, settings.elo), (3, true, Some(1_500)));
        assert_eq!(settings.move_overhead, Duration::from_millis(77));
        assert_eq!((settings.probe_depth, settings.probe_limit, settings.fifty_moves), (5, 4, false));
        session.set_option("UCI_AnalyseMode", Some("true"));
        assert!(session.options.settings().analysis && session.options.settings().elo.is_none());
    }

    #[test]
    fn something_comes_of_each_option() {
        let mut session = Session::new(Output::new(io::sink())).unwrap();
        for Spec { name, kind, .. } in options::table() {
            let value = match kind {
                Kind::Spin { default, min, .. } => (default + if default > min { -1 } else { 1 }).to_string(),
                Kind::Check(default) => (!default).to_string(),
                Kind::Button | Kind::Text(_) => "/no/such/file".to_string(),
            };
            session.set_option(name, Some(&value));
        }
    }
}
