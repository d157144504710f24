//! The view of `--watch` of `examples/skirmish`: compared with `docs/watch.txt`, and drawn on small terminals.

use ratatui::Terminal;
use ratatui::backend::TestBackend;

#[path = "../skirmish/screen.rs"]
mod screen;

use screen::{Row, Screen};

/// The view in a terminal of this size.
fn drawn(width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| moment().draw(frame)).expect("drawn");
    let buffer = terminal.backend().buffer();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    let lines: Vec<_> = (0..height).map(|y| line(y).trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// Typical numbers of a match.
fn moment() -> Screen {
    let row = |name, [live, reused, peak, kept]: [u64; 4], refused, lives: &[u64]| Row {
        name,
        live,
        reused,
        peak,
        kept,
        refused,
        lives: lives.to_vec(),
    };
    let course = [2, 4, 4, 5, 4, 4, 3, 3, 4, 4, 7, 8].map(|eighth| eighth * 670_000);
    Screen {
        title: "pools",
        ticks: [362_118, 800_000],
        threads: 2,
        seconds: 3.64,
        classes: vec![
            row("Acedia.ActorLife", [1, 145, 1, 408], None, &[8, 0, 1, 8]),
            row("AcediaCore.ArrayList", [12, 4_021, 41, 5_128], None, &course[..3]),
            row("AcediaCore.HashTable", [14, 3_977, 52, 9_984], None, &course[..3]),
            row("AcediaCore.HashTableShape", [3, 61, 4, 1_280], None, &[2, 1]),
            row("AcediaCore.IntBox", [93, 1_462_030, 116, 1_888], None, &course),
            row("AcediaCore.Text", [4_240, 5_801_221, 16_513, 1_464_760], None, &course),
            row(
                "Skirmish.Item",
                [64, 1_449_213, 192, 48_320],
                Some(821_904),
                &course[..4],
            ),
            row(
                "Skirmish.Projectile",
                [2_230, 11_604_118, 2_542, 664_640],
                Some(1_550_019),
                &course,
            ),
        ],
    }
}

#[test]
fn the_view_is_the_one_in_the_docs() {
    let kept = include_str!("../../docs/watch.txt");
    let drawn = drawn(100, 14);
    assert_eq!(drawn, kept, "if it is meant, renew docs/watch.txt:\n{drawn}");
}

#[test]
fn a_narrow_terminal_has_no_sparklines() {
    let narrow = drawn(78, 14);
    assert!(narrow.contains("stale refused"), "{narrow}");
    assert!(narrow.contains("1.55M"), "{narrow}");
    assert!(!narrow.contains("per second"), "{narrow}");
}

#[test]
fn no_terminal_is_too_small() {
    for (width, height) in [(0, 0), (1, 1), (5, 40), (200, 3), (73, 2), (79, 6)] {
        drawn(width, height);
    }
}

#[test]
fn numbers_keep_their_columns() {
    let mut screen = moment();
    for number in [999, 1_000, 999_999, 123_456_789, u64::MAX] {
        let class = &mut screen.classes[0];
        (class.live, class.reused, class.peak, class.kept) = (number, number, number, number);
        let mut terminal = Terminal::new(TestBackend::new(80, 8)).expect("a terminal");
        terminal.draw(|frame| screen.draw(frame)).expect("drawn");
        let buffer = terminal.backend().buffer();
        let row: String = (0..80).map(|x| buffer[(x, 4)].symbol()).collect();
        let cells: Vec<_> = row.split_whitespace().collect();
        assert_eq!(cells[1], cells[2], "whole numbers, not cut: {row}");
        assert!(row[25..].starts_with(' '), "{row}");
    }
}
