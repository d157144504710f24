//! JSON against `serde_json`. One operation is one byte of the document, one edit, or one field.

use std::fmt::Write as _;
use std::hint::black_box;

use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json as json;
use acedia_text::Text;
use serde_json::{Map, Value};

use crate::measure::{ACEDIA, Case, Row, random, row};

const SERDE: &str = "serde_json";

/// All rows.
pub static ROWS: &[Row] = &[
    row("parse messages", || parse(&messages(900))),
    row("parse one message", || parse(&messages(1))),
    row("parse seats", || parse(&seats())),
    row("parse polygons", || parse(&polygons())),
    row("parse doubles", || parse(&doubles())),
    row("parse rows", || parse(&rows())),
    row("parse settings", || parse(&settings())),
    row("parse a stream of lines of 200 bytes", stream),
    row("print messages", || print(&messages(900))),
    row("print one message", || print(&messages(1))),
    row("print seats", || print(&seats())),
    row("print polygons", || print(&polygons())),
    row("print doubles", || print(&doubles())),
    row("print rows", || print(&rows())),
    row("print settings", || print(&settings())),
    row("parse, add a key and print 100 bytes, the same keys", || change(false)),
    row("parse, add a key and print 100 bytes, other keys", || change(true)),
    row("edit settings, per edit", edit),
    row("read 8 fields of each message, per field", fields),
];

fn parse(document: &str) -> Vec<Case> {
    let (ours, theirs) = (document.to_owned(), document.to_owned());
    vec![
        Case::batches(ACEDIA, ours.len(), move || json::parse(black_box(&ours)).expect("JSON")),
        Case::batches(SERDE, theirs.len(), move || {
            serde_json::from_slice::<Value>(black_box(theirs.as_bytes())).expect("JSON")
        }),
    ]
}

fn print(document: &str) -> Vec<Case> {
    let ours = json::parse(document).expect("JSON");
    let theirs: Value = serde_json::from_str(document).expect("JSON");
    vec![
        Case::batches(ACEDIA, document.len(), move || {
            json::to_string(&ours).expect("printable")
        }),
        Case::batches(SERDE, document.len(), move || {
            serde_json::to_string(&theirs).expect("printable")
        }),
    ]
}

/// Requests of about 200 bytes, one per line.
fn stream() -> Vec<Case> {
    let mut lines = String::new();
    for line in parsed(&messages(2000))["statuses"].as_array().expect("an array") {
        let _ = writeln!(
            lines,
            "{{\"id\":{},\"text\":{},\"user\":{}}}",
            line["id"], line["text"], line["user"]["name"]
        );
    }
    let theirs = lines.clone();
    vec![
        Case::batches(ACEDIA, lines.len(), move || {
            for value in json::Parser::new().values(black_box(lines.as_bytes())) {
                drop(value.expect("JSON"));
            }
        }),
        Case::batches(SERDE, theirs.len(), move || {
            for value in serde_json::Deserializer::from_slice(black_box(theirs.as_bytes())).into_iter::<Value>() {
                drop(value.expect("JSON"));
            }
        }),
    ]
}

/// 2,000 documents of about 100 bytes. Each is parsed, gets one more key, and is printed. An operation is one document.
fn change(others: bool) -> Vec<Case> {
    let mut random = random();
    let mut document = |nth: usize| {
        let key = if others { nth } else { 0 };
        let (id, size) = (random(1 << 30), random(1000));
        format!(
            "{{\"id-{key}\":{id},\"name-{key}\":\"user {id}\",\"size-{key}\":[{size},{nth}],\"kind-{key}\":\"of some kind\",\"open\":true}}"
        )
    };
    let documents: Vec<String> = (0..2000).map(&mut document).collect();
    let same = documents.clone();
    vec![
        Case::batches(ACEDIA, documents.len(), move || {
            for document in &documents {
                let item = json::parse(black_box(document)).expect("JSON");
                let changed = item.with(|table: &HashTable| _ = table.write().set("note", "changed"));
                changed.expect("a table");
                black_box(json::to_string(&item).expect("printable"));
            }
        }),
        Case::batches(SERDE, same.len(), move || {
            for document in &same {
                let mut map: Map<String, Value> = serde_json::from_str(black_box(document)).expect("JSON");
                map.insert("note".to_owned(), "changed".into());
                black_box(serde_json::to_string(&map).expect("printable"));
            }
        }),
    ]
}

fn parsed(document: &str) -> Value {
    serde_json::from_str(document).expect("JSON")
}

/// Five edits of each section: an entry is added and removed, an entry of an inner object is replaced, and an item is appended to a
/// list and removed.
fn edit() -> Vec<Case> {
    const EDITS: usize = 5;
    let ours = json::parse(settings()).expect("JSON").to_table().expect("a table");
    let mut theirs: Map<String, Value> = serde_json::from_str(&settings()).expect("JSON");
    let names: Vec<String> = theirs.keys().cloned().collect();
    let (same, edits) = (names.clone(), EDITS * names.len());
    let (mut memory, mut again) = (0_u32, 0_u32);
    vec![
        Case::batches(ACEDIA, edits, move || {
            memory += 1;
            let document = ours.read();
            for name in &names {
                let section = |section: &HashTable| {
                    let mut section = section.write();
                    section.set("note", "changed");
                    section["limits"].with(|limits: &HashTable| _ = limits.write().set("memory", memory));
                    section["tags"].with(|tags: &ArrayList| {
                        let mut tags = tags.write();
                        let len = tags.len();
                        tags.push(true);
                        tags.remove(len);
                    });
                    section.remove("note");
                };
                document[name].with(section).expect("a table");
            }
        }),
        Case::batches(SERDE, edits, move || {
            again += 1;
            for name in &same {
                let section = theirs[name].as_object_mut().expect("an object");
                section.insert("note".to_owned(), "changed".into());
                section["limits"]["memory"] = again.into();
                let tags = section["tags"].as_array_mut().expect("an array");
                let len = tags.len();
                tags.push(true.into());
                tags.remove(len);
                section.remove("note");
            }
        }),
    ]
}

/// Reads eight fields of each message, from its first key to its last. Acedia's table is locked once per message.
fn fields() -> Vec<Case> {
    const FIELDS: [&str; 8] = [
        "created_at",
        "id",
        "text",
        "truncated",
        "user",
        "retweet_count",
        "entities",
        "lang",
    ];
    let document = messages(900);
    let messages = json::parse(&document)
        .expect("JSON")
        .to_table()
        .expect("a table")
        .read()["statuses"]
        .to_list();
    let messages = messages.expect("a list");
    let (theirs, names) = (parsed(&document), FIELDS.map(Text::from));
    let fields = messages.read().len() * FIELDS.len();
    vec![
        Case::batches(ACEDIA, fields, move || {
            for message in messages.read().iter() {
                let read = |message: &HashTable| {
                    let entries = message.read();
                    for field in black_box(&names) {
                        black_box(entries.get(field).and_then(Item::as_int));
                    }
                };
                message.with(read).expect("a table");
            }
        }),
        Case::batches(SERDE, fields, move || {
            for message in theirs["statuses"].as_array().into_iter().flatten() {
                for field in black_box(FIELDS) {
                    black_box(message.get(field).and_then(Value::as_i64));
                }
            }
        }),
    ]
}

fn joined(begin: &str, count: usize, end: &str, mut part: impl FnMut(&mut String, usize)) -> String {
    let mut out = String::from(begin);
    for nth in 0..count {
        if nth > 0 {
            out.push(',');
        }
        part(&mut out, nth);
    }
    out + end
}

/// Messages with nested users, escapes and text that is not ASCII.
fn messages(count: usize) -> String {
    const WORDS: [&str; 8] = [
        "the",
        "quick",
        "brown",
        "日本語",
        "fox",
        "jumps",
        "\\\"over\\\"",
        "lazy\\n",
    ];
    let mut random = random();
    joined("{\"statuses\":[", count, "]}", |out, _| {
        let (id, user) = (random(1 << 30) << 20, random(100_000));
        let text: Vec<_> = (0..12).map(|_| WORDS[random(8)]).collect();
        let _ = write!(
            out,
            "{{\"created_at\":\"Sun Aug 31 00:29:15 +0000 2014\",\"id\":{id},\"id_str\":\"{id}\",\"text\":\"{}\",\
             \"truncated\":false,\"in_reply_to\":null,\"user\":{{\"id\":{user},\"name\":\"user {user}\",\
             \"screen_name\":\"u{user}\",\"location\":\"\",\"followers_count\":{},\"friends_count\":{},\
             \"verified\":{},\"time_zone\":null,\"lang\":\"ja\"}},\"geo\":null,\"retweet_count\":{},\
             \"favorited\":false,\"entities\":{{\"hashtags\":[],\"urls\":[{{\"url\":\"http://t.co/{user}\",\
             \"indices\":[{},{}]}}]}},\"lang\":\"ja\"}}",
            text.join(" "),
            random(10_000),
            random(1000),
            random(2) == 0,
            random(100),
            random(50),
            random(140),
        );
    })
}

/// Very many small objects and lists of integers.
fn seats() -> String {
    let mut random = random();
    joined("{\"performances\":[", 1200, "]}", |out, _| {
        let mut area = || format!("{{\"areaId\":{},\"blockIds\":[1,2,3]}}", random(1 << 28));
        let areas = [area(), area()].join(",");
        let mut price = || {
            let (amount, seat) = (random(100_000), random(1 << 28));
            format!("{{\"amount\":{amount},\"audienceSubCategoryId\":337100890,\"seatCategoryId\":{seat}}}")
        };
        let prices = [price(), price()].join(",");
        let _ = write!(
            out,
            "{{\"eventId\":{},\"logo\":null,\"name\":null,\"prices\":[{prices}],\"seatCategories\":[{{\"areas\":[{areas}],\
             \"seatCategoryId\":338937295}}],\"start\":1372701600000,\"venueCode\":\"PLEYEL_PLEYEL\"}}",
            339_000_000 + random(1_000_000),
        );
    })
}

/// Polygons as `GeoJSON` has them.
fn polygons() -> String {
    let mut random = random();
    joined("[", 200, "]", |out, nth| {
        let points = joined("[", 60, "]", |out, _| {
            let (east, north) = (random(180_000_000), random(90_000_000));
            let (degrees, rest) = (east / 1_000_000, east % 1_000_000);
            let _ = write!(
                out,
                "[{degrees}.{rest:06},{}.{:06}]",
                north / 1_000_000,
                north % 1_000_000
            );
        });
        let _ = write!(
            out,
            "{{\"type\":\"Feature\",\"properties\":{{\"name\":\"place {nth}\"}},\"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[{points}]}}}}"
        );
    })
}

/// Doubles of 15 to 17 digits.
fn doubles() -> String {
    let mut random = random();
    let mut number = || f64::from(u32::try_from(random(1 << 31)).unwrap_or_default());
    joined("[", 25_000, "]", |out, _| {
        _ = write!(out, "{}", number() / 977.0 + number() / f64::from(u32::MAX));
    })
}

/// Rows of a table: lists of the same kinds of values.
fn rows() -> String {
    let mut random = random();
    joined("[", 4000, "]", |out, nth| {
        let (month, day, cents) = (1 + random(12), 1 + random(28), random(500_000));
        let state = ["open", "closed", "waiting"][random(3)];
        let _ = write!(
            out,
            "[{nth},\"2026-{month:02}-{day:02}\",{}.{:02},\"{state}\",{},null]",
            cents / 100,
            cents % 100,
            random(2) == 0,
        );
    })
}

/// A configuration: many sections, all names different, values of all kinds.
fn settings() -> String {
    let mut random = random();
    joined("{", 400, "}", |out, nth| {
        let _ = write!(
            out,
            "\"service-{nth}\":{{\"enabled\":{},\"host-{nth}\":\"node{}.example.org\",\"limits\":{{\"cpu-{nth}\":{}.5,\
             \"memory\":{}}},\"tags\":[\"a{nth}\",\"b\",null],\"command-{nth}\":\"/usr/bin/run --quiet --port={}\"}}",
            random(2) == 0,
            random(100),
            random(16),
            random(1 << 30),
            random(1 << 16),
        );
    })
}
