//! Any text as configuration: an error with a line number or a configuration, and no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match acedia::Config::from_ini(text) {
        Ok(config) => assert!(!format!("{config:?}").is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
