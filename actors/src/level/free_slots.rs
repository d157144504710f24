//! [`FreeSlots`]: numbers to be used again, the lowest first.

/// A set of numbers that gives the lowest first, so that what is made together lies together.
///
/// Two levels of bits: a bit of `summary` says that a word of `words` is not 0.
#[derive(Default)]
pub(crate) struct FreeSlots {
    words: Vec<u64>,
    summary: Vec<u64>,
    /// No word of `summary` before this one has a bit.
    first: usize,
}

impl FreeSlots {
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.words.len() {
            self.grow(word);
        }
        let bits = &mut self.words[word];
        // The summary knows of a word that has bits already.
        if *bits == 0 {
            self.summary[word / 64] |= 1 << (word % 64);
            self.first = self.first.min(word / 64);
        }
        *bits |= 1 << (number % 64);
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        self.words.resize(word + 1, 0);
        self.summary.resize(word / 64 + 1, 0);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<usize> {
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
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::FreeSlots;

    #[test]
    fn the_lowest_comes_first() {
        let mut free = FreeSlots::default();
        assert_eq!(free.pop(), None);
        for number in [5000, 64, 3, 9999, 63] {
            free.insert(number);
        }
        assert_eq!((free.pop(), free.pop()), (Some(3), Some(63)));
        free.insert(0);
        let rest: Vec<_> = std::iter::from_fn(|| free.pop()).collect();
        assert_eq!(rest, [0, 64, 5000, 9999]);
        free.insert(7);
        assert_eq!((free.pop(), free.pop()), (Some(7), None));
    }
}
