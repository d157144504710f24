//! [`Timer`] and [`Repeat`]: the timers of an actor.

/// How often a timer runs out.
#[expect(clippy::exhaustive_enums, reason = "a timer that ran out stops or starts again")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "bLoop")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Repeat {
    /// Once.
    Once,
    /// Repeatedly.
    Looping,
}

/// The state of an actor's timer: [`Stage::timer`](crate::Stage::timer).
///
/// The level counts the seconds in an `f64`. The timer runs out in the frame in which [`count`](Self::count) reaches
/// [`rate`](Self::rate).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timer {
    /// The seconds after which the timer runs out.
    #[doc(alias = "GetTimerRate")]
    #[doc(alias = "TimerRate")]
    pub rate: f32,
    /// The seconds since the timer was set, or since it last ran out, rounded to an `f32`.
    #[doc(alias = "GetTimerCount")]
    #[doc(alias = "TimerCounter")]
    pub count: f32,
    /// Whether the timer starts again when it runs out.
    #[doc(alias = "bTimerLoop")]
    pub repeat: Repeat,
    /// Whether the timer is paused, so that it does not count.
    #[doc(alias = "PauseTimer")]
    pub is_paused: bool,
}
