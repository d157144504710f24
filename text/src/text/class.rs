//! [`Text`] as a class. Its static constructor and finalizer begin and end the objects of [cached texts](crate::CachedText) and
//! [caches](crate::TextCache).

use acedia::{Object, class};

use crate::{Text, places};

impl Object for Text {
    class!(Text, "AcediaCore.Text", kind = Value);

    #[inline]
    fn constructor(&mut self) {
        self.empty();
    }

    fn static_constructor() {
        places::begin();
    }

    fn static_finalizer() {
        places::end();
    }
}
