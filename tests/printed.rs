//! The `{:?}` and `{}` output of public types that do not derive it, and the sentences of errors. In the expected text, `…` stands for
//! anything.

use std::fmt::Debug;

use acedia::{Config, Handle, Object, Pool, PoolPolicy, Reclaimed, SecondaryMap, configure, load_class, pin};
use acedia_actors::world::CylinderGrid;
use acedia_actors::*;
use acedia_boxes::{ByteArrayBox, FloatRef, IntBox, StringBox};
use acedia_collections::{ArrayList, HashTable, Item, Nested, Pointer, from_item};
use acedia_json::{self as json, json};
use acedia_signals::SimpleSignal;
use acedia_text::{BaseText, Color, Format, MutableText, Template, Text, TextCache, Utf8Decoder, text};

/// Checks that `{:?}` prints each value as the first text, and `{}` as the second one, if there is one.
macro_rules! printed {
    ($($value:expr => $debug:literal $(, $display:literal)?;)+) => {$(
        match &$value {
            value => {
                is(&format!("{value:?}"), $debug);
                $(is(&value.to_string(), $display);)?
            }
        }
    )+};
}

#[track_caller]
fn is(printed: &str, wanted: &str) {
    assert!(fits(printed, wanted), "\n  is     {printed}\n  wanted {wanted}");
}

/// Whether `wanted`, in which `…` stands for anything, fits all of `printed`.
fn fits(printed: &str, wanted: &str) -> bool {
    let Some((first, others)) = wanted.split_once('…') else {
        return printed == wanted;
    };
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<_> = others.split('…').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn patterns_fit() {
    for wanted in ["slot 7, life 1", "…", "slot …", "… 1", "slot …, life …", "…lo…if…1"] {
        assert!(fits("slot 7, life 1", wanted), "{wanted}");
    }
    for wanted in ["", "slot", "slot 7, life 1…2", "…slot 8…", "… life", "slot 7,…, life 1"] {
        assert!(!fits("slot 7, life 1", wanted), "{wanted}");
    }
}

#[derive(Debug, Default, Object)]
#[object(name = "Printed.Lamp")]
struct Lamp {
    watts: u8,
}

#[test]
fn objects() {
    let lamp = Lamp::allocate_with(|it| it.watts = 40);
    let handle = lamp.handle();
    printed! {
        lamp => "Lamp { watts: 40 }";
        handle => "Handle(slot …, life …)", "slot …, life …";
        handle.guard().unwrap() => "Guard(Lamp { watts: 40 })";
        handle.to_any() => "AnyHandle(Printed.Lamp, slot …, life …)", "Printed.Lamp in slot …, life …";
        lamp.clone().into_any() => "AnyOwned(Printed.Lamp, slot …)";
        "".parse::<Handle<Lamp>>().unwrap_err() => "Text", "not the 16 hexadecimal digits of a handle";
        Lamp::class() => "Class(Printed.Lamp, …Lamp)", "Printed.Lamp";
        Lamp::pool().reserve() => "Reserved(Handle(slot …, life …))";
        SecondaryMap::<Lamp, &str>::from_iter([(handle, "hall")]) => "{Handle(slot …, life …): \"hall\"}";
        Lamp::class().leaks() => "Leaks([Leak { class: Class(Printed.Lamp, …Lamp), place: …, objects: 1, handles: [AnyHandle(Printed.Lamp, slot …, life …)], oldest: … }…])",
            "… alive\nobjects  class         allocated at\n      1  Printed.Lamp  …";
        pin() => "Pinned";
    }
    drop(lamp);
    let freed = handle.try_get(&pin()).unwrap_err();
    printed! {
        freed => "AccessError(Freed: Printed.Lamp in slot …, life …, was freed…)", "Printed.Lamp in slot …, life …, was freed…";
        freed.reason() => "Freed", "was freed";
        load_class("Printed.Lmap").unwrap_err() => "Unknown { name: \"Printed.Lmap\", near: [\"Printed.Lamp\"…] }",
            "no class is named `Printed.Lmap` (did you mean `Printed.Lamp`?)";
    }
}

#[test]
fn pools() {
    let pool: Pool<u8> = Pool::new();
    let owner = pool.allocate_with(|it| *it = 7);
    printed! {
        owner => "7";
        pool.guard(owner.handle()).unwrap() => "Guard(7)";
        pool.reserve() => "Reserved(Handle(slot …, life …))";
        pool => "Pool { type: \"u8\", stats: Some(Stats { live: …";
        pool.reader(&pin()) => "Reader(Pool { type: \"u8\", stats: Some(Stats { live: …";
        pool.stats() => "Stats { live: 1, …", "live 1, …";
        Reclaimed { objects: 2, bytes: 64 } => "Reclaimed { objects: 2, bytes: 64 }", "2 objects, 64 bytes";
        PoolPolicy::KeepAll => "KeepAll", "keeps all";
        PoolPolicy::KeepAtMost(5) => "KeepAtMost(5)", "keeps at most 5";
        PoolPolicy::KeepNone => "KeepNone", "keeps none";
    }
}

#[test]
fn limits() {
    let config = Config::new().with("Printed.Lmap", PoolPolicy::KeepAtMost(5));
    printed! {
        config => "Config { entries: [Entry { class: \"Printed.Lmap\", policy: KeepAtMost(5), line: 0 }] }";
        configure(&config)[0] => "ConfigError { line: 0, class: Some(\"Printed.Lmap\"), message: …", "no class is named `Printed.Lmap` (did you mean `Printed.Lamp`?)";
        Config::from_ini("[AcediaCore.AcediaObjectPool]\nx=1").unwrap_err() => "ConfigError { line: 2, …", "line 2: unknown key `x`…";
    }
}

#[test]
fn texts() {
    static CACHE: TextCache = TextCache::new();

    let words = BaseText::from("one two three");
    let colored = BaseText::from_markup("{$red R}s");
    let mut split = words.split(' ');
    let _ = split.next();
    let mut parser = words.parser();
    let _ = parser.eat("one ");
    let mut template = Template::new("%1 of %2");
    template.arg("one");
    let mut decoder = Utf8Decoder::new();
    let _ = decoder.feed(b"a\xc3", &mut BaseText::new());
    let _ = CACHE.plain("a");
    let markup = BaseText::try_from_markup("a}").unwrap_err();
    printed! {
        BaseText::from("a\"b") => r#""a\"b""#, "a\"b";
        Text::new("a") => "\"a\"", "a";
        text!("b") => "\"b\"", "b";
        MutableText::new("c") => "MutableText(\"c\")", "c";
        MutableText::new("d").read() => "\"d\"", "d";
        colored.characters() => "Characters(\"{rgb(255,0,0) R}s\")";
        colored.characters().next().unwrap() => "Character { code: 'R', format: Format(rgb(255,0,0)) }", "R";
        Color::rgb(1, 2, 3) => "Color { red: 1, green: 2, blue: 3, alpha: 255 }", "rgb(1,2,3)";
        Color::rgba(1, 2, 3, 4) => "Color { red: 1, green: 2, blue: 3, alpha: 4 }", "rgba(1,2,3,4)";
        Format::PLAIN => "Format(plain)", "plain";
        split => r#"Split("two three", at ' ')"#;
        parser => r#"Parser(character 4, rest "two three")"#;
        parser.remainder() => r#""two three""#, "two three";
        template => "Template(\"one of \", 1 of 2 filled)", "one of ";
        decoder => "Utf8Decoder { done: 1, cut: [195], error: None }";
        CACHE => "TextCache(1 text)";
        "teal-ish".parse::<Color>().unwrap_err() => "Notation(\"teal-ish\")", "expected a color such as …, found `teal-ish`";
        BaseText::from("x").parser().integer().unwrap_err() => "ParseError(character 0: expected a digit, found `x`)", "character 0: expected a digit, found `x`";
        markup => "MalformedMarkup { text: \"a\", errors: [MarkupError { … }] }", "byte 1: this `}` closes no block; write `&}` for a `}` in the text";
        BaseText::try_from_markup("{$red:$ a}").unwrap_err() => "MalformedMarkup …", "byte 6: expected a color such as `$red`";
        markup.errors()[0].kind() => "UnmatchedBracket";
        BaseText::from_utf8(b"a\xff").unwrap_err() => "Utf8Error { offset: 1, kind: Invalid }", "byte 1 is not UTF-8";
    }
}

#[test]
fn boxes_and_collections() {
    let (list, table) = (ArrayList::from([1, 2]), HashTable::from([("a", 1)]));
    printed! {
        IntBox::new(7) => "IntBox(7)", "7";
        StringBox::new("a") => "StringBox(\"a\")", "a";
        FloatRef::new(0.5) => "FloatRef(0.5)", "0.5";
        ByteArrayBox::new([1, 2]) => "ByteArrayBox([1, 2])", "[1, 2]";
        list => "…1…2…";
        table => "…a…1…";
        *list.read() => "[…1…2…]";
        *table.read() => "{…a…1…}";
        list.write() => "[…1…2…]";
        table.write() => "{…a…1…}";
        table.write().entry("b") => "Entry { key: \"b\", item: None }";
        Item::from(7).view() => "Int(7)";
        Pointer::from("/a~1b/0") => "Pointer([\"a/b\", \"0\"])", "/a~1b/0";
        list.write().try_push(&list).unwrap_err() => "Refused { item: ArrayList(<locked>), reason: Cycle }",
            "the collection would own itself and never be freed; insert its handle instead, which does not own it";
        list.set_by("/x/y", 1).unwrap_err() => "Missing(Pointer([\"x\", \"y\"]))", "`/x/y` refers to no location: …";
        bool::try_from(Item::from(7)).unwrap_err() => "WrongItem { item: …7…, wanted: \"bool\"…", "expected an item of the type `bool`, found `Int(7)`";
        from_item::<bool>(&Item::from(7)).unwrap_err() => "ItemError(…)", "invalid type: integer `7`, expected a boolean";
        json::Parser::new().parse("[1,]").unwrap_err() => "ParseError { problem: TrailingComma, place: Place { offset: 3, line: 1, column: 4 }, is_eof: false }",
            "line 1, column 4: JSON does not allow a trailing comma…";
        json::patch(&json!([]), &json!([{"op": "remove", "path": "/0"}])).unwrap_err() => "PatchError { operation: 0, problem: … }", "operation at index 0: `/0` refers to no item";
        json::to_string(&Item::from(f32::NAN)).unwrap_err() => "NotFinite", "JSON cannot express infinity or NaN";
    }
}

#[test]
fn signals() {
    let (noon, lamp) = (SimpleSignal::new(), Lamp::allocate());
    let connection = noon.connect(lamp.handle(), |_, ()| ());
    printed! {
        noon => "Signal(1 connection)";
        connection => "Connection { receiver: AnyHandle(Printed.Lamp, slot …, life …), slot: Handle(…), priority: 0, is_connected: true }",
            "connection to Printed.Lamp in slot …";
    }
    drop(lamp);
    printed! {
        connection => "…is_connected: false }", "connection to Printed.Lamp in slot …, ended";
    }
}

static OPEN: Function<Door> = Function::new("Open");

#[derive(Debug, Default)]
struct Door;

impl Actor for Door {
    actor!(Door, "Printed.Door");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        printed! {
            class => "ClassBuilder(Printed.Door, printed::Door)";
            class.state("Open") => "StateBuilder(Printed.Door, Open)";
        }
        class.function(&OPEN, |cx, ()| is(&format!("{cx:?}"), "Cx(Door…)"));
        class.pre_begin_play(|cx| {
            cx.call(&OPEN, ());
            printed! {
                cx => "Cx(Door…)";
                cx.inherited() => "Inherited(Door…)";
            }
        });
    }
}

#[test]
fn actors() {
    let mut level = Level::new(Rules::ue2());
    let recorder = Recorder::default();
    level.begin_play("");
    level.set_sink(recorder.clone());
    let door = level.spawn::<Door>(Spawn::new().tag("Gate")).unwrap();
    let mut map = ActorMap::default();
    map.insert(door, 1);
    let refused = level
        .try_spawn::<Door>(Spawn::new().at(Vector::new(f32::NAN, 0.0, 0.0)))
        .unwrap_err();
    printed! {
        level => "Level { rules: Ue2, has_begun: true, actors: 3, dead: 0, depth: 0, warnings: 1 (the last one: spawn failed…), .. }";
        Level::new(Rules::ue2()).save().unwrap() => "SavedLevel { version: 1, rules: Ue2, …";
        level.save().unwrap_err() => "SaveError { actor: \"Door2\", class: \"Printed.Door\", field: \"\", reason: … }",
            "actor Door2 of Printed.Door: its class is not saved: call `class.saved()` in `describe`";
        door => "ActorRef<Door>(…)";
        NativeActorRef::new(&mut level, Some(door.any())) => "NativeActorRef(Door, …)";
        map => "{ActorRef<Door>(…): 1}";
        recorder.take()[1] => "Trace { depth: 0, row: \"Q3\", …", "Q3 Door2.native InitPhysics()";
        CylinderGrid::new(64.0) => "CylinderGrid { …";
        Door::class() => "ActorClass(Printed.Door)", "Printed.Door";
        Name::new("Gate") => "'Gate'", "Gate";
        Vector::new(1.0, 2.5, 0.0) => "Vector { x: 1.0, y: 2.5, z: 0.0 }";
        OPEN => "Function(Open)";
        load_actor_class("Printed.Dor").unwrap_err() => "Unknown { name: \"Printed.Dor\", near: [\"Printed.Door\"] }",
            "no class of actors is named `Printed.Dor` (did you mean `Printed.Door`?)";
        refused => "Refused(NotFinite(ActorClass(Printed.Door)))", "spawn failed because the location of a Printed.Door is not finite; check it for NaN";
    }
}
