//! The server: accepts clients until it is stopped.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::connection;
use crate::store::Store;

/// Serves clients until `stop` completes, and gives its result. Then disconnects the remaining clients.
pub(crate) async fn serve<R>(store: &Arc<Store>, listener: TcpListener, stop: impl Future<Output = R>) -> R {
    let mut stop = pin!(stop);
    let mut connections = JoinSet::new();
    let stopped = loop {
        tokio::select! {
            stopped = &mut stop => break stopped,
            accepted = listener.accept() => match accepted {
                Ok((socket, _)) => {
                    connections.spawn(connection::serve(Arc::clone(store), socket));
                }
                Err(error) => {
                    eprintln!("service: a client was not accepted: {error}");
                    // There may be too many open files, which passes after a while.
                    sleep(Duration::from_millis(50)).await;
                }
            },
            Some(ended) = connections.join_next() => {
                if ended.is_err_and(|error| error.is_panic()) {
                    store.tally.panicked.add();
                }
            }
        }
    };
    connections.shutdown().await;
    stopped
}
