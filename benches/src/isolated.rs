//! Cases that need a process of their own: what a fresh heap costs, and what is resident.
//!
//! The parent starts itself again with the task and the contender as arguments; the child prints one number.

use crate::case::Case;
use std::{
    env,
    process::{Command, exit},
};

/// The first argument of a child.
const FLAG: &str = "--isolated";

/// Something done in a child: its name and its cases, each run once there.
pub(crate) struct Task {
    /// The name on the child's command line.
    pub(crate) name: &'static str,
    /// The cases as the child sees them.
    pub(crate) cases: fn() -> Vec<Case>,
    /// The operations in one run.
    pub(crate) size: u64,
}

/// The same cases for the parent: each run is a new process.
pub(crate) fn cases(task: &'static Task) -> Vec<Case> {
    let outside = |case: Case| {
        let contender = case.name();
        Case::fixed(contender, task.size, move || {
            let answer = ask(task.name, contender);
            answer.trim().parse().expect("a child prints a number")
        })
    };
    (task.cases)().into_iter().map(outside).collect()
}

/// A child for this task and contender, which is not started yet.
pub(crate) fn start(task: &str, contender: &str) -> Command {
    let mut child = Command::new(env::current_exe().expect("this program has a path"));
    child.args([FLAG, task, contender]);
    child
}

/// The output of a child for this task and contender.
fn ask(task: &str, contender: &str) -> String {
    let output = start(task, contender)
        .output()
        .expect("this program can be started again");
    assert!(output.status.success(), "{task} of {contender} failed: {output:?}");
    String::from_utf8(output.stdout).expect("a child prints text")
}

/// If this process is a child, does of `tasks` what it was started for, and exits.
///
/// # Panics
///
/// If the arguments name no task or no contender.
pub(crate) fn serve(mut tasks: impl Iterator<Item = &'static Task>) {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [flag, task, contender] = arguments.as_slice() else {
        return;
    };
    if flag != FLAG {
        return;
    }
    let task = tasks.find(|known| known.name == task).expect("a known task");
    let mut cases = (task.cases)();
    let case = cases
        .iter_mut()
        .find(|case| case.name() == contender)
        .expect("a known contender");
    println!("{}", case.run(task.size));
    exit(0);
}
