//! Near matches: the names that a misspelt name may stand for, for errors about unknown or ambiguous names.

/// The longest list of matches in an error.
const MOST_MATCHES: usize = 3;

/// A name with more bytes than this has no near matches: an edit distance costs the product of both lengths.
const LONGEST_NAME: usize = 256;

/// A package with this many wrong letters or more counts as another package, however different it is.
const FARTHEST_PACKAGE: usize = 2;

/// Up to three of `names` that are near `wanted`, the nearest first. Ignores case.
///
/// Only the last parts (after the last dot) decide whether a name is near. At most a third of the letters in the last part of `wanted` may
/// be wrong, or one letter if there are fewer than three: `Acedia.IntBix` and plain `intbox` both find `Acedia.IntBox`. A wrong letter is
/// extra, missing, replaced, or swapped with its neighbour. Among equally near names, those with the nearer package come first, then
/// those first in the alphabet, so that messages are the same in each run.
///
/// ```text
/// near_matches("Acedia.IntBix", ["Acedia.IntBox", "Acedia.FloatBox"]) == ["Acedia.IntBox"]
/// ```
///
/// Never panics. Computes two edit distances for each name whose last part has a similar length.
pub fn near_matches<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.trim();
    if wanted.len() > LONGEST_NAME {
        return Vec::new();
    }
    let wanted = wanted.to_lowercase();
    let (package, last) = parts(&wanted);
    let letters = last.chars().count();
    if letters == 0 {
        return Vec::new();
    }
    let most = (letters / 3).max(1);
    let rank = |name: &'a str| {
        if name.len() > LONGEST_NAME {
            return None;
        }
        let lower = name.to_lowercase();
        let (its_package, its_last) = parts(&lower);
        if its_last.is_empty() || its_last.chars().count().abs_diff(letters) > most {
            return None;
        }
        let wrong = strsim::osa_distance(last, its_last);
        let wrong_in_package = || strsim::osa_distance(package, its_package).min(FARTHEST_PACKAGE);
        (wrong <= most).then(|| (wrong, wrong_in_package(), name))
    };
    let mut found: Vec<_> = names.into_iter().filter_map(rank).collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_MATCHES);
    found.into_iter().map(|(.., name)| name.to_owned()).collect()
}

/// The tail of an error sentence: `` " (did you mean `A`, `B` or `C`?)" ``, or nothing if nothing is near.
///
/// ```text
/// format!("unknown class{}", suggestion("IntBix", names)) == "unknown class (did you mean `Acedia.IntBox`?)"
/// ```
///
/// Never panics. Costs as much as [`near_matches`].
pub fn suggestion<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let near: Vec<String> = near_matches(wanted, names)
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect();
    match near.as_slice() {
        [] => String::new(),
        [only] => format!(" (did you mean {only}?)"),
        [others @ .., last] => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}

/// The package and the last part of a name.
fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

#[cfg(test)]
mod tests;
