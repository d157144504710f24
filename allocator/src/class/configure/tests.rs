use super::*;
use crate::{Object, class};

#[derive(Default)]
struct Newcomer;
impl Object for Newcomer {
    class!(Newcomer, "Configure.Newcomer");
}

#[test]
fn a_class_that_appears_later_finds_its_limit() {
    // A test cannot link a class late, so a pending limit is added for an existing class.
    let unknown = Config::new()
        .with("Configure.Nobody", PoolPolicy::KeepAtMost(1))
        .with("configure.nobody", PoolPolicy::KeepAtMost(2));
    assert_eq!(configure(&unknown).len(), 2);
    let remembered: Vec<_> = PENDING.lock().values().map(|one| one.policy).collect();
    assert_eq!(remembered, [PoolPolicy::KeepAtMost(1)]);
    remember(BTreeMap::from([(
        "configure.newcomer".to_owned(),
        PoolPolicy::KeepAtMost(3),
    )]));
    drop(Newcomer::allocate());
    assert_eq!(Newcomer::class().policy(), PoolPolicy::KeepAtMost(3));
}
