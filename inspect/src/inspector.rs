//! [`Inspector`]: the server of the page.

use std::fmt;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::numbers;
use crate::request::Request;
use crate::token::Token;

const PAGE: &str = include_str!("page.html");
/// The most connections at a time. A browser opens up to six.
const CONNECTIONS: usize = 16;
/// The time in which a client has to take each part of an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Sent with every answer. A page of another origin can neither read nor frame one, and the token stays out of caches and
/// of `Referer`.
const FIELDS: &str = "Connection: close\r\n\
    Allow: GET\r\n\
    Cache-Control: no-store\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

/// Serves a page with the statistics of all classes to a browser on this machine, until the inspector is dropped.
///
/// ```
/// use acedia_inspect::Inspector;
///
/// let inspector = Inspector::start()?;
/// println!("pools: {}", inspector.url()); // pools: http://127.0.0.1:40123/?token=…
/// assert!(inspector.address().ip().is_loopback());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The [crate](crate) describes the page and the access to it. `Debug` omits the token.
///
/// # Cost
///
/// One thread that sleeps until a request arrives, and one thread for each request. The inspector adds no cost to the
/// operations of the pools.
#[must_use = "the page is served until this is dropped"]
pub struct Inspector {
    address: SocketAddr,
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Inspector {
    /// Serves on a free port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// The system cannot provide random bits, a free port or a thread.
    pub fn start() -> io::Result<Self> {
        Self::start_on(0)
    }

    /// Serves on this port of 127.0.0.1. Port 0 stands for a free port.
    ///
    /// ```
    /// use acedia_inspect::Inspector;
    ///
    /// let first = Inspector::start()?;
    /// let taken = Inspector::start_on(first.address().port()).unwrap_err();
    /// assert_eq!(taken.kind(), std::io::ErrorKind::AddrInUse);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`start`](Self::start), and also if the port is in use.
    pub fn start_on(port: u16) -> io::Result<Self> {
        let server = Arc::new(Server {
            token: Token::random()?,
            started: Instant::now(),
            stop: AtomicBool::new(false),
        });
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        // Bound here, not in the thread, so that the caller gets the error.
        let listener = TcpListener::bind(wanted)
            .map_err(|error| io::Error::new(error.kind(), format!("can't listen on {wanted}: {error}")))?;
        let address = listener.local_addr()?;
        let theirs = Arc::clone(&server);
        let thread = thread::Builder::new()
            .name("acedia inspector".to_owned())
            .spawn(move || theirs.run(&listener))?;
        Ok(Self {
            address,
            server,
            thread: Some(thread),
        })
    }

    /// The address of the page, with the token. Show it in a terminal, but do not write it into a log that others read.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.server.token)
    }

    /// The socket's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Inspector {
    /// Closes the port. Responses that have begun are completed.
    fn drop(&mut self) {
        // Relaxed suffices: the server loads the flag after it has accepted the connection below.
        self.server.stop.store(true, Ordering::Relaxed);
        let woken = TcpStream::connect_timeout(&self.address, PATIENCE).is_ok();
        if let (true, Some(thread)) = (woken, self.thread.take()) {
            // The result is not needed: the thread does not panic.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspector")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Shared by the inspector, its thread, and the thread of each open connection.
struct Server {
    token: Token,
    started: Instant,
    stop: AtomicBool,
}

impl Server {
    fn run(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            match stream {
                Ok(stream) if Arc::strong_count(self) < CONNECTIONS + 2 => {
                    let server = Arc::clone(self);
                    let builder = thread::Builder::new().name("acedia inspection".to_owned());
                    // A connection that has failed, or for which there is no thread, is closed.
                    let _ = builder.spawn(move || server.talk(stream));
                }
                Ok(_) => {}
                // For example, no file descriptor is left.
                Err(_) => thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Answers one request.
    fn talk(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let answer = match Request::read(&mut stream)? {
            Ok(request) => self.answer(&request),
            Err(status) => refusal(status),
        };
        stream.write_all(answer.as_bytes())?;
        stream.shutdown(Shutdown::Write)
    }

    fn answer(&self, request: &Request) -> String {
        // Checked first, so that an answer without the token reveals nothing about the page.
        if !self.token.is_in(&request.query) {
            return refusal("403 Forbidden");
        }
        let json = |value: Value| http("200 OK", "application/json", &value.to_string());
        match (&*request.method, &*request.path) {
            ("GET", "/") => http("200 OK", "text/html; charset=utf-8", PAGE),
            ("GET", "/stats.json") => json(numbers::stats(self.started.elapsed())),
            ("GET", "/living.json") => json(numbers::living()),
            ("GET", _) => refusal("404 Not Found"),
            _ => refusal("405 Method Not Allowed"),
        }
    }
}

/// Without a body, which an answer to `HEAD` must not have.
fn refusal(status: &str) -> String {
    http(status, "text/plain", "")
}

fn http(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{FIELDS}\r\n{body}")
}
