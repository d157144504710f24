//! Runs `examples/service` as a user would: loaded from a second process, spoken to by hand, stopped by Ctrl-C.
// Ctrl-C is sent by `kill`.
#![cfg(unix)]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

#[path = "../../examples/tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn a_second_process_finds_every_reply_right_and_nothing_leaks() {
    let load = ["--load", "--clients", "4", "--requests", "6000", "--hang-ups", "30"];
    let output = example::run("service", &load, "");
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(said.ends_with("\nevery object was freed\n"), "{said}");
    assert!(
        said.contains("4 clients with 6000 requests each, 32 at a time; 30 clients hung up"),
        "{said}"
    );
    assert!(said.contains(" per second\n") && said.contains("99.9 % "), "{said}");
    // 34 connections, and the requests of the clients and of their `quit`s at least.
    let [requests, sessions] = numbers(said, " sessions\n");
    assert!(requests > 4 * 6001 && sessions == 34, "{said}");
    let [stale, cut, _broken] = numbers(said, " connections broken\n");
    assert!(stale > 0 && cut > 0, "no client hung up in the middle: {said}");
    for class in ["Service.Request", "Service.Page"] {
        let of_class = said.lines().find(|line| line.starts_with(class)).expect("its line");
        let [fresh, reused, peak, live] = numbers(of_class, "");
        // Some 128 requests are under way at a time, and 3,320 pages are made in all.
        assert!(reused > 5 * fresh && peak > 0 && live == 0, "{of_class}");
    }
}

#[test]
fn replies_are_those_of_the_protocol() {
    let mut service = Service::start();
    let mut client = service.connect();
    for (request, reply) in [
        ("get a", "none"),
        ("put a one two", "ok"),
        ("get a", "page one two"),
        ("put a three\r", "ok"),
        ("get a", "page three"),
        ("drop a", "ok"),
        ("drop a", "none"),
        ("later 1 a b", "late a b"),
        ("put a", "error: put needs a key and a value"),
        ("put  a", "error: put needs a key and a value"),
        ("get", "error: get and drop need one key"),
        ("drop a b", "error: get and drop need one key"),
        ("later x y", "error: later needs 0 to 60000 milliseconds"),
        ("later 60001 y", "error: later needs 0 to 60000 milliseconds"),
        ("later 5", "error: later needs milliseconds and words"),
        ("nonsense", "error: the commands are put, get, drop, later and quit"),
        ("", "error: the commands are put, get, drop, later and quit"),
        ("get \u{fffd}", "none"),
    ] {
        client.send(format!("{request}\n").as_bytes());
        assert_eq!(client.line(), reply, "{request}");
    }
    client.send(b"get \xff\n");
    assert_eq!(client.line(), "error: the request is not UTF-8");
    client.send(b"quit\nget a\n");
    assert_eq!(client.rest(), "");

    let mut client = service.connect();
    client.send(&b"x".repeat(65 * 1024));
    assert_eq!(client.line(), "error: the request is too long");

    let mut client = service.connect();
    for _ in 0..3 {
        client.send(&b"later 1 soon\n".repeat(500));
        assert!((0..500).all(|_| client.line() == "late soon"));
    }
    client.send(&b"later 60000 never\n".repeat(1001));
    assert_eq!(client.line(), "error: too many late replies are owed");

    let said = service.interrupt();
    assert!(said.ends_with("every object was freed\n"), "{said}");
}

#[test]
fn a_late_reply_to_a_closed_session_reaches_nobody() {
    let mut service = Service::start();
    let mut gone = service.connect();
    gone.send(b"later 300 secret\nget a\n");
    assert_eq!(gone.line(), "none");
    gone.send(b"quit\n");
    assert_eq!(gone.rest(), "");
    // One after another, they reuse the slot of the ended session.
    for _ in 0..3 {
        let mut next = service.connect();
        next.0
            .get_ref()
            .set_read_timeout(Some(Duration::from_millis(150)))
            .expect("a timeout");
        let mut line = String::new();
        let nothing = next.0.read_line(&mut line).expect_err("there is nothing to read");
        assert!(
            matches!(nothing.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            "{line}{nothing}"
        );
    }
    let said = service.interrupt();
    let [stale, cut, broken] = numbers(&said, " connections broken\n");
    assert_eq!((stale, cut, broken), (1, 0, 0), "{said}");
}

#[test]
fn a_page_stays_whole_while_it_is_sent_though_it_was_freed() {
    let mut service = Service::start();
    let old = "o".repeat(60_000);
    let mut owner = service.connect();
    owner.send(format!("put a {old}\n").as_bytes());
    assert_eq!(owner.line(), "ok");
    // More bytes than the system buffers for a client that doesn't read.
    let mut slow = service.connect();
    slow.send(&b"get a\n".repeat(300));
    // The first of them has come, so the service has the old page in hand.
    let mut pages = vec![slow.line()];
    for _ in 0..100 {
        owner.send(format!("put a {}\n", "n".repeat(60_000)).as_bytes());
        assert_eq!(owner.line(), "ok");
    }
    pages.extend((1..300).map(|_| slow.line()));
    let of = |letter| {
        pages
            .iter()
            .filter(|page| page[5..].chars().all(|it| it == letter))
            .count()
    };
    assert_eq!((of('o') + of('n'), pages.len()), (300, 300), "a page of two pieces");
    assert!(of('o') > 0 && pages.iter().all(|page| page.len() == 60_005));
    let said = service.interrupt();
    assert!(said.ends_with("every object was freed\n"), "{said}");
}

#[test]
fn ctrl_c_hangs_up_on_clients_and_frees_what_they_wait_for() {
    let mut service = Service::start();
    let mut client = service.connect();
    client.send(b"put a one\nlater 60000 never\nget a\n");
    assert_eq!((client.line(), client.line()), ("ok".into(), "page one".into()));
    let said = service.interrupt();
    assert_eq!(client.rest(), "");
    assert!(said.contains("3 requests in 1 sessions\n"), "{said}");
    assert!(said.ends_with("every object was freed\n"), "{said}");
}

#[test]
fn the_inspector_shows_the_session_that_is_open() {
    let mut service = Service::start_with(&["--inspect"]);
    let mut client = service.connect();
    client.send(b"put a one\n");
    assert_eq!(client.line(), "ok");
    let said = service.said.remove(0);
    let (address, query) = said
        .strip_prefix("pools: http://")
        .and_then(|url| url.split_once('/'))
        .expect("the address of the page");
    let mut page = Client(BufReader::new(TcpStream::connect(address).expect("it listens")));
    page.send(format!("GET /stats.json{query} HTTP/1.1\r\n\r\n").as_bytes());
    let answer = page.rest();
    let stats = answer.split_once("\r\n\r\n").expect("a body").1;
    let stats: serde_json::Value = serde_json::from_str(stats).expect("JSON");
    let classes = stats["classes"].as_array().expect("a list");
    for class in ["Service.Session", "Service.Page"] {
        let row = classes.iter().find(|row| row["name"] == class).expect("its row");
        assert_eq!(row["live"], 1, "{row}");
    }
    let said = service.interrupt();
    assert!(said.ends_with("every object was freed\n"), "{said}");
    assert!(TcpStream::connect(address).is_err(), "the page outlives the service");
}

#[test]
fn what_is_wrong_is_said() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    for (arguments, message) in [
        (&["--port", &port][..], format!("can't listen on 127.0.0.1:{port}: ")),
        (&["--port", "99999"], "--port: cannot parse argument \"99999\"".into()),
        (&["--client", "here"], "--client: cannot parse".into()),
        (&["--requests", "many"], "--requests: cannot parse".into()),
        (&["--window", "0"], "--window must be 1 or more; try --help".into()),
        (
            &["--load", "--client", "127.0.0.1:1"],
            "use only one of them; try --help".into(),
        ),
        (&["--nonsense"], "'--nonsense'; try --help".into()),
    ] {
        let output = example::run("service", arguments, "");
        let error = stderr(&output);
        assert!(error.starts_with("service: ") && error.contains(&message), "{error}");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    }
    // The port is closed.
    drop(taken);
    let output = example::run("service", &["--client", &format!("127.0.0.1:{port}")], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("service: "));
    let help = example::run("service", &["--help"], "");
    assert!(stdout(&help).contains("--hang-ups N") && help.status.code() == Some(0));
}

/// The numbers in the line that ends with `end`.
fn numbers<const N: usize>(text: &str, end: &str) -> [u64; N] {
    let until = text.find(end).expect("its line");
    let line = if end.is_empty() {
        text
    } else {
        text[..until].lines().last().expect("a line")
    };
    let words = line.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<_> = words.filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{line}"))
}

/// A service in a process of its own.
struct Service {
    process: Child,
    output: BufReader<ChildStdout>,
    address: String,
    /// The lines before that of the address.
    said: Vec<String>,
}

impl Service {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(arguments: &[&str]) -> Self {
        let mut command = Command::new(example::binary("service"));
        let mut process = command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example runs");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut said = Vec::new();
        let mut line = String::new();
        output.read_line(&mut line).expect("it says where it listens");
        while line.starts_with("pools: ") {
            said.push(line.trim_end().to_owned());
            line.clear();
            output.read_line(&mut line).expect("it says where it listens");
        }
        let address = line
            .strip_prefix("listening on ")
            .and_then(|rest| rest.split(';').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Self {
            process,
            output,
            address,
            said,
        }
    }

    fn connect(&self) -> Client {
        let socket = TcpStream::connect(&self.address).expect("it listens");
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        Client(BufReader::new(socket))
    }

    /// Ctrl-C, and what it says then.
    fn interrupt(&mut self) -> String {
        let mut kill = Command::new("kill");
        let killed = kill.arg("-INT").arg(self.process.id().to_string()).status();
        assert!(killed.expect("kill runs").success());
        let mut said = String::new();
        self.output.read_to_string(&mut said).expect("UTF-8");
        let status = self.process.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{said}");
        said
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Ended already, unless a test has failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    fn send(&mut self, requests: &[u8]) {
        self.0.get_mut().write_all(requests).expect("the service reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a reply");
        line.strip_suffix('\n').unwrap_or_else(|| panic!("{line:?}")).to_owned()
    }

    /// The bytes before the service hangs up.
    fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).expect("UTF-8");
        rest
    }
}
