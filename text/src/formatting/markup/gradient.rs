//! [`Gradient`]: blocks whose color changes from character to character.

use std::ops::Range;

use crate::Color;

/// A color and its point in the block: 0 is the first character, 1 the last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub(super) color: Color,
    pub(super) point: f64,
}

/// Marks a missing point, which is treated like any point that is out of order.
pub(super) const NO_POINT: f64 = -1.0;

/// A gradient and the characters it spans, those of inner blocks included.
#[derive(Debug, Clone)]
pub(super) struct Gradient {
    stops: Vec<Stop>,
    span: Range<usize>,
}

impl Gradient {
    /// A gradient over the characters from `start` on, through two or more colors.
    ///
    /// The outer colors are at 0 and 1, whatever their points. Inner points that do not ascend, or are not above 0 and at most 1,
    /// are spread evenly between their neighbors.
    pub(super) fn new(mut stops: Vec<Stop>, start: usize) -> Self {
        if let [first, .., last] = stops.as_mut_slice() {
            first.point = 0.0;
            last.point = 1.0;
        }
        spread(&mut stops);
        Self {
            stops,
            span: start..start,
        }
    }

    pub(super) fn close(&mut self, end: usize) {
        self.span.end = end;
    }

    /// The colors of the characters of `part`, in order.
    pub(super) fn colors(&self, part: Range<usize>) -> impl Iterator<Item = Color> + '_ {
        let steps = number(self.span.len().saturating_sub(1).max(1));
        let place = move |index| number(index - self.span.start) / steps;
        let mut left = self.stops.partition_point(|stop| stop.point <= place(part.start)) - 1;
        part.map(move |index| {
            let place = place(index);
            // Places ascend, so the search continues from the last stop.
            left += self.stops[left + 1..]
                .iter()
                .take_while(|stop| stop.point <= place)
                .count();
            let from = self.stops[left];
            let Some(to) = self.stops.get(left + 1) else {
                return from.color;
            };
            mix(from.color, to.color, (place - from.point) / (to.point - from.point))
        })
    }
}

/// Gives every stop a valid point. The first and the last have one already.
fn spread(stops: &mut [Stop]) {
    let mut valid = 0;
    for index in 1..stops.len() {
        let (low, high) = (stops[valid].point, stops[index].point);
        let is_inner = index + 1 < stops.len();
        if is_inner && (high <= low || high > 1.0) {
            continue;
        }
        let step = (high - low) / number(index - valid);
        for (place, stop) in stops[valid + 1..index].iter_mut().enumerate() {
            stop.point = low + step * number(place + 1);
        }
        valid = index;
    }
}

/// A count as an `f64`, at most 2^32 - 1. In a longer gradient, neighbors have the same color anyway.
fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

fn mix(from: Color, to: Color, share: f64) -> Color {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between two bytes; the cast rounds down"
    )]
    let channel = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * share + 0.5) as u8;
    Color {
        red: channel(from.red, to.red),
        green: channel(from.green, to.green),
        blue: channel(from.blue, to.blue),
        alpha: channel(from.alpha, to.alpha),
    }
}
