//! The classes of the service: [`Request`], [`Page`], [`Session`].

use std::sync::atomic::{AtomicU32, Ordering};

use acedia::{Guard, Object, Owned, class};
use tokio::sync::mpsc::Sender;

/// A line of a client. Its memory is reused for a later line of any client.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) line: Vec<u8>,
}

impl Object for Request {
    class!(Request, "Service.Request");

    fn constructor(&mut self) {
        self.line.clear();
    }
}

/// The page of a key, as sent to clients. Never changed: a new page replaces it.
#[derive(Debug, Default)]
pub(crate) struct Page {
    line: Vec<u8>,
}

impl Object for Page {
    class!(Page, "Service.Page");

    fn constructor(&mut self) {
        self.line.clear();
    }
}

impl Page {
    pub(crate) fn new(value: &str) -> Owned<Self> {
        Self::allocate_with(|page| {
            for part in ["page ", value, "\n"] {
                page.line.extend_from_slice(part.as_bytes());
            }
        })
    }
}

/// A connected client. A task that owes it a reply has a handle, which finds nothing once the client is gone.
#[derive(Debug, Default)]
pub(crate) struct Session {
    replies: Option<Sender<Reply>>,
    /// The number of late replies that are still to be sent.
    owed: AtomicU32,
}

impl Object for Session {
    class!(Session, "Service.Session");

    // When the last sender is gone, the task that writes the replies ends.
    const FINALIZER: Option<fn(&mut Self)> = Some(|session| session.replies = None);

    fn constructor(&mut self) {
        *self.owed.get_mut() = 0;
    }
}

/// The most late replies owed to one client, because each takes memory until it is due.
const MOST_OWED: u32 = 1000;

impl Session {
    pub(crate) fn new(replies: Sender<Reply>) -> Owned<Self> {
        Self::allocate_with(|session| session.replies = Some(replies))
    }

    /// Notes that the client is owed a late reply. `false` if it is owed too many.
    pub(crate) fn owe(&self) -> bool {
        // Relaxed: an independent counter. Only the task that reads the requests adds to it.
        let owed = self.owed.load(Ordering::Relaxed);
        if owed < MOST_OWED {
            self.owed.fetch_add(1, Ordering::Relaxed);
        }
        owed < MOST_OWED
    }

    /// A late reply is due.
    pub(crate) fn pay(&self) {
        self.owed.fetch_sub(1, Ordering::Relaxed);
    }

    /// Waits while too many replies are queued. `false` if the writing task has ended.
    pub(crate) async fn reply(&self, reply: Reply) -> bool {
        match &self.replies {
            Some(replies) => replies.send(reply).await.is_ok(),
            None => false,
        }
    }
}

/// One line to a client.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A page, which may be freed while the line is being sent. The guard keeps its memory until then.
    Page(Guard<Page>),
    /// The reply is in the buffer of the request.
    InPlace(Owned<Request>),
    /// A constant reply.
    Fixed(&'static str),
}

impl Reply {
    /// With the line feed.
    pub(crate) fn line(&self) -> &[u8] {
        match self {
            Self::Page(page) => &page.line,
            Self::InPlace(request) => &request.line,
            Self::Fixed(line) => line.as_bytes(),
        }
    }
}
