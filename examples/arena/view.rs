//! [`show`]: the game on a terminal.

use std::io::{self, IsTerminal};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::Color;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::body::{HEIGHT, WIDTH};
use crate::play::Play;

/// Lines below the field: the score, and the help on the narrowest terminal.
const BELOW: u16 = 6;

/// Plays on the terminal until the player has enough. The terminal is restored then, and if the program panics.
pub(crate) fn show(play: &mut Play, help: &str) -> io::Result<()> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(io::Error::other("the arena needs a terminal, or --script KEYS"));
    }
    let mut terminal = ratatui::try_init()?;
    let shown = turns(&mut terminal, play, help);
    ratatui::restore();
    shown
}

fn turns(terminal: &mut DefaultTerminal, play: &mut Play, help: &str) -> io::Result<()> {
    let mut below = help.to_owned();
    loop {
        let field = play.picture();
        // What stands below the field is wrapped.
        let (needed, lines) = (WIDTH.unsigned_abs(), HEIGHT.unsigned_abs() + BELOW);
        let size = terminal.size()?;
        let is_shown = size.width >= needed && size.height >= lines;
        let picture = if is_shown {
            field + &below
        } else {
            let (width, height) = (size.width, size.height);
            format!(
                "The arena needs {needed} columns and {lines} lines;\nthis terminal has {width} and {height}. q: end"
            )
        };
        let lines = picture.lines().map(|line| line.chars().map(cell).collect::<Line<'_>>());
        let text = Paragraph::new(lines.collect::<Vec<_>>()).wrap(Wrap { trim: false });
        terminal.draw(|frame| frame.render_widget(text, frame.area()))?;
        let Some(key) = letter(&event::read()?) else { continue };
        if key == 'q' {
            return Ok(());
        }
        if !is_shown {
            continue;
        }
        let error = play.press(key).err();
        below = error.map_or_else(|| help.to_owned(), |error| error.to_string());
    }
}

fn cell(face: char) -> Span<'static> {
    let colour = match face {
        '@' | '&' => Color::Green,
        'G' | 'O' => Color::Red,
        '*' => Color::Yellow,
        _ => Color::Reset,
    };
    Span::styled(face.to_string(), colour)
}

/// The game's key for one of the keyboard. A terminal in raw mode makes no signal of Ctrl-C.
fn letter(event: &Event) -> Option<char> {
    let Event::Key(key) = event else { return None };
    match key.code {
        _ if key.kind == KeyEventKind::Release => None,
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Some('q'),
        KeyCode::Char(letter) => Some(letter),
        KeyCode::Left => Some('h'),
        KeyCode::Down => Some('j'),
        KeyCode::Up => Some('k'),
        KeyCode::Right => Some('l'),
        _ => None,
    }
}
