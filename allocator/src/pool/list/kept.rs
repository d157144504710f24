//! [`Kept`]: the slots with a free object of a managed pool.

/// Slots with a free object, and the bytes that each counts for under a limit of bytes.
#[derive(Default)]
pub(in crate::pool) struct Kept {
    /// The last freed at the end, where slots are taken.
    slots: Vec<(u32, usize)>,
    bytes: usize,
    /// The slots at the beginning that no allocation has needed since the last [`take_idle`](Self::take_idle).
    idle: usize,
}

impl Kept {
    pub(in crate::pool) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(in crate::pool) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(in crate::pool) fn push(&mut self, index: u32, bytes: usize) {
        self.slots.push((index, bytes));
        self.bytes = self.bytes.saturating_add(bytes);
    }

    pub(in crate::pool) fn pop(&mut self) -> Option<u32> {
        let (index, bytes) = self.slots.pop()?;
        self.bytes = self.bytes.saturating_sub(bytes);
        self.idle = self.idle.min(self.slots.len());
        Some(index)
    }

    /// Takes the `count` slots freed longest ago.
    pub(in crate::pool) fn take_first(&mut self, count: usize) -> Vec<u32> {
        let first = self.slots.drain(..count.min(self.slots.len()));
        let taken: Vec<_> = first.map(|(index, _)| index).collect();
        self.bytes = self.slots.iter().map(|(_, bytes)| bytes).sum();
        self.idle = self.idle.saturating_sub(taken.len());
        taken
    }

    /// Takes all slots, with the list's memory.
    pub(in crate::pool) fn take_all(&mut self) -> Vec<u32> {
        std::mem::take(self).take_first(usize::MAX)
    }

    /// Takes the slots that no allocation has needed since the last call.
    pub(in crate::pool) fn take_idle(&mut self) -> Vec<u32> {
        let idle = self.take_first(self.idle);
        self.idle = self.slots.len();
        idle
    }
}
