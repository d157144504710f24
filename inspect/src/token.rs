//! [`Token`]: the secret in the address.

use std::fmt;
use std::io;

/// 128 random bits, which a request has to repeat.
pub(crate) struct Token(String);

impl Token {
    /// From the operating system.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// Whether the query of a request has the token. Takes equally long for every wrong token of the same length.
    pub(crate) fn is_in(&self, query: &str) -> bool {
        let own = self.0.as_bytes();
        let mut given = query.split('&').filter_map(|part| part.strip_prefix("token="));
        given.any(|given| {
            let pairs = own.iter().zip(given.as_bytes());
            let differences = pairs.fold(0, |all, (own, given)| all | (own ^ given));
            own.len() == given.len() && differences == 0
        })
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
