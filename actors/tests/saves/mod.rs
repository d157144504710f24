//! Saved levels that are changed: each is refused with an error, or restored and saved again as it was.

use acedia_actors::{
    Actor, ActorList, ActorMap, ActorRef, ClassBuilder, Level, Repeat, Rules, SavedLevel, Spawn, Stage, Vector, actor,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Default, Serialize, Deserialize)]
struct Chest {
    weight: f32,
    price: f64,
    coins: u32,
    key: Option<ActorRef>,
    keys: ActorList,
    owners: ActorMap<f32>,
    from: Option<Vector>,
}

impl Actor for Chest {
    actor!(Chest, "Test.MutatedChest");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.defaults(|it| it.collide_actors = true);
        class.timer(|cx| cx.coins = cx.coins.wrapping_add(1));
        class.state("Shut").auto().code(|code| {
            code.label("Begin").sleep(0.5).goto("Begin");
        });
        class.state("Open");
    }
}

/// A saved level with all kinds of fields.
pub(crate) fn sample() -> Value {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let spawn = |x: f32| Spawn::new().at(Vector::new(x, 0.0, 0.0));
    let [first, second, dead] = [0.0, 5.0, 900.0].map(|x| level.spawn::<Chest>(spawn(x)).unwrap());
    level.destroy(dead);
    level.set_owner(second, Some(first.any()));
    level.set_base(second, Some(first.any()));
    level.set_timer(first, 0.5, Repeat::Looping);
    level.tick(0.2);
    level.push_state(second, "Open");
    level.properties_mut(first).unwrap().shape.radius = 7.0;
    let it = level.get_mut(first).unwrap();
    (it.weight, it.price, it.key, it.from) = (1.5, 0.1, Some(dead.any()), Some(Vector::default()));
    it.keys.extend([second.any(), dead.any()]);
    it.owners.insert(second.any(), 2.0);
    it.owners.insert(dead.any(), 3.0);
    serde_json::to_value(level.save().unwrap()).unwrap()
}

/// A value of the tree, chosen by `number`.
fn node(tree: &mut Value, mut number: impl FnMut() -> u32) -> &mut Value {
    let mut at = tree;
    loop {
        // Sometimes an inner one.
        let len = match &*at {
            Value::Array(items) if number() % 16 > 0 => items.len(),
            Value::Object(fields) if number() % 16 > 0 => fields.len(),
            _ => 0,
        };
        if len == 0 {
            return at;
        }
        let place = number() as usize % len;
        at = match at {
            Value::Array(items) => &mut items[place],
            Value::Object(fields) => fields.values_mut().nth(place).expect("it is below the length"),
            _ => unreachable!("it has a length"),
        };
    }
}

/// Changes a value of the tree.
fn change(tree: &mut Value, mut number: impl FnMut() -> u32) {
    let other = node(tree, &mut number).clone();
    let choice = number();
    let at = node(tree, &mut number);
    // A number mostly becomes another one.
    let kinds = if at.is_number() { 9 } else { 16 };
    *at = match choice % kinds {
        0 => json!(null),
        1 => json!(1e308),
        2 => json!(-3.5e38),
        3 => json!(3.4e38),
        4 => json!(-1),
        5 => json!(0),
        6 => json!(u64::MAX),
        7 => json!(number()),
        8 => json!(number() % 6),
        9 => json!(format!("dead {}", number() % 3)),
        10 => json!(""),
        11 => json!([]),
        12 => json!(true),
        13 => match at.take() {
            Value::Array(mut items) => {
                items.pop();
                items.into()
            }
            Value::Object(fields) => fields.into_iter().skip(1).collect(),
            it => it,
        },
        _ => other,
    };
}

/// Changes a saved level as `number` says, and restores it. Whether that was possible.
///
/// # Panics
///
/// If a restored level can't be saved, is saved as another one, or can't be played.
pub(crate) fn run(sample: &Value, mut number: impl FnMut() -> u32) -> bool {
    let mut tree = sample.clone();
    for _ in 0..=number() % 4 / 3 {
        change(&mut tree, &mut number);
    }
    let Ok(saved) = serde_json::from_str::<SavedLevel>(&tree.to_string()) else {
        return false;
    };
    let Ok(mut level) = Level::restore(Rules::ue2(), &saved) else {
        return false;
    };
    let again = |level: &Level| serde_json::to_string(&level.save().expect("what was restored is saved")).unwrap();
    let once = again(&level);
    let saved: SavedLevel = serde_json::from_str(&once).expect("what was saved is read");
    let copy = Level::restore(Rules::ue2(), &saved).expect("what was saved is restored");
    assert_eq!(again(&copy), once);
    for _ in 0..3 {
        level.tick(0.3);
    }
    for actor in level.actors().collect::<Vec<_>>() {
        assert!(!copy.is_alive(actor));
        level.destroy(actor);
    }
    true
}
