//! The load: clients that check every reply, and clients that hang up in the middle.

use std::io;
use std::net::SocketAddr;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::client::{Client, Failure};
use crate::latency::Latency;
use crate::options::Load;

/// Loads the service at `address`, and reports its speed.
pub(crate) async fn run(address: SocketAddr, load: Load) -> Result<String, Failure> {
    let begin = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..load.clients {
        clients.spawn(check(address, number, load));
    }
    for number in 0..load.hang_ups {
        clients.spawn(hang_up(address, number));
    }
    let mut latency = Latency::default();
    while let Some(client) = clients.join_next().await {
        latency.extend(client??);
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok(format!(
        "{} clients with {} requests each, {} at a time; {} clients hung up in the middle\n{}",
        load.clients,
        load.requests,
        load.window,
        load.hang_ups,
        latency.report(seconds),
    ))
}

/// A client that reads and checks every reply.
async fn check(address: SocketAddr, number: u32, load: Load) -> Result<Latency, Failure> {
    let mut client = Client::connect(address, number).await?;
    let mut latency = Latency::default();
    let mut left = load.requests;
    while left > 0 {
        let window = left.min(load.window);
        left -= window;
        client.exchange(window, &mut latency).await?;
    }
    client.quit().await?;
    Ok(latency)
}

/// A client that hangs up while late replies are owed to it, in the middle of a request.
async fn hang_up(address: SocketAddr, number: u32) -> Result<Latency, Failure> {
    let mut socket = TcpStream::connect(address).await?;
    socket.write_all(&b"later 30 gone\n".repeat(4)).await?;
    if number % 2 == 0 {
        // Replies that it doesn't read: the system then reports a broken connection to the service.
        socket.write_all(&b"get 1\n".repeat(100)).await?;
        let mut some = [0; 8];
        let _: io::Result<usize> = socket.read(&mut some).await;
    }
    socket.write_all(b"put 1 half a page").await?;
    Ok(Latency::default())
}
