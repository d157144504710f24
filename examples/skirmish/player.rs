//! [`Player`]: owns items, and keeps an inventory of other players' items.

use std::hint::black_box;
use std::mem;

use crate::arena::{Arena, Corner};
use crate::random::Random;
use crate::script::Script;
use crate::sight::{Note, Notebook, Sightings};
use crate::world::World;

/// Items that a player has at any time.
const ITEMS: usize = 8;
/// Items that a player swaps for new ones when it is its turn.
const SWAPS: usize = 4;
/// Entries of its inventory that a player looks at when it is its turn.
const LOOKS: usize = 16;

/// One of a thread's players.
pub(crate) struct Player<W: World> {
    items: Vec<W::Item>,
    /// The price of each item.
    prices: Vec<W::Price>,
    /// The total price of the items that this player threw away.
    squandered: i64,
    /// Other players' items. Each may be freed before the next look.
    inventory: Notebook<W::Link>,
    /// Items that this player threw away.
    litter: Notebook<W::Link>,
    /// The items shown to others, and those that others show.
    news: Vec<Note<W::Link>>,
}

impl<W: World> Player<W> {
    pub(crate) fn new(script: &Script, hands: &mut Random, id: &mut impl FnMut() -> u64) -> Self {
        Self {
            items: (0..ITEMS).map(|_| forge::<W>(script, hands, id)).collect(),
            prices: (0..ITEMS).map(|_| appraise::<W>(hands)).collect(),
            squandered: 0,
            inventory: Notebook::new(32),
            litter: Notebook::new(8),
            news: Vec::new(),
        }
    }

    /// Throws items away, finds new ones, and shows all to the others.
    pub(crate) fn act(
        &mut self,
        script: &Script,
        corner: &Corner<W>,
        hands: &mut Random,
        id: &mut impl FnMut() -> u64,
    ) {
        for _ in 0..SWAPS {
            let place = hands.below(ITEMS);
            self.litter.write(note::<W>(&self.items[place]), hands);
            self.items[place] = forge::<W>(script, hands, id);
            let price = mem::replace(&mut self.prices[place], appraise::<W>(hands));
            self.squandered += i64::from(W::worth(&price));
        }
        // A new owner of the highest price, compared by content.
        let dearest = self.prices.iter().max_by_key(|price| W::worth(price)).cloned();
        black_box(
            self.prices
                .iter()
                .filter(|price| Some(*price) == dearest.as_ref())
                .count(),
        );
        self.news.extend(self.items.iter().map(note::<W>));
        corner.items.show(&mut self.news);
    }

    /// Notes the items shown in the next corner, and looks through the inventory.
    pub(crate) fn watch(&mut self, thread: usize, arena: &Arena<W>, eyes: &mut Random) -> Sightings {
        arena.next(thread).items.copy(&mut self.news);
        for note in self.news.drain(..) {
            self.inventory.write(note, eyes);
        }
        // One reader for all looks of a turn. Objects freed meanwhile are out of reach at once, and reused later.
        let reader = W::reader();
        let look = |link: &W::Link| {
            W::look(link, &reader, |item| {
                black_box(item.name.len());
                item.id
            })
        };
        let mut seen = self.inventory.look(LOOKS, eyes, look);
        seen += self.litter.look_at_dead(2, eyes, look);
        seen
    }
}

/// A note of an item, for others.
fn note<W: World>(item: &W::Item) -> Note<W::Link> {
    Note {
        link: W::link(item),
        id: item.id,
    }
}

/// A new item, named after a line of the script.
fn forge<W: World>(script: &Script, hands: &mut Random, id: &mut impl FnMut() -> u64) -> W::Item {
    W::forge(|item| {
        item.id = id();
        item.name.push_str("Sword of ");
        item.name.push_str(script.line(hands.below(usize::MAX)));
    })
}

/// The price of an item.
fn appraise<W: World>(hands: &mut Random) -> W::Price {
    W::price(1 + i32::try_from(hands.below(100)).expect("below 100"))
}
