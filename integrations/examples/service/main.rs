//! A tokio service whose requests, pages and sessions are pooled objects. `--help` says how.
//!
//! It shows buffers that outlive their requests ([`objects`]), guards that are sent to other tasks and held across
//! `await` ([`store`], [`connection`]), and handles that find nothing once a session is over.
#![forbid(unsafe_code)]

mod client;
mod command;
mod connection;
mod latency;
mod load;
mod objects;
mod options;
mod random;
mod report;
mod server;
mod store;
mod tally;

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, io};

use acedia_inspect::Inspector;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::runtime::Runtime;
use tokio::signal::ctrl_c;

use options::{HELP, Load, Options};
use report::Report;
use store::Store;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("service: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all went well.
fn run() -> Result<bool, Box<dyn Error>> {
    let options = Options::parse(lexopt::Parser::from_env()).map_err(|error| format!("{error}; try --help"))?;
    let Some(options) = options else {
        print!("{HELP}");
        return Ok(true);
    };
    let runtime = Runtime::new()?;
    if let Some(address) = options.client {
        return Ok(match runtime.block_on(load::run(address, options.load)) {
            Ok(report) => {
                println!("{report}");
                true
            }
            Err(error) => {
                eprintln!("service: {error}");
                false
            }
        });
    }
    let inspector = options.is_inspected.then(Inspector::start).transpose()?;
    if let Some(inspector) = &inspector {
        println!("pools: {}", inspector.url());
    }
    let store = Arc::new(Store::new());
    let went_well = runtime.block_on(serve(&store, &options))?;
    // Ends all tasks and threads, and so frees their objects.
    drop(runtime);
    let store = Arc::into_inner(store).ok_or("a task has outlived the runtime")?;
    let report = Report::new(store);
    println!("{report}");
    Ok(went_well && report.is_clean())
}

/// Serves until Ctrl-C, or until the load is over. Gives whether that went well.
async fn serve(store: &Arc<Store>, options: &Options) -> Result<bool, Box<dyn Error>> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("can't listen on {address}: {error}; --port 0 takes a free port"))?;
    let address = listener.local_addr()?;
    println!("listening on {address}; Ctrl-C ends the service");
    let stop = async {
        if options.is_loaded {
            tokio::select! {
                loaded = load_from_outside(address, options.load) => loaded,
                interrupted = ctrl_c() => interrupted.map(|()| false),
            }
        } else {
            ctrl_c().await.map(|()| true)
        }
    };
    Ok(server::serve(store, listener, stop).await?)
}

/// Runs the load in a process of its own. Gives whether every reply was right.
async fn load_from_outside(address: SocketAddr, load: Load) -> io::Result<bool> {
    let mut client = Command::new(env::current_exe()?);
    client
        .arg("--client")
        .arg(address.to_string())
        .args(load.to_arguments());
    let status = client.kill_on_drop(true).status().await?;
    Ok(status.success())
}
