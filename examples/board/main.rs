//! A board of prices: one thread sets the quotes of many instruments, other threads read them. `--help` says how.
//!
//! The quotes are a class of plain data: a reader gets a copy without a pin or a lock, and the writer never waits. Some instruments
//! are taken off the board and others put in their slots. A reader that still has an old handle finds nothing.
#![forbid(unsafe_code)]

mod options;

use std::process::ExitCode;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use acedia::{PlainHandle, PlainObject, PlainOwned};
use bytemuck::{AnyBitPattern, NoUninit};

use options::Options;

/// A quote, with a sum over its other fields: a copy that mixed two quotes would show.
#[derive(Clone, Copy, NoUninit, AnyBitPattern, PlainObject)]
#[object(name = "Board.Quote")]
#[repr(C)]
struct Quote {
    instrument: u64,
    bid: u64,
    ask: u64,
    sum: u64,
}

impl Quote {
    fn new(instrument: u64, price: u64) -> Self {
        let (bid, ask) = (price, price + 1 + price % 7);
        let sum = instrument ^ bid.rotate_left(21) ^ ask.rotate_left(42);
        Self {
            instrument,
            bid,
            ask,
            sum,
        }
    }

    fn is_whole(&self) -> bool {
        self.sum == Self::new(self.instrument, self.bid).sum && self.ask > self.bid
    }
}

/// What a reader has seen.
#[derive(Default)]
struct Seen {
    loads: u64,
    /// The instrument had been taken off the board.
    stale: u64,
    /// A copy was no quote, or another instrument's. There must be none.
    wrong: u64,
}

fn main() -> ExitCode {
    let options = match Options::parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("board: {error}; try --help");
            return ExitCode::from(2);
        }
    };
    let seen = run(&options);
    let stats = Quote::class().stats();
    println!(
        "{} loads were stale, {} copies were wrong; the pool: {stats}",
        seen.stale, seen.wrong
    );
    if seen.wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn run(options: &Options) -> Seen {
    let mut board: Vec<PlainOwned<Quote>> = (0..options.instruments)
        .map(|instrument| Quote::new(instrument, 100).insert())
        .collect();
    // The handles that readers know: renewed now and then, so that some are old.
    let handles: RwLock<Vec<(u64, PlainHandle<Quote>)>> = RwLock::new(listed(&board));
    let is_over = AtomicBool::new(false);
    let start = Instant::now();
    let seen = thread::scope(|scope| {
        let readers: Vec<_> = (0..options.readers)
            .map(|number| {
                scope.spawn({
                    let (handles, is_over) = (&handles, &is_over);
                    move || read(handles, is_over, number)
                })
            })
            .collect();
        write(&mut board, &handles, options);
        is_over.store(true, Ordering::Relaxed);
        let seen = readers
            .into_iter()
            .map(|reader| reader.join().expect("a reader does not panic"));
        seen.fold(Seen::default(), |all, seen| Seen {
            loads: all.loads + seen.loads,
            stale: all.stale + seen.stale,
            wrong: all.wrong + seen.wrong,
        })
    });
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} instruments, {} sets by one thread beside {} loads by {} in {seconds:.2} s",
        options.instruments, options.sets, seen.loads, options.readers,
    );
    seen
}

fn listed(board: &[PlainOwned<Quote>]) -> Vec<(u64, PlainHandle<Quote>)> {
    board
        .iter()
        .map(|quote| (quote.load().instrument, quote.handle()))
        .collect()
}

/// Sets quotes. Every so often an instrument leaves the board, and a new one takes its slot at once.
fn write(board: &mut [PlainOwned<Quote>], handles: &RwLock<Vec<(u64, PlainHandle<Quote>)>>, options: &Options) {
    let mut random = Random(1);
    let mut next = options.instruments;
    for set in 0..options.sets {
        let place = random.below(board.len());
        let price = 100 + random.next() % 10_000;
        if set % 1_000 == 999 {
            // The old owner is dropped: its handles are stale from here on, also for a load that is under way.
            board[place] = Quote::new(next, price).insert();
            next += 1;
        } else {
            board[place].update(|quote| *quote = Quote::new(quote.instrument, price));
        }
        if set % 1_000_000 == 999_999 {
            *handles.write().expect("no thread panics") = listed(board);
        }
    }
}

fn read(handles: &RwLock<Vec<(u64, PlainHandle<Quote>)>>, is_over: &AtomicBool, number: u64) -> Seen {
    let mut random = Random(number + 2);
    let mut seen = Seen::default();
    // At least one round, however soon the writer is done.
    loop {
        let known = handles.read().expect("no thread panics").clone();
        for _ in 0..10_000 {
            let (instrument, handle) = known[random.below(known.len())];
            seen.loads += 1;
            match handle.load() {
                None => seen.stale += 1,
                Some(quote) => seen.wrong += u64::from(!quote.is_whole() || quote.instrument != instrument),
            }
        }
        if is_over.load(Ordering::Relaxed) {
            return seen;
        }
    }
}

/// Splitmix.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).expect("below a usize")
    }
}
