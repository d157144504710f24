//! [`Double`] and [`Long`]: numbers of 64 bits in an item of eight bytes.

/// A double below 2^897 in magnitude, in eight bytes of which the first has only 240 values.
///
/// ```text
/// 0         7 8 ────────────────────────── 63
/// ┌───────────┬─────────────────────────────┐
/// │ exponent, │ exponent, lowest 3 bits;    │
/// │ highest 8 │ fraction; sign              │
/// └───────────┴─────────────────────────────┘
/// ```
///
/// The other 16 values of the first byte are those of the largest doubles, infinities and NaNs. The compiler uses them for the other
/// kinds of items.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Double {
    first: First,
    rest: [u8; 7],
}

impl Double {
    /// `None` for the largest doubles, infinities and NaNs.
    #[inline]
    pub(super) fn of(value: f64) -> Option<Self> {
        // The sign goes behind the fraction, so that the exponent comes first.
        let [first, rest @ ..] = value.to_bits().rotate_left(1).to_be_bytes();
        let first = *FIRSTS.get(usize::from(first))?;
        Some(Self { first, rest })
    }

    #[inline]
    pub(super) fn get(self) -> f64 {
        let [a, b, c, d, e, f, g] = self.rest;
        let bits = u64::from_be_bytes([self.first as u8, a, b, c, d, e, f, g]);
        f64::from_bits(bits.rotate_right(1))
    }
}

/// Makes an enum of these variants, and a table of them.
macro_rules! firsts {
    ($($name:ident)+) => {
        /// The first byte of a [`Double`].
        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum First {
            $($name),+
        }

        const FIRSTS: [First; 240] = [$(First::$name),+];
    };
}

firsts! {
    X00 X01 X02 X03 X04 X05 X06 X07 X08 X09 X0A X0B X0C X0D X0E X0F
    X10 X11 X12 X13 X14 X15 X16 X17 X18 X19 X1A X1B X1C X1D X1E X1F
    X20 X21 X22 X23 X24 X25 X26 X27 X28 X29 X2A X2B X2C X2D X2E X2F
    X30 X31 X32 X33 X34 X35 X36 X37 X38 X39 X3A X3B X3C X3D X3E X3F
    X40 X41 X42 X43 X44 X45 X46 X47 X48 X49 X4A X4B X4C X4D X4E X4F
    X50 X51 X52 X53 X54 X55 X56 X57 X58 X59 X5A X5B X5C X5D X5E X5F
    X60 X61 X62 X63 X64 X65 X66 X67 X68 X69 X6A X6B X6C X6D X6E X6F
    X70 X71 X72 X73 X74 X75 X76 X77 X78 X79 X7A X7B X7C X7D X7E X7F
    X80 X81 X82 X83 X84 X85 X86 X87 X88 X89 X8A X8B X8C X8D X8E X8F
    X90 X91 X92 X93 X94 X95 X96 X97 X98 X99 X9A X9B X9C X9D X9E X9F
    XA0 XA1 XA2 XA3 XA4 XA5 XA6 XA7 XA8 XA9 XAA XAB XAC XAD XAE XAF
    XB0 XB1 XB2 XB3 XB4 XB5 XB6 XB7 XB8 XB9 XBA XBB XBC XBD XBE XBF
    XC0 XC1 XC2 XC3 XC4 XC5 XC6 XC7 XC8 XC9 XCA XCB XCC XCD XCE XCF
    XD0 XD1 XD2 XD3 XD4 XD5 XD6 XD7 XD8 XD9 XDA XDB XDC XDD XDE XDF
    XE0 XE1 XE2 XE3 XE4 XE5 XE6 XE7 XE8 XE9 XEA XEB XEC XED XEE XEF
}

/// An integer of up to 56 bits, in seven bytes.
#[derive(Clone, Copy)]
pub(super) struct Long([u8; 7]);

impl Long {
    /// `None` if 56 bits are not enough.
    #[inline]
    pub(super) fn of(value: i64) -> Option<Self> {
        let [low @ .., _] = value.to_le_bytes();
        let long = Self(low);
        (long.get() == value).then_some(long)
    }

    #[inline]
    pub(super) fn get(self) -> i64 {
        let Self([a, b, c, d, e, f, g]) = self;
        // The shift copies the sign.
        i64::from_le_bytes([0, a, b, c, d, e, f, g]) >> 8
    }
}

#[cfg(test)]
mod tests;
