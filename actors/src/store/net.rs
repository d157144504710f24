//! [`NetDriver`]: the connections of a server's players.

use crate::value::actor_ref::ActorRef;

/// Closes the connections of a server's players: [`Level::set_net`](crate::Level::set_net).
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use acedia_actors::{
///     ActorRef, Level, NetDriver, NetMode, PlayerController, Rules, Spawn, Stage,
/// };
///
/// struct Sockets(Sender<ActorRef>);
/// impl NetDriver for Sockets {
///     fn close(&mut self, player: ActorRef) {
///         self.0.send(player).ok();
///     }
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// level.settings_mut().net_mode = NetMode::DedicatedServer;
/// let (closing, closed) = channel();
/// level.set_net(Sockets(closing));
/// let player = level.spawn::<PlayerController>(Spawn::new()).unwrap();
/// level.connect(player);
/// assert!(!level.destroy(player), "not yet");
/// // Some time later, the connection is closed.
/// assert!(level.disconnect(closed.recv().unwrap()));
/// assert!(!level.is_alive(player));
/// ```
pub trait NetDriver: Send + 'static {
    /// Called once for each connection, when the player's actor is to be destroyed. Close the connection, then call
    /// [`Level::disconnect`](crate::Level::disconnect).
    fn close(&mut self, player: ActorRef);
}
