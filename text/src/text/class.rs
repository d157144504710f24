//! [`Text`] as a class. Its static constructor and finalizer begin and end the objects of [cached texts](crate::CachedText).

use acedia_allocator::{Object, class};

use crate::{Text, cache};

impl Object for Text {
    class!(Text, "AcediaCore.Text", kind = SelfHashed);

    #[inline]
    fn constructor(&mut self) {
        self.empty();
    }

    fn static_constructor() {
        cache::begin();
    }

    fn static_finalizer() {
        cache::end();
    }
}
