//! The close of a player's connection, which a destruction starts.

use crate::store::extra::Connection;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;

impl Inner {
    /// Has the player's connection closed, unless that has begun.
    pub(crate) fn start_closing(&mut self, player: ActorRef) {
        let connection = &mut self.extra_mut(player.index()).connection;
        if std::mem::replace(connection, Connection::Closing) == Connection::Open {
            if let Some(driver) = &mut self.net {
                driver.close(player);
            }
        }
    }
}
