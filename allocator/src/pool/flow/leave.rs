//! A thread's first use of a pool, and its end.

use std::ptr::NonNull;

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables::{self, Tables};
use crate::pool::list::local::Local;
use crate::pool::memory::shared::Shared;
use crate::pool::reading::exit;
use crate::sync::plain::Ordering;

/// This thread's magazines for the pool, created on first use. `None` on a thread that has ended, or without memory for
/// them.
#[cold]
pub(in crate::pool) fn join<'t>(tables: &'t Tables, depot: &Shared<Depot>) -> Option<&'t Local> {
    if tables.local(depot.tag).is_some() {
        return tables.local(depot.tag);
    }
    if !exit::hand_back_with(hand_back) {
        return None;
    }
    tables.try_reserve(depot.tag)?;
    let local = Local::try_new()?;
    tables.enter(depot, depot.add_local(local)?);
    depot.watch_limit();
    tables.local(depot.tag)
}

/// Hands back all magazines of a thread that ends.
fn hand_back() {
    tables::with(Tables::take).for_each(|(depot, local)| depot.remove_local(local));
}

impl Depot {
    /// Takes over the magazines of a thread that ends. Called on that thread.
    fn remove_local(&self, at: NonNull<Local>) {
        // SAFETY: the depot owns it until the end of this function, and only this thread removes it.
        let local = unsafe { at.as_ref() };
        // A limit may drop objects here. A panic in such a drop must not end the process with the thread.
        self.contained(|| {
            if local.limbo_is_small() {
                // One by one: a magazine per ended thread would take more memory than the few slots in it.
                let limbo = local.take_limbo(None);
                let slots = limbo.iter().flat_map(|limbo| limbo.slots());
                slots.for_each(|slot| self.finalize_or_wait(slot));
            }
            self.empty_local(local);
        });
        let mut locked = self.locked.lock();
        locked.take_back_fresh(local);
        // Under the lock, so that `stats` counts these lives once.
        self.counts.begun.fetch_add(local.begun(), Ordering::Relaxed);
        self.counts.fresh.fetch_add(local.made(), Ordering::Relaxed);
        let place = locked.locals.iter().position(|known| NonNull::from(&**known) == at);
        let gone = place.map(|place| locked.locals.swap_remove(place));
        drop(locked);
        drop(gone);
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
