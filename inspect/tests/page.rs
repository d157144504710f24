//! The tables of the page in Chromium, if it is installed.
#![cfg(unix)]

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use acedia::{Object, Owned, class, pin};
use acedia_inspect::Inspector;

#[derive(Default)]
struct Rocket;
impl Object for Rocket {
    class!(Rocket, "Page.Rocket");
}

#[derive(Default)]
struct Wreck;
impl Object for Wreck {
    class!(Wreck, "Page.Wreck");
}

#[derive(Default)]
struct Never;
impl Object for Never {
    class!(Never, "Page.Never");
}

/// The page in Chromium after its scripts have run. `None`, with a message, if Chromium does not run here.
fn chromium(url: &str) -> Option<String> {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile");
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=4000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--dump-dom", url])
        .output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).expect("UTF-8")),
        Ok(output) => skip(&String::from_utf8_lossy(&output.stderr)),
        Err(error) => skip(&format!("no chromium: {error}")),
    }
}

/// Not by `println!`, which a test that passes does not show.
fn skip(reason: &str) -> Option<String> {
    let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
    None
}

/// The content of the cell of this name in the row of this class.
fn cell<'a>(dom: &'a str, class: &str, name: &str) -> &'a str {
    let row = dom
        .split("<tr")
        .find(|row| row.contains(&format!("<span>{class}</span>")));
    let row = row.unwrap_or_else(|| panic!("no row of {class} in {dom}"));
    let after = row.split(&format!("data-name=\"{name}\">")).nth(1);
    let after = after.and_then(|after| after.split("<span>").nth(1));
    let after = after.unwrap_or_else(|| panic!("no {name} in {row}"));
    after.split('<').next().expect("its end")
}

/// `count` objects, each with a handle.
fn wrecks(count: usize) -> Vec<Owned<Wreck>> {
    let wrecks: Vec<_> = (0..count).map(|_| Wreck::allocate()).collect();
    for wreck in &wrecks {
        let _ = wreck.handle();
    }
    wrecks
}

#[test]
fn the_page_shows_the_numbers() {
    let inspector = Inspector::start().unwrap();
    let kept: Vec<_> = (0..12_345).map(|_| Rocket::allocate()).collect();
    let wreck = wrecks(1);
    drop(wrecks(2_000));

    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let churn = || {
            let _pin = pin();
            while !stop.load(Ordering::Relaxed) {
                drop(wrecks(100));
                // The pin delays their reuse.
                thread::sleep(Duration::from_millis(5));
            }
        };
        thread::Builder::new()
            .name("churn".to_owned())
            .spawn_scoped(scope, churn)
            .unwrap();
        let _stop = Stop(&stop);
        let Some(dom) = chromium(&inspector.url()) else { return };
        assert_eq!(cell(&dom, "Page.Rocket", "live"), "12,345");
        assert_ne!(cell(&dom, "Page.Wreck", "kept"), "0", "{dom}");
        assert!(!dom.contains("<span>Page.Never</span>"), "an unused class is shown");
        assert!(
            dom.contains("<span>churn</span>") && dom.contains(">connected</span>"),
            "{dom}"
        );
        if cfg!(debug_assertions) {
            assert!(
                dom.contains("inspect/tests/page.rs:"),
                "no place of an allocation: {dom}"
            );
        }
    });
    drop((kept, wreck));
}

/// Ends the other thread even if an assertion fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
