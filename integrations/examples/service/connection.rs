//! A connection: reads requests, answers them, and writes the replies.

use std::io;
use std::str;
use std::sync::Arc;
use std::time::Duration;

use acedia::{Handle, Object, Owned};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::sleep;

use crate::command::Command;
use crate::objects::{Reply, Request, Session};
use crate::store::Store;

/// A longer request ends the connection.
const LONGEST: usize = 64 * 1024;

/// The most replies queued for a client that doesn't read. Beyond it, its requests wait too.
const WAITING: usize = 64;

/// Serves one client until it hangs up.
pub(crate) async fn serve(store: Arc<Store>, socket: TcpStream) {
    store.tally.sessions.add();
    // If the system refuses this, the connection is only slower.
    let _ = socket.set_nodelay(true);
    let (reading, writing) = socket.into_split();
    let (sender, receiver) = mpsc::channel(WAITING);
    let writer = tokio::spawn(write(writing, receiver));
    let session = Session::new(sender);
    let read = read(&store, &session, reading).await;
    // From here on a late reply finds nothing, even if another session gets this session's slot.
    drop(session);
    match writer.await {
        Ok(written) if read.is_err() || written.is_err() => store.tally.broken.add(),
        Err(error) if error.is_panic() => store.tally.panicked.add(),
        Ok(_) | Err(_) => {}
    }
}

/// Answers the requests, in order.
async fn read(store: &Arc<Store>, session: &Owned<Session>, socket: OwnedReadHalf) -> io::Result<()> {
    let mut socket = BufReader::new(socket);
    while let Some(request) = next_request(&mut socket).await? {
        if request.line.len() > LONGEST {
            session.reply(Reply::Fixed("error: the request is too long\n")).await;
            break;
        }
        if request.line.last() != Some(&b'\n') {
            store.tally.cut.add();
            break;
        }
        store.tally.requests.add();
        let goes_on = match answer(store, session, request) {
            Answer::Now(reply) => session.reply(reply).await,
            Answer::Later => true,
            Answer::Quit => false,
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// The next line, cut after the first byte beyond the limit. `None` at the end.
async fn next_request(socket: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Owned<Request>>> {
    let mut request = Request::allocate();
    let new = request.get_mut().expect("a new object has one owner and no handle");
    let mut socket = socket.take(LONGEST as u64 + 1);
    let len = socket.read_until(b'\n', &mut new.line).await?;
    Ok((len > 0).then_some(request))
}

enum Answer {
    Now(Reply),
    Later,
    Quit,
}

fn answer(store: &Arc<Store>, session: &Owned<Session>, request: Owned<Request>) -> Answer {
    let line = request.line.trim_ascii_end();
    let command = match str::from_utf8(line).map(Command::parse) {
        Ok(Ok(command)) => command,
        Ok(Err(reply)) => return Answer::Now(Reply::Fixed(reply)),
        Err(_) => return Answer::Now(Reply::Fixed("error: the request is not UTF-8\n")),
    };
    Answer::Now(match command {
        Command::Put(key, value) => {
            store.put(key, value);
            Reply::Fixed("ok\n")
        }
        Command::Get(key) => store.page(key).map_or(Reply::Fixed("none\n"), Reply::Page),
        Command::Drop(key) => Reply::Fixed(if store.remove(key) { "ok\n" } else { "none\n" }),
        Command::Later(..) if !session.owe() => Reply::Fixed("error: too many late replies are owed\n"),
        Command::Later(wait, words) => {
            let words = line.len() - words.len();
            tokio::spawn(reply_later(Arc::clone(store), session.handle(), request, words, wait));
            return Answer::Later;
        }
        Command::Quit => return Answer::Quit,
    })
}

/// Sends back the bytes of the request from `words` on, if the client is still connected by then.
async fn reply_later(
    store: Arc<Store>,
    session: Handle<Session>,
    mut request: Owned<Request>,
    words: usize,
    wait: Duration,
) {
    sleep(wait).await;
    // Another client may have the session's slot by now. The handle means only this one.
    let Some(session) = session.guard() else {
        store.tally.stale.add();
        return;
    };
    session.pay();
    if let Some(request) = request.get_mut() {
        request.line.splice(..words, *b"late ");
    }
    // The guard is held while the reply waits in the queue. If the session ends meanwhile, its sender is dropped after
    // that.
    if !session.reply(Reply::InPlace(request)).await {
        store.tally.stale.add();
    }
}

/// Writes the replies until all senders are gone. A page stays guarded until its last byte is written.
async fn write(socket: OwnedWriteHalf, mut replies: Receiver<Reply>) -> io::Result<()> {
    let mut socket = BufWriter::new(socket);
    while let Some(reply) = replies.recv().await {
        socket.write_all(reply.line()).await?;
        if replies.is_empty() {
            socket.flush().await?;
        }
    }
    socket.shutdown().await
}
