//! [`show`]: the game on a terminal.

use std::io::{self, IsTerminal};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::style::Color;
use ratatui::text::{Line, Span, Text};

use crate::play::Play;

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
        let picture = play.picture() + &below;
        let lines = picture.lines().map(|line| line.chars().map(cell).collect::<Line<'_>>());
        terminal.draw(|frame| frame.render_widget(lines.collect::<Text<'_>>(), frame.area()))?;
        let Some(key) = letter(&event::read()?) else { continue };
        if key == 'q' {
            return Ok(());
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
