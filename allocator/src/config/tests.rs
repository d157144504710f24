use super::*;

const HEADER: &str = "[AcediaCore.AcediaObjectPool]\n";

fn entries(text: &str) -> Vec<(String, PoolPolicy, usize)> {
    Config::from_ini(text)
        .expect(text)
        .overrides
        .into_iter()
        .map(|one| (one.class, one.policy, one.line))
        .collect()
}

fn entry(class: &str, policy: PoolPolicy, line: usize) -> (String, PoolPolicy, usize) {
    (class.to_owned(), policy, line)
}

/// Calls `use_it` with texts made of `pieces` and of single random characters.
fn torture(rounds: usize, pieces: &[&str], mut use_it: impl FnMut(&str)) {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % u64::try_from(below).unwrap()).unwrap()
    };
    let mut text = String::new();
    for _ in 0..rounds {
        text.clear();
        for _ in 0..next(40) {
            if next(8) == 0 {
                let code = next(0x11_0000) >> next(16);
                text.extend(char::from_u32(u32::try_from(code).unwrap()));
            } else {
                text.push_str(pieces[next(pieces.len())]);
            }
        }
        use_it(&text);
    }
}

/// An error must name a place that is there.
fn check_place(text: &str, error: &ConfigError) {
    let line = lines(text).nth(error.line() - 1).expect("the line exists");
    let columns = 1..=line.chars().count() + 1;
    assert!(columns.contains(&error.column()), "{text:?}: {error}");
    assert!(error.to_string().len() < 600, "{error}");
    assert!(!error.to_string().contains(char::is_control), "{error:?}");
}

#[test]
fn a_whole_file() {
    let text = "\
; shipped defaults
poolSizeOverwrite=(objectClass=Nowhere.Nothing,maxPoolSize=1)

[Engine.GameEngine]
CacheSizeMegs=32
poolSizeOverwrite=(objectClass=Elsewhere.Nothing,maxPoolSize=1)
this is no line at all

  [acediacore.acediaobjectpool]  ; ours
# first wave
poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=500)
  poolSizeOverwrite = \"(maxPoolSize=-1,objectClass=class'Game.Smoke')\" ; all of it

[Other]
poolSizeOverwrite=(objectClass=
[AcediaCore.AcediaObjectPool]
poolSizeOverwrite=(objectClass=\"Game.Trail\",maxPoolSize=0)
poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=7)";
    assert_eq!(
        entries(text),
        [
            entry("Game.Fireball", PoolPolicy::KeepAtMost(500), 11),
            entry("Game.Smoke", PoolPolicy::KeepAll, 12),
            entry("Game.Trail", PoolPolicy::KeepNone, 17),
            entry("Game.Fireball", PoolPolicy::KeepAtMost(7), 18),
        ]
    );
}

#[test]
fn the_first_entry_for_a_class_counts() {
    let config = Config::from_ini(&format!(
        "{HEADER}poolSizeOverwrite=(objectClass=A.B,maxPoolSize=1)\n\
         poolSizeOverwrite=(objectClass=a.b,maxPoolSize=2)\n\
         poolSizeOverwrite=(objectClass=B,maxPoolSize=3)"
    ))
    .unwrap();
    assert_eq!(config.overrides().len(), 3);
    assert_eq!(config.policy_of("A.B"), Some(PoolPolicy::KeepAtMost(1)));
    assert_eq!(config.policy_of("a.B"), Some(PoolPolicy::KeepAtMost(1)));
    assert_eq!(config.policy_of("B"), Some(PoolPolicy::KeepAtMost(3)));
    assert_eq!(config.policy_of("C.B"), None);
}

#[test]
fn nothing_to_read() {
    for text in [
        "",
        "\u{feff}",
        "\n\n",
        ";",
        "[Other]\nx=1",
        "poolSizeOverwrite=(",
        HEADER,
    ] {
        assert_eq!(Config::from_ini(text), Ok(Config::new()), "{text:?}");
    }
    // The line as it is shipped: a comment.
    let shipped = format!("{HEADER};poolSizeOverwrite=(objectClass=<class>,maxPoolSize=<n>)");
    assert_eq!(Config::from_ini(&shipped), Ok(Config::default()));
}

#[test]
fn a_limit_in_a_misspelt_section_is_not_lost_in_silence() {
    for name in [
        "AcediaCore.AcediaObjectPol",
        "acediacore.objectpool",
        "AcediaObjectPool",
        "AcediaCore.Pool",
    ] {
        let error = Config::from_ini(&format!("[{name}]\nother=1\n PoolSizeOverwrite =(")).expect_err(name);
        assert_eq!((error.line(), error.column()), (3, 2), "{name}");
        assert!(error.message().contains("`[AcediaCore.AcediaObjectPool]`"), "{error}");
        let other = format!("[{name}]\nother=1\n;poolSizeOverwrite=(\npoolSizes=2\n[Other]\npoolSizeOverwrite=(");
        assert_eq!(Config::from_ini(&other), Ok(Config::new()), "{name}");
    }
}

#[test]
fn every_line_end_and_a_byte_order_mark() {
    for end in ["\n", "\r\n", "\r"] {
        let text = [
            "\u{feff}[AcediaCore.AcediaObjectPool]",
            "",
            "poolSizeOverwrite=(objectClass=A.B,maxPoolSize=1)",
            "poolSizeOverwrite=\"(objectClass=C.D,maxPoolSize=2)\"",
            "",
        ]
        .join(end);
        assert_eq!(
            entries(&text),
            [
                entry("A.B", PoolPolicy::KeepAtMost(1), 3),
                entry("C.D", PoolPolicy::KeepAtMost(2), 4),
            ]
        );
    }
    let mixed: Vec<&str> = lines("a\nb\r\nc\rd\r\r\ne\n\r\nf").collect();
    assert_eq!(mixed, ["a", "b", "c", "d", "", "e", "", "f"]);
}

#[test]
fn a_fault_says_where_it_is() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!(
            "[Other]{end}; é{end}[AcediaCore.AcediaObjectPool]{end}{end}\
             \u{a0}poolSizeOverwrite=(objectClass=é.è,maxPoolSize=x){end}"
        );
        let error = Config::from_ini(&text).unwrap_err();
        assert_eq!((error.line(), error.column()), (5, 49));
        assert_eq!(error.message(), "expected a whole number for `maxPoolSize`, found `x`");
        assert_eq!(
            error.to_string(),
            "line 5, column 49: expected a whole number for `maxPoolSize`, found `x`"
        );
        check_place(&text, &error);
    }
    // The byte order mark is no column.
    let error = Config::from_ini("\u{feff}[x").unwrap_err();
    assert_eq!((error.line(), error.column()), (1, 1));
}

#[test]
fn the_first_fault_is_the_error() {
    let text = format!("{HEADER}first\nsecond\n");
    let error = Config::from_ini(&text).unwrap_err();
    assert_eq!(error.line(), 2);
    assert!(error.message().contains("`first`"));
}

#[test]
fn a_broken_header_is_an_error_in_every_section() {
    for text in ["[Other\n", "[Other] x", "[A]\n[B"] {
        assert!(Config::from_ini(text).is_err(), "{text:?}");
    }
}

#[test]
fn made_in_code() {
    let config = Config::new()
        .with("A.B", PoolPolicy::KeepAll)
        .with(String::from("C.D"), PoolPolicy::KeepAtMost(0));
    assert_eq!(config.overrides()[1].class, "C.D");
    assert_eq!(config.overrides()[1].policy, PoolPolicy::KeepAtMost(0));
    assert_eq!(config.overrides()[1].line, 0);
    assert_eq!(config.clone(), config);
    assert_ne!(config, Config::new());
    assert_eq!(Config::new(), Config::default());
}

#[test]
fn what_the_file_says_beats_what_the_program_adds() {
    let text = format!("{HEADER}poolSizeOverwrite=(objectClass=A.B,maxPoolSize=1)");
    let config = text
        .parse::<Config>()
        .unwrap()
        .with("A.B", PoolPolicy::KeepNone)
        .with("C.D", PoolPolicy::KeepNone);
    assert_eq!(config.policy_of("A.B"), Some(PoolPolicy::KeepAtMost(1)));
    assert_eq!(config.policy_of("C.D"), Some(PoolPolicy::KeepNone));
}

#[test]
fn can_cross_threads_and_be_boxed() {
    fn needs<T: Send + Sync + 'static>() {}
    needs::<Config>();
    needs::<ConfigError>();
    let error: Box<dyn Error + Send + Sync> = Box::new("[".parse::<Config>().unwrap_err());
    assert_eq!(
        error.to_string(),
        "line 1, column 1: expected a `]` to close this section header"
    );
}

#[test]
fn no_text_makes_it_panic() {
    const PIECES: [&str; 29] = [
        "[AcediaCore.AcediaObjectPool]\n",
        "poolSizeOverwrite=(objectClass=A.B,maxPoolSize=1)\n",
        "poolSizeOverwrite",
        "objectClass",
        "maxPoolSize",
        "class",
        "class'A.B'",
        "Game.Fireball",
        "None",
        "=",
        "(",
        ")",
        ",",
        ";",
        "#",
        "[",
        "]",
        "\"",
        "'",
        ".",
        "-",
        "2147483648",
        " ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u{feff}",
        "\u{a0}",
    ];
    let mut good = 0;
    let mut bad = 0;
    torture(30_000, &PIECES, |text| {
        for text in [text, &format!("{HEADER}{text}")] {
            match Config::from_ini(text) {
                Ok(config) => {
                    good += 1;
                    for one in config.overrides() {
                        let line = lines(text).nth(one.line - 1).expect("the line exists");
                        assert!(line.contains(&one.class), "{text:?}");
                    }
                    let limits = |config: &Config| -> Vec<_> {
                        let overrides = config.overrides.iter();
                        overrides.map(|one| (one.class.clone(), one.policy)).collect()
                    };
                    let printed = config.to_string();
                    let back = Config::from_ini(&printed).expect(&printed);
                    assert_eq!(limits(&back), limits(&config), "{text:?}");
                }
                Err(error) => {
                    bad += 1;
                    check_place(text.strip_prefix('\u{feff}').unwrap_or(text), &error);
                }
            }
        }
    });
    assert!(good > 1_000 && bad > 1_000, "{good} good, {bad} bad");
}

#[test]
fn no_bytes_make_it_panic() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for length in (0..2_000).map(|round| round % 97) {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random.to_le_bytes()[3]
            })
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        for text in [text.to_string(), format!("{HEADER}{text}")] {
            if let Err(error) = Config::from_ini(&text) {
                check_place(&text, &error);
            }
        }
    }
}

/// Every good line, cut anywhere and with every single byte left out: read or refused, never a panic.
#[test]
fn cut_and_gapped_lines() {
    for line in [
        "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12) ; comment",
        " poolSizeOverwrite = \" ( maxPoolSize = -1 , objectClass = class 'Ga.Fé' ) \" ",
    ] {
        for (at, c) in line.char_indices() {
            let cut = format!("{HEADER}{}", &line[..at]);
            let gapped = format!("{HEADER}{}{}", &line[..at], &line[at + c.len_utf8()..]);
            for text in [cut, gapped] {
                if let Err(error) = Config::from_ini(&text) {
                    assert_eq!(error.line(), 2);
                    check_place(&text, &error);
                }
            }
        }
    }
}

/// Ten megabytes at once: with anything quadratic in it, this test would not end.
#[test]
fn ten_megabytes_are_read_in_linear_time() {
    const SIZE: usize = 10 << 20;
    let good = "poolSizeOverwrite=(objectClass=Game.Fireball,maxPoolSize=12) ; comment\r\n";
    let text = HEADER.to_owned() + &good.repeat(SIZE / good.len());
    assert_eq!(entries(&text).len(), SIZE / good.len());

    for piece in ["\r\n", "[Other]\n"] {
        let config = Config::from_ini(&piece.repeat(SIZE / piece.len()));
        assert_eq!(config, Ok(Config::new()), "{piece:?}");
    }
    let long = "(".repeat(SIZE);
    let error = Config::from_ini(&format!("{HEADER}{long}")).unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 1));
}

/// The same with every kind of token at every place of an entry, 128 KiB each.
#[test]
fn overlong_lines_are_read_in_linear_time() {
    const SIZE: usize = 1 << 17;
    for piece in [
        "[", "]", "(", "\"", "'", "=", ",", "é", "x", "A.", "class'", "\u{feff}", "1",
    ] {
        let long = piece.repeat(SIZE / piece.len());
        for start in [
            "",
            "poolSizeOverwrite",
            "poolSizeOverwrite=",
            "poolSizeOverwrite=(",
            "poolSizeOverwrite=(objectClass=",
            "poolSizeOverwrite=(objectClass='",
            "poolSizeOverwrite=(objectClass=A,maxPoolSize=",
            "poolSizeOverwrite=(objectClass=A,maxPoolSize=1)",
        ] {
            let text = format!("{HEADER}{start}{long}");
            let error = Config::from_ini(&text).unwrap_err();
            assert_eq!(error.line(), 2);
            assert!(error.to_string().len() < 600);
        }
    }
}
