//! Documents of kinds other than those on which parsers are usually compared. Nothing in ours is tuned for them.

use std::fmt::Write as _;

use super::documents::Random;

/// `count` values, separated by commas, between two brackets.
fn joined(open: &str, count: usize, close: &str, mut value: impl FnMut(&mut String, usize)) -> String {
    let mut out = String::from(open);
    for nth in 0..count {
        if nth > 0 {
            out.push(',');
        }
        value(&mut out, nth);
    }
    out + close
}

fn list(count: usize, value: impl FnMut(&mut String, usize)) -> String {
    joined("[", count, "]", value)
}

/// Small objects none of whose keys occurs twice.
pub(super) fn new_keys() -> String {
    let mut random = Random(3);
    list(2500, |out, nth| {
        let entries = (0..8).map(|key| format!("\"k{nth}_{key}\":{}", random.below(100_000)));
        let _ = write!(out, "{{{}}}", entries.collect::<Vec<_>>().join(","));
    })
}

/// Objects with the same keys in the same order, each left out in a quarter of them.
pub(super) fn left_out() -> String {
    const KEYS: [&str; 10] = [
        "id", "name", "email", "phone", "street", "city", "country", "company", "notes", "score",
    ];
    let mut random = Random(4);
    list(2000, |out, nth| {
        let entries: Vec<_> = KEYS
            .iter()
            .filter(|_| random.below(4) > 0)
            .map(|key| format!("\"{key}\":\"{key} {nth}\""))
            .collect();
        let _ = write!(out, "{{{}}}", entries.join(","));
    })
}

/// Small messages of forty kinds, in random order.
pub(super) fn forty() -> String {
    let mut random = Random(5);
    list(3000, |out, nth| {
        let kind = random.below(40);
        let fields = ["from", "to", "at", "amount", "room", "level", "x"];
        let fewer = fields.iter().take(3 + usize::try_from(kind % 5).unwrap_or(0));
        let entries: Vec<_> = fewer.map(|field| format!("\"{field}_{kind}\":{nth}")).collect();
        let _ = write!(out, "{{\"type\":\"kind {kind}\",{}}}", entries.join(","));
    })
}

/// One object of 20,000 keys.
pub(super) fn dictionary() -> String {
    let mut random = Random(6);
    joined("{", 20_000, "}", |out, nth| {
        let _ = write!(out, "\"word{:05}\":{}", nth * 7919 % 20_000, random.below(1000));
    })
}

/// Strings of Cyrillic and Japanese.
pub(super) fn scripts() -> String {
    const WORDS: [&str; 6] = ["привет", "мир", "日本語", "のテキスト", "строка", "漢字かな"];
    let mut random = Random(7);
    list(4000, |out, _| {
        let words: Vec<_> = (0..8).map(|_| random.pick(&WORDS)).collect();
        let _ = write!(out, "\"{}\"", words.join(" "));
    })
}

/// Strings of a few hundred bytes, with an escape in every twenty.
pub(super) fn escapes() -> String {
    let mut random = Random(8);
    list(1000, |out, _| {
        out.push('"');
        for _ in 0..20 {
            out.push_str("eighteen letters..");
            out.push_str(random.pick(&["\\n", "\\t", "\\\"", "\\\\"]));
        }
        out.push('"');
    })
}

/// Strings of letters and surrogate pairs that are written as `\u` escapes.
pub(super) fn codes() -> String {
    let mut random = Random(16);
    list(1000, |out, _| {
        out.push('"');
        for _ in 0..20 {
            if random.below(4) == 0 {
                out.push_str("\\ud83d\\ude00");
            } else {
                let _ = write!(out, "\\u{:04x}", 0x430 + random.below(32));
            }
        }
        out.push('"');
    })
}

/// Strings of ASCII words with emoji between them.
pub(super) fn emoji() -> String {
    const WORDS: [&str; 7] = ["see", "you", "tomorrow", "fine", "😀", "🚀", "👍🏽"];
    let mut random = Random(17);
    list(4000, |out, _| {
        let words: Vec<_> = (0..8).map(|_| random.pick(&WORDS)).collect();
        let _ = write!(out, "\"{}\"", words.join(" "));
    })
}

/// Strings of characters of three and four bytes only.
pub(super) fn wide_unicode() -> String {
    const WORDS: [&str; 6] = ["日本語", "のテキスト", "漢字かな", "😀", "한국어", "𝔘𝔫𝔦"];
    let mut random = Random(18);
    list(4000, |out, _| {
        let words: Vec<_> = (0..8).map(|_| random.pick(&WORDS)).collect();
        let _ = write!(out, "\"{}\"", words.concat());
    })
}

/// Strings with control characters, which JSON can write as `\u` escapes only.
pub(super) fn controls() -> String {
    let mut random = Random(19);
    list(1000, |out, _| {
        out.push('"');
        for _ in 0..20 {
            let _ = write!(out, "ten bytes \\u00{}", random.pick(&["1b", "01", "1f", "00"]));
        }
        out.push('"');
    })
}

/// A request of about 40 bytes.
pub(super) fn tiny() -> String {
    String::from("{\"op\":\"move\",\"id\":1207,\"to\":[31,7]}")
}

/// Doubles of 15 to 17 digits.
pub(super) fn doubles() -> String {
    let mut random = Random(9);
    #[expect(clippy::cast_precision_loss, reason = "any doubles")]
    list(25_000, |out, _| {
        let double = random.next() as f64 / 977.0 + random.next() as f64 / f64::from(u32::MAX);
        let _ = write!(out, "{double}");
    })
}

/// Decimals of six digits.
pub(super) fn decimals() -> String {
    let mut random = Random(10);
    list(50_000, |out, _| {
        let _ = write!(out, "{}.{:03}", random.below(1000), random.below(1000));
    })
}

/// Lists within lists, and objects within objects, forty deep.
pub(super) fn deep() -> String {
    const LEVELS: usize = 40;
    list(500, |out, nth| {
        for level in 0..LEVELS {
            out.push_str(if level % 2 == 0 { "[" } else { "{\"in\":" });
        }
        let _ = write!(out, "{nth}");
        for level in (0..LEVELS).rev() {
            out.push_str(if level % 2 == 0 { "]" } else { "}" });
        }
    })
}

/// Polygons as `GeoJSON` has them.
pub(super) fn places() -> String {
    let mut random = Random(11);
    list(200, |out, nth| {
        let points = list(60, |out, _| {
            let _ = write!(
                out,
                "[{}.{:06},{}.{:06}]",
                random.below(180),
                random.below(1_000_000),
                random.below(90),
                random.below(1_000_000)
            );
        });
        let _ = write!(
            out,
            "{{\"type\":\"Feature\",\"properties\":{{\"name\":\"place {nth}\"}},\"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[{points}]}}}}"
        );
    })
}

/// A configuration: many sections, all names different, values of all kinds.
pub(super) fn settings() -> String {
    let mut random = Random(12);
    joined("{", 400, "}", |out, nth| {
        let _ = write!(
            out,
            "\"service-{nth}\":{{\"enabled\":{},\"host-{nth}\":\"node{}.example.org\",\"limits\":{{\"cpu-{nth}\":{}.5,\
             \"memory\":{}}},\"tags\":[\"a{nth}\",\"b\",null],\"command-{nth}\":\"/usr/bin/run --quiet --port={}\"}}",
            random.below(2) == 0,
            random.below(100),
            random.below(16),
            random.below(1 << 34),
            random.below(1 << 16),
        );
    })
}

/// Rows of a table: lists of the same kinds of values.
pub(super) fn rows() -> String {
    let mut random = Random(13);
    list(4000, |out, nth| {
        let _ = write!(
            out,
            "[{nth},\"2026-{:02}-{:02}\",{}.{:02},\"{}\",{},null]",
            1 + random.below(12),
            1 + random.below(28),
            random.below(5000),
            random.below(100),
            random.pick(&["open", "closed", "waiting"]),
            random.below(2) == 0,
        );
    })
}

/// Strings of eight bytes.
pub(super) fn short_strings() -> String {
    let mut random = Random(14);
    list(20_000, |out, _| {
        let _ = write!(out, "\"{:08x}\"", random.next());
    })
}

/// Objects of sixty keys.
pub(super) fn wide() -> String {
    let mut random = Random(15);
    list(400, |out, _| {
        *out += &joined("{", 60, "}", |out, key| {
            let _ = write!(out, "\"column {key}\":{}", random.below(100_000));
        });
    })
}
