//! [`Ascii`]: a string of ASCII, which with the feature `short` stands in the object itself if it is short.

#[cfg(not(feature = "short"))]
pub(crate) use long::Ascii;
#[cfg(feature = "short")]
pub(crate) use short::Ascii;

#[cfg(feature = "short")]
mod short {
    use std::mem;
    use std::ops::{Deref, DerefMut, Range};

    use arrayvec::ArrayString;

    /// A string of ASCII.
    ///
    /// ```text
    /// Short   len, and up to 32 bytes     no memory of its own: nothing to allocate, and nothing to fetch
    /// Long    a String                    also of less, if it was longer before, or is about to be
    /// ```
    ///
    /// Memory of its own is used again by one text after another, and so lies anywhere; what is in the object comes with it.
    #[derive(Clone, Debug)]
    pub(crate) enum Ascii {
        Short(ArrayString<{ Ascii::SHORT }>),
        Long(String),
    }

    impl Default for Ascii {
        #[inline]
        fn default() -> Self {
            Self::Short(ArrayString::new_const())
        }
    }

    impl Ascii {
        /// The same in this memory, also if it is short.
        pub(crate) fn with_memory(text: String) -> Self {
            Self::Long(text)
        }

        /// So many bytes are short: most names, dates and words.
        pub(crate) const SHORT: usize = 32;

        #[inline]
        pub(crate) fn push_str(&mut self, text: &str) {
            if let Self::Short(own) = self {
                if own.try_push_str(text).is_ok() {
                    return;
                }
            }
            self.make_long(text.len()).push_str(text);
        }

        #[inline]
        pub(crate) fn push(&mut self, c: char) {
            if let Self::Short(own) = self {
                if own.try_push(c).is_ok() {
                    return;
                }
            }
            self.make_long(1).push(c);
        }

        /// Puts `text`, if it is short, in the place of what there is, giving memory back. Whether it is.
        #[inline]
        pub(crate) fn set_short(&mut self, text: &str) -> bool {
            if text.len() > Self::SHORT {
                return false;
            }
            let own = match self {
                Self::Short(own) => own,
                Self::Long(_) => self.make_short(),
            };
            own.clear();
            own.push_str(text);
            true
        }

        #[inline(never)]
        fn make_short(&mut self) -> &mut ArrayString<{ Self::SHORT }> {
            *self = Self::default();
            match self {
                Self::Short(own) => own,
                Self::Long(_) => unreachable!("was made short above"),
            }
        }

        /// The same in memory of its own, with room for so many bytes more.
        #[inline(never)]
        fn make_long(&mut self, additional: usize) -> &mut String {
            if let Self::Short(own) = self {
                let mut long = String::with_capacity(own.len() + additional);
                long.push_str(own);
                *self = Self::Long(long);
            }
            match self {
                Self::Long(own) => own,
                Self::Short(_) => unreachable!("was made long above"),
            }
        }

        /// Empties it, and keeps its memory.
        #[inline]
        pub(crate) fn clear(&mut self) {
            match self {
                Self::Short(own) => own.clear(),
                Self::Long(own) => own.clear(),
            }
        }

        /// How many bytes of memory of its own it has.
        #[inline]
        pub(crate) fn capacity(&self) -> usize {
            match self {
                Self::Short(_) => 0,
                Self::Long(own) => own.capacity(),
            }
        }

        pub(crate) fn reserve(&mut self, additional: usize) {
            match self {
                Self::Short(own) if own.remaining_capacity() >= additional => {}
                _ => self.make_long(additional).reserve(additional),
            }
        }

        pub(crate) fn replace_range(&mut self, range: Range<usize>, by: &str) {
            self.make_long(by.len()).replace_range(range, by);
        }

        /// Takes off what comes after so many bytes.
        pub(crate) fn split_off(&mut self, at: usize) -> String {
            self.make_long(0).split_off(at)
        }

        /// The string, and nothing in its place.
        pub(crate) fn take(&mut self) -> String {
            match mem::take(self) {
                Self::Short(own) => String::from(&*own),
                Self::Long(own) => own,
            }
        }
    }

    impl From<String> for Ascii {
        /// With the string's own memory, unless it is short.
        fn from(text: String) -> Self {
            match ArrayString::from(&text) {
                Ok(short) => Self::Short(short),
                Err(_) => Self::Long(text),
            }
        }
    }

    impl Deref for Ascii {
        type Target = str;

        #[inline]
        fn deref(&self) -> &str {
            match self {
                Self::Short(own) => own,
                Self::Long(own) => own,
            }
        }
    }

    impl DerefMut for Ascii {
        #[inline]
        fn deref_mut(&mut self) -> &mut str {
            match self {
                Self::Short(own) => own,
                Self::Long(own) => own,
            }
        }
    }
}

#[cfg(not(feature = "short"))]
mod long {
    use std::mem;
    use std::ops::{Deref, DerefMut};

    /// A string of ASCII, as any other.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Ascii(String);

    impl Ascii {
        /// The same in this memory.
        pub(crate) fn with_memory(text: String) -> Self {
            Self(text)
        }

        /// None is short.
        #[inline]
        pub(crate) fn set_short(&mut self, text: &str) -> bool {
            let _ = (self, text);
            false
        }

        /// The string, and nothing in its place.
        pub(crate) fn take(&mut self) -> String {
            mem::take(&mut self.0)
        }
    }

    impl From<String> for Ascii {
        fn from(text: String) -> Self {
            Self(text)
        }
    }

    impl Deref for Ascii {
        type Target = String;

        #[inline]
        fn deref(&self) -> &String {
            &self.0
        }
    }

    impl DerefMut for Ascii {
        #[inline]
        fn deref_mut(&mut self) -> &mut String {
            &mut self.0
        }
    }
}

#[cfg(all(test, feature = "short"))]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_are_the_same_string() {
        for len in [0, 1, Ascii::SHORT - 1, Ascii::SHORT, Ascii::SHORT + 1, 100] {
            let text = "abcdefghij".repeat(10)[..len].to_owned();
            let (mut pushed, mut set) = (Ascii::default(), Ascii::from("x".repeat(90)));
            text.chars().for_each(|c| pushed.push(c));
            assert_eq!(set.set_short(&text), len <= Ascii::SHORT);
            for mut ascii in [pushed.clone(), Ascii::from(text.clone())] {
                assert_eq!((&*ascii, ascii.capacity() == 0), (&*text, len <= Ascii::SHORT));
                ascii.push_str("0123456789");
                assert_eq!(*ascii, format!("{text}0123456789"));
                ascii.replace_range(len..len + 5, "-");
                assert_eq!(*ascii, format!("{text}-56789"));
                assert_eq!((&*ascii.split_off(len), &*ascii), ("-56789", &*text));
                ascii.make_ascii_uppercase();
                assert_eq!(ascii.take(), text.to_uppercase());
                assert!(ascii.is_empty() && ascii.capacity() == 0);
            }
            if len <= Ascii::SHORT {
                assert_eq!((&*set, set.capacity()), (&*text, 0));
            }
        }
    }

    #[test]
    fn long_ones_keep_their_memory() {
        let mut ascii = Ascii::default();
        ascii.reserve(Ascii::SHORT);
        assert_eq!(ascii.capacity(), 0);
        ascii.reserve(100);
        let capacity = ascii.capacity();
        assert!(capacity >= 100);
        ascii.push_str("short");
        ascii.clear();
        assert_eq!((ascii.len(), ascii.capacity()), (0, capacity));
    }
}
