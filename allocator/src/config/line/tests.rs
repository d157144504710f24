use super::*;

const ANYWHERE: [Section; 3] = [Section::Ours, Section::Misspelt, Section::Other];

fn entry(line: &str) -> Option<(&str, PoolPolicy)> {
    match read(line, Section::Ours) {
        Ok(Line::Entry { class, policy }) => Some((class, policy)),
        _ => None,
    }
}

/// The column (from 1, lines in these tests are ASCII) and the sentence of the fault in `line`.
fn fault(line: &str) -> (usize, String) {
    let Fault { at, message } = read(line, Section::Ours).expect_err(line);
    (at + 1, message)
}

#[test]
fn every_spelling_of_one_entry() {
    for line in [
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12)",
        "poolSizeOverwrite=(maxPoolSize=12,objectClass=Game.Fireball)",
        "POOLSIZEOVERWRITE=(OBJECTCLASS=Game.Fireball,MAXPOOLSIZE=12)",
        "poolsizeoverwrite=(objectclass=Game.Fireball,maxpoolsize=12)",
        " \tpoolSizeOverwrite\t = ( objectClass = Game.Fireball , maxPoolSize = 12 ) \t",
        "\u{a0}poolSizeOverwrite\u{3000}=\u{a0}(objectClass=Game.Fireball,maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12);comment",
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12) ; \"comment",
        "poolSizeOverwrite=\"(objectClass=Game.Fireball,maxPoolSize=12)\"",
        "poolSizeOverwrite=\"(objectClass=Game.Fireball,maxPoolSize=12)\" ; comment",
        "poolSizeOverwrite = \" ( objectClass=Game.Fireball,maxPoolSize=12 ) \" ",
        "poolSizeOverwrite='(objectClass=Game.Fireball,maxPoolSize=12)'",
        "poolSizeOverwrite=\"(objectClass=\"Game.Fireball\",maxPoolSize=12)\"",
        "poolSizeOverwrite=\"(objectClass=class'Game.Fireball',maxPoolSize=12)\"",
        "poolSizeOverwrite='(objectClass=class'Game.Fireball',maxPoolSize=12)'",
        "poolSizeOverwrite=(objectClass=\"Game.Fireball\",maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass='Game.Fireball',maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=\" Game.Fireball \",maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=class'Game.Fireball',maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=Class'Game.Fireball',maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=CLASS ' Game.Fireball ',maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=class\"Game.Fireball\",maxPoolSize=12)",
        "poolSizeOverwrite=(objectClass=\"class'Game.Fireball'\",maxPoolSize=12)",
        "poolSizeOverwrite=(maxPoolSize=12,objectClass=class'Game.Fireball')",
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=\"12\")",
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=+12)",
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=0012)",
    ] {
        assert_eq!(
            entry(line),
            Some(("Game.Fireball", PoolPolicy::KeepAtMost(12))),
            "{line}"
        );
    }
}

#[test]
fn every_name_of_a_class() {
    for name in ["Fireball", "A.B.C", "class", "Ball_2", "Été.Öl", "Boxes.Ref<i32>", "7"] {
        let line = format!("poolSizeOverwrite=(objectClass={name},maxPoolSize=0)");
        assert_eq!(entry(&line), Some((name, PoolPolicy::KeepNone)), "{line}");
    }
}

#[test]
fn every_kind_of_number() {
    use PoolPolicy::{KeepAll, KeepAtMost, KeepNone};

    for (number, policy) in [
        ("-2147483648", KeepAll),
        ("-2", KeepAll),
        ("-1", KeepAll),
        ("-0", KeepNone),
        ("0", KeepNone),
        ("000", KeepNone),
        ("1", KeepAtMost(1)),
        ("2147483647", KeepAtMost(2_147_483_647)),
    ] {
        let line = format!("poolSizeOverwrite=(objectClass=A.B,maxPoolSize={number})");
        assert_eq!(entry(&line), Some(("A.B", policy)), "{line}");
    }
}

#[test]
fn numbers_that_are_none() {
    for number in [
        "ten", "1.0", "1e3", "0x10", "- 1", "--1", "1 000", "1_000", "５", "12a", "+",
    ] {
        let line = format!("poolSizeOverwrite=(objectClass=A.B,maxPoolSize={number})");
        let (_, message) = fault(&line);
        assert!(
            message.contains("expected a whole number") || message.contains("expected `,` or `)`"),
            "{line}: {message}"
        );
    }
    for number in ["2147483648", "-2147483649", "99999999999999999999999999999999"] {
        let line = format!("poolSizeOverwrite=(objectClass=A.B,maxPoolSize={number})");
        assert_eq!(
            fault(&line),
            (
                48,
                format!("expected a number from -2147483648 to 2147483647 for `maxPoolSize`, found `{number}`")
            )
        );
    }
}

#[test]
fn headers() {
    for line in [
        "[AcediaCore.AcediaObjectPool]",
        "  [AcediaCore.AcediaObjectPool]  ",
        "[ AcediaCore.AcediaObjectPool ]",
        "[acediacore.ACEDIAOBJECTPOOL]",
        "[AcediaCore.AcediaObjectPool];comment [",
        "[AcediaCore.AcediaObjectPool] ; comment",
    ] {
        for section in ANYWHERE {
            assert!(
                matches!(read(line, section), Ok(Line::Section(Section::Ours))),
                "{line}"
            );
        }
    }
    for line in ["[]", "[;]", "[Engine.GameEngine]", "[Pool]"] {
        let read = read(line, Section::Ours);
        assert!(matches!(read, Ok(Line::Section(Section::Other))), "{line}");
    }
    for line in [
        "[AcediaObjectPool]",
        "[AcediaCore.AcediaObjectPools]",
        "[AcediaCore]",
        "[AcediaCore.AcediaUsers]",
        "[AcediaCore . AcediaObjectPool]",
    ] {
        let read = read(line, Section::Ours);
        assert!(matches!(read, Ok(Line::Section(Section::Misspelt))), "{line}");
    }
    for line in [
        "[",
        " [AcediaCore.AcediaObjectPool",
        "[Other ; ",
        "[a]b",
        "[a]]",
        "[a] #",
    ] {
        for section in ANYWHERE {
            let fault = read(line, section).expect_err(line);
            assert!(fault.message.starts_with("expected "), "{}", fault.message);
        }
    }
    assert_eq!(fault(" [x"), (2, "expected a `]` to close this section header".into()));
}

#[test]
fn lines_that_say_nothing() {
    for line in [
        "",
        " ",
        "\t\u{a0}",
        ";",
        "#",
        "  ; [a",
        "  # poolSizeOverwrite=",
        ";=\"(",
    ] {
        for section in ANYWHERE {
            assert!(matches!(read(line, section), Ok(Line::Nothing)), "{line}");
        }
    }
    for line in ["garbage", "=", "\"", "poolSizeOverwrite=(", "a=b=c", "(((", "\0", "]"] {
        assert!(matches!(read(line, Section::Other), Ok(Line::Nothing)), "{line}");
    }
}

/// Every kind of broken entry: the line, the column of its fault, and a part of the message.
#[rustfmt::skip]
const MALFORMED: &[(&str, usize, &str)] = &[
    // the key
    ("garbage", 1, "unknown key `garbage`; expected `poolSizeOverwrite=("),
    ("  maxPoolSizes=3", 3, "unknown key `maxPoolSizes`"),
    ("poolSizeOverwrit=()", 1, "(did you mean `poolSizeOverwrite`?)"),
    ("PoolsizeOverwrites = (", 1, "(did you mean `poolSizeOverwrite`?)"),
    ("poolSizeOverwrite[0]=()", 1, "(did you mean `poolSizeOverwrite`?)"),
    ("// comment", 1, "unknown key `// comment`"),
    ("=(objectClass=A,maxPoolSize=1)", 1, "found no key before the `=`"),
    ("poolSizeOverwrite", 18, "expected `=` after the key, found the end of the line"),
    ("poolSizeOverwrite ; =(objectClass=A,maxPoolSize=1)", 19, "expected `=` after the key"),
    // the value's brackets and quotes
    ("poolSizeOverwrite=", 19, "expected `(` to open the value, found the end of the line"),
    ("poolSizeOverwrite=12", 19, "expected `(` to open the value, found `12`"),
    ("poolSizeOverwrite==(objectClass=A,maxPoolSize=1)", 19, "expected `(`"),
    ("poolSizeOverwrite=\"\"", 20, "expected `(`"),
    ("poolSizeOverwrite=\"(objectClass=A,maxPoolSize=1)", 19, "expected a second `\"`"),
    ("poolSizeOverwrite=\"(objectClass=A,maxPoolSize=1)'", 19, "expected a second `\"`"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1)\"", 48, "expected the end of the line"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1))", 48, "expected the end of the line"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1) # no", 49, "or a `;` comment"),
    ("poolSizeOverwrite=((objectClass=A,maxPoolSize=1))", 20, "expected `objectClass=<class>` or"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1", 47, "expected `,` or `)`, found the end"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1 ; )", 48, "expected `,` or `)`, found `; )`"),
    // the fields
    ("poolSizeOverwrite=()", 20, "expected `objectClass=<class>` or"),
    ("poolSizeOverwrite=(objectClass=A)", 33, "expected `,maxPoolSize=<number>`"),
    ("poolSizeOverwrite=(maxPoolSize=1)", 33, "expected `,objectClass=<class>`"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1,)", 48, "expected `objectClass=<class>` or"),
    ("poolSizeOverwrite=(,objectClass=A,maxPoolSize=1)", 20, "expected `objectClass=<class>` or"),
    ("poolSizeOverwrite=(objectClass=A,,maxPoolSize=1)", 34, "expected `objectClass=<class>` or"),
    ("poolSizeOverwrite=(objectClass=A maxPoolSize=1)", 34, "expected `,` or `)`"),
    ("poolSizeOverwrite=(objectClass=A;maxPoolSize=1)", 33, "expected `,` or `)`"),
    ("poolSizeOverwrite=(objectClass:A,maxPoolSize=1)", 20, "unknown field `objectClass:A`"),
    ("poolSizeOverwrite=(objectClass,maxPoolSize=1)", 31, "expected `=` after `objectClass`"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSise=1)", 34, "(did you mean `maxPoolSize`?)"),
    ("poolSizeOverwrite=(objectClas=A,maxPoolSize=1)", 20, "(did you mean `objectClass`?)"),
    ("poolSizeOverwrite=(objectClass=A,objectClass=A,maxPoolSize=1)", 34, "only once"),
    ("poolSizeOverwrite=(maxPoolSize=1,maxPoolSize=1,objectClass=A)", 34, "only once"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=1,color=red)", 48, "unknown field `color`;"),
    // the class
    ("poolSizeOverwrite=(objectClass=,maxPoolSize=1)", 32, "a value for `objectClass`, found `,"),
    ("poolSizeOverwrite=(objectClass==A,maxPoolSize=1)", 32, "a value for `objectClass`, found `=A"),
    ("poolSizeOverwrite=(objectClass=\"\",maxPoolSize=1)", 32, "the name of a class"),
    ("poolSizeOverwrite=(objectClass=\" \",maxPoolSize=1)", 32, "the name of a class"),
    ("poolSizeOverwrite=(objectClass=class'',maxPoolSize=1)", 32, "the name of a class"),
    ("poolSizeOverwrite=(objectClass=None,maxPoolSize=1)", 32, "`None` is not a class"),
    ("poolSizeOverwrite=(objectClass=class'none',maxPoolSize=1)", 32, "`None` is not a class"),
    ("poolSizeOverwrite=(objectClass=\"A.B,maxPoolSize=1)", 32, "expected a second `\"`"),
    ("poolSizeOverwrite=(objectClass=class'A.B,maxPoolSize=1)", 37, "expected a second `'`"),
    ("poolSizeOverwrite=(objectClass=class'A.B\",maxPoolSize=1)", 37, "expected a second `'`"),
    ("poolSizeOverwrite=(objectClass=Texture'A.B',maxPoolSize=1)", 32, "a reference to `Texture`"),
    ("poolSizeOverwrite=(objectClass=\"A B\",maxPoolSize=1)", 32, "which contains ' '"),
    ("poolSizeOverwrite=(objectClass=\"A,B\",maxPoolSize=1)", 32, "which contains ','"),
    ("poolSizeOverwrite=(objectClass=\"A;B\",maxPoolSize=1)", 32, "which contains ';'"),
    ("poolSizeOverwrite=(objectClass=\"A\0B\",maxPoolSize=1)", 32, "found `A\\0B`, which contains '\\0'"),
    ("poolSizeOverwrite=(objectClass=A.B.,maxPoolSize=1)", 32, "has an empty part"),
    ("poolSizeOverwrite=(objectClass=.B,maxPoolSize=1)", 32, "has an empty part"),
    ("poolSizeOverwrite=(objectClass=.,maxPoolSize=1)", 32, "has an empty part"),
    ("poolSizeOverwrite=(objectClass=A..B,maxPoolSize=1)", 32, "has an empty part"),
    // the number
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=)", 46, "a value for `maxPoolSize`, found `)`"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=\"\")", 46, "a whole number"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize='x)", 46, "expected a second `'`"),
    ("poolSizeOverwrite=(objectClass=A,maxPoolSize=5'6')", 46, "found `5'6'`"),
];

#[test]
fn malformed_entries() {
    for &(line, column, part) in MALFORMED {
        let (at, message) = fault(line);
        assert!(message.contains(part), "{line}\n  says: {message}\n  not:  {part}");
        assert!(message.contains("expected "), "{line}\n  says: {message}");
        assert_eq!(at, column, "{line}\n  says: {message}");
    }
}

#[test]
fn excerpts_are_short_and_printable() {
    assert_eq!(excerpt("plain 'text' \"here\" \\"), "plain 'text' \"here\" \\");
    assert_eq!(excerpt("Été 𝄞"), "Été 𝄞");
    assert_eq!(excerpt("\u{1b}[31m\u{0}\u{202e}"), "\\u{1b}[31m\\0\\u{202e}");
    assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
    assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "…");
}
