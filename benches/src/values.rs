//! Texts, boxes, arrays, lists and tables against the standard library and hashbrown.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use acedia::Owned;
use acedia_boxes::{IntArrayRef, IntBox, IntRef, StringBox};
use acedia_collections::{ArrayList, Entries, HashTable, Item, Key};
use acedia_text::{BaseText, Text};

use crate::measure::{ACEDIA, BARE, Case, Row, nanoseconds, random, row, shuffled};

/// All rows.
pub static ROWS: &[Row] = &[
    row("make a text of 8 bytes", || made('a', 8)),
    row("make a text of 24 bytes", || made('a', 24)),
    row("make a text of 64 bytes", || made('a', 64)),
    row("make a text of 100 bytes", || made('a', 100)),
    row("make a text of 1,000 bytes", || made('a', 1000)),
    row("make a text of 24 Cyrillic letters", || made('а', 24)),
    row("upper case of 100 bytes", upper),
    row("clone a text of 24 bytes", cloned),
    row("DJB2 of a text of 24 bytes", || hashed(24)),
    row("DJB2 of a text of 4 KiB", || hashed(4096)),
    row("character at a random position, 1,024 Cyrillic letters", characters),
    row("box of an i32", int_boxes),
    row("box of a string of 24 bytes", string_boxes),
    row("get of a ref", || refs(IntRef::get, |it| it.load(Ordering::Acquire))),
    row("set of a ref", || {
        refs(
            |it| _ = it.set(black_box(8)),
            |it| it.store(black_box(8), Ordering::Release),
        )
    }),
    row("sort 1,000 i32", || sorted(1000)),
    row("sort 100,000 i32", || sorted(100_000)),
    row("search 100,000 i32 for an absent value", searched),
    row("list: push and read 1,000 i32", ints),
    row("list: push 1,000 new texts of 24 bytes", texts),
    row("list: sum of 10,000 f64", doubles),
    row("table: look up 1 of 100 by a text", || {
        look_ups(100, 8, 0, Some(by_text))
    }),
    row("table: look up 1 of 10,000 by a text", || {
        look_ups(10_000, 8, 0, Some(by_text))
    }),
    row("table: look up 1 of 1,000,000 by a text", || {
        look_ups(1_000_000, 8, 0, Some(by_text))
    }),
    row("table: look up 1 of 10,000 by a text, 24 bytes", || {
        look_ups(10_000, 24, 0, Some(by_text))
    }),
    row("table: look up 1 of 10,000 by a text, 64 bytes", || {
        look_ups(10_000, 64, 0, Some(by_text))
    }),
    row("table: look up 1 of 100 by a &str", || look_ups(100, 8, 0, None)),
    row("table: look up 1 of 10,000 by a &str", || look_ups(10_000, 8, 0, None)),
    row("table: look up 1 of 10,000 by a &str, 24 bytes", || {
        look_ups(10_000, 24, 0, None)
    }),
    row("table: look up 1 of 10,000 by a &str, 64 bytes", || {
        look_ups(10_000, 64, 0, None)
    }),
    row("table: look up an absent key in 10,000 by a text", || {
        look_ups(10_000, 8, 1, Some(by_text))
    }),
    row("table: insert 10,000 entries", filled),
    row("table: count words by `entry`", || counted(12)),
    row("table: count words of 16 to 24 bytes by `entry`", || counted(24)),
    row("table: visit 10,000 values", visited),
    row("table: visit 10,000 keys and values", || walked(24, str::len)),
    row("table: visit 10,000 keys and values, the last byte", || {
        walked(24, last_byte)
    }),
    row("table: visit 10,000 keys and values, 48 bytes", || walked(48, str::len)),
    row("table: visit 10,000 keys and values, the last of 48 bytes", || {
        walked(48, last_byte)
    }),
    // Last: they leave the slots of texts in random order, which would slow other rows.
    row("replace 1 of 20,000 texts at random, 1,000 bytes", || replaced(1000)),
];

/// `len` letters, from the 26 that begin with `first`. Each seed gives other letters.
fn letters(first: char, len: usize, seed: usize) -> String {
    let letter = |index: usize| (first..).nth((index * 7 + seed * 13 + (index * seed) / 5) % 26);
    (0..len).filter_map(letter).collect()
}

/// How many texts are alive at a time.
const LIVE: usize = 64;

fn sources(first: char, len: usize) -> Vec<String> {
    (0..LIVE).map(|seed| letters(first, len, seed)).collect()
}

/// Each new text replaces the one made 64 texts before.
fn made(first: char, len: usize) -> Vec<Case> {
    fn case<T: 'static>(name: &'static str, sources: Vec<String>, make: impl Fn(&str) -> T + 'static) -> Case {
        let mut live: Vec<T> = sources.iter().map(|source| make(source)).collect();
        Case::batches(name, LIVE, move || {
            for (place, source) in live.iter_mut().zip(&sources) {
                *place = make(black_box(source));
            }
            black_box(&live);
        })
    }
    vec![
        case(ACEDIA, sources(first, len), |it| Text::from(it)),
        case("String", sources(first, len), str::to_owned),
        case("Arc<str>", sources(first, len), |it| Arc::<str>::from(it)),
    ]
}

/// One of many texts at a random place is replaced.
fn replaced(len: usize) -> Vec<Case> {
    const ALIVE: usize = 20_000;
    fn case<T: 'static>(name: &'static str, len: usize, make: fn(&str) -> T) -> Case {
        let (source, mut place) = (letters('a', len, 1), random());
        let mut live: Vec<T> = (0..ALIVE).map(|_| make(&source)).collect();
        let mut replace = move |n| (0..n).for_each(|_| live[place(ALIVE)] = make(black_box(&source)));
        // This scatters the texts as in a program that has run for a long time.
        replace(4 * ALIVE as u64);
        Case::new(name, replace)
    }
    vec![
        case(ACEDIA, len, |it| Text::from(it)),
        case("String", len, str::to_owned),
        case("Arc<str>", len, |it| Arc::<str>::from(it)),
    ]
}

fn upper() -> Vec<Case> {
    let string = letters('a', 100, 1);
    let text = Text::from(&string);
    vec![
        Case::each(ACEDIA, move || black_box(&text).to_uppercase(..)),
        Case::each("String", move || black_box(&string).to_uppercase()),
    ]
}

fn cloned() -> Vec<Case> {
    fn case<T: Clone + 'static>(name: &'static str, make: impl Fn(&str) -> T) -> Case {
        let live: Vec<T> = sources('a', 24).iter().map(|source| make(source)).collect();
        Case::batches(name, LIVE, move || {
            for text in &live {
                drop(black_box(text.clone()));
            }
        })
    }
    vec![
        case(ACEDIA, |it| Text::from(it)),
        case("String", str::to_owned),
        case("Arc<str>", |it| Arc::<str>::from(it)),
    ]
}

fn hashed(len: usize) -> Vec<Case> {
    let strings = sources('a', len);
    let texts: Vec<_> = strings.iter().map(|it| BaseText::from(it.as_str())).collect();
    let serial = |it: &String| {
        it.bytes()
            .fold(5381_u32, |hash, code| hash.wrapping_mul(33).wrapping_add(code.into()))
    };
    vec![
        Case::batches(ACEDIA, LIVE, move || {
            texts.iter().for_each(|it| _ = black_box(black_box(it).hash_code()));
        }),
        Case::batches(BARE, LIVE, move || {
            strings.iter().for_each(|it| _ = black_box(serial(black_box(it))));
        }),
    ]
}

fn characters() -> Vec<Case> {
    const LEN: usize = 1024;
    let string = letters('а', LEN, 1);
    let list: Vec<char> = string.chars().collect();
    let text = Text::from(&string);
    let (mut first, mut second, mut third) = (random(), random(), random());
    vec![
        Case::each(ACEDIA, move || text.char_at(first(LEN))),
        Case::each("chars().nth", move || string.chars().nth(second(LEN))),
        Case::each("Vec<char>", move || list.get(third(LEN)).copied()),
    ]
}

/// One object after another, with a few that stay alive meanwhile.
fn made_and_dropped<T: 'static>(name: &'static str, make: impl Fn() -> T + 'static) -> Case {
    let company: Vec<T> = (0..10).map(|_| make()).collect();
    Case::each(name, move || {
        black_box(&company);
        drop(black_box(make()));
    })
}

fn int_boxes() -> Vec<Case> {
    vec![
        made_and_dropped(ACEDIA, || IntBox::new(black_box(7))),
        made_and_dropped("Arc", || Arc::new(black_box(7))),
    ]
}

fn string_boxes() -> Vec<Case> {
    static TEXT: &str = "twenty-four bytes of it.";
    // `black_box` gets a thin pointer. A fat one would be stored in two halves and loaded as a whole, which stalls the processor.
    let text = || *black_box::<&&str>(&TEXT);
    vec![
        made_and_dropped(ACEDIA, move || StringBox::new(text())),
        made_and_dropped("Arc<str>", move || Arc::<str>::from(text())),
    ]
}

fn refs<R: 'static, S: 'static>(ours: fn(&IntRef) -> R, theirs: fn(&AtomicI32) -> S) -> Vec<Case> {
    let (own, atomic) = (IntRef::new(7), Arc::new(AtomicI32::new(7)));
    vec![
        Case::each(ACEDIA, move || ours(&own)),
        Case::each("AtomicI32", move || theirs(&atomic)),
    ]
}

fn numbers(count: usize) -> Vec<i32> {
    let mut random = random();
    let number = || i32::try_from(random(1 << 30)).unwrap_or_default();
    std::iter::repeat_with(number).take(count).collect()
}

/// Copies and sorts a different random array each time, so that the branch predictor cannot learn it.
fn sorted(count: usize) -> Vec<Case> {
    const VARIETY: usize = 100_000;
    let all: Rc<[i32]> = numbers(VARIETY.max(count)).into();
    let (same, ours) = (Rc::clone(&all), IntArrayRef::new([]));
    let (mut first, mut second, mut copy) = (0, 0, Vec::new());
    let turn = move |at: &mut usize| {
        *at = (*at + count) % VARIETY;
        *at..*at + count
    };
    vec![
        Case::batches(ACEDIA, count, move || _ = ours.set(&all[turn(&mut first)]).sort()),
        Case::batches("sort_unstable", count, move || {
            copy.clear();
            copy.extend_from_slice(&same[turn(&mut second)]);
            copy.sort_unstable();
            black_box(&copy);
        }),
    ]
}

fn searched() -> Vec<Case> {
    const COUNT: usize = 100_000;
    let theirs = numbers(COUNT);
    let ours = IntArrayRef::new(theirs.clone());
    vec![
        Case::batches(ACEDIA, COUNT, move || ours.find(black_box(-1))),
        Case::batches("iter().position", COUNT, move || {
            let wanted = black_box(-1);
            theirs.iter().position(|item| *item == wanted)
        }),
    ]
}

fn ints() -> Vec<Case> {
    const COUNT: usize = 1000;
    vec![
        Case::batches(ACEDIA, COUNT, || {
            let list = ArrayList::new();
            let mut items = list.write();
            (0..black_box(1000)).for_each(|i| _ = items.push(i));
            let read = (0..black_box(COUNT)).filter_map(|i| items[i].as_int());
            read.fold(0, i32::wrapping_add)
        }),
        Case::batches("Vec<i32>", COUNT, || {
            let mut items = Vec::new();
            (0..black_box(1000)).for_each(|i| items.push(i));
            let items = black_box(&items);
            let read = (0..black_box(COUNT)).filter_map(|i| items.get(i));
            read.fold(0, |sum: i32, i| sum.wrapping_add(*i))
        }),
    ]
}

fn texts() -> Vec<Case> {
    const COUNT: usize = 1000;
    let sources: Rc<[String]> = (0..COUNT).map(|seed| letters('a', 24, seed)).collect();
    let same = Rc::clone(&sources);
    vec![
        Case::batches(ACEDIA, COUNT, move || {
            let list = ArrayList::new();
            let mut items = list.write();
            sources.iter().for_each(|text| _ = items.push(Text::from(text)));
            black_box(items.len())
        }),
        Case::batches("Vec<Arc<str>>", COUNT, move || {
            let mut items: Vec<Arc<str>> = Vec::new();
            same.iter().for_each(|text| items.push(Arc::from(text.as_str())));
            items
        }),
    ]
}

fn doubles() -> Vec<Case> {
    const COUNT: usize = 10_000;
    let doubles = || (0..10_000).map(|i| f64::from(i) * 0.1);
    let (list, vec) = (ArrayList::from(doubles()), doubles().collect::<Vec<f64>>());
    vec![
        Case::batches(ACEDIA, COUNT, move || {
            list.read().iter().filter_map(Item::as_double).sum::<f64>()
        }),
        Case::batches("Vec<f64>", COUNT, move || black_box(&vec).iter().sum::<f64>()),
    ]
}

/// `count` distinct keys of `len` bytes. Keys of another `kind` differ from all of these. Their numbers are as random as a hash.
fn keys(count: usize, len: usize, kind: u32) -> Vec<String> {
    let number = |i: usize| (u32::try_from(i).unwrap_or_default() * 2 + kind).wrapping_mul(0x9E37_79B1);
    (0..count)
        .map(|i| format!("{:->len$}", format!("{:08x}", number(i).rotate_left(11))))
        .collect()
}

fn table(keys: &[Owned<Text>]) -> Owned<HashTable> {
    HashTable::from(keys.iter().zip(0..))
}

/// A text with a cached hash, as if used before.
fn by_text(key: &String) -> Owned<Text> {
    let text = Text::from(key);
    black_box(text.key_hash());
    text
}

/// Look-ups in random order of keys that are in the table (`kind` 0) or not. Acedia's table is locked once per run.
fn look_ups(count: usize, len: usize, kind: u32, by: Option<fn(&String) -> Owned<Text>>) -> Vec<Case> {
    let (known, asked) = (keys(count, len, 0), keys(count, len, kind));
    let wanted: Vec<String> = shuffled(count).into_iter().map(|place| asked[place].clone()).collect();
    let own = table(&known.iter().map(Text::from).collect::<Vec<_>>());
    let map: hashbrown::HashMap<String, i32> = known.into_iter().zip(0..).collect();
    let mut next = 0;
    let ours = match by {
        Some(make) => on_table(own, wanted.iter().map(make).collect()),
        None => on_table(own, wanted.clone()),
    };
    let theirs = Case::timed("hashbrown", move |n| {
        look_up(n, &wanted, &mut next, |key: &String| map.get(key).copied())
    });
    vec![ours, theirs]
}

fn on_table<K: 'static>(table: Owned<HashTable>, wanted: Vec<K>) -> Case
where
    for<'a> &'a K: Key,
{
    let mut next = 0;
    Case::timed(ACEDIA, move |n| {
        let entries = table.read();
        let get = |entries: &Entries, key: &K| entries.get(key).and_then(Item::as_int);
        look_up(n, &wanted, &mut next, |key| get(&entries, key))
    })
}

/// `n` look-ups, continuing where the last run ended.
fn look_up<K>(n: u64, wanted: &[K], next: &mut usize, get: impl Fn(&K) -> Option<i32>) -> f64 {
    nanoseconds(|| {
        for _ in 0..n {
            let key = &wanted[*next];
            *next += 1;
            if *next == wanted.len() {
                *next = 0;
            }
            black_box(get(black_box(key)));
        }
    })
}

/// The size of the tables below.
const ENTRIES: usize = 10_000;

/// Tables that are filled by strings, and dropped.
fn filled() -> Vec<Case> {
    let (names, same) = (keys(ENTRIES, 24, 0), keys(ENTRIES, 24, 0));
    vec![
        Case::batches(ACEDIA, ENTRIES, move || {
            let table = HashTable::new();
            let mut entries = table.write();
            names.iter().for_each(|key| _ = entries.set(key.as_str(), 1));
            black_box(entries.len())
        }),
        Case::batches("hashbrown", ENTRIES, move || {
            let mut map = hashbrown::HashMap::new();
            same.iter().for_each(|key| _ = map.insert(key.clone(), 1));
            map
        }),
    ]
}

fn visited() -> Vec<Case> {
    let names = keys(ENTRIES, 8, 0);
    let own = table(&names.iter().map(Text::from).collect::<Vec<_>>());
    let map: hashbrown::HashMap<String, i32> = names.into_iter().zip(0..).collect();
    vec![
        Case::batches(ACEDIA, ENTRIES, move || {
            own.read().values().filter_map(Item::as_int).fold(0, i32::wrapping_add)
        }),
        Case::batches("hashbrown", ENTRIES, move || {
            map.values().copied().fold(0, i32::wrapping_add)
        }),
    ]
}

/// Counts words of `len - 8` to `len` bytes. The first of the 5,000 words are the most frequent, as in a language.
fn counted(len: usize) -> Vec<Case> {
    const WORDS: usize = 30_000;
    let mut random = random();
    let words = keys(5000, len, 0).into_iter().zip(0..);
    let words: Vec<String> = words.map(|(word, seed)| word[seed % 9..].to_owned()).collect();
    // The least of four random numbers.
    let mut rank = || (0..4).map(|_| random(words.len())).min().unwrap_or(0);
    let text: Rc<[String]> = (0..WORDS).map(|_| words[rank()].clone()).collect();
    let same = Rc::clone(&text);
    vec![
        Case::batches(ACEDIA, WORDS, move || {
            let table = HashTable::new();
            let mut entries = table.write();
            for word in &*text {
                let more = |count: Item| (count.as_int().unwrap_or(0) + 1).into();
                entries.entry(word.as_str()).and_modify(more).or_insert(1);
            }
            black_box(entries.len())
        }),
        Case::batches("hashbrown", WORDS, move || {
            let mut map: hashbrown::HashMap<String, i32> = hashbrown::HashMap::new();
            same.iter()
                .for_each(|word| *map.entry_ref(word.as_str()).or_insert(0) += 1);
            map
        }),
    ]
}

fn last_byte(key: &str) -> usize {
    key.bytes().next_back().map_or(0, usize::from)
}

/// Walks all entries, and calls `of_key` with each key of `len` bytes.
fn walked(len: usize, of_key: impl Fn(&str) -> usize + Copy + 'static) -> Vec<Case> {
    let names = keys(ENTRIES, len, 0);
    let own = table(&names.iter().map(Text::from).collect::<Vec<_>>());
    let map: hashbrown::HashMap<String, i32> = names.into_iter().zip(0..).collect();
    let add = |(bytes, sum): (usize, i32), len: usize, value: i32| (bytes + len, sum.wrapping_add(value));
    vec![
        Case::batches(ACEDIA, ENTRIES, move || {
            let mut all = (0, 0);
            for (key, value) in own.read().iter() {
                let len = key.with_text(|key| of_key(key.as_str())).unwrap_or(0);
                all = add(all, len, value.as_int().unwrap_or(0));
            }
            all
        }),
        Case::batches("hashbrown", ENTRIES, move || {
            black_box(&map)
                .iter()
                .fold((0, 0), |all, (key, value)| add(all, of_key(key), *value))
        }),
    ]
}
