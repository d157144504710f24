//! [`Client`]: sends requests, and checks every reply.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use crate::latency::Latency;
use crate::random::Random;

/// The error of a client.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// All clients use the same keys, so that pages are freed while they are being sent to other clients.
const KEYS: u64 = 64;

/// Replies that take longer count as lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends requests, and checks every reply.
#[derive(Debug)]
pub(crate) struct Client {
    replies: Replies,
    requests: OwnedWriteHalf,
    random: Random,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr, number: u32) -> Result<Self, Failure> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let (reading, requests) = socket.into_split();
        let replies = Replies {
            socket: BufReader::new(reading),
            number,
            late: 0,
            line: String::new(),
        };
        let random = Random::new(u64::from(number));
        Ok(Self {
            replies,
            requests,
            random,
        })
    }

    /// Sends `window` requests, and reads their replies.
    pub(crate) async fn exchange(&mut self, window: u32, latency: &mut Latency) -> Result<(), Failure> {
        let mut lines = String::new();
        let expected: Vec<_> = (0..window).map(|_| self.request(&mut lines)).collect();
        let begin = Instant::now();
        // Concurrently, so that neither side waits for the other to read.
        let written = async { self.requests.write_all(lines.as_bytes()).await.map_err(Failure::from) };
        let read = async {
            for expected in expected.into_iter().flatten() {
                self.replies.check(&expected).await?;
                latency.add(begin.elapsed());
            }
            Ok(())
        };
        timeout(PATIENCE, async { tokio::try_join!(written, read) }).await??;
        Ok(())
    }

    /// Waits for the late replies, and for the service to hang up.
    pub(crate) async fn quit(mut self) -> Result<(), Failure> {
        timeout(PATIENCE, async {
            self.replies.check_late().await?;
            self.requests.write_all(b"quit\n").await?;
            self.replies.check_end().await
        })
        .await?
    }

    /// Writes another request. `None` if its reply is a late one.
    fn request(&mut self, lines: &mut String) -> Option<Expected> {
        let key = self.random.below(KEYS);
        let (request, expected) = match self.random.below(100) {
            0 => {
                self.replies.late += 1;
                (
                    format!("later {} {}\n", self.random.below(3), self.replies.number),
                    None,
                )
            }
            1 => (format!("drop {key}\n"), Some(Expected::OkOrNone)),
            2..=15 => (
                format!("put {key} {}\n", page(key, &mut self.random)),
                Some(Expected::Ok),
            ),
            _ => (format!("get {key}\n"), Some(Expected::PageOrNone(key))),
        };
        lines.push_str(&request);
        expected
    }
}

/// The expected reply.
#[derive(Debug)]
enum Expected {
    Ok,
    OkOrNone,
    /// A page of this key, complete and not mixed with another.
    PageOrNone(u64),
}

#[derive(Debug)]
struct Replies {
    socket: BufReader<OwnedReadHalf>,
    number: u32,
    /// Late replies that are still to come.
    late: u32,
    line: String,
}

impl Replies {
    async fn check(&mut self, expected: &Expected) -> Result<(), Failure> {
        while self.next().await? {}
        let line = self.line.trim_end();
        let right = match expected {
            Expected::Ok => line == "ok",
            Expected::OkOrNone => matches!(line, "ok" | "none"),
            Expected::PageOrNone(key) => {
                line == "none" || line.strip_prefix("page ").is_some_and(|it| is_page(*key, it))
            }
        };
        if right {
            Ok(())
        } else {
            Err(self.wrong(&format!("{expected:?}")))
        }
    }

    /// Waits for the late replies that are still to come.
    async fn check_late(&mut self) -> Result<(), Failure> {
        while self.late > 0 {
            if !self.next().await? {
                return Err(self.wrong("late replies"));
            }
        }
        Ok(())
    }

    /// Checks that no bytes come before the service hangs up.
    async fn check_end(&mut self) -> Result<(), Failure> {
        let mut rest = Vec::new();
        match self.socket.read_to_end(&mut rest).await? {
            0 => Ok(()),
            len => Err(format!("client {} was sent {len} bytes too many", self.number).into()),
        }
    }

    /// Reads a line. Gives whether it was a late reply of this client.
    async fn next(&mut self) -> Result<bool, Failure> {
        self.line.clear();
        if self.socket.read_line(&mut self.line).await? == 0 {
            return Err(self.wrong("a line"));
        }
        let Some(words) = self.line.strip_prefix("late ") else {
            return Ok(false);
        };
        if self.late == 0 || words.trim_end() != self.number.to_string() {
            return Err(self.wrong("no late reply of another client"));
        }
        self.late -= 1;
        Ok(true)
    }

    fn wrong(&self, expected: &str) -> Failure {
        let line: String = self.line.chars().take(100).collect();
        format!("client {} expected {expected}, and was sent {line:?}", self.number).into()
    }
}

/// The key, and one repeated letter, so that bytes of two pages are never mistaken for one page.
fn page(key: u64, random: &mut Random) -> String {
    let letter = char::from(b'a' + u8::try_from(random.below(26)).unwrap_or_default());
    let len = 16 << random.below(10);
    let mut page = format!("{key}:{len}:");
    page.extend(std::iter::repeat_n(letter, len));
    page
}

fn is_page(key: u64, value: &str) -> bool {
    let mut parts = value.splitn(3, ':');
    let (Some(of_key), Some(len), Some(letters)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let one = letters.as_bytes().first();
    of_key == key.to_string() && len == letters.len().to_string() && letters.bytes().all(|letter| Some(&letter) == one)
}
