//! [`Color`]: red, green, blue and alpha.

/// A color of 8 bits per channel.
///
/// ```
/// use acedia_text::Color;
///
/// let orange = Color::rgb(255, 165, 0);
/// assert_eq!(orange, Color { red: 255, green: 165, blue: 0, alpha: 255 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity: 255 is opaque.
    pub alpha: u8,
}

impl Color {
    /// An opaque color.
    #[must_use]
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self::rgba(red, green, blue, u8::MAX)
    }

    /// A color with an opacity, from 0 to 255.
    #[must_use]
    pub const fn rgba(red: u8, green: u8, blue: u8, alpha: u8) -> Self {
        Self {
            red,
            green,
            blue,
            alpha,
        }
    }
}
