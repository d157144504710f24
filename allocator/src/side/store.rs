//! The entries of a side map, by the index of their slots: in [`Pages`], or in a hash table.

use std::collections::HashMap;

/// A place for the entry of each slot.
pub trait Store<K, V>: Default {
    fn at(&self, index: u32) -> Option<&(K, V)>;
    fn at_mut(&mut self, index: u32) -> Option<&mut (K, V)>;
    /// Returns the entry that was there.
    fn put(&mut self, index: u32, entry: (K, V)) -> Option<(K, V)>;
    fn take(&mut self, index: u32) -> Option<(K, V)>;
    fn len(&self) -> usize;
    fn each<'s>(&'s self) -> impl Iterator<Item = &'s (K, V)>
    where
        (K, V): 's;
    fn each_mut<'s>(&'s mut self) -> impl Iterator<Item = &'s mut (K, V)>
    where
        (K, V): 's;
    fn into_entries(self) -> impl Iterator<Item = (K, V)>;
    fn retain(&mut self, keep: impl FnMut(&mut (K, V)) -> bool);
}

/// The slots of a page: those of a chunk of small objects. The indices of a pool come in whole chunks.
const PAGE: usize = 4096;

/// A table of pages. A page is as long as its last slot with an entry has required.
#[derive(Clone, Debug)]
pub struct Pages<K, V> {
    pages: Vec<Vec<Option<(K, V)>>>,
    len: usize,
}

impl<K, V> Default for Pages<K, V> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            len: 0,
        }
    }
}

const fn place(index: u32) -> (usize, usize) {
    let index = index as usize;
    (index / PAGE, index % PAGE)
}

impl<K, V> Pages<K, V> {
    fn slot(&mut self, index: u32) -> Option<&mut Option<(K, V)>> {
        let (page, place) = place(index);
        self.pages.get_mut(page)?.get_mut(place)
    }
}

impl<K, V> Store<K, V> for Pages<K, V> {
    fn at(&self, index: u32) -> Option<&(K, V)> {
        let (page, place) = place(index);
        self.pages.get(page)?.get(place)?.as_ref()
    }

    fn at_mut(&mut self, index: u32) -> Option<&mut (K, V)> {
        self.slot(index)?.as_mut()
    }

    fn put(&mut self, index: u32, entry: (K, V)) -> Option<(K, V)> {
        let (page, place) = place(index);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, Vec::new);
        }
        let page = &mut self.pages[page];
        if page.len() <= place {
            page.resize_with(place + 1, || None);
        }
        let last = page[place].replace(entry);
        self.len += usize::from(last.is_none());
        last
    }

    fn take(&mut self, index: u32) -> Option<(K, V)> {
        let taken = self.slot(index)?.take()?;
        self.len -= 1;
        Some(taken)
    }

    fn len(&self) -> usize {
        self.len
    }

    fn each<'s>(&'s self) -> impl Iterator<Item = &'s (K, V)>
    where
        (K, V): 's,
    {
        self.pages.iter().flatten().flatten()
    }

    fn each_mut<'s>(&'s mut self) -> impl Iterator<Item = &'s mut (K, V)>
    where
        (K, V): 's,
    {
        self.pages.iter_mut().flatten().flatten()
    }

    fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        self.pages.into_iter().flatten().flatten()
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut (K, V)) -> bool) {
        for slot in self.pages.iter_mut().flatten() {
            if slot.as_mut().is_some_and(|entry| !keep(entry)) {
                // Before the drop, which may panic.
                self.len -= 1;
                *slot = None;
            }
        }
    }
}

impl<K, V> Store<K, V> for HashMap<u32, (K, V)> {
    fn at(&self, index: u32) -> Option<&(K, V)> {
        self.get(&index)
    }

    fn at_mut(&mut self, index: u32) -> Option<&mut (K, V)> {
        self.get_mut(&index)
    }

    fn put(&mut self, index: u32, entry: (K, V)) -> Option<(K, V)> {
        self.insert(index, entry)
    }

    fn take(&mut self, index: u32) -> Option<(K, V)> {
        self.remove(&index)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn each<'s>(&'s self) -> impl Iterator<Item = &'s (K, V)>
    where
        (K, V): 's,
    {
        self.values()
    }

    fn each_mut<'s>(&'s mut self) -> impl Iterator<Item = &'s mut (K, V)>
    where
        (K, V): 's,
    {
        self.values_mut()
    }

    fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        self.into_values()
    }

    fn retain(&mut self, mut keep: impl FnMut(&mut (K, V)) -> bool) {
        self.retain(|_, entry| keep(entry));
    }
}
