//! The connection of a player, as far as a destruction needs it.

use crate::store::extra::Connection;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;

impl Inner {
    /// The player's connection is to be closed, if that has not begun.
    pub(crate) fn start_closing(&mut self, player: ActorRef) {
        let connection = &mut self.extra_mut(player.index()).connection;
        if std::mem::replace(connection, Connection::Closing) == Connection::Open {
            if let Some(driver) = &mut self.net {
                driver.close(player);
            }
        }
    }
}
