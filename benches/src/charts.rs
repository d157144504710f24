//! Charts of what was measured: one SVG for a workload, one panel for each of its payloads.
//!
//! ```text
//! ┌ title ────────────────────────────┐
//! │ panel             panel           │  bars from the best to the worst, ours in colour
//! │  name ████ 12.3    name ██ 4.5    │
//! │  name ███████ 20   …              │
//! │       └──┴──┴ ns                  │
//! └───────────────────────────────────┘
//! ```

use std::{error::Error, iter::successors};

use plotters::{
    backend::SVGBackend,
    coord::Shift,
    drawing::{DrawingArea, IntoDrawingArea},
    element::{PathElement, Rectangle, Text},
    style::{
        Color, IntoFont, RGBColor, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use crate::report::{Column, Outcome};

/// A workload, measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    title: String,
    unit: String,
    panels: Vec<Panel>,
}

#[derive(Debug, Clone, PartialEq)]
struct Panel {
    label: String,
    /// The best first.
    bars: Vec<Bar>,
}

#[derive(Debug, Clone, PartialEq)]
struct Bar {
    name: String,
    value: f64,
}

impl Bar {
    fn is_ours(&self) -> bool {
        self.name.starts_with("acedia")
    }
}

const WIDTH: i32 = 960;
const PER_ROW: i32 = 2;
const PANEL: i32 = WIDTH / PER_ROW;
const BAR: i32 = 18;
const HEAD: i32 = 54;
/// Above and below the bars of a panel: its label, and its axis.
const AROUND: [i32; 2] = [30, 30];
/// To the left and to the right of the bars: the names, and the values.
const BESIDE: [i32; 2] = [216, 58];

const PAPER: RGBColor = RGBColor(250, 250, 248);
const INK: RGBColor = RGBColor(33, 37, 41);
const FAINT: RGBColor = RGBColor(206, 212, 218);
const PEER: RGBColor = RGBColor(148, 156, 163);
const OURS: RGBColor = RGBColor(217, 72, 15);

impl Chart {
    /// The chart of a workload.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let panel = |column: &Column| {
            let bar = |(name, median): (&String, &f64)| Bar {
                name: name.clone(),
                value: *median,
            };
            let mut bars: Vec<_> = column.medians.iter().map(bar).collect();
            bars.sort_by(|one, other| {
                one.value
                    .total_cmp(&other.value)
                    .then_with(|| one.name.cmp(&other.name))
            });
            Panel {
                label: column.payload.clone(),
                bars,
            }
        };
        Self {
            title: outcome.title.clone(),
            unit: outcome.unit.clone(),
            panels: outcome.columns.iter().map(panel).collect(),
        }
    }

    /// The chart as an SVG of its own colours, for dark and light pages.
    ///
    /// # Errors
    ///
    /// The errors of plotters, which no measurement can cause.
    pub fn to_svg(&self) -> Result<String, Box<dyn Error>> {
        let most = self.panels.iter().map(|panel| panel.bars.len()).max().unwrap_or(0);
        let tall = AROUND[0] + BAR * i32::try_from(most)? + AROUND[1];
        let rows = (i32::try_from(self.panels.len())? + PER_ROW - 1) / PER_ROW;
        let size = (WIDTH.try_into()?, (HEAD + tall * rows).try_into()?);
        let mut svg = String::new();
        {
            let paper = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            paper.fill(&PAPER)?;
            paper.draw(&Text::new(self.title.as_str(), (16, 10), style(18, INK)))?;
            let below = format!("{}, less is better", self.unit);
            paper.draw(&Text::new(below, (16, 33), style(12, INK)))?;
            for (at, panel) in (0..).zip(&self.panels) {
                let (row, column) = (at / PER_ROW, at % PER_ROW);
                panel.draw(&paper, (column * PANEL, HEAD + row * tall))?;
            }
            paper.present()?;
        }
        Ok(svg)
    }
}

type Paper<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Panel {
    /// Draws the panel with its corner there.
    fn draw(&self, paper: &Paper<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        let scale = Scale::of(self.bars.iter().map(|bar| bar.value));
        let (left, top) = (corner.0 + BESIDE[0], corner.1 + AROUND[0]);
        let across = f64::from(PANEL - BESIDE[0] - BESIDE[1]);
        #[expect(clippy::cast_possible_truncation, reason = "a few hundred")]
        let x = |value: f64| left + (scale.part(value) * across) as i32;
        let bottom = top + BAR * i32::try_from(self.bars.len())?;

        let label = style(13, INK).pos(Pos::new(HPos::Left, VPos::Center));
        paper.draw(&Text::new(self.label.as_str(), (left, top - 12), label))?;
        for tick in scale.ticks() {
            paper.draw(&PathElement::new([(x(tick), top), (x(tick), bottom + 4)], FAINT))?;
            let centred = style(11, INK).pos(Pos::new(HPos::Center, VPos::Top));
            paper.draw(&Text::new(short(tick), (x(tick), bottom + 8), centred))?;
        }
        for (bar, y) in self.bars.iter().zip((top..).step_by(BAR as usize)) {
            let colour = if bar.is_ours() { OURS } else { PEER };
            let middle = y + BAR / 2;
            let name = style(12, if bar.is_ours() { OURS } else { INK }).pos(Pos::new(HPos::Right, VPos::Center));
            paper.draw(&Text::new(bar.name.as_str(), (left - 6, middle), name))?;
            let end = x(bar.value).max(left + 1);
            paper.draw(&Rectangle::new([(left, y + 3), (end, y + BAR - 3)], colour.filled()))?;
            let value = style(11, INK).pos(Pos::new(HPos::Left, VPos::Center));
            paper.draw(&Text::new(short(bar.value), (end + 5, middle), value))?;
        }
        Ok(())
    }
}

/// The axis of a chart: the position of a value between its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    /// The value at the left end: 0, or for a logarithmic axis a power of ten.
    floor: f64,
    largest: f64,
}

impl Scale {
    /// Logarithmic if the values span more than a decade: on one line, the small ones could not be told apart.
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let largest = values.clone().fold(f64::MIN_POSITIVE, f64::max);
        let smallest = values.fold(largest, f64::min);
        let wide = smallest > 0.0 && largest / smallest > 20.0;
        let floor = if wide {
            10f64.powf(smallest.log10().floor())
        } else {
            0.0
        };
        Self { floor, largest }
    }

    /// From 0 to 1.
    fn part(self, value: f64) -> f64 {
        let part = if self.floor > 0.0 {
            (value / self.floor).log10() / (self.largest / self.floor).log10()
        } else {
            value / self.largest
        };
        part.clamp(0.0, 1.0)
    }

    /// At most about ten round numbers.
    fn ticks(self) -> Vec<f64> {
        let decade = |number: f64| 10f64.powf(number.log10().floor());
        let (first, step): (f64, f64) = if self.floor > 0.0 {
            (self.floor, 10.0)
        } else {
            let rough = self.largest / 4.0;
            let round = [1.0, 2.0, 5.0].map(|digit| digit * decade(rough));
            (
                0.0,
                round.into_iter().rev().find(|step| *step <= rough).unwrap_or(rough),
            )
        };
        let next = |tick: &f64| Some(if first > 0.0 { tick * step } else { tick + step });
        successors(Some(first), next)
            .take_while(|tick| *tick <= self.largest)
            .collect()
    }
}

fn style(size: i32, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

/// Three digits or so.
fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        ..0.095 => format!("{value:.3}"),
        ..0.95 => format!("{value:.2}"),
        ..10.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests;
