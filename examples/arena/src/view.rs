//! [`show`]: the game on a terminal.

use std::io::{self, IsTerminal, Write};

use crossterm::cursor::{Hide, MoveTo, MoveToNextLine, Show};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::{Color, Print, ResetColor, SetForegroundColor};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use crate::body::{HEIGHT, WIDTH};
use crate::play::Play;

/// Lines below the field: the score and the help.
const BELOW: u16 = 3;

/// The terminal while the game is shown. It is restored at the end, even if the program panics.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Self;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = terminal::disable_raw_mode();
    }
}

/// Plays on the terminal until the player quits.
pub(crate) fn show(play: &mut Play, help: &str) -> io::Result<()> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(io::Error::other("the arena needs a terminal, or --script KEYS"));
    }
    let _screen = Screen::enter()?;
    let mut below = help.to_owned();
    loop {
        let (needed, lines) = (WIDTH.unsigned_abs(), HEIGHT.unsigned_abs() + BELOW);
        let (width, height) = terminal::size()?;
        let is_shown = width >= needed && height >= lines;
        draw(&if is_shown {
            play.picture() + &below
        } else {
            format!("The arena needs {needed} columns\nand {lines} lines. q: end")
        })?;
        let Some(key) = letter(&event::read()?) else { continue };
        if key == 'q' {
            return Ok(());
        }
        if is_shown {
            let error = play.press(key).err();
            below = error.map_or_else(|| help.to_owned(), |error| error.to_string());
        }
    }
}

fn draw(picture: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    queue!(out, Clear(ClearType::All), MoveTo(0, 0))?;
    for line in picture.lines() {
        for face in line.chars() {
            match face {
                '@' | '&' => queue!(out, SetForegroundColor(Color::Green), Print(face), ResetColor)?,
                'G' | 'O' => queue!(out, SetForegroundColor(Color::Red), Print(face), ResetColor)?,
                '*' => queue!(out, SetForegroundColor(Color::Yellow), Print(face), ResetColor)?,
                _ => queue!(out, Print(face))?,
            }
        }
        queue!(out, MoveToNextLine(1))?;
    }
    out.flush()
}

/// The game's key for an event of the keyboard. In raw mode, Ctrl-C does not raise a signal.
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
