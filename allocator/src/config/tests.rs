use super::*;

const HEADER: &str = "[AcediaCore.AcediaObjectPool]\n";

fn limits(text: &str) -> Vec<(String, PoolPolicy, usize)> {
    let config = Config::from_ini(text).expect(text);
    let entries = config.entries.into_iter();
    entries.map(|one| (one.class, one.policy, one.line)).collect()
}

fn limit(class: &str, policy: PoolPolicy, line: usize) -> (String, PoolPolicy, usize) {
    (class.to_owned(), policy, line)
}

#[test]
fn a_whole_file() {
    let text = "\
\u{feff}; shipped defaults
poolSizeOverwrite=(objectClass=Nowhere.Nothing,maxPoolSize=1)

[Engine.GameEngine]
CacheSizeMegs=32
poolSizeOverwrite=(objectClass=Elsewhere.Nothing,maxPoolSize=1)
this is no line at all

  [acediacore.acediaobjectpool]  ; ours
# first wave
poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500)
  POOLSIZEOVERWRITE = \" ( maxPoolSize = -1 , objectClass = class 'Game.Smoke' ) \" ; all of it
;poolSizeOverwrite=(objectClass=<class>,maxPoolSize=<n>)

[Other]
poolSizeOverwrite=(objectClass=
[AcediaCore.AcediaObjectPool]
poolSizeOverwrite=(objectClass=\"Game.Trail\",maxPoolSize='0')
poolSizeOverwrite=(objectClass=Class'Game.Fireball',maxPoolSize=7)";
    let expected = [
        limit("Game.Fireball", PoolPolicy::KeepAtMost(500), 11),
        limit("Game.Smoke", PoolPolicy::KeepAll, 12),
        limit("Game.Trail", PoolPolicy::KeepNone, 18),
        limit("Game.Fireball", PoolPolicy::KeepAtMost(7), 19),
    ];
    assert_eq!(limits(text), expected);
    assert_eq!(limits(&text.replace('\n', "\r\n")), expected);
    for nothing in [
        "",
        "\u{feff}",
        "\n\n",
        ";",
        "[Other]\nx=1",
        "poolSizeOverwrite=(",
        HEADER,
    ] {
        assert_eq!(Config::from_ini(nothing), Ok(Config::new()), "{nothing:?}");
    }
}

#[test]
fn a_mistake_names_its_line_and_what_was_found() {
    /// Each line, and what its error says.
    const MISTAKES: &str = "
first -> unknown key `first`
=( -> unknown key ``
poolSizesOverwrite=( -> did you mean `poolSizeOverwrite`?
poolSizeOverwrite -> found the value ``
poolSizeOverwrite=(objectClass=A,maxPoolSize=1 -> found the value `(obj
poolSizeOverwrite=(objectClass=A,maxPoolSize=1) x -> found the value `(obj
poolSizeOverwrite=\"(objectClass=A,maxPoolSize=1) -> found the value `\"(obj
poolSizeOverwrite=() -> unknown field ``
poolSizeOverwrite=(objectClas=A,maxPoolSize=1) -> did you mean `objectClass`?
poolSizeOverwrite=(objectClass=A,) -> unknown field ``
poolSizeOverwrite=(objectClass=A) -> missing field `maxPoolSize`; expected
poolSizeOverwrite=(maxPoolSize=1) -> missing field `objectClass`; expected
poolSizeOverwrite=(maxPoolSize=1,maxPoolSize=1) -> `maxPoolSize` only once
poolSizeOverwrite=(objectClass=,maxPoolSize=1) -> name of a class
poolSizeOverwrite=(objectClass=None,maxPoolSize=1) -> found `None`
poolSizeOverwrite=(objectClass=A..B,maxPoolSize=1) -> found `A..B`
poolSizeOverwrite=(objectClass=sound'A.B',maxPoolSize=1) -> found `sound'A.B'`
poolSizeOverwrite=(objectClass=class'A.B,maxPoolSize=1) -> found `class'A.B`
poolSizeOverwrite=(objectClass=A\u{0},maxPoolSize=1) -> found `A\u{fffd}`
poolSizeOverwrite=(objectClass=A,maxPoolSize=x) -> found `x`
poolSizeOverwrite=(objectClass=A,maxPoolSize=) -> found ``
poolSizeOverwrite=(objectClass=A,maxPoolSize=2147483648) -> 2147483647
[Other -> expected a `]`
[Other] x -> found `x`
";
    for mistake in MISTAKES.trim().lines() {
        let (line, message) = mistake.split_once(" -> ").expect("a line and its error");
        let error = Config::from_ini(&format!("[A]\r\n{HEADER}{line}\nsecond")).expect_err(line);
        assert_eq!(error.line(), Some(3), "{line}");
        assert!(error.message.contains(message), "{line}: {error}");
        assert_eq!(error.to_string(), format!("line 3: {}", error.message));
    }
    assert!(Config::from_ini("[A]\n[B").is_err());
}

#[test]
fn a_limit_in_a_misspelt_section_is_not_lost_in_silence() {
    for name in ["AcediaCore.AcediaObjectPol", "AcediaObjectPool", "Acedia.ObjectsPool"] {
        let error = Config::from_ini(&format!("[{name}]\nother=1\n PoolSizeOverwrite =("));
        let is_near = name != "Acedia.ObjectsPool";
        assert_eq!(
            error.map_err(|error| error.line()),
            if is_near { Err(Some(3)) } else { Ok(Config::new()) }
        );
    }
}

/// If parsing took quadratic time, this test would not end.
#[test]
fn long_texts_are_read_in_linear_time() {
    const SIZE: usize = 10 << 20;
    let good = "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12) ; comment\r\n";
    assert_eq!(
        limits(&(HEADER.to_owned() + &good.repeat(SIZE / good.len()))).len(),
        SIZE / good.len()
    );
    for start in [
        "",
        "[",
        "poolSizeOverwrite=",
        "poolSizeOverwrite=(",
        "poolSizeOverwrite=(objectClass=",
        "poolSizeOverwrite=(objectClass=A,maxPoolSize=",
    ] {
        for piece in ["[", "]", "(", "\"", "'", "=", ",", "é", "x", "A.", "class'"] {
            let text = format!("{HEADER}{start}{}", piece.repeat((1 << 17) / piece.len()));
            let error = Config::from_ini(&text).unwrap_err();
            assert!(error.line() == Some(2) && error.to_string().len() < 400, "{error}");
        }
    }
}
