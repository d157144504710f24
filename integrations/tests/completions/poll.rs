//! `epoll`: the kernel says that there is something to read, and the loop reads it into the buffer.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

use super::{Completion, Flight, Kernel};

pub(crate) struct Readiness {
    epoll: OwnedFd,
    flights: HashMap<u64, Flight>,
}

impl Readiness {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            flights: HashMap::new(),
        })
    }
}

impl Kernel for Readiness {
    fn start(&mut self, word: u64, flight: Flight) -> io::Result<()> {
        let once = EventFlags::IN | EventFlags::ONESHOT;
        epoll::add(&self.epoll, &flight.source, EventData::new_u64(word), once)?;
        self.flights.insert(word, flight);
        Ok(())
    }

    fn wait(&mut self) -> io::Result<Vec<Completion>> {
        let mut events = Vec::with_capacity(64);
        epoll::wait(&self.epoll, spare_capacity(&mut events), None)?;
        let mut completions = Vec::new();
        for event in events {
            let word = event.data.u64();
            let Some(mut flight) = self.flights.remove(&word) else {
                continue;
            };
            epoll::delete(&self.epoll, &flight.source)?;
            let result = rustix::io::read(&flight.source, flight.buffer.bytes_mut()).map_err(io::Error::from);
            completions.push((word, result, flight));
        }
        Ok(completions)
    }
}
