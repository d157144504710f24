//! [`Tree`]: data of any shape.

use std::borrow::Cow;
use std::cell::Cell;
use std::{iter, slice};

use acedia::__private::{Any, Data, DataError, Leaf, Reader, View, Writer};
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::error::SaveError;

/// Data of any shape.
///
/// The fields of actors stay trees until the number of all actors is known, because each reference between actors is checked
/// against it.
///
/// A human-readable format gets the shape of the data. Any other format gets the derived form, which tags each value with its
/// kind, because many of these formats (postcard, bincode) can't be read without knowing the type. `Tree::serialize` and
/// `Tree::deserialize` are the derived functions; the traits below choose.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self")]
pub(crate) enum Tree {
    #[serde(rename = "n")]
    Null,
    #[serde(rename = "b")]
    Bool(bool),
    #[serde(rename = "i")]
    Int(i64),
    /// An integer that is too large for an `Int`.
    #[serde(rename = "u")]
    Natural(u64),
    /// Separate from `Double`, so that it is printed with fewer digits.
    #[serde(rename = "f")]
    Single(f32),
    #[serde(rename = "d")]
    Double(f64),
    #[serde(rename = "s")]
    /// Borrowed if it is the name of a field.
    Text(Cow<'static, str>),
    #[serde(rename = "l")]
    List(Vec<Tree>),
    /// The entries, in the order in which they were written.
    #[serde(rename = "m")]
    Map(Vec<(Tree, Tree)>),
}

pub(crate) fn write(value: &impl Serialize) -> Result<Tree, SaveError> {
    Ok(value.serialize(Writer::<Trees>::default())?)
}

/// A field that the value's type lacks is an error.
pub(crate) fn read<T: DeserializeOwned>(tree: &Tree) -> Result<T, SaveError> {
    // Tracking the path takes time, so only a second pass, after an error, does it.
    let value = T::deserialize(Reader::<Trees>::new(tree));
    value.or_else(|_| {
        serde_path_to_error::deserialize(Reader::<Trees>::new(tree)).map_err(|error| {
            let path = error.path().to_string();
            SaveError::from(error.into_inner()).at(&path)
        })
    })
}

type Entry = (Tree, Tree);

#[inline]
fn parts((key, value): &Entry) -> (&Tree, &Tree) {
    (key, value)
}

#[derive(Clone, Copy, Default)]
struct Trees;

impl Data for Trees {
    type Node = Tree;
    type Part<'t> = &'t Tree;
    type List<'t> = slice::Iter<'t, Tree>;
    type Map<'t> = iter::Map<slice::Iter<'t, Entry>, fn(&'t Entry) -> (&'t Tree, &'t Tree)>;

    /// RON readers stop at 128 levels, and a level of a tree takes two of them. CBOR readers stop at 256, and a level of a tree
    /// takes up to three.
    const LEVELS: u16 = 60;
    const TOO_DEEP: &'static str = "lists, maps and `Some` are nested too deeply to be read back";
    /// Most formats allow only texts as keys.
    const PAIRS: bool = true;
    const STRICT: bool = true;

    fn leaf(leaf: Leaf<'_>) -> Tree {
        match leaf {
            Leaf::Null => Tree::Null,
            Leaf::Bool(it) => Tree::Bool(it),
            Leaf::Int(it) => Tree::Int(it),
            Leaf::Natural(it) => i64::try_from(it).map_or(Tree::Natural(it), Tree::Int),
            Leaf::Single(it) => Tree::Single(it),
            Leaf::Double(it) => Tree::Double(it),
            Leaf::Text(it) => Tree::Text(it.into_owned().into()),
        }
    }

    fn name(name: &'static str) -> Tree {
        Tree::Text(name.into())
    }

    fn list(nodes: Vec<Tree>) -> Tree {
        Tree::List(nodes)
    }

    fn map(entries: Vec<Entry>) -> Result<Tree, DataError> {
        let are_texts = entries.iter().all(|(key, _)| matches!(key, Tree::Text(_)));
        if are_texts {
            return Ok(Tree::Map(entries));
        }
        let pair = |(key, value)| Tree::List(vec![key, value]);
        Ok(Tree::List(entries.into_iter().map(pair).collect()))
    }

    #[inline]
    fn is_null(tree: &&Tree) -> bool {
        matches!(tree, Tree::Null)
    }

    #[inline]
    fn view<'t>(part: &Self::Part<'t>) -> Result<View<'t, Self>, DataError> {
        Ok(View::Leaf(match *part {
            Tree::Null => Leaf::Null,
            Tree::Bool(it) => Leaf::Bool(*it),
            Tree::Int(it) => Leaf::Int(*it),
            Tree::Natural(it) => Leaf::Natural(*it),
            Tree::Single(it) => Leaf::Single(*it),
            Tree::Double(it) => Leaf::Double(*it),
            Tree::Text(it) => Leaf::Text(Cow::Borrowed(it)),
            Tree::List(nodes) => return Ok(View::List(nodes.iter())),
            Tree::Map(entries) => return Ok(View::Map(entries.iter().map(parts as _))),
        }))
    }

    /// Most formats can't store infinite numbers and NaN, or store them as null.
    #[inline]
    fn check(leaf: &Leaf<'_>) -> Result<(), DataError> {
        match *leaf {
            Leaf::Single(it) if !it.is_finite() => Err(not_finite(it.into())),
            Leaf::Double(it) if !it.is_finite() => Err(not_finite(it)),
            _ => Ok(()),
        }
    }

    fn step(key: &Tree) -> Cow<'_, str> {
        match key {
            Tree::Text(key) => Cow::Borrowed(key),
            Tree::Int(key) => key.to_string().into(),
            _ => "?".into(),
        }
    }

    fn some(content: Tree) -> Result<Tree, DataError> {
        if matches!(content, Tree::Null) {
            return Err(DataError::new(
                "a `Some` that contains `None` or a unit can't be distinguished from `None`; use an enum",
            ));
        }
        Ok(content)
    }
}

fn not_finite(number: f64) -> DataError {
    DataError::new(format_args!(
        "the number {number} can't be saved; use a finite number or `None`, or `#[serde(skip)]` the field"
    ))
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return Self::serialize(self, serializer);
        }
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(it) => serializer.serialize_bool(*it),
            Self::Int(it) => serializer.serialize_i64(*it),
            Self::Natural(it) => serializer.serialize_u64(*it),
            Self::Single(it) => serializer.serialize_f32(*it),
            Self::Double(it) => serializer.serialize_f64(*it),
            Self::Text(it) => serializer.serialize_str(it),
            Self::List(nodes) => serializer.collect_seq(nodes),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(parts)),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Any::<Trees>::default().deserialize(deserializer);
        }
        let _deeper = Deeper::new().map_err(D::Error::custom)?;
        Self::deserialize(deserializer)
    }
}

thread_local! {
    static LEVELS: Cell<u16> = const { Cell::new(0) };
}

/// One level of a tree that this thread is reading. Some formats have no depth limit, and the derived reader has no argument
/// for one.
struct Deeper;

impl Deeper {
    fn new() -> Result<Self, &'static str> {
        let level = LEVELS.get();
        // A leaf may be inside the maximum number of levels.
        if level > Trees::LEVELS {
            return Err(Trees::TOO_DEEP);
        }
        LEVELS.set(level + 1);
        Ok(Self)
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        LEVELS.set(LEVELS.get() - 1);
    }
}
