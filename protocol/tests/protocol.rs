//! Every scenario is explored to the end, and every bug is found.

use std::collections::BTreeSet;

use acedia_protocol::{Bug, Event, Fault, Key, Op, Protocol, Scenario, Symptom, story};
use stateright::{Checker, HasDiscoveries, Model};

/// The first fault of a scenario, told as a story; the properties that were shown; the number of states.
struct Outcome {
    fault: Option<(Fault, String)>,
    shown: BTreeSet<&'static str>,
    states: usize,
    steps: usize,
}

/// Explores a scenario until something fails, or to the end.
fn explore(protocol: &Protocol) -> Outcome {
    let checker = protocol
        .clone()
        .checker()
        .finish_when(HasDiscoveries::AnyFailures)
        .spawn_dfs()
        .join();
    let found = checker.discoveries();
    let fault = Fault::ALL.into_iter().find_map(|fault| {
        let path = found.get(fault.sentence())?;
        Some((fault, story(protocol, path)))
    });
    Outcome {
        fault,
        shown: found.into_keys().collect(),
        states: checker.unique_state_count(),
        steps: checker.max_depth(),
    }
}

fn scenario(name: &str) -> Scenario {
    let found = Scenario::ALL.into_iter().find(|scenario| scenario.name == name);
    found.unwrap_or_else(|| panic!("no scenario is called {name}"))
}

/// Explores every scenario as `change` has it, and gives the number of states.
fn explore_all(change: impl Fn(Scenario) -> Scenario) -> usize {
    let mut total = 0;
    for scenario in Scenario::ALL {
        let protocol = Protocol {
            scenario: change(scenario),
            bug: None,
        };
        let Scenario { name, about, shows, .. } = protocol.scenario;
        let outcome = explore(&protocol);
        if let Some((fault, story)) = outcome.fault {
            panic!("{name}: not true that {}:\n{story}", fault.sentence());
        }
        for event in shows {
            assert!(
                outcome.shown.contains(event.sentence()),
                "{name} never shows that {}",
                event.sentence()
            );
        }
        println!(
            "{name:32} {:8} states, at most {:3} steps: {about}",
            outcome.states, outcome.steps
        );
        assert!(
            outcome.states > 1_000,
            "{name} has only {} states: it can show nothing",
            outcome.states
        );
        total += outcome.states;
    }
    println!("{total} states");
    total
}

#[test]
fn every_scenario_is_sound() {
    let total = explore_all(|scenario| scenario);
    assert!(total > 2_400_000, "only {total} states");
}

/// The model takes invisible steps together with the visible one before them. It comes to the same without that, and
/// with longer store buffers.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without optimisation")]
fn every_scenario_is_sound_in_fine_steps() {
    let total = explore_all(|scenario| Scenario {
        fine: true,
        buffer: 3,
        ..scenario
    });
    assert!(total > 5_700_000, "only {total} states");
}

#[test]
fn every_bug_is_found() {
    for bug in Bug::ALL {
        let protocol = Protocol {
            scenario: scenario(bug.scenario()),
            bug: Some(bug),
        };
        let name = protocol.scenario.name;
        match bug.symptom() {
            Symptom::Causes(fault) => {
                let wanted = HasDiscoveries::AnyOf(BTreeSet::from([fault.sentence()]));
                // Breadth first: a short story.
                let checker = protocol.clone().checker().finish_when(wanted).spawn_bfs().join();
                let Some(path) = checker.discovery(fault.sentence()) else {
                    panic!("missed in {name}: {}", bug.sentence());
                };
                println!(
                    "{bug:?}: {} ({name}, {} steps)",
                    bug.sentence(),
                    path.into_actions().len()
                );
            }
            Symptom::Prevents(event) => {
                assert!(
                    protocol.scenario.shows.contains(&event),
                    "{bug:?}: {name} never shows {event:?}"
                );
                let outcome = explore(&protocol);
                assert!(
                    outcome.fault.is_none(),
                    "{bug:?} is more than a delay in {name}: {:?}",
                    outcome.fault
                );
                assert!(
                    !outcome.shown.contains(event.sentence()),
                    "missed in {name}: {}",
                    bug.sentence()
                );
                println!("{bug:?}: {} ({name}, in vain)", bug.sentence());
            }
        }
    }
}

/// A property that no bug can break proves nothing, and neither does an event that no scenario asks for.
#[test]
fn every_property_can_fail() {
    for fault in Fault::ALL {
        let shown = Bug::ALL.into_iter().any(|bug| bug.symptom() == Symptom::Causes(fault));
        assert!(shown, "no bug causes {fault:?}");
    }
    for event in Event::ALL {
        let asked = Scenario::ALL.iter().any(|scenario| scenario.shows.contains(&event));
        assert!(asked, "no scenario shows {event:?}");
    }
}

/// Every missing fence is harmless on a machine without store buffers: the model finds it for the right reason.
#[test]
fn fences_are_about_store_buffers() {
    let fences = [
        Bug::RefillWithoutFence,
        Bug::FreeWithoutFence,
        Bug::MutateWithoutFence,
        Bug::PinWithoutFence,
        Bug::FirstWithoutBarrier,
        Bug::SecondWithoutBarrier,
        Bug::ManyBeforeBarrier,
        Bug::PinLooksTooEarly,
        Bug::EnterNotLocked,
        Bug::FallWithoutFence,
        Bug::GuardWhileChanging,
        Bug::FirstGuardWithoutBarrier,
        Bug::SecondGuardWithoutBarrier,
        Bug::ManyGuardBeforeBarrier,
        Bug::SoloAmongOthersGuards,
        Bug::SoloWhileEnlisting,
        Bug::SecondCountWithoutBarrier,
        Bug::WaitBeforeBarrier,
    ];
    for bug in fences {
        let scenario = Scenario {
            buffer: 0,
            ..scenario(bug.scenario())
        };
        let outcome = explore(&Protocol {
            scenario,
            bug: Some(bug),
        });
        assert!(
            outcome.fault.is_none(),
            "{bug:?} fails without store buffers: {:?}",
            outcome.fault
        );
        assert!(outcome.states > 500, "{bug:?}: only {} states", outcome.states);
    }
}

/// Random scripts. All of them together show every event.
#[test]
fn random_scripts_are_sound() {
    let mut total = 0;
    let mut shown = BTreeSet::new();
    for seed in 1..=RANDOM_SCRIPTS {
        let protocol = Protocol {
            scenario: random_scenario(seed),
            bug: None,
        };
        let outcome = explore(&protocol);
        if let Some((fault, story)) = outcome.fault {
            panic!(
                "seed {seed}: {:?}\nnot true that {}:\n{story}",
                protocol.scenario,
                fault.sentence()
            );
        }
        total += outcome.states;
        shown.extend(outcome.shown);
    }
    println!("{RANDOM_SCRIPTS} scenarios, {total} states");
    if RANDOM_SCRIPTS == ALL_RANDOM_SCRIPTS {
        let missed: Vec<_> = Event::ALL
            .into_iter()
            .filter(|event| !shown.contains(event.sentence()))
            .collect();
        assert!(missed.is_empty(), "never shown: {missed:?}");
    }
}

/// Fewer without optimisation, where they take twenty times as long.
const RANDOM_SCRIPTS: u64 = if cfg!(debug_assertions) {
    300
} else {
    ALL_RANDOM_SCRIPTS
};
const ALL_RANDOM_SCRIPTS: u64 = 2_000;

fn random_scenario(seed: u64) -> Scenario {
    let mut random = Random(seed);
    let slots = random.number(1, 2);
    let last_life = random.number(1, 3);
    let manual = random.one_in(3);
    // The shares sent: their senders and receivers.
    let (from, to) = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)][usize::from(random.number(0, 5))];
    let [guard, owner] = [[true, false], [false, true], [false, false]][usize::from(random.number(0, 2))];
    let mut scripts = [0, 1, 2].map(|thread| {
        let post = Post {
            send_guard: guard && thread == from,
            receive_guard: guard && thread == to,
            give: (owner && thread == from).then_some(to),
            take: owner && thread == to,
        };
        random.script(slots, last_life, manual, post)
    });
    scripts[0].push(Op::Settle);
    Scenario {
        name: "random",
        about: "Anything.",
        slots,
        last_life: life(last_life),
        finalizer: random.one_in(2),
        cold: !random.one_in(3),
        buffer: usize::from(random.number(1, 3)),
        fine: random.one_in(4),
        // A few thousand short scripts, for the life of a test.
        scripts: scripts.map(|script| &*script.leak()),
        shows: &Event::ALL,
    }
}

fn life(number: u8) -> i8 {
    i8::try_from(number).expect("few lives")
}

/// The shares that a thread sends and receives.
struct Post {
    send_guard: bool,
    receive_guard: bool,
    give: Option<u8>,
    take: bool,
}

/// Random numbers that are the same on every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn number(&mut self, least: u8, most: u8) -> u8 {
        let range = u64::from(most - least) + 1;
        least + u8::try_from(self.next() % range).expect("below the range")
    }

    fn one_in(&mut self, chances: u8) -> bool {
        self.number(1, chances) == 1
    }

    fn key(&mut self, slots: u8, last_life: u8) -> Key {
        Key {
            slot: self.number(0, slots - 1),
            life: life(self.number(1, last_life)),
        }
    }

    /// A script that ends without a pin and without a guard, and with its post done.
    fn script(&mut self, slots: u8, last_life: u8, manual: bool, mut post: Post) -> Vec<Op> {
        let mut script = Vec::new();
        let (mut pinned, mut guarding) = (false, false);
        if !self.one_in(4) {
            script.push(Op::Allocate(0));
        }
        for _ in 0..self.number(1, 6) {
            let hand = self.number(0, 1);
            match self.number(0, 21) {
                0 | 1 => script.push(Op::Allocate(hand)),
                2 | 3 => script.push(Op::Expose(hand)),
                4..=6 => script.push(Op::Free(hand)),
                7 => script.push(Op::Mutate(hand)),
                8 if manual => script.push(Op::IntoManual(hand)),
                9 if manual => script.push(Op::FreeManual(self.key(slots, last_life))),
                10 | 11 => {
                    if !std::mem::replace(&mut pinned, true) {
                        script.push(Op::Pin);
                    }
                    script.push(Op::Read(self.key(slots, last_life)));
                }
                12 if pinned => {
                    script.push(Op::Unpin);
                    pinned = false;
                }
                13 => {
                    if std::mem::replace(&mut guarding, true) {
                        script.push(Op::Leave);
                    }
                    script.push(Op::Guard(self.key(slots, last_life)));
                }
                14 if guarding => {
                    let sent = std::mem::take(&mut post.send_guard);
                    script.push(if sent { Op::SendGuard } else { Op::Leave });
                    guarding = false;
                }
                15 | 19 => script.push(Op::Clone(hand)),
                16 if !pinned && !guarding => script.push(Op::Exit),
                17 => script.push(Op::Quieten),
                18 if post.receive_guard && !guarding => {
                    script.push(Op::ReceiveGuard);
                    (post.receive_guard, guarding) = (false, true);
                }
                18 | 20 if post.give.is_some() => {
                    script.extend([Op::Clone(1 - hand), Op::Clone(hand)]);
                    script.extend(post.give.take().map(|to| Op::Give(hand, to)));
                }
                18 | 20 if post.take => {
                    script.extend([Op::Free(hand), Op::Take(hand)]);
                    post.take = false;
                }
                _ => script.push(Op::Refill),
            }
        }
        if pinned {
            script.push(Op::Unpin);
        }
        if post.send_guard {
            script.push(Op::SendGuard);
        } else if guarding {
            script.push(Op::Leave);
        }
        if post.receive_guard {
            script.extend([Op::ReceiveGuard, Op::Leave]);
        }
        script.extend(post.give.map(|to| Op::Give(0, to)));
        if post.take {
            script.extend([Op::Free(0), Op::Take(0), Op::Free(0)]);
        }
        script
    }
}
