//! [`json!`](crate::json!): JSON in the source.

/// Makes an [`Item`](acedia_collections::Item) from JSON in the source. A value may be any expression that converts into an item. A
/// key is a literal, or any other expression in parentheses. `null` is none.
///
/// ```
/// use acedia_collections::Nested;
/// use acedia_json::{json, show};
///
/// let (name, lives) = ("Bob", 3);
/// let pawn = json!({
///     "name": name,
///     "lives": lives + 1,
///     "speed": [0.5, -19.99, null],
///     (format!("{name}'s")): { "rope": true },
/// });
/// assert_eq!(
///     show(&pawn).to_string(),
///     r#"{"name":"Bob","lives":4,"speed":[0.5,-19.99,null],"Bob's":{"rope":true}}"#
/// );
/// assert_eq!(show(&json!([])).to_string(), "[]");
/// assert_eq!(json!(7).as_int(), Some(7));
/// ```
///
/// # Panics
///
/// Like [`TableWriter::set`](acedia_collections::TableWriter::set), if a value is a collection that would own itself.
#[macro_export]
macro_rules! json {
    (@list $list:ident) => {};
    // `null`, a list, a table, or any other value of one token.
    (@list $list:ident $value:tt $(, $($rest:tt)*)?) => {
        $list.push($crate::json!($value));
        $crate::json!(@list $list $($($rest)*)?);
    };
    (@list $list:ident $value:expr $(, $($rest:tt)*)?) => {
        $list.push($value);
        $crate::json!(@list $list $($($rest)*)?);
    };
    (@table $table:ident) => {};
    (@table $table:ident ($key:expr) : $($rest:tt)*) => {
        $crate::json!(@entry $table [$key] $($rest)*);
    };
    (@table $table:ident $key:literal : $($rest:tt)*) => {
        $crate::json!(@entry $table [$key] $($rest)*);
    };
    (@entry $table:ident [$key:expr] $value:tt $(, $($rest:tt)*)?) => {
        $table.set($key, $crate::json!($value));
        $crate::json!(@table $table $($($rest)*)?);
    };
    (@entry $table:ident [$key:expr] $value:expr $(, $($rest:tt)*)?) => {
        $table.set($key, $value);
        $crate::json!(@table $table $($($rest)*)?);
    };
    (null) => {
        $crate::__private::Item::NONE
    };
    ([]) => {
        <$crate::__private::Item as ::core::convert::From<_>>::from($crate::__private::ArrayList::new())
    };
    ([$($items:tt)*]) => {{
        let list = $crate::__private::ArrayList::new();
        {
            let mut items = list.write();
            $crate::json!(@list items $($items)*);
        }
        <$crate::__private::Item as ::core::convert::From<_>>::from(list)
    }};
    ({}) => {
        <$crate::__private::Item as ::core::convert::From<_>>::from($crate::__private::HashTable::new())
    };
    ({$($entries:tt)*}) => {{
        let table = $crate::__private::HashTable::new();
        {
            let mut entries = table.write();
            $crate::json!(@table entries $($entries)*);
        }
        <$crate::__private::Item as ::core::convert::From<_>>::from(table)
    }};
    ($value:expr) => {
        <$crate::__private::Item as ::core::convert::From<_>>::from($value)
    };
}
