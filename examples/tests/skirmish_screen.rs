//! The view of `--watch` of `examples/skirmish`: compared with `docs/watch.txt`, and drawn on small terminals.

use ratatui::Terminal;
use ratatui::backend::TestBackend;

#[path = "../skirmish/screen.rs"]
mod screen;

use screen::{Row, Screen};

/// The view in a terminal of this size.
fn drawn(width: u16, height: u16) -> String {
    draw(&moment(), width, height)
}

fn draw(screen: &Screen, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| screen.draw(frame)).expect("drawn");
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
        let mut terminal = Terminal::new(TestBackend::new(80, 14)).expect("a terminal");
        terminal.draw(|frame| screen.draw(frame)).expect("drawn");
        let buffer = terminal.backend().buffer();
        let row: String = (0..80).map(|x| buffer[(x, 4)].symbol()).collect();
        let cells: Vec<_> = row.split_whitespace().collect();
        assert_eq!(cells[1], cells[2], "whole numbers, not cut: {row}");
        assert!(row[25..].starts_with(' '), "{row}");
    }
}

/// The numbers of the moment as they are printed, column by column.
const NUMBERS: [[&str; 3]; 8] = [
    ["1", "1", "408 B"],
    ["12", "41", "5.01 KiB"],
    ["14", "52", "9.75 KiB"],
    ["3", "4", "1.25 KiB"],
    ["93", "116", "1.84 KiB"],
    ["4.24k", "16.5k", "1.40 MiB"],
    ["64", "192", "47.2 KiB"],
    ["2.23k", "2.54k", "649 KiB"],
];

#[test]
fn numbers_are_whole_or_absent_at_every_width() {
    for width in 20..=100 {
        let view = drawn(width, 14);
        let lines: Vec<_> = view.lines().collect();
        let titles = lines[3];
        assert!(titles.contains("live"), "{width}:\n{view}");
        for (line, [live, peak, kept]) in lines[4..12].iter().zip(NUMBERS) {
            for (title, number) in [("live", live), ("peak", peak), ("kept", kept)] {
                // A column ends where its title ends.
                let Some(at) = titles.find(title) else { continue };
                let cells: String = line.chars().take(at + title.len()).collect();
                assert!(cells.ends_with(&format!(" {number}")), "{title} at {width}:\n{view}");
            }
        }
    }
}

#[test]
fn names_differ_at_every_width() {
    let mut screen = moment();
    // Names whose ends are alike.
    for (class, name) in screen
        .classes
        .iter_mut()
        .zip(["A.Long.Tail.Of.A.Name", "B.Long.Tail.Of.A.Name"])
    {
        class.name = name;
    }
    for screen in [moment(), screen] {
        for width in 20..=100 {
            let view = draw(&screen, width, 14);
            let mut names: Vec<_> = view
                .lines()
                .skip(4)
                .take(8)
                .map(|line| line.split(' ').next())
                .collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), 8, "{width}:\n{view}");
        }
    }
}

#[test]
fn a_low_terminal_shows_the_largest_classes_and_counts_the_others() {
    let view = drawn(60, 9);
    assert!(
        view.contains("AcediaCore.Text ") && view.contains("Skirmish.Projectile "),
        "{view}"
    );
    assert!(view.contains("and 5 more classes, which keep "), "{view}");
    assert!(view.contains("too narrow for stale refused"), "{view}");
    let all = drawn(100, 14);
    assert!(!all.contains("more"), "{all}");
}

#[test]
fn a_tiny_terminal_says_what_the_view_needs() {
    for (width, height) in [(19, 14), (60, 6)] {
        let view = drawn(width, height).replace('\n', " ");
        assert!(view.contains("needs 20x7") && view.contains("q ends"), "{view}");
    }
}
