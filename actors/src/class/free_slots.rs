//! [`FreeSlots`]: a set of free numbers, the lowest first.

/// A set of numbers. It returns the lowest first, which keeps new actors close together in memory.
///
/// The lowest number, while it is known, has its own field, so alternating insertions and removals touch nothing else. The
/// others are a two-level bit set: a bit of `summary` is set if the corresponding word of `words` is not 0.
pub(crate) struct FreeSlots {
    /// Lower than all other numbers, or [`UNKNOWN`](Self::UNKNOWN).
    lowest: usize,
    /// The count of others.
    others: usize,
    words: Vec<u64>,
    summary: Vec<u64>,
    /// All words of `summary` before this index are 0.
    first: usize,
}

impl Default for FreeSlots {
    fn default() -> Self {
        Self {
            lowest: Self::UNKNOWN,
            others: 0,
            words: Vec::new(),
            summary: Vec::new(),
            first: 0,
        }
    }
}

impl FreeSlots {
    const UNKNOWN: usize = usize::MAX;

    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        if self.lowest == Self::UNKNOWN {
            if self.others == 0 {
                self.lowest = number;
            } else {
                self.insert_other(number);
            }
        } else {
            // The lower number stays in the field.
            let higher = self.lowest.max(number);
            self.lowest = self.lowest.min(number);
            self.insert_other(higher);
        }
    }

    fn insert_other(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.words.len() {
            self.grow(word);
        }
        let bits = &mut self.words[word];
        // If the word is not 0, its summary bit is set already.
        if *bits == 0 {
            self.summary[word / 64] |= 1 << (word % 64);
            self.first = self.first.min(word / 64);
        }
        *bits |= 1 << (number % 64);
        self.others += 1;
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        self.words.resize(word + 1, 0);
        self.summary.resize(word / 64 + 1, 0);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        let lowest = std::mem::replace(&mut self.lowest, Self::UNKNOWN);
        if lowest != Self::UNKNOWN {
            return Some(lowest);
        }
        if self.others == 0 {
            return None;
        }
        self.pop_other()
    }

    fn pop_other(&mut self) -> Option<usize> {
        let mut summary = self.summary.get_mut(self.first)?;
        while *summary == 0 {
            self.first += 1;
            summary = self.summary.get_mut(self.first)?;
        }
        let word = self.first * 64 + summary.trailing_zeros() as usize;
        let bits = &mut self.words[word];
        let number = word * 64 + bits.trailing_zeros() as usize;
        *bits &= *bits - 1;
        if *bits == 0 {
            *summary &= *summary - 1;
        }
        self.others -= 1;
        Some(number)
    }
}

#[cfg(test)]
mod tests;
