//! Near matches: the names that a misspelt name may stand for.
//!
//! Every error about an unknown or ambiguous name lists them. Only this file defines "near": how a `"Package.Name"` is
//! split, which changes count as one typo (a letter too many, missing, wrong, or swapped with its neighbour), and how many
//! typos are allowed.

use std::cmp::Ordering;

/// The longest list of matches in an error.
const MOST_MATCHES: usize = 3;

/// A name with more bytes than this is not compared, and has no near matches.
const LONGEST_NAME: usize = 256;

/// A package with this many wrong letters or more counts as another package, however different it is.
const FARTHEST_PACKAGE: usize = 2;

/// Up to three of `names` that are near `wanted`, the nearest first. Ignores case.
///
/// There are two rules. The second one applies if no name meets the first.
///
/// 1. The last part of a name (after the last dot) is the last part of `wanted` with at most a third of its letters wrong,
///    or with one wrong letter in a short name. The package does not matter: `Acedia.IntBix` and plain `intbox` both find
///    `Acedia.IntBox`. Names with fewer wrong letters come first, then those with the nearer package.
/// 2. The package of a name is near the wanted package, or `wanted` is only a package: `Acedia.Missile` finds the
///    classes of `Acedia`, those with the most similar names first.
///
/// Equally near names are in alphabetical order, without repetitions, so that messages are the same in each run.
///
/// ```text
/// near_matches("Acedia.IntBix", ["Acedia.IntBox", "Acedia.FloatBox"]) == ["Acedia.IntBox"]
/// ```
///
/// Never panics. Computes an edit distance for each name of a similar length or package, and passes over the letters of
/// each other name. A name of more than 256 bytes is not compared; if `wanted` is longer, the result is empty.
pub fn near_matches<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.trim();
    if wanted.is_empty() || wanted.len() > LONGEST_NAME {
        return Vec::new();
    }
    let wanted = Parts::of(wanted);
    let mut found: Vec<Match<'a>> = Vec::new();
    for name in names {
        if let Some(rank) = wanted.rank(name) {
            found.push(Match { rank, name });
        }
    }
    found.sort_unstable_by(Match::compare);
    found.dedup_by(|a, b| a.name == b.name);
    if let Some(Match {
        rank: Rank::Name { .. },
        ..
    }) = found.first()
    {
        found.retain(|one| matches!(one.rank, Rank::Name { .. }));
    }
    found.truncate(MOST_MATCHES);
    found.into_iter().map(|one| one.name.to_owned()).collect()
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

/// How near a name is: the smaller, the nearer. The order of the variants and of their fields is the order of the
/// matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The last part is near: the number of its wrong letters, and of those of the package.
    Name { wrong: usize, package: usize },
    /// Only the package is near: the distance of the name, and the number of wrong letters of the package.
    Package { far: usize, wrong: usize },
}

/// One name that is near, and how near it is.
#[derive(Debug)]
struct Match<'a> {
    rank: Rank,
    name: &'a str,
}

impl Match<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| self.name.cmp(other.name))
    }
}

/// A name in lower case, taken apart at its last dot.
#[derive(Debug)]
struct Parts {
    package: Option<String>,
    name: String,
}

impl Parts {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        match text.rsplit_once('.') {
            Some((package, name)) => Self {
                package: Some(package.to_owned()),
                name: name.to_owned(),
            },
            None => Self {
                package: None,
                name: text,
            },
        }
    }

    /// How near `candidate` is to this wanted name, if it is near at all.
    fn rank(&self, candidate: &str) -> Option<Rank> {
        if candidate.is_empty() || candidate.len() > LONGEST_NAME {
            return None;
        }
        let candidate = Self::of(candidate);
        if let Some(wrong) = distance_within(&self.name, &candidate.name, allowance(&self.name)) {
            let package = self.wrong_in_package(candidate.package.as_deref());
            return Some(Rank::Name { wrong, package });
        }
        // Nothing but the package may be right: "Acedia.Missile", "Acedia." and, with no dot at all, "Acedia".
        let meant = self.package.as_deref().unwrap_or(&self.name);
        let package = candidate.package.as_deref()?;
        let wrong = distance_within(meant, package, allowance(meant))?;
        let no_name = self.package.is_none() || self.name.is_empty();
        let far = if no_name {
            0
        } else {
            distance(&self.name, &candidate.name)
        };
        Some(Rank::Package { far, wrong })
    }

    /// How wrong the package is. A name without a package matches every package; names without a package are the
    /// nearest.
    fn wrong_in_package(&self, package: Option<&str>) -> usize {
        match (self.package.as_deref(), package) {
            (None, None) => 0,
            (None, Some(_)) => 1,
            (Some(_), None) => FARTHEST_PACKAGE,
            (Some(wanted), Some(package)) => {
                distance_within(wanted, package, FARTHEST_PACKAGE).unwrap_or(FARTHEST_PACKAGE)
            }
        }
    }
}

/// How many letters of `text` may be wrong: a third, but at least one unless `text` is empty.
fn allowance(text: &str) -> usize {
    match text.chars().count() {
        0 => 0,
        letters => (letters / 3).max(1),
    }
}

/// The edit distance of `a` and `b` if it is at most `limit`. Costs nothing when the lengths alone exceed it.
fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.chars().count().abs_diff(b.chars().count()) > limit {
        return None;
    }
    Some(distance(a, b)).filter(|&distance| distance <= limit)
}

/// The number of typos that turn `b` into `a`, where no letter is part of two typos ("optimal string alignment").
///
/// Twenty lines of our own, because every user would have to download a crate that only words errors. The tests compare the
/// result with such a crate. The algorithm computes the usual table row by row; each step reads the two rows before.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut older = Vec::new();
    let mut old: Vec<usize> = (0..=b.len()).collect();
    let mut before = None;
    for (row, left) in a.chars().enumerate() {
        let mut new = Vec::with_capacity(old.len());
        new.push(row + 1);
        for (at, &right) in b.iter().enumerate() {
            let replaced = old[at] + usize::from(left != right);
            let mut least = replaced.min(old[at + 1] + 1).min(new[at] + 1);
            if at > 0 && before == Some(right) && b[at - 1] == left {
                least = least.min(older[at - 1] + 1);
            }
            new.push(least);
        }
        older = std::mem::replace(&mut old, new);
        before = Some(left);
    }
    old[b.len()]
}

#[cfg(test)]
mod tests;
