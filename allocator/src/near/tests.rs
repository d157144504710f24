use super::*;

const CLASSES: [&str; 7] = [
    "Acedia.FloatBox",
    "Acedia.IntArrayBox",
    "Acedia.IntBox",
    "Acedia.Text",
    "Game.Fireball",
    "Game.IntBox",
    "Solitary",
];

fn near(wanted: &str) -> Vec<String> {
    near_matches(wanted, CLASSES)
}

#[test]
fn the_nearest_names_come_first() {
    assert_eq!(near("gAME.fIREBAL"), ["Game.Fireball"]);
    assert_eq!(near("Game.Frieball"), ["Game.Fireball"]);
    assert_eq!(near("Elsewhere.Fireball"), ["Game.Fireball"]);
    assert_eq!(near(" Solitery "), ["Solitary"]);
    assert_eq!(near("Acdia.Text"), ["Acedia.Text"]);
    assert_eq!(near("IntBox"), ["Acedia.IntBox", "Game.IntBox"]);
    assert_eq!(near("Game.IntBax"), ["Game.IntBox", "Acedia.IntBox"]);
    assert_eq!(near_matches("ÄRA.ÖL", ["ära.öl"]), ["ära.öl"]);
    let names = ["Box5", "Boxes", "Box", "Bax", "Box", "Bix", "Box1"];
    assert_eq!(near_matches("Box", names), ["Box", "Bax", "Bix"]);
}

#[test]
fn nothing_is_near_nonsense() {
    for nonsense in ["", "   ", ".", "Game.", "Game", "Elsewhere.Zzzzzzzz", "Game.Storm", "Q"] {
        assert!(near(nonsense).is_empty(), "{nonsense}");
    }
    assert!(near_matches("Fireball", ["", ".", "..", "Game."]).is_empty());
}

#[test]
fn long_names_cost_nothing() {
    let long = "x".repeat(10 << 20);
    assert!(near_matches(&long, CLASSES).is_empty());
    assert!(near_matches("x", [long.as_str()]).is_empty());
    assert!(near_matches(&long, vec![long.as_str(); 10_000]).is_empty());
}

#[test]
fn suggestions_read_as_a_sentence() {
    assert_eq!(suggestion("Zzzzzzzz", CLASSES), "");
    assert_eq!(suggestion("fireball", CLASSES), " (did you mean `Game.Fireball`?)");
    assert_eq!(
        suggestion("IntBox", CLASSES),
        " (did you mean `Acedia.IntBox` or `Game.IntBox`?)"
    );
    assert_eq!(
        suggestion("Box", ["Box", "Bax", "Bix"]),
        " (did you mean `Box`, `Bax` or `Bix`?)"
    );
}
