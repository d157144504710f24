//! [`Settings`]: the circumstances of a game.

/// The circumstances of a game, as far as the sequences ask for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Who the level is shared with.
    pub net_mode: NetMode,
    /// How much is to be shown.
    pub detail_mode: DetailMode,
    /// Whether details are left out for the moment.
    #[doc(alias = "bDropDetail")]
    pub drop_detail: bool,
    /// Whether the level is being edited.
    #[doc(alias = "GIsEditor")]
    pub editor: bool,
}

/// Who a level is shared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "ENetMode")]
pub enum NetMode {
    /// Nobody.
    #[default]
    Standalone,
    /// Players elsewhere.
    DedicatedServer,
    /// Players here and elsewhere.
    ListenServer,
    /// It is a copy of a server's.
    Client,
}

impl NetMode {
    /// Whether others have copies of the level.
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

/// How much is to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "EDetailMode")]
pub enum DetailMode {
    /// Little.
    Low,
    /// Much.
    #[default]
    High,
    /// Everything.
    SuperHigh,
}
