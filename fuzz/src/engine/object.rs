//! The objects of the pools: each shows when it is used at the wrong time.

use acedia::pool::Hooks;

/// An object with inner memory and a mark that shows when it is used at the wrong time.
#[derive(Default)]
pub(super) struct Object {
    number: u64,
    owned: Vec<u64>,
}

impl Object {
    pub(super) fn fill(&mut self, number: u64) {
        self.number = number;
        self.owned.clear();
        self.owned.push(number);
    }

    pub(super) fn read(&self) -> u64 {
        assert_eq!(self.owned, [self.number], "torn, or ended while visible");
        self.number
    }
}

/// The objects of the pool with a finalizer: another type, and larger, so that its chunks have fewer slots.
pub(super) struct Ended {
    pub(super) object: Object,
    pub(super) _large: [u64; 200],
}

impl Default for Ended {
    fn default() -> Self {
        Self {
            object: Object::default(),
            _large: [0; 200],
        }
    }
}

impl Ended {
    pub(super) fn begin(&mut self) {
        assert_eq!(self.object.number, 0, "not ended, or in use");
    }

    pub(super) fn end(&mut self) {
        assert_ne!(self.object.number, 0, "ended twice");
        self.object.number = 0;
        self.object.owned.clear();
    }
}

pub(super) struct Ending;

impl Hooks<Ended> for Ending {
    type Readers = acedia::pool::Global;

    fn make() -> Ended {
        Ended::default()
    }

    fn begin(ended: &mut Ended) {
        ended.begin();
    }

    const END: Option<fn(&mut Ended)> = Some(Ended::end);
}

/// The driver's view of an object of either type.
pub(super) trait Numbered: Send + Sync + 'static {
    fn object(&self) -> &Object;
    fn object_mut(&mut self) -> &mut Object;
}

impl Numbered for Object {
    fn object(&self) -> &Object {
        self
    }

    fn object_mut(&mut self) -> &mut Object {
        self
    }
}

impl Numbered for Ended {
    fn object(&self) -> &Object {
        &self.object
    }

    fn object_mut(&mut self) -> &mut Object {
        &mut self.object
    }
}
