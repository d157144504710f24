//! [`Timer`] and [`Repeat`]: the timers of an actor.

/// How often a timer runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "bLoop")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Repeat {
    /// Once.
    Once,
    /// Again and again, until it is set anew or its actor dies.
    Looping,
}

/// The state of an actor's timer: [`Stage::timer`](crate::Stage::timer).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Timer {
    /// The seconds from the start to the end.
    #[doc(alias = "GetTimerRate")]
    #[doc(alias = "TimerRate")]
    pub rate: f32,
    /// The seconds since the start, or since the last end.
    #[doc(alias = "GetTimerCount")]
    #[doc(alias = "TimerCounter")]
    pub count: f32,
    /// Whether it starts again.
    #[doc(alias = "bTimerLoop")]
    pub repeat: Repeat,
    /// Whether it stands still.
    #[doc(alias = "PauseTimer")]
    pub is_paused: bool,
}
