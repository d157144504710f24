//! [`Items`]: items as [`Data`].

use std::borrow::Cow;
use std::vec;

use acedia::__private::{Data, DataError, Depth, Leaf, View, visit};
use serde::de::Visitor;

use crate::collection::{Collection, Content};
use crate::item::Repr;
use crate::item::simple::Simple;
use crate::{ArrayList, HashTable, Item};

#[derive(Clone, Copy, Default)]
pub(super) struct Items;

impl Data for Items {
    type Node = Item;
    type Part<'t> = Item;
    type List<'t> = vec::IntoIter<Item>;
    type Map<'t> = vec::IntoIter<(Item, Item)>;

    /// Collections may watch each other in a cycle.
    const LEVELS: u16 = 128;
    const TOO_DEEP: &'static str =
        "collections are nested deeper than 128 levels; print and parse deeper ones with `acedia-json`";

    fn leaf(leaf: Leaf<'_>) -> Item {
        match leaf {
            Leaf::Null => Item::NONE,
            Leaf::Bool(it) => it.into(),
            Leaf::Int(it) => it.into(),
            Leaf::Natural(it) => it.into(),
            Leaf::Single(it) => it.into(),
            Leaf::Double(it) => it.into(),
            Leaf::Text(Cow::Borrowed(it)) => it.into(),
            Leaf::Text(Cow::Owned(it)) => it.into(),
        }
    }

    fn name(name: &'static str) -> Item {
        name.into()
    }

    fn list(nodes: Vec<Item>) -> Item {
        ArrayList::from(nodes).into()
    }

    fn map(entries: Vec<(Item, Item)>) -> Result<Item, DataError> {
        if entries.iter().any(|(key, _)| key.is_none()) {
            return Err(DataError::new("a key is none, which a table does not allow"));
        }
        Ok(HashTable::from(entries).into())
    }

    /// Keys of JSON are strings.
    fn key(key: Item) -> Item {
        match Simple::of(&key) {
            Simple::Bool(it) => it.to_string().into(),
            Simple::Integer(it) => it.to_string().into(),
            Simple::Unsigned(it) => it.to_string().into(),
            _ => key,
        }
    }

    #[inline]
    fn is_null(item: &Item) -> bool {
        item.is_none()
    }

    fn view<'t>(item: &Self::Part<'t>) -> Result<View<'t, Self>, DataError> {
        match Collection::reach(item, &mut None).map(Collection::content) {
            Some(Content::List(items)) => Ok(View::List(items.into_iter())),
            Some(Content::Table(entries)) => Ok(View::Map(entries.into_iter())),
            None => simple(Simple::of(item)),
        }
    }

    /// Visits common items without a [`View`], which would take longer than the visit.
    #[inline]
    fn visit<'de, V: Visitor<'de>>(
        item: &Self::Part<'_>,
        depth: Depth<Self>,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        match item.0 {
            Repr::None => visitor.visit_unit(),
            Repr::Bool(it) => visitor.visit_bool(it),
            Repr::Byte(it) => visitor.visit_u8(it),
            Repr::Int(it) => visitor.visit_i32(it),
            Repr::Long(it) => visitor.visit_i64(it.get()),
            Repr::Float(it) => visitor.visit_f32(it),
            Repr::Double(it) => visitor.visit_f64(it.get()),
            Repr::Owned(_) | Repr::Watched(_) => match item.to_string() {
                Some(text) => visitor.visit_string(text),
                None => visit(Self::view(item)?, depth, visitor),
            },
        }
    }
}

fn simple<'t>(simple: Simple) -> Result<View<'t, Items>, DataError> {
    Ok(View::Leaf(match simple {
        Simple::None => Leaf::Null,
        Simple::Bool(it) => Leaf::Bool(it),
        Simple::Integer(it) => Leaf::Int(it),
        Simple::Unsigned(it) => Leaf::Natural(it),
        Simple::Float(it) => Leaf::Single(it),
        Simple::Double(it) => Leaf::Double(it),
        Simple::String(it) => Leaf::Text(it.into()),
        Simple::Array(parts) => {
            let items: Result<Vec<_>, _> = parts.into_iter().map(part).collect();
            return Ok(View::List(items?.into_iter()));
        }
        Simple::Other(class) => {
            return Err(DataError::new(format_args!(
                "an object of {class} can't be deserialized; expected a text, a number, an array or a collection"
            )));
        }
    }))
}

/// A part of a vector or an array.
fn part(part: Simple) -> Result<Item, DataError> {
    match simple(part)? {
        View::Leaf(leaf) => Ok(Items::leaf(leaf)),
        View::List(items) => Ok(Items::list(items.collect())),
        View::Map(entries) => Items::map(entries.collect()),
    }
}
