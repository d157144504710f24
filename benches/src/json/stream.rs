//! Streams of documents, one a line.

use std::{fmt::Write as _, hint::black_box};

use acedia_json::Parser;
use serde_json::{Deserializer, Value};

use super::{bytes, documents::Random};
use crate::{case::Case, workload::ACEDIA};

pub(super) const SLICE: &str = "serde_json, from a slice";
const READER: &str = "serde_json, from a reader";

/// About 400 KB of lines of `size` bytes.
pub(super) fn read<const SIZE: usize>() -> Vec<Case> {
    let mut random = Random(16);
    let stream: String = (0..400_000 / SIZE).map(|nth| line(&mut random, nth, SIZE)).collect();
    let len = stream.len();
    let [ours, slice, reader] = [(); 3].map(|()| stream.clone());
    vec![
        bytes(ACEDIA, len, move || {
            for value in Parser::new().values(black_box(ours.as_bytes())) {
                drop(value.expect("JSON"));
            }
        }),
        bytes(SLICE, len, move || {
            for value in Deserializer::from_slice(black_box(slice.as_bytes())).into_iter::<Value>() {
                drop(value.expect("JSON"));
            }
        }),
        bytes(READER, len, move || {
            for value in Deserializer::from_reader(black_box(reader.as_bytes())).into_iter::<Value>() {
                drop(value.expect("JSON"));
            }
        }),
    ]
}

/// One request, with as many items as fit.
fn line(random: &mut Random, nth: usize, size: usize) -> String {
    let mut out = format!("{{\"op\":\"move\",\"id\":{nth},\"to\":[{},7]", random.below(100));
    let mut separator = ",\"items\":[";
    while out.len() + 70 < size {
        let _ = write!(
            out,
            "{separator}{{\"name\":\"item {nth}\",\"price\":{}.{:02},\"count\":{},\"sold\":{}}}",
            random.below(100),
            random.below(100),
            random.below(1000),
            random.below(2) == 0,
        );
        separator = ",";
    }
    out + if separator == "," { "]}\n" } else { "}\n" }
}
