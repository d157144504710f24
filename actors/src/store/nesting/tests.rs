use super::*;

#[test]
fn the_stack_is_a_limit_of_its_own() {
    let mut rules = Rules::ue2();
    let mut nesting = Nesting::new(&rules);
    assert!(
        !nesting.is_too_deep(&rules) && nesting.floor == 0,
        "the outermost event"
    );
    nesting.depth = Nesting::DEEP;
    assert!(!nesting.is_too_deep(&rules), "from here on the stack is measured");
    nesting.depth += 1;
    assert!(!nesting.is_too_deep(&rules));
    let measured = nesting.floor;
    // The floor is above this function's own stack.
    nesting.floor = usize::MAX;
    assert!(!nesting.is_too_deep(&rules), "an address far below is on another stack");
    nesting.floor = measured + rules.stack_limit + 4096;
    assert_eq!(nesting.is_too_deep(&rules), !cfg!(miri));
    nesting.depth = 0;
    rules.stack_limit = 0;
    rules.depth_limit = 2;
    let mut shallow = Nesting::new(&rules);
    for (depth, expected) in [(1, false), (2, true)] {
        shallow.depth = depth;
        assert_eq!(shallow.is_too_deep(&rules), expected);
    }
    assert!(
        !nesting.is_too_deep(&rules),
        "the outermost event is never refused for its stack"
    );
}
