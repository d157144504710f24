//! [`Options`]: what the command line says.

use std::net::SocketAddr;

use lexopt::prelude::*;

/// Printed by `--help`.
pub(crate) const HELP: &str = "\
A service that stores pages by key. Its requests, pages and sessions are pooled objects.

Usage: cargo run --release --example service -- [OPTIONS]

      --port N          listen on this port of 127.0.0.1 [default: 0, any free one]
      --inspect         serve the pools to a browser on this machine, at the address that is printed
      --load            send requests from a second process, print the measurements, and exit
      --client ADDRESS  only send requests, to a service that already runs
      --clients N       clients at a time [default: 8]
      --requests N      requests from each client [default: 40000]
      --window N        requests that a client sends before it reads replies [default: 32]
      --hang-ups N      additional clients, which disconnect in the middle of a request [default: 100]
  -h, --help            print this

One request is one line, and so is its reply. `nc 127.0.0.1 PORT` is a client.

  Request               Reply
  put KEY VALUE         \"ok\"
  get KEY               \"page VALUE\", or \"none\"
  drop KEY              \"ok\", or \"none\"
  later MS WORDS        \"late WORDS\", MS milliseconds later
  quit                  no reply: the connection ends

Ctrl-C ends the service. Exit status: 0 if all went well and every object was freed; 1 if not; 2 if the
options are wrong or nothing could be started.
";

/// The mode of the program.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) port: u16,
    pub(crate) is_loaded: bool,
    pub(crate) is_inspected: bool,
    /// Load a running service at this address.
    pub(crate) client: Option<SocketAddr>,
    pub(crate) load: Load,
}

/// The amount of load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) clients: u32,
    pub(crate) requests: u32,
    pub(crate) window: u32,
    pub(crate) hang_ups: u32,
}

impl Options {
    /// Reads the command line. `None` if help was asked for.
    pub(crate) fn parse(mut arguments: lexopt::Parser) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self {
            port: 0,
            is_loaded: false,
            is_inspected: false,
            client: None,
            load: Load {
                clients: 8,
                requests: 40_000,
                window: 32,
                hang_ups: 100,
            },
        };
        let load = &mut options.load;
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("port") => options.port = arguments.value()?.parse().map_err(of("port"))?,
                Long("inspect") => options.is_inspected = true,
                Long("load") => options.is_loaded = true,
                Long("client") => options.client = Some(arguments.value()?.parse().map_err(of("client"))?),
                Long("clients") => load.clients = arguments.value()?.parse().map_err(of("clients"))?,
                Long("requests") => load.requests = arguments.value()?.parse().map_err(of("requests"))?,
                Long("window") => load.window = arguments.value()?.parse().map_err(of("window"))?,
                Long("hang-ups") => load.hang_ups = arguments.value()?.parse().map_err(of("hang-ups"))?,
                Short('h') | Long("help") => return Ok(None),
                _ => return Err(argument.unexpected()),
            }
        }
        if options.is_loaded && options.client.is_some() {
            return Err("--load starts a service, --client needs one that runs: use only one of them".into());
        }
        if options.load.window == 0 {
            return Err("--window must be 1 or more".into());
        }
        Ok(Some(options))
    }
}

/// Names the option whose value is wrong.
fn of(option: &str) -> impl Fn(lexopt::Error) -> lexopt::Error {
    move |error| format!("--{option}: {error}").into()
}

impl Load {
    /// The same as command-line options.
    pub(crate) fn to_arguments(self) -> impl Iterator<Item = String> {
        let Self {
            clients,
            requests,
            window,
            hang_ups,
        } = self;
        let options = [
            ("--clients", clients),
            ("--requests", requests),
            ("--window", window),
            ("--hang-ups", hang_ups),
        ];
        options
            .into_iter()
            .flat_map(|(name, value)| [name.to_owned(), value.to_string()])
    }
}
