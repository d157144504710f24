//! The load: clients that check every reply, and clients that hang up in the middle.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::time::Instant;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::task::JoinSet;

use crate::latency::Latency;
use crate::options::Load;
use crate::random::Random;

/// All clients use the same keys, so that pages are freed while others are being sent them.
const KEYS: u64 = 64;

type Failure = Box<dyn Error + Send + Sync>;

/// Loads the service at `address`, and says how fast it was.
pub(crate) async fn run(address: SocketAddr, load: Load) -> Result<String, Failure> {
    let begin = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..load.clients {
        clients.spawn(client(address, number, load));
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

/// Sends its requests window by window, and checks each reply.
async fn client(address: SocketAddr, number: u32, load: Load) -> Result<Latency, Failure> {
    let socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    let (reading, mut writing) = socket.into_split();
    let mut client = Client {
        replies: BufReader::new(reading),
        number,
        late: 0,
        line: String::new(),
    };
    let mut random = Random::new(u64::from(number));
    let mut latency = Latency::default();
    let mut left = load.requests;
    while left > 0 {
        let window = left.min(load.window);
        left -= window;
        let mut requests = String::new();
        let expected: Vec<_> = (0..window)
            .map(|_| client.request(&mut random, &mut requests))
            .collect();
        let begin = Instant::now();
        // Together, so that neither side waits for the other to read.
        let written = async { writing.write_all(requests.as_bytes()).await.map_err(Failure::from) };
        let read = async {
            for expected in expected.into_iter().flatten() {
                client.check(&expected).await?;
                latency.add(begin.elapsed());
            }
            Ok(())
        };
        tokio::try_join!(written, read)?;
    }
    client.check_late().await?;
    writing.write_all(b"quit\n").await?;
    let mut rest = Vec::new();
    client.replies.read_to_end(&mut rest).await?;
    if rest.is_empty() {
        Ok(latency)
    } else {
        Err(format!("client {number} was sent {} bytes too many", rest.len()).into())
    }
}

/// What a reply must be.
#[derive(Debug)]
enum Expected {
    Ok,
    OkOrNone,
    /// A page of this key, whole and of one piece.
    PageOrNone(u64),
}

struct Client {
    replies: BufReader<OwnedReadHalf>,
    number: u32,
    /// Late replies that are still to come.
    late: u32,
    line: String,
}

impl Client {
    /// Writes another request. `None` if its reply is a late one.
    fn request(&mut self, random: &mut Random, requests: &mut String) -> Option<Expected> {
        let key = random.below(KEYS);
        let (request, expected) = match random.below(100) {
            0 => {
                self.late += 1;
                (format!("later {} {}\n", random.below(3), self.number), None)
            }
            1 => (format!("drop {key}\n"), Some(Expected::OkOrNone)),
            2..=15 => (format!("put {key} {}\n", page(key, random)), Some(Expected::Ok)),
            _ => (format!("get {key}\n"), Some(Expected::PageOrNone(key))),
        };
        requests.push_str(&request);
        expected
    }

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

    /// Reads a line. Whether it was a late reply, and this client's.
    async fn next(&mut self) -> Result<bool, Failure> {
        self.line.clear();
        if self.replies.read_line(&mut self.line).await? == 0 {
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

/// The key, and one letter again and again, so that bytes of two pages are never taken for one.
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

/// A client that is owed late replies, is in the middle of a request, and is gone.
async fn hang_up(address: SocketAddr, number: u32) -> Result<Latency, Failure> {
    let mut socket = TcpStream::connect(address).await?;
    socket.write_all(&b"later 30 gone\n".repeat(4)).await?;
    if number % 2 == 0 {
        // Replies that it doesn't read: the system then tells the service that the connection is broken.
        socket.write_all(&b"get 1\n".repeat(100)).await?;
        let mut some = [0; 8];
        let _: io::Result<usize> = socket.read(&mut some).await;
    }
    socket.write_all(b"put 1 half a page").await?;
    Ok(Latency::default())
}
