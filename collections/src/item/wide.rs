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
/// The largest doubles, infinities and NaNs have the other 16 values of the first byte. The compiler uses these values for the
/// other kinds of items.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Double {
    first: First,
    rest: [u8; 7],
}

impl Double {
    /// Returns `None` for the largest doubles, infinities and NaNs.
    #[inline]
    pub(crate) fn of(value: f64) -> Option<Self> {
        // The sign goes behind the fraction, so that the exponent comes first.
        let [first, rest @ ..] = value.to_bits().rotate_left(1).to_be_bytes();
        let first = *FIRSTS.get(usize::from(first))?;
        Some(Self { first, rest })
    }

    #[inline]
    pub(crate) fn get(self) -> f64 {
        let mut bytes = [self.first as u8; 8];
        bytes[1..].copy_from_slice(&self.rest);
        f64::from_bits(u64::from_be_bytes(bytes).rotate_right(1))
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
    B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 B15 B16 B17 B18 B19
    B20 B21 B22 B23 B24 B25 B26 B27 B28 B29 B30 B31 B32 B33 B34 B35 B36 B37 B38 B39
    B40 B41 B42 B43 B44 B45 B46 B47 B48 B49 B50 B51 B52 B53 B54 B55 B56 B57 B58 B59
    B60 B61 B62 B63 B64 B65 B66 B67 B68 B69 B70 B71 B72 B73 B74 B75 B76 B77 B78 B79
    B80 B81 B82 B83 B84 B85 B86 B87 B88 B89 B90 B91 B92 B93 B94 B95 B96 B97 B98 B99
    B100 B101 B102 B103 B104 B105 B106 B107 B108 B109 B110 B111 B112 B113 B114 B115 B116 B117 B118 B119
    B120 B121 B122 B123 B124 B125 B126 B127 B128 B129 B130 B131 B132 B133 B134 B135 B136 B137 B138 B139
    B140 B141 B142 B143 B144 B145 B146 B147 B148 B149 B150 B151 B152 B153 B154 B155 B156 B157 B158 B159
    B160 B161 B162 B163 B164 B165 B166 B167 B168 B169 B170 B171 B172 B173 B174 B175 B176 B177 B178 B179
    B180 B181 B182 B183 B184 B185 B186 B187 B188 B189 B190 B191 B192 B193 B194 B195 B196 B197 B198 B199
    B200 B201 B202 B203 B204 B205 B206 B207 B208 B209 B210 B211 B212 B213 B214 B215 B216 B217 B218 B219
    B220 B221 B222 B223 B224 B225 B226 B227 B228 B229 B230 B231 B232 B233 B234 B235 B236 B237 B238 B239
}

/// An integer of up to 56 bits, in seven bytes.
#[derive(Clone, Copy)]
pub(crate) struct Long([u8; 7]);

impl Long {
    /// `None` if 56 bits are not enough.
    #[inline]
    pub(crate) fn of(value: i64) -> Option<Self> {
        let [low @ .., _] = value.to_le_bytes();
        let long = Self(low);
        (long.get() == value).then_some(long)
    }

    #[inline]
    pub(crate) fn get(self) -> i64 {
        let mut bytes = [0; 8];
        bytes[1..].copy_from_slice(&self.0);
        // The shift copies the sign.
        i64::from_le_bytes(bytes) >> 8
    }
}

#[cfg(test)]
mod tests;
