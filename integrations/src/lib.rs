//! Nothing but the documentation and tests of the examples: see `README.md`.
#![forbid(unsafe_code)]
