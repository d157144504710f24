//! [`Screen`]: the view of `--watch`, drawn from numbers alone.

use std::iter;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Gauge, Paragraph, Sparkline, Table};

/// One moment of the match.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    /// The name of the world.
    pub(crate) title: &'static str,
    /// Ticks of all threads together, so far and in all.
    pub(crate) ticks: [u64; 2],
    pub(crate) threads: usize,
    pub(crate) seconds: f64,
    pub(crate) classes: Vec<Row>,
}

/// One class.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) live: u64,
    pub(crate) reused: u64,
    pub(crate) peak: u64,
    /// Bytes of the objects that exist, dead ones included.
    pub(crate) kept: u64,
    /// Looks through a handle whose object was dead, if the match counts them for this class.
    pub(crate) refused: Option<u64>,
    /// Lives begun per second, the newest last.
    pub(crate) lives: Vec<u64>,
}

const TITLES: [&str; 6] = ["class", "live", "reused", "peak", "kept", "stale refused"];
/// The widths of the columns of numbers. The names get the width of the longest, and the sparklines the rest.
const WIDTHS: [u16; 5] = [7, 8, 7, 9, 13];
/// The least width of the sparklines. With less room there are none.
const LEAST: u16 = 12;

impl Screen {
    pub(crate) fn draw(&self, frame: &mut Frame) {
        let [head, bar, _, titles, body, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(frame.area());

        let [done, all] = self.ticks;
        let head_line = format!(
            "{}: {} of {} ticks, {} threads, {:.1} s",
            self.title,
            short(done),
            short(all),
            self.threads,
            self.seconds
        );
        frame.render_widget(Paragraph::new(head_line).bold(), head);
        #[expect(clippy::cast_precision_loss, reason = "a bar has a hundred columns at most")]
        let part = (done as f64 / all.max(1) as f64).min(1.0);
        frame.render_widget(Gauge::default().ratio(part).gauge_style(Color::Cyan), bar);

        let longest = self.classes.iter().map(|class| class.name.len()).max().unwrap_or(0);
        let names = u16::try_from(longest).unwrap_or(u16::MAX).clamp(12, 40);
        let columns: u16 = names + 1 + WIDTHS.iter().map(|width| width + 1).sum::<u16>();
        let [left, right] = Layout::horizontal([Constraint::Max(columns), Constraint::Fill(1)]).areas(body);
        let with_lines = right.width >= LEAST;
        let title = Rect {
            width: left.width,
            ..titles
        };
        frame.render_widget(
            table(names, [TITLES.map(String::from)]).add_modifier(Modifier::UNDERLINED),
            title,
        );
        if with_lines {
            let title = Rect {
                x: right.x,
                width: right.width,
                ..titles
            };
            frame.render_widget(Paragraph::new("lives per second").underlined(), title);
        }

        frame.render_widget(table(names, self.classes.iter().map(Row::cells)), left);
        let lines = right.rows().zip(&self.classes).filter(|_| with_lines);
        for (mut line, class) in lines {
            let now = class.lives.last().copied().unwrap_or(0);
            frame.render_widget(Paragraph::new(format!("{:>6}", short(now))), line);
            line.x += 7;
            line.width -= 7;
            let newest = class.lives.len().saturating_sub(line.width.into());
            let style = Style::new().fg(Color::Cyan);
            frame.render_widget(Sparkline::default().data(&class.lives[newest..]).style(style), line);
        }
        frame.render_widget(Line::from("q ends the match and prints the report").dim(), foot);
    }
}

impl Row {
    fn cells(&self) -> [String; 6] {
        [
            self.name.to_owned(),
            short(self.live),
            short(self.reused),
            short(self.peak),
            bytes(self.kept),
            self.refused.map_or_else(|| "-".to_owned(), short),
        ]
    }
}

/// The first column to the left, the others to the right.
fn table<'a>(names: u16, rows: impl IntoIterator<Item = [String; 6]>) -> Table<'a> {
    let row = |cells: [String; 6]| {
        let mut cells = cells.map(|cell| Line::from(cell).right_aligned());
        cells[0].alignment = None;
        ratatui::widgets::Row::new(cells)
    };
    Table::new(rows.into_iter().map(row), iter::once(names).chain(WIDTHS)).column_spacing(1)
}

/// A number in at most six characters: 950, 12.3k, 4.56M.
fn short(number: u64) -> String {
    scaled(number, 1_000, ["", "k", "M", "G", "T", "P", "E"])
}

fn bytes(number: u64) -> String {
    scaled(number, 1_024, [" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"])
}

/// `number` in the largest unit of which it has at least one, with three digits.
fn scaled(number: u64, step: u64, units: [&str; 7]) -> String {
    let (mut unit, mut whole, mut scale) = (0, number, 1);
    while whole >= step {
        (unit, whole, scale) = (unit + 1, whole / step, scale * step);
    }
    if unit == 0 {
        return format!("{number}{}", units[0]);
    }
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let value = number as f64 / scale as f64;
    let digits = [2, 1, 0][whole.ilog10().min(2) as usize];
    format!("{value:.digits$}{}", units[unit])
}
