use super::*;

#[test]
fn distances_are_those_of_the_crate_that_counts_them_too() {
    let mut words = vec![String::new()];
    for length in 0..5 {
        let longest = words.iter().filter(|word| word.chars().count() == length);
        let longer: Vec<_> = longest
            .flat_map(|word| ["a", "b", "ß"].map(|it| format!("{word}{it}")))
            .collect();
        words.extend(longer);
    }
    for a in &words {
        for b in &words {
            assert_eq!(distance(a, b), strsim::osa_distance(a, b), "{a:?} and {b:?}");
        }
    }
    assert_eq!(distance("ca", "abc"), 3, "no letter is part of two typos");
}

const CLASSES: [&str; 9] = [
    "Acedia.BoolBox",
    "Acedia.FloatBox",
    "Acedia.IntArrayBox",
    "Acedia.IntBox",
    "Acedia.IntRef",
    "Acedia.Text",
    "Game.Fireball",
    "Game.IntBox",
    "Solitary",
];

fn near(wanted: &str) -> Vec<String> {
    near_matches(wanted, CLASSES)
}

#[test]
fn a_typo_in_the_name() {
    assert_eq!(near("Game.Firebal")[0], "Game.Fireball");
    assert_eq!(near("Game.Frieball")[0], "Game.Fireball");
    assert_eq!(near("Acedia.IntBix")[0], "Acedia.IntBox");
    assert_eq!(near("Solitery"), ["Solitary"]);
}

#[test]
fn a_typo_in_the_package_or_in_both_parts() {
    assert_eq!(near("Acdia.Text"), ["Acedia.Text"]);
    assert_eq!(near("Gmae.Fierball"), ["Game.Fireball"]);
}

#[test]
fn case_does_not_matter() {
    assert_eq!(near("gAME.fIREBALL")[0], "Game.Fireball");
    assert_eq!(near("FIREBALL"), ["Game.Fireball"]);
    assert_eq!(near_matches("ÄRA.ÖL", ["ära.öl"]), ["ära.öl"]);
}

#[test]
fn only_the_name_is_right() {
    assert_eq!(near("Fireball"), ["Game.Fireball"]);
    assert_eq!(near("Elsewhere.Fireball"), ["Game.Fireball"]);
    assert_eq!(near("Some.Where.Else.Fireball"), ["Game.Fireball"]);
    assert_eq!(near("Package.Solitary"), ["Solitary"]);
}

#[test]
fn an_ambiguous_name_lists_every_package_that_has_it() {
    assert_eq!(near("IntBox")[..2], ["Acedia.IntBox", "Game.IntBox"]);
    assert_eq!(near("Mod.IntBox")[..2], ["Acedia.IntBox", "Game.IntBox"]);
}

#[test]
fn the_right_name_elsewhere_beats_another_name_here() {
    let classes = ["Acedia.IntRef", "Acedia.Text", "Faraway.IntBox"];
    assert_eq!(near_matches("Acedia.IntBox", classes), ["Faraway.IntBox"]);
    let classes = ["Acedia.IntBax", "Faraway.IntBox"];
    assert_eq!(
        near_matches("Acedia.IntBox", classes),
        ["Faraway.IntBox", "Acedia.IntBax"]
    );
}

#[test]
fn only_the_package_is_right() {
    assert_eq!(near("Game.Firestorm"), ["Game.Fireball", "Game.IntBox"]);
    assert_eq!(near("Game."), ["Game.Fireball", "Game.IntBox"]);
    assert_eq!(near("Game"), ["Game.Fireball", "Game.IntBox"]);
    assert_eq!(near("Gane"), ["Game.Fireball", "Game.IntBox"]);
}

#[test]
fn the_nearest_comes_first_and_three_are_enough() {
    let names = ["Box5", "Boxes", "Box", "Bax", "Bix", "Box1"];
    assert_eq!(near_matches("Box", names), ["Box", "Bax", "Bix"]);
    let many: Vec<String> = (0..1000).map(|index| format!("Game.Class{index}")).collect();
    let found = near_matches("Game.Class77", many.iter().map(String::as_str));
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], "Game.Class77");
}

#[test]
fn nothing_is_near_nonsense() {
    assert!(near("").is_empty());
    assert!(near("   ").is_empty());
    assert!(near("Elsewhere.Zzzzzzzz").is_empty());
    assert!(near("Q").is_empty());
    assert!(near_matches("Fireball", []).is_empty());
    assert!(near_matches("Fireball", ["", ".", "..", "Game."]).is_empty());
    assert!(near(".").is_empty());
}

#[test]
fn the_same_name_twice_is_listed_once() {
    assert_eq!(near_matches("Box", ["Box", "Bax", "Box"]), ["Box", "Bax"]);
}

#[test]
fn order_of_the_names_does_not_matter() {
    let mut backwards = CLASSES;
    backwards.reverse();
    for wanted in ["IntBox", "Acedia.Txet", "Game", "Acedia.", "solitary"] {
        assert_eq!(near(wanted), near_matches(wanted, backwards));
    }
}

#[test]
fn surrounding_space_is_no_part_of_a_name() {
    assert_eq!(near("  Game.Fireball "), near("Game.Fireball"));
}

#[test]
fn monstrous_names_cost_nothing() {
    let monster = "x".repeat(10 << 20);
    assert!(near_matches(&monster, CLASSES).is_empty());
    assert!(near_matches("x", [monster.as_str()]).is_empty());
    let many = vec![monster.as_str(); 10_000];
    assert!(near_matches(&monster, many.iter().copied()).is_empty());
}

#[test]
fn suggestions_read_as_a_sentence() {
    assert_eq!(suggestion("Zzzzzzzz", CLASSES), "");
    assert_eq!(suggestion("fireball", CLASSES), " (did you mean `Game.Fireball`?)");
    assert_eq!(
        suggestion("Game", CLASSES),
        " (did you mean `Game.Fireball` or `Game.IntBox`?)"
    );
    assert_eq!(
        suggestion("Box", ["Box", "Bax", "Bix"]),
        " (did you mean `Box`, `Bax` or `Bix`?)"
    );
}

#[test]
fn whatever_it_is_given_it_returns_some_of_the_names() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut text = || {
        let mut text = String::new();
        loop {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            match random % 16 {
                0 => return text,
                1 | 2 => text.push('.'),
                3 => text.push('İ'),
                4 => text.push('\u{0}'),
                5 => text.push('𝄞'),
                other => text.push(char::from(b'A' + u8::try_from(other).unwrap())),
            }
        }
    };
    for _ in 0..2_000 {
        let wanted = text();
        let names: Vec<String> = (0..8).map(|_| text()).collect();
        let found = near_matches(&wanted, names.iter().map(String::as_str));
        assert!(found.len() <= MOST_MATCHES);
        assert!(found.iter().all(|one| names.contains(one)));
        // A name that is there exactly as it was asked for always comes first, up to its case.
        let with_itself = near_matches(&wanted, names.iter().map(String::as_str).chain([wanted.as_str()]));
        if Parts::of(&wanted).name.chars().count() > 0 {
            assert_eq!(with_itself[0].to_lowercase(), wanted.to_lowercase());
        }
    }
}
