//! [`Ogre`]: a class below a class. It inherits the goblin's states and their code.

use acedia_actors::{Actor, ClassBuilder, actor};
use serde::{Deserialize, Serialize};

use crate::body::{FACE, TAKE_DAMAGE};
use crate::goblin::Goblin;

/// A goblin with armour, which a hard hit stuns.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ogre {
    goblin: Goblin,
}

impl Actor for Ogre {
    actor!(Ogre, "Arena.Ogre", parent = Goblin, in goblin);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.function(&FACE, |_cx, ()| 'O');
        class.function(&TAKE_DAMAGE, |cx, damage| {
            let left = cx.inherited().call(&TAKE_DAMAGE, damage - 1);
            if damage > 3 {
                cx.goto_state("Stunned");
            }
            left
        });
        let mut stunned = class.state("Stunned");
        stunned.function(&FACE, |_cx, ()| 'o');
        stunned.code(|code| _ = code.sleep(3.0).run(|cx| cx.goto_state("Hunting")));
    }

    fn constructor(&mut self) {
        (self.goblin.body.health, self.goblin.strength, self.goblin.pace) = (8, 3, 1.0);
    }
}
