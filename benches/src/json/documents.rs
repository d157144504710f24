//! Documents like those that JSON parsers are compared on, made anew from a fixed sequence.

use std::fmt::Write as _;

/// Numbers from a fixed sequence.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        self.0 >> 33
    }

    pub(super) fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[usize::try_from(self.below(among.len() as u64)).unwrap_or(0)]
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// Messages with nested users, escapes and text that is not ASCII.
pub(super) fn messages(count: usize) -> String {
    const WORDS: [&str; 8] = [
        "the",
        "quick",
        "brown",
        "日本語",
        "fox",
        "jumps",
        "\\\"over\\\"",
        "lazy\\n",
    ];
    let mut random = Random(1);
    let mut out = String::from("{\"statuses\":[");
    for index in 0..count {
        let (id, user) = (random.next() << 20, random.below(100_000));
        let text: Vec<_> = (0..12).map(|_| random.pick(&WORDS)).collect();
        let _ = write!(
            out,
            "{}{{\"created_at\":\"Sun Aug 31 00:29:15 +0000 2014\",\"id\":{id},\"id_str\":\"{id}\",\"text\":\"{}\",\
             \"truncated\":false,\"in_reply_to\":null,\"user\":{{\"id\":{user},\"name\":\"user {user}\",\
             \"screen_name\":\"u{user}\",\"location\":\"\",\"followers_count\":{},\"friends_count\":{},\
             \"verified\":{},\"time_zone\":null,\"lang\":\"ja\"}},\"geo\":null,\"retweet_count\":{},\
             \"favorited\":false,\"entities\":{{\"hashtags\":[],\"urls\":[{{\"url\":\"http://t.co/{user}\",\
             \"indices\":[{},{}]}}]}},\"lang\":\"ja\"}}",
            if index == 0 { "" } else { "," },
            text.join(" "),
            random.below(10_000),
            random.below(1000),
            random.below(2) == 0,
            random.below(100),
            random.below(50),
            random.below(140),
        );
    }
    out + "]}"
}

/// Very many small objects and lists of integers.
pub(super) fn seats(count: usize) -> String {
    let mut random = Random(2);
    let mut out = String::from("{\"performances\":[");
    for index in 0..count {
        let id = 339_000_000 + random.below(1_000_000);
        let _ = write!(
            out,
            "{}{{\"eventId\":{id},\"id\":{},\"logo\":null,\"name\":null,\"prices\":[{{\"amount\":{},\
             \"audienceSubCategoryId\":337100890,\"seatCategoryId\":{}}},{{\"amount\":{},\
             \"audienceSubCategoryId\":337100890,\"seatCategoryId\":{}}}],\"seatCategories\":[{{\"areas\":[\
             {{\"areaId\":{},\"blockIds\":[]}},{{\"areaId\":{},\"blockIds\":[1,2,3]}}],\"seatCategoryId\":338937295}}],\
             \"start\":1372701600000,\"venueCode\":\"PLEYEL_PLEYEL\"}}",
            if index == 0 { "" } else { "," },
            random.below(1 << 30),
            random.below(100_000),
            random.below(1 << 28),
            random.below(100_000),
            random.below(1 << 28),
            random.below(1 << 28),
            random.below(1 << 28),
        );
    }
    out + "]}"
}
