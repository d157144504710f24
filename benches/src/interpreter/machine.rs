//! The interpreter: it walks the tree of a program. Each value except the empty list is an object of a [`Heap`].

/// The memory of a script: it counts the references to an object, and frees the object with the last one.
pub(super) trait Heap: Sized + 'static {
    const NAME: &'static str;
    /// A counted reference, which is given back to [`release`](Self::release).
    type Ref: 'static;
    /// A reference that does not keep its object alive.
    type Weak: 'static;

    fn new() -> Self;
    fn allocate(&mut self, node: Node<Self>) -> Self::Ref;
    fn share(&self, to: &Self::Ref) -> Self::Ref;
    fn release(&mut self, to: Self::Ref);
    fn read<'a>(&'a self, to: &'a Self::Ref) -> &'a Node<Self>;
    fn weak(&self, to: &Self::Ref) -> Self::Weak;
    /// The number behind a weak reference, or `None` if it was freed.
    fn number(&self, to: &Self::Weak) -> Option<i64>;
    /// Is called before and after a script.
    fn pin(&mut self, _pinned: bool) {}
}

/// `None` is the empty list.
type Value<H> = Option<<H as Heap>::Ref>;

/// An object.
pub(super) enum Node<H: Heap> {
    Number(i64),
    Pair(Value<H>, Value<H>),
    /// The body of a function, and the environment in which the function was made.
    Closure(Tree, Value<H>),
    Weak(H::Weak),
}

impl<H: Heap> Node<H> {
    pub(super) fn into_references(self) -> [Value<H>; 2] {
        match self {
            Self::Number(_) | Self::Weak(_) => [None, None],
            Self::Pair(head, tail) => [head, tail],
            Self::Closure(_, environment) => [environment, None],
        }
    }
}

type Tree = &'static Code;

/// A program. The environment of a function is a list: the argument, the closure itself, and the environment of the closure.
#[derive(Debug, Clone, Copy)]
pub(super) enum Code {
    Constant(i64),
    Empty,
    /// An item of the environment.
    Variable(usize),
    Add(Tree, Tree),
    /// The first if it is less than the second, or else the empty list.
    Less(Tree, Tree),
    /// If the first is not empty, the second, and otherwise the third.
    If(Tree, Tree, Tree),
    Pair(Tree, Tree),
    Head(Tree),
    Tail(Tree),
    Function(Tree),
    Call(Tree, Tree),
    Weak(Tree),
    /// The number behind a weak reference, or the empty list.
    Read(Tree),
}

/// The value of `code` in an environment. A call at the end of a function does not use the stack.
pub(super) fn evaluate<H: Heap>(heap: &mut H, mut code: Tree, outside: Option<&H::Ref>) -> Value<H> {
    let mut called: Value<H> = None;
    let value = loop {
        let around = called.as_ref().or(outside);
        let node = match *code {
            Code::Constant(number) => Node::Number(number),
            Code::Empty => break None,
            Code::Variable(_) => break with(heap, code, around, share),
            Code::Add(one, other) => {
                let one = number(heap, one, around);
                Node::Number(one.wrapping_add(number(heap, other, around)))
            }
            Code::Less(one, other) => {
                let one = number(heap, one, around);
                if one >= number(heap, other, around) {
                    break None;
                }
                Node::Number(one)
            }
            Code::If(test, yes, no) => {
                let holds = with(heap, test, around, |_, test| test.is_some());
                code = if holds { yes } else { no };
                continue;
            }
            Code::Pair(item, rest) => Node::Pair(evaluate(heap, item, around), evaluate(heap, rest, around)),
            Code::Head(list) => break with(heap, list, around, |heap, list| share(heap, pair(heap, list).0)),
            Code::Tail(list) => break with(heap, list, around, |heap, list| share(heap, pair(heap, list).1)),
            Code::Function(body) => Node::Closure(body, share(heap, around)),
            Code::Call(function, argument) => {
                let own = evaluate(heap, function, around);
                let argument = evaluate(heap, argument, around);
                let Node::Closure(body, outer) = object(heap, own.as_ref()) else {
                    wrong()
                };
                code = body;
                let outer = share(heap, outer.as_ref());
                let outer = heap.allocate(Node::Pair(own, outer));
                let next = heap.allocate(Node::Pair(argument, Some(outer)));
                release(heap, called.replace(next));
                continue;
            }
            Code::Weak(to) => Node::Weak(with(heap, to, around, |heap, to| heap.weak(some(to)))),
            Code::Read(weak) => {
                let found = with(heap, weak, around, |heap, weak| match object(heap, weak) {
                    Node::Weak(weak) => heap.number(weak),
                    _ => wrong(),
                });
                match found {
                    Some(number) => Node::Number(number),
                    None => break None,
                }
            }
        };
        break Some(heap.allocate(node));
    };
    release(heap, called);
    value
}

/// Uses the value of `code`. A variable is not counted for that.
fn with<H: Heap, R>(
    heap: &mut H,
    code: Tree,
    around: Option<&H::Ref>,
    read: impl FnOnce(&H, Option<&H::Ref>) -> R,
) -> R {
    if let Code::Variable(place) = *code {
        let mut at = around;
        for _ in 0..place {
            at = pair(heap, at).1;
        }
        return read(heap, pair(heap, at).0);
    }
    let value = evaluate(heap, code, around);
    let result = read(heap, value.as_ref());
    release(heap, value);
    result
}

fn number<H: Heap>(heap: &mut H, code: Tree, around: Option<&H::Ref>) -> i64 {
    match *code {
        Code::Constant(number) => number,
        _ => with(heap, code, around, |heap, to| as_number(object(heap, to))),
    }
}

pub(super) fn as_number<H: Heap>(node: &Node<H>) -> i64 {
    match node {
        Node::Number(number) => *number,
        _ => wrong(),
    }
}

fn pair<'a, H: Heap>(heap: &'a H, list: Option<&'a H::Ref>) -> (Option<&'a H::Ref>, Option<&'a H::Ref>) {
    match object(heap, list) {
        Node::Pair(item, rest) => (item.as_ref(), rest.as_ref()),
        _ => wrong(),
    }
}

fn object<'a, H: Heap>(heap: &'a H, to: Option<&'a H::Ref>) -> &'a Node<H> {
    heap.read(some(to))
}

fn some<T>(value: Option<T>) -> T {
    value.unwrap_or_else(|| wrong())
}

fn share<H: Heap>(heap: &H, to: Option<&H::Ref>) -> Value<H> {
    to.map(|to| heap.share(to))
}

fn release<H: Heap>(heap: &mut H, value: Value<H>) {
    if let Some(value) = value {
        heap.release(value);
    }
}

#[cold]
fn wrong() -> ! {
    panic!("a program uses a value of another kind")
}
