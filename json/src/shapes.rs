//! [`Shapes`]: the keys of a document, and their order in its tables.

use std::mem;
use std::ops::Range;

use acedia::Owned;
use acedia_text::{Text, is_exact, key_hash};
use hashbrown::HashTable as RawTable;

use super::escape;
use super::scan::Expected;
use acedia_collections::__private::{MOST_KEYS, Shape};
use acedia_collections::Item;

/// The keys remembered so far, and their sequences: a tree in which the path from the root to a node is the keys of a table.
///
/// ```text
/// {"x":1,"y":2}  {"x":3,"y":4,"name":"a"}  {"id":7}
///
/// root ── "x" ── "y" ── "name"
///   └──── "id"
/// ```
///
/// The child that was taken last is expected next time. So in similar tables, keys are only compared with the document, and
/// neither parsed nor hashed nor looked up. All tables begin at the root, so the first key is predicted from the keys of the
/// enclosing table that come before the table.
///
/// The next document of the thread often has the same keys, so names and sequences are kept for it if they are few.
/// Objects are not kept. Each table or shape that needs a key gets a text of its own, because cloned texts slow down
/// freeing the texts next to them.
///
/// A document may have keys that never come again, so a key is remembered when it comes for the second time. If most tables get no
/// shape, because their keys change, the notes cost more than they save. Then nothing is remembered for a [pause](PAUSES).
pub(super) struct Shapes {
    nodes: Vec<Node>,
    keys: Vec<Known>,
    /// The indices of the keys, once there are more than [`FEW`].
    by_hash: RawTable<u32>,
    /// The keys, concatenated.
    names: String,
    /// The usual JSON forms of the keys, concatenated: `,"key":`.
    json: Vec<u8>,
    /// Whether there was no room for a node: its parent had too many children, or there were too many nodes.
    is_crowded: bool,
    seen: Seen,
    /// The number of tables that got a shape, and of those that got keys of their own, since the last judgement.
    shaped: u32,
    own: u32,
    /// The number of keys that are still to be read without notes.
    pause: u32,
    /// The last pause, if the tables after it got no shapes either.
    last_pause: u32,
}

/// The number of tables after which a pause may begin.
const JUDGED: u32 = 64;

/// The first pause, in keys, and the longest: each is twice as long as the one before. So few tables are judged even in a long stream
/// of changing keys, and a stream in which keys begin to repeat soon gets shapes.
const PAUSES: (u32, u32) = (1 << 12, 1 << 16);

/// The marks of the keys that came lately: four at each place. The hash of a key gives its place and its mark. One new key in 8,192 has
/// the mark of another key at the same place. It is then remembered too early, which does no harm.
struct Seen {
    marks: Box<[[u16; 4]]>,
    /// The number of keys that came for the first time.
    count: usize,
}

impl Seen {
    const PLACES: usize = 1 << 10;

    /// Forgets all keys if there are more than that.
    fn forget_beyond(&mut self, keys: usize) {
        if self.count > keys {
            *self = Self::default();
        }
    }

    /// Marks a key. Returns whether it was marked before.
    fn note(&mut self, hash: u64) -> bool {
        // The hash of a short text is its letters, so it is mixed first.
        let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the place has 10 bits, and the mark is cut to 16"
        )]
        let (place, mark) = (
            (mixed >> (u64::BITS - Self::PLACES.trailing_zeros())) as usize,
            (mixed >> 32) as u16 | 1,
        );
        let marks = &mut self.marks[place];
        let is_known = marks.contains(&mark);
        if !is_known {
            // Not always the same one, so that several keys of one place do not displace each other forever.
            let displaced = marks.iter().position(|mark| *mark == 0).unwrap_or(self.count % 4);
            marks[displaced] = mark;
            self.count += 1;
        }
        is_known
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            marks: vec![[0; 4]; Self::PLACES].into_boxed_slice(),
            count: 0,
        }
    }
}

/// The keys of a table so far: a node of [`Shapes`].
#[derive(Clone, Copy, Default)]
pub(super) struct Keys(u32);

/// The keys of a table so far, and the node of the key that is expected next, or the root if none is.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    pub(super) keys: Keys,
    expected: Keys,
}

#[derive(Default)]
struct Node {
    /// The index of its key; the root has none.
    key: u32,
    /// The usual JSON form of its key.
    json: Expected,
    parent: Keys,
    depth: u32,
    /// The child that was made last, and the sibling that was made before this one. Here and below, the root means
    /// none, because it is never a child.
    child: Keys,
    sibling: Keys,
    /// The child that was taken last.
    expected: Keys,
    /// The first key of the last table in the value of this node's key: a child of the root.
    inner: Keys,
    /// Made for the first table that ends here.
    shape: Option<Owned<Shape>>,
}

struct Known {
    hash: u64,
    name: Span,
    json: Span,
}

/// The range of a key in [`Shapes::names`] or [`Shapes::json`].
#[derive(Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

pub(super) enum Key {
    Known(u32),
    /// A key that is not remembered.
    Other(Item),
}

/// The most keys and nodes to remember, the longest key, and the most children of a node. They bound the memory that a
/// document can make us keep, and the time of a search.
const MOST: usize = 1024;
const LONGEST: usize = 64;
const MOST_CHILDREN: usize = 32;

/// Up to this number of keys, a linear search is faster than a table.
const FEW: usize = 16;

/// The most keys and nodes whose memory is kept for the next document.
const KEPT: usize = 64;

impl Default for Shapes {
    fn default() -> Self {
        let root = Node {
            key: u32::MAX,
            ..Node::default()
        };
        // Capacity for the keys of a small document.
        let mut nodes = Vec::with_capacity(FEW);
        nodes.push(root);
        Self {
            nodes,
            keys: Vec::with_capacity(FEW),
            by_hash: RawTable::new(),
            names: String::with_capacity(16 * FEW),
            json: Vec::with_capacity(16 * FEW),
            is_crowded: false,
            seen: Seen::default(),
            shaped: 0,
            own: 0,
            pause: 0,
            last_pause: 0,
        }
    }
}

impl Span {
    /// Fits into 32 bits: there are at most 1,024 keys of at most 64 bytes, and each byte becomes at most six bytes of JSON.
    fn new(start: usize, end: usize) -> Self {
        let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Self { start, end }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Node {
    /// This node, which is `keys`, and the node that is expected behind it.
    #[inline]
    fn ahead(&self, keys: Keys) -> Ahead {
        Ahead {
            keys,
            expected: self.expected,
        }
    }
}

impl Shapes {
    /// Drops all objects, and keeps the names and sequences for the next document, unless they are many.
    pub(super) fn clear(&mut self) {
        // A document of many new keys is seldom followed by one with the same keys.
        self.seen.forget_beyond(4 * KEPT);
        let letters = [self.names.capacity(), self.json.capacity()].map(|bytes| bytes / LONGEST);
        let memory = [self.nodes.capacity(), self.keys.capacity(), letters[0], letters[1]];
        if self.is_crowded || memory.into_iter().any(|memory| memory > KEPT) {
            self.forget();
        } else {
            self.nodes.iter_mut().for_each(|node| node.shape = None);
        }
        self.judge();
    }

    /// Forgets all keys, but keeps the counts of tables and the pause.
    fn forget(&mut self) {
        *self = Self {
            shaped: self.shaped,
            own: self.own,
            pause: self.pause,
            last_pause: self.last_pause,
            ..Self::default()
        };
    }

    /// Begins a pause if most tables got no shape.
    fn judge(&mut self) {
        if self.shaped + self.own < JUDGED {
            return;
        }
        self.last_pause = if self.own > self.shaped {
            (2 * self.last_pause).clamp(PAUSES.0, PAUSES.1)
        } else {
            0
        };
        self.pause = self.last_pause;
        (self.shaped, self.own) = (0, 0);
        if self.pauses() && self.nodes.len() > 1 {
            self.forget();
        }
    }

    /// Whether tables that begin now are read without notes.
    #[inline]
    pub(super) fn pauses(&self) -> bool {
        self.pause > 0
    }

    /// Counts a table that gets keys of its own.
    #[inline]
    pub(super) fn count_own(&mut self) {
        self.own += u32::from(!self.pauses());
    }

    /// Forgets everything if there was no room for a key or a node, so that later values of a stream can be remembered.
    pub(super) fn forget_crowd(&mut self) {
        if self.is_crowded || self.keys.len() == MOST {
            self.forget();
        }
        self.judge();
    }

    fn name(&self, key: &Known) -> &str {
        &self.names[key.name.range()]
    }

    fn text(&self, key: &Known) -> Owned<Text> {
        Text::hashed(self.name(key), key.hash)
    }

    fn node(&self, keys: Keys) -> &Node {
        &self.nodes[keys.0 as usize]
    }

    /// No keys, and the key that is expected first in a table that is the value of the last of the keys `around`.
    #[inline]
    pub(super) fn first(&self, around: Keys) -> Ahead {
        Ahead {
            keys: Keys::default(),
            expected: self.node(around).inner,
        }
    }

    /// The JSON form of the expected key, with a comma before it and a colon behind it, and the keys of the table including it.
    #[inline]
    pub(super) fn expected(&self, ahead: Ahead) -> Option<(&Expected, Ahead)> {
        let node = self.node(ahead.expected);
        // The root means that nothing is expected.
        (node.json.len() > 0).then_some((&node.json, node.ahead(ahead.expected)))
    }

    /// The key that was read.
    pub(super) fn key(&mut self, key: &str) -> Key {
        if key.len() > LONGEST {
            return Key::Other(key.into());
        }
        let hash = key_hash(key);
        if self.pause > 0 {
            self.pause -= 1;
            return Key::Other(Text::hashed(key, hash).into());
        }
        if let Some(known) = self.known(hash, key) {
            return Key::Known(known);
        }
        // Not when a key comes for the first time: a document may have keys that never come again.
        match u32::try_from(self.keys.len()) {
            Ok(known) if self.keys.len() < MOST && self.seen.note(hash) => {
                self.remember(hash, key);
                Key::Known(known)
            }
            _ => Key::Other(Text::hashed(key, hash).into()),
        }
    }

    fn known(&self, hash: u64, key: &str) -> Option<u32> {
        let is_it = |known: &Known| known.hash == hash && (is_exact(hash) || self.name(known) == key);
        if self.keys.len() > FEW {
            let is_it = |known: &u32| is_it(&self.keys[*known as usize]);
            return self.by_hash.find(hash, is_it).copied();
        }
        let known = self.keys.iter().position(is_it)?;
        u32::try_from(known).ok()
    }

    fn remember(&mut self, hash: u64, key: &str) {
        let (name, json) = (self.names.len(), self.json.len());
        self.names.push_str(key);
        self.json.push(b',');
        escape::add_string(key, &mut self.json);
        self.json.push(b':');
        self.keys.push(Known {
            hash,
            name: Span::new(name, self.names.len()),
            json: Span::new(json, self.json.len()),
        });
        // Few keys are compared one by one. The first key beyond them puts all of them into the table of hashes.
        let first = match self.keys.len() {
            0..=FEW => return,
            len if len == FEW + 1 => 0,
            len => len - 1,
        };
        let keys = &self.keys;
        for (known, key) in (0..).zip(keys).skip(first) {
            self.by_hash
                .insert_unique(key.hash, known, |known: &u32| keys[*known as usize].hash);
        }
    }

    /// The key as an item.
    pub(super) fn item(&self, key: Key) -> Item {
        match key {
            Key::Known(known) => self.text(&self.keys[known as usize]).into(),
            Key::Other(item) => item,
        }
    }

    /// The keys with one more. `None` if they cannot have a shape: the key is not remembered or is among them already, or there
    /// are too many keys or nodes.
    pub(super) fn step(&mut self, keys: Keys, around: Keys, key: &Key) -> Option<Ahead> {
        let Key::Known(key) = *key else { return None };
        let known = self.children(keys).find(|child| self.node(*child).key == key);
        let next = match known {
            Some(next) => next,
            None => self.grow(keys, key)?,
        };
        // The key that came last is the one that is expected next time.
        if keys.0 == 0 {
            self.nodes[around.0 as usize].inner = next;
        } else {
            self.nodes[keys.0 as usize].expected = next;
        }
        Some(self.node(next).ahead(next))
    }

    fn grow(&mut self, keys: Keys, key: u32) -> Option<Keys> {
        let depth = self.node(keys).depth + 1;
        if depth as usize > MOST_KEYS || self.way(keys).any(|node| node.key == key) {
            return None;
        }
        // Notes that there is no room for the node, so that everything is forgotten before a later value.
        if self.nodes.len() >= MOST || self.children(keys).count() >= MOST_CHILDREN {
            self.is_crowded = true;
            return None;
        }
        let next = Keys(u32::try_from(self.nodes.len()).ok()?);
        let sibling = mem::replace(&mut self.nodes[keys.0 as usize].child, next);
        self.nodes.push(Node {
            key,
            json: Expected::new(&self.json[self.keys[key as usize].json.range()]),
            parent: keys,
            depth,
            sibling,
            ..Node::default()
        });
        Some(next)
    }

    fn children(&self, keys: Keys) -> impl Iterator<Item = Keys> {
        let some = |child: Keys| (child.0 != 0).then_some(child);
        std::iter::successors(some(self.node(keys).child), move |child| {
            some(self.node(*child).sibling)
        })
    }

    /// The nodes of the keys, from the last to the first.
    fn way(&self, keys: Keys) -> impl Iterator<Item = &Node> {
        let at = |keys: Keys| (keys.0 != 0).then(|| self.node(keys));
        std::iter::successors(at(keys), move |node| at(node.parent))
    }

    /// The keys in order.
    fn path(&self, keys: Keys) -> impl Iterator<Item = &Known> {
        let mut path = [0; MOST_KEYS];
        let len = self.node(keys).depth as usize;
        for (place, node) in path[..len].iter_mut().rev().zip(self.way(keys)) {
            *place = node.key;
        }
        path.into_iter().take(len).map(|key| &self.keys[key as usize])
    }

    /// The keys in order, as items.
    pub(super) fn items(&self, keys: Keys) -> impl Iterator<Item = Item> {
        self.path(keys).map(|key| self.text(key).into())
    }

    /// The shape of a table that has these keys and no more.
    #[inline]
    pub(super) fn shape(&mut self, keys: Keys) -> &Owned<Shape> {
        self.shaped += u32::from(keys.0 != 0);
        if self.node(keys).shape.is_none() {
            self.make_shape(keys);
        }
        self.node(keys).shape.as_ref().expect("was made above")
    }

    #[cold]
    #[inline(never)]
    fn make_shape(&mut self, keys: Keys) {
        let path = self.path(keys);
        let shape = Shape::new(path.map(|key| (self.text(key), key.hash, &self.json[key.json.range()])));
        self.nodes[keys.0 as usize].shape = Some(shape);
    }
}

#[cfg(test)]
mod tests;
