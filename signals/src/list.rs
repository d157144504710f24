//! [`List`]: the connections of a signal.

use std::cmp::Reverse;
use std::ops::Deref;
use std::sync::Arc;

use crate::Connection;

/// Connections, shared with running emissions.
///
/// An emission reads the list as it was at its start. A change during an emission copies the list.
pub(crate) struct List {
    connections: Option<Arc<Vec<Connection>>>,
    /// Whether the connections are in the order of their calls. If not, the next snapshot sorts them, because inserting each
    /// connection in order would move all connections behind it.
    is_sorted: bool,
    /// The length above which `add` asks for a sweep of dead connections.
    crowded: usize,
}

/// Up to this length, only emissions look for dead connections.
const FEW: usize = 16;

impl List {
    pub(crate) const EMPTY: Self = Self {
        connections: None,
        is_sorted: true,
        crowded: FEW,
    };

    /// The list as it is now, in the order of the calls.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        if !self.is_sorted {
            self.sort();
        }
        Snapshot(self.connections.clone())
    }

    #[cold]
    fn sort(&mut self) {
        if let Some(connections) = &mut self.connections {
            // The sort is stable: connections of one priority stay in the order in which they were added.
            Arc::make_mut(connections).sort_by_key(|connection| Reverse(connection.priority()));
        }
        self.is_sorted = true;
    }

    /// Adds a connection, and returns whether dead connections should be swept.
    pub(crate) fn add(&mut self, connection: Connection) -> bool {
        let connections = Arc::make_mut(self.connections.get_or_insert_default());
        let last = connections.last();
        self.is_sorted &= last.is_none_or(|last| last.priority() >= connection.priority());
        connections.push(connection);
        connections.len() > self.crowded
    }

    /// Removes and returns the connections for which `is_out` returns `true`.
    pub(crate) fn remove(&mut self, is_out: impl Fn(&Connection) -> bool) -> Vec<Connection> {
        let mut out = Vec::new();
        let Some(connections) = &mut self.connections else {
            return out;
        };
        if connections.iter().any(&is_out) {
            Arc::make_mut(connections).retain(|connection| {
                let stays = !is_out(connection);
                if !stays {
                    out.push(*connection);
                }
                stays
            });
        }
        out
    }

    /// Removes dead connections. The next sweep is due when the list is twice as long.
    pub(crate) fn sweep(&mut self, is_dead: impl Fn(&Connection) -> bool) {
        self.remove(is_dead);
        let len = self.connections.as_ref().map_or(0, |connections| connections.len());
        self.crowded = FEW.max(2 * len);
    }
}

/// The list as it was at one moment.
pub(crate) struct Snapshot(Option<Arc<Vec<Connection>>>);

impl Deref for Snapshot {
    type Target = [Connection];

    fn deref(&self) -> &[Connection] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}
