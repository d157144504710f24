//! [`Settings`]: the settings of a game.

/// The settings of a game that the sequences read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// The role of the level in a network.
    pub net_mode: NetMode,
    /// The amount of detail.
    pub detail_mode: DetailMode,
    /// Whether details are left out for now.
    #[doc(alias = "bDropDetail")]
    pub drop_detail: bool,
    /// Whether the level is being edited.
    #[doc(alias = "GIsEditor")]
    pub editor: bool,
}

/// The role of a level in a network.
#[expect(clippy::exhaustive_enums, reason = "no generation of the engine has another mode")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "ENetMode")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NetMode {
    /// No network.
    #[default]
    Standalone,
    /// A server without a player of its own.
    DedicatedServer,
    /// A server with a player on the same machine.
    ListenServer,
    /// A copy of a server's level.
    Client,
}

impl NetMode {
    /// Whether other machines have copies of the level.
    ///
    /// ```
    /// use acedia_actors::NetMode;
    ///
    /// assert!(NetMode::ListenServer.is_server() && !NetMode::Client.is_server());
    /// ```
    #[must_use]
    pub const fn is_server(self) -> bool {
        matches!(self, Self::DedicatedServer | Self::ListenServer)
    }
}

/// An amount of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "EDetailMode")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DetailMode {
    /// Little detail.
    Low,
    /// Much detail.
    #[default]
    High,
    /// All details.
    SuperHigh,
}
