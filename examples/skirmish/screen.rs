//! [`Screen`]: the view of `--watch`, drawn from numbers alone.

use std::cmp::Reverse;
use std::iter;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Gauge, Paragraph, Sparkline, Table, Wrap};

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

/// The columns of numbers: their titles and widths. The names get the width of the longest, and the sparklines the rest.
const COLUMNS: [(&str, u16); 5] = [
    ("live", 7),
    ("reused", 8),
    ("peak", 7),
    ("kept", 9),
    ("stale refused", 13),
];
/// The columns that a narrow terminal leaves out, the first one first. A number is never cut: its head would look like a
/// smaller number.
const LEFT_OUT: [usize; 4] = [4, 1, 2, 3];
/// The least width of the sparklines. With less room there are none.
const LEAST: u16 = 12;
/// The least size of the view: a name of 12 characters with one number, and two classes.
const LEAST_SIZE: (u16, u16) = (20, 7);

impl Screen {
    pub(crate) fn draw(&self, frame: &mut Frame) {
        let (width, height) = LEAST_SIZE;
        if frame.area().width < width || frame.area().height < height {
            let message = format!("needs {width}x{height}; q ends");
            frame.render_widget(Paragraph::new(message).wrap(Wrap { trim: true }), frame.area());
            return;
        }
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
        let ticks = format!("{} of {} ticks", short(done), short(all));
        let head_line = first_fitting(
            head.width,
            [
                format!(
                    "{}: {ticks}, {} threads, {:.1} s",
                    self.title, self.threads, self.seconds
                ),
                format!("{}: {ticks}", self.title),
                ticks,
            ],
        );
        frame.render_widget(Paragraph::new(head_line).bold(), head);
        #[expect(clippy::cast_precision_loss, reason = "a bar has a hundred columns at most")]
        let part = (done as f64 / all.max(1) as f64).min(1.0);
        frame.render_widget(Gauge::default().ratio(part).gauge_style(Color::Cyan), bar);

        let longest = self.classes.iter().map(|class| class.name.chars().count()).max();
        let columns = Columns::fitting(body.width, longest.unwrap_or(0));
        let [left, right] = Layout::horizontal([Constraint::Max(columns.width() + 1), Constraint::Fill(1)]).areas(body);
        let with_lines = right.width >= LEAST;
        let title = Rect {
            width: left.width,
            ..titles
        };
        let title_cells =
            iter::once("class".to_owned()).chain(columns.pick(COLUMNS.map(|(title, _)| title.to_owned())));
        frame.render_widget(
            columns
                .table([title_cells.collect()])
                .add_modifier(Modifier::UNDERLINED),
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

        let (shown, hidden) = self.fitting(body.height.into());
        let names = shortened(&shown, columns.names.into());
        let rows = names.into_iter().zip(&shown).map(|(name, class)| {
            let numbers = columns.pick(class.numbers());
            iter::once(name).chain(numbers).collect()
        });
        frame.render_widget(columns.table(rows), left);
        if let Some(last) = body.rows().next_back().filter(|_| !hidden.is_empty()) {
            let kept = bytes(hidden.iter().map(|class| class.kept).sum());
            let more = first_fitting(
                last.width,
                [
                    format!("and {} more classes, which keep {kept}", hidden.len()),
                    format!("and {} more classes", hidden.len()),
                    format!("and {} more", hidden.len()),
                ],
            );
            frame.render_widget(Line::from(more).dim(), last);
        }
        let lines = right.rows().zip(&shown).filter(|_| with_lines);
        for (mut line, class) in lines {
            let now = class.lives.last().copied().unwrap_or(0);
            frame.render_widget(Paragraph::new(format!("{:>6}", short(now))), line);
            line.x += 7;
            line.width -= 7;
            let newest = class.lives.len().saturating_sub(line.width.into());
            let style = Style::new().fg(Color::Cyan);
            frame.render_widget(Sparkline::default().data(&class.lives[newest..]).style(style), line);
        }
        frame.render_widget(Line::from(columns.foot(foot.width)).dim(), foot);
    }

    /// The classes to show in so many lines, and the others. The last line is for the number of the others. Those that keep
    /// most memory are shown, in the order of all.
    fn fitting(&self, lines: usize) -> (Vec<&Row>, Vec<&Row>) {
        let mut by_size: Vec<usize> = (0..self.classes.len()).collect();
        if by_size.len() > lines {
            by_size.sort_by_key(|at| Reverse(self.classes[*at].kept));
            by_size.truncate(lines.saturating_sub(1));
        }
        let (shown, hidden): (Vec<_>, Vec<_>) = self
            .classes
            .iter()
            .enumerate()
            .partition(|(at, _)| by_size.contains(at));
        let rows = |rows: Vec<(usize, _)>| rows.into_iter().map(|(_, row)| row).collect();
        (rows(shown), rows(hidden))
    }
}

impl Row {
    fn numbers(&self) -> [String; 5] {
        [
            short(self.live),
            short(self.reused),
            short(self.peak),
            bytes(self.kept),
            self.refused.map_or_else(|| "-".to_owned(), short),
        ]
    }
}

/// The columns for which there is room.
struct Columns {
    /// The width of the names.
    names: u16,
    /// Indices into [`COLUMNS`], in order.
    shown: Vec<usize>,
}

impl Columns {
    /// Whole names first: columns are left out before names are shortened.
    fn fitting(width: u16, longest: usize) -> Self {
        let mut columns = Self {
            names: u16::try_from(longest).unwrap_or(u16::MAX / 2).max(12),
            shown: (0..COLUMNS.len()).collect(),
        };
        for left_out in LEFT_OUT {
            if columns.width() > width {
                columns.shown.retain(|column| *column != left_out);
            }
        }
        columns.names -= columns.width().saturating_sub(width);
        columns
    }

    fn width(&self) -> u16 {
        self.names + self.widths().map(|width| width + 1).sum::<u16>()
    }

    fn widths(&self) -> impl Iterator<Item = u16> {
        self.shown.iter().map(|column| COLUMNS[*column].1)
    }

    /// The line below the view: how to end it, and the columns that are left out.
    fn foot(&self, width: u16) -> String {
        let end = "q ends the match and prints the report".to_owned();
        let short_end = "q ends the match".to_owned();
        let left_out: Vec<_> = LEFT_OUT.iter().filter(|at| !self.shown.contains(at)).collect();
        if left_out.is_empty() {
            return first_fitting(width, [end, short_end]);
        }
        let titles: Vec<_> = left_out.iter().map(|at| COLUMNS[**at].0).collect();
        let narrow = format!("too narrow for {}", titles.join(", "));
        first_fitting(
            width,
            [
                format!("{end}; {narrow}"),
                format!("{short_end}; {narrow}"),
                format!("q ends; {} left out", titles.len()),
            ],
        )
    }

    /// Those of the cells that are shown.
    fn pick(&self, cells: [String; 5]) -> impl Iterator<Item = String> {
        let cells = cells.into_iter().enumerate();
        cells.filter(|(at, _)| self.shown.contains(at)).map(|(_, cell)| cell)
    }

    /// The first column to the left, the others to the right.
    fn table<'a>(&self, rows: impl IntoIterator<Item = Vec<String>>) -> Table<'a> {
        let row = |cells: Vec<String>| {
            let cells = cells.into_iter().enumerate().map(|(at, cell)| {
                let cell = Line::from(cell);
                if at == 0 { cell } else { cell.right_aligned() }
            });
            ratatui::widgets::Row::new(cells)
        };
        Table::new(rows.into_iter().map(row), iter::once(self.names).chain(self.widths())).column_spacing(1)
    }
}

/// The names in at most `width` characters. The end of a name tells more than its package. Names with equal ends get the
/// number of their line.
fn shortened(classes: &[&Row], width: usize) -> Vec<String> {
    let ends: Vec<_> = classes.iter().map(|class| end_of(class.name, width)).collect();
    let name = |(at, class): (usize, &&Row)| {
        if ends.iter().filter(|end| **end == ends[at]).count() == 1 {
            return ends[at].clone();
        }
        let number = (at + 1).to_string();
        let end = end_of(class.name, width - number.len());
        number + &end
    };
    classes.iter().enumerate().map(name).collect()
}

/// The name, or `…` and its end.
fn end_of(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    iter::once('…').chain(name.chars().skip(length + 1 - width)).collect()
}

/// The first of these lines that fits whole, or the last one.
fn first_fitting<const N: usize>(width: u16, lines: [String; N]) -> String {
    let last = lines[N - 1].clone();
    let mut lines = lines.into_iter();
    lines.find(|line| line.chars().count() <= width.into()).unwrap_or(last)
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
