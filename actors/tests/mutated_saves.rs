//! Saved levels that are changed at random. The fuzz target `saves` runs the same code.

mod saves;

#[test]
fn a_changed_level_is_refused_or_restored_as_it_is_saved() {
    let sample = saves::sample();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut number = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as u32
    };
    let restored = (0..3000).filter(|_| saves::run(&sample, &mut number)).count();
    assert!(
        (200..2800).contains(&restored),
        "{restored}: the changes say too little"
    );
}
