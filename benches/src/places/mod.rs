//! The ways to keep objects at places.

mod kovan;
mod ours;
mod seize;
mod tables;

pub(crate) use self::{
    kovan::Atoms,
    ours::Pooled,
    seize::Pointers,
    tables::{InDash, InPapaya},
};
