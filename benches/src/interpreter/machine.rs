//! The interpreter: it walks the tree of a program. Each value except the empty list is an object of a [`Heap`].

/// The memory of a script: counts references, and frees an object with its last one.
pub(super) trait Heap: Sized + 'static {
    /// The name in the tables.
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
    /// The body of a function, and the frame in which the function was made.
    Closure(Tree, Value<H>),
    /// A call: its closure, the argument, and the frame of the closure.
    Frame(H::Ref, Value<H>, Value<H>),
    Weak(H::Weak),
}

impl<H: Heap> Node<H> {
    pub(super) fn into_references(self) -> [Value<H>; 3] {
        match self {
            Self::Number(_) | Self::Weak(_) => [None, None, None],
            Self::Pair(head, tail) => [head, tail, None],
            Self::Closure(_, frame) => [frame, None, None],
            Self::Frame(own, argument, outer) => [Some(own), argument, outer],
        }
    }
}

type Tree = &'static Code;

/// A program. The number of an [`Argument`](Self::Argument) or [`Own`](Self::Own) counts frames from the innermost.
#[derive(Debug, Clone, Copy)]
pub(super) enum Code {
    Constant(i64),
    Empty,
    Argument(usize),
    /// The closure that was called.
    Own(usize),
    Add(Tree, Tree),
    /// If the first is less than the second, the third, and otherwise the fourth.
    IfLess(Tree, Tree, Tree, Tree),
    /// If the first is empty, the second, and otherwise the third.
    IfEmpty(Tree, Tree, Tree),
    Pair(Tree, Tree),
    Head(Tree),
    Tail(Tree),
    Function(Tree),
    Call(Tree, Tree),
    Weak(Tree),
    /// The number behind a weak reference, or the second if its object was freed.
    Read(Tree, Tree),
}

/// The value of `code` in a frame. A call at the end of a function does not use the stack.
pub(super) fn evaluate<H: Heap>(heap: &mut H, mut code: Tree, outside: Option<&H::Ref>) -> Value<H> {
    let mut called: Value<H> = None;
    let value = loop {
        let frame = called.as_ref().or(outside);
        let node = match *code {
            Code::Constant(number) => Node::Number(number),
            Code::Empty => break None,
            Code::Argument(_) | Code::Own(_) => break share(heap, variable(heap, code, frame)),
            Code::Add(one, other) => {
                let one = number(heap, one, frame);
                Node::Number(one.wrapping_add(number(heap, other, frame)))
            }
            Code::IfLess(one, other, yes, no) => {
                let less = number(heap, one, frame) < number(heap, other, frame);
                code = if less { yes } else { no };
                continue;
            }
            Code::IfEmpty(list, yes, no) => {
                let empty = with(heap, list, frame, |_, list| list.is_none());
                code = if empty { yes } else { no };
                continue;
            }
            Code::Pair(head, tail) => Node::Pair(evaluate(heap, head, frame), evaluate(heap, tail, frame)),
            Code::Head(list) | Code::Tail(list) => {
                let first = matches!(code, Code::Head(_));
                break with(heap, list, frame, |heap, list| match object(heap, list) {
                    Node::Pair(head, tail) => share(heap, if first { head } else { tail }.as_ref()),
                    _ => wrong(),
                });
            }
            Code::Function(body) => Node::Closure(body, share(heap, frame)),
            Code::Call(function, argument) => {
                let own = evaluate(heap, function, frame);
                let argument = evaluate(heap, argument, frame);
                let (body, outer) = match object(heap, own.as_ref()) {
                    Node::Closure(body, outer) => (*body, share(heap, outer.as_ref())),
                    _ => wrong(),
                };
                let next = Node::Frame(own.unwrap_or_else(|| wrong()), argument, outer);
                let next = heap.allocate(next);
                called.replace(next).into_iter().for_each(|done| heap.release(done));
                code = body;
                continue;
            }
            Code::Weak(to) => Node::Weak(with(heap, to, frame, |heap, to| {
                heap.weak(to.unwrap_or_else(|| wrong()))
            })),
            Code::Read(weak, otherwise) => {
                let found = with(heap, weak, frame, |heap, weak| match object(heap, weak) {
                    Node::Weak(weak) => heap.number(weak),
                    _ => wrong(),
                });
                let Some(number) = found else {
                    code = otherwise;
                    continue;
                };
                Node::Number(number)
            }
        };
        break Some(heap.allocate(node));
    };
    called.into_iter().for_each(|done| heap.release(done));
    value
}

fn variable<'a, H: Heap>(heap: &'a H, code: Tree, mut frame: Option<&'a H::Ref>) -> Option<&'a H::Ref> {
    let (Code::Argument(frames) | Code::Own(frames)) = *code else {
        wrong()
    };
    for _ in 0..frames {
        frame = match object(heap, frame) {
            Node::Frame(.., outer) => outer.as_ref(),
            _ => wrong(),
        };
    }
    match (object(heap, frame), code) {
        (Node::Frame(own, ..), Code::Own(_)) => Some(own),
        (Node::Frame(_, argument, _), _) => argument.as_ref(),
        _ => wrong(),
    }
}

/// Uses the value of `code`. A variable is not counted for that.
fn with<H: Heap, R>(
    heap: &mut H,
    code: Tree,
    frame: Option<&H::Ref>,
    read: impl FnOnce(&H, Option<&H::Ref>) -> R,
) -> R {
    if let Code::Argument(_) | Code::Own(_) = code {
        return read(heap, variable(heap, code, frame));
    }
    let value = evaluate(heap, code, frame);
    let result = read(heap, value.as_ref());
    value.into_iter().for_each(|value| heap.release(value));
    result
}

fn number<H: Heap>(heap: &mut H, code: Tree, frame: Option<&H::Ref>) -> i64 {
    match *code {
        Code::Constant(number) => number,
        _ => with(heap, code, frame, |heap, to| as_number(object(heap, to))),
    }
}

pub(super) fn as_number<H: Heap>(node: &Node<H>) -> i64 {
    match node {
        Node::Number(number) => *number,
        _ => wrong(),
    }
}

fn object<'a, H: Heap>(heap: &'a H, to: Option<&'a H::Ref>) -> &'a Node<H> {
    heap.read(to.unwrap_or_else(|| wrong()))
}

fn share<H: Heap>(heap: &H, to: Option<&H::Ref>) -> Value<H> {
    to.map(|to| heap.share(to))
}

#[cold]
fn wrong() -> ! {
    panic!("a program uses a value of another kind")
}
