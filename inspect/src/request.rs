//! [`Request`]: the head of one HTTP request.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest head. Browsers send about 1 KiB.
const LONGEST: usize = 8 * 1024;
/// The most header fields of a request.
const FIELDS: usize = 64;
/// The time in which the whole head has to arrive.
const PATIENCE: Duration = Duration::from_secs(5);

/// The part of a request that the server uses. A body is not read.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
}

impl Request {
    /// Reads the head. An inner error is the status of a refusal, an outer error a connection that failed or is too slow.
    pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Result<Self, &'static str>> {
        // One deadline for the whole head, against clients that send single bytes.
        let deadline = Instant::now() + PATIENCE;
        let mut head = Vec::new();
        let mut part = [0; 1024];
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            stream.set_read_timeout(Some(left))?;
            let length = stream.read(&mut part)?;
            if length == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            head.extend_from_slice(&part[..length]);
            match Self::of_head(&head) {
                Ok(None) if head.len() < LONGEST => {}
                Ok(Some(request)) => return Ok(Ok(request)),
                Ok(None) => return Ok(Err("431 Request Header Fields Too Large")),
                Err(_) => return Ok(Err("400 Bad Request")),
            }
        }
    }

    /// `None` while the head is incomplete.
    fn of_head(head: &[u8]) -> Result<Option<Self>, httparse::Error> {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        let is_complete = request.parse(head)?.is_complete();
        let words = request.method.zip(request.path).filter(|_| is_complete);
        Ok(words.map(|(method, target)| {
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            let [method, path, query] = [method, path, query].map(str::to_owned);
            Self { method, path, query }
        }))
    }
}
