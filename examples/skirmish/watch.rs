//! [`Watch`]: the match on the terminal while it runs.

use std::time::{Duration, Instant};

use acedia::{Class, Object, PlainObject, classes};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use crate::interrupt;
use crate::objects::{Item, Projectile};
use crate::screen::{Row, Screen};
use crate::tally;
use crate::terminal::{Terminal, trouble};

/// The time between two pictures.
const PICTURE: Duration = Duration::from_millis(100);
/// The time between two points of a sparkline. A point is the lives per second since the last one.
const POINT: Duration = Duration::from_millis(250);

/// The match on a terminal.
///
/// Reading the numbers of a class costs the threads that use it nothing.
#[derive(Debug)]
pub(crate) struct Watch {
    terminal: Terminal,
    title: &'static str,
    ticks: u64,
    threads: usize,
    started: Instant,
    drawn: Option<Instant>,
    /// The time of the last point of the sparklines.
    pointed: Instant,
    courses: Vec<Course>,
}

/// One class over time.
#[derive(Debug)]
struct Course {
    class: &'static Class,
    /// Lives at the last point.
    lives: u64,
    points: Vec<u64>,
}

impl Watch {
    /// Takes the terminal. An error if there is none.
    pub(crate) fn new(title: &'static str, ticks: u64, threads: usize) -> Result<Self, String> {
        let courses = classes().into_iter().map(|class| Course {
            class,
            lives: class.stats().lives,
            points: Vec::new(),
        });
        Ok(Self {
            courses: courses.collect(),
            terminal: Terminal::take()?,
            title,
            ticks,
            threads,
            started: Instant::now(),
            drawn: None,
            pointed: Instant::now(),
        })
    }

    /// Draws the match, if it is time. `false` if the match is to end.
    pub(crate) fn show(&mut self, ticks: u64) -> Result<bool, String> {
        while event::poll(Duration::ZERO).map_err(trouble)? {
            if is_end(&event::read().map_err(trouble)?) {
                return Ok(false);
            }
        }
        let since = self.pointed.elapsed();
        if since >= POINT {
            self.courses.iter_mut().for_each(|course| course.point(since));
            self.pointed = Instant::now();
        }
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= PICTURE) {
            self.drawn = Some(Instant::now());
            let screen = self.screen(ticks);
            self.terminal.draw(|frame| screen.draw(frame))?;
        }
        Ok(true)
    }

    fn screen(&self, ticks: u64) -> Screen {
        Screen {
            title: self.title,
            ticks: [ticks, self.ticks],
            threads: self.threads,
            seconds: self.started.elapsed().as_secs_f64(),
            classes: self.courses.iter().filter_map(Course::row).collect(),
        }
    }
}

impl Course {
    /// One more point, so long after the last one.
    fn point(&mut self, since: Duration) {
        let lives = self.class.stats().lives;
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a line of eight steps"
        )]
        self.points
            .push(((lives - self.lives) as f64 / since.as_secs_f64()) as u64);
        self.lives = lives;
    }

    /// Nothing for a class that was never used.
    fn row(&self) -> Option<Row> {
        let stats = self.class.stats();
        let counted = [(Projectile::class(), Projectile::ROW), (Item::class(), Item::ROW)];
        let row = counted.into_iter().find(|(class, _)| *class == self.class);
        (stats.lives > 0).then(|| Row {
            name: self.class.name(),
            live: stats.live,
            reused: stats.reused,
            peak: stats.peak,
            kept: stats.bytes,
            refused: row.map(|(_, row)| tally::refused(row)),
            lives: self.points.clone(),
        })
    }
}

/// Whether this is `q`, Escape or Ctrl-C.
fn is_end(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    if key.kind == KeyEventKind::Release {
        return false;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
        interrupt::want();
        return true;
    }
    matches!(key.code, KeyCode::Char('q' | 'Q') | KeyCode::Esc)
}
