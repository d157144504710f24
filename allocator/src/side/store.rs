//! [`Pages`]: the entries of a side map, by the index of their slots.

/// The number of slots of a page: as many as a chunk of small objects has.
const PAGE: usize = 4096;

/// A table of pages. A page is as long as the last of its slots that ever had an entry requires.
#[derive(Clone)]
pub(super) struct Pages<E> {
    pages: Vec<Vec<Option<E>>>,
    len: usize,
}

impl<E> Default for Pages<E> {
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

impl<E> Pages<E> {
    fn slot(&mut self, index: u32) -> Option<&mut Option<E>> {
        let (page, place) = place(index);
        self.pages.get_mut(page)?.get_mut(place)
    }

    pub(super) fn at(&self, index: u32) -> Option<&E> {
        let (page, place) = place(index);
        self.pages.get(page)?.get(place)?.as_ref()
    }

    pub(super) fn at_mut(&mut self, index: u32) -> Option<&mut E> {
        self.slot(index)?.as_mut()
    }

    /// Returns the entry that was there.
    pub(super) fn put(&mut self, index: u32, entry: E) -> Option<E> {
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

    pub(super) fn take(&mut self, index: u32) -> Option<E> {
        let taken = self.slot(index)?.take()?;
        self.len -= 1;
        Some(taken)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &E> {
        self.pages.iter().flatten().flatten()
    }

    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = &mut E> {
        self.pages.iter_mut().flatten().flatten()
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = E> {
        self.pages.into_iter().flatten().flatten()
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&mut E) -> bool) {
        for slot in self.pages.iter_mut().flatten() {
            if slot.as_mut().is_some_and(|entry| !keep(entry)) {
                // Counted before the drop, which may panic.
                self.len -= 1;
                *slot = None;
            }
        }
    }
}
