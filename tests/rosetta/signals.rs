//! The seed's sample of a component that owns signals.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use acedia::{Handle, Object, Owned, allocate, class};
use acedia_signals::{Signal, SimpleSignal};

#[derive(Default)]
struct Trader;
impl Object for Trader {
    class!(Trader, "Rosetta.Trader");
}

/// A signal with arguments is a class of its own.
#[derive(Default)]
struct TradingOnSelectSignal(Signal<Handle<Trader>>);
impl Object for TradingOnSelectSignal {
    class!(TradingOnSelectSignal, "Rosetta.Trading_OnSelect_Signal");
    const FINALIZER: Option<fn(&mut Self)> = Some(|it| it.0.disconnect_all());
}

#[derive(Default)]
struct TradingComponent {
    start: Option<Owned<SimpleSignal>>,
    end: Option<Owned<SimpleSignal>>,
    select: Option<Owned<TradingOnSelectSignal>>,
}
impl Object for TradingComponent {
    class!(TradingComponent, "Rosetta.TradingComponent");
    fn constructor(&mut self) {
        self.start = Some(allocate());
        self.end = Some(allocate());
        self.select = Some(allocate());
    }
    const FINALIZER: Option<fn(&mut Self)> = Some(|it| {
        it.start = None;
        it.end = None;
        it.select = None;
    });
}

#[derive(Default)]
struct Shop {
    opened: AtomicU32,
    trader: AtomicU32,
}
impl Object for Shop {
    class!(Shop, "Rosetta.Shop");
    fn constructor(&mut self) {
        *self = Self::default();
    }
}

// protected function Constructor()
//     onStartSignal   = SimpleSignal(_.memory.Allocate(class'SimpleSignal'));
// protected function Finalizer()
//     onStartSignal           = none;
pub(crate) fn the_trading_component() {
    for _ in 0..3 {
        let (component, shop, trader) = (TradingComponent::allocate(), Shop::allocate(), allocate::<Trader>());
        assert_eq!(SimpleSignal::class().stats().live, 2);
        let on_start = component.start.as_ref().expect("constructed");
        let on_select = component.select.as_ref().expect("constructed");
        let connection = on_start.connect(shop.handle(), |shop, ()| {
            shop.opened.fetch_add(1, SeqCst);
        });
        on_select.0.connect(shop.handle(), |shop, trader| {
            shop.trader.store(trader.index(), SeqCst);
        });
        on_start.emit(&());
        on_select.0.emit(&trader.handle());
        assert_eq!(
            (shop.opened.load(SeqCst), shop.trader.load(SeqCst)),
            (1, trader.index())
        );

        let signal = on_start.handle();
        assert!(connection.is_connected());
        drop(component);
        assert!(!signal.is_allocated() && !connection.is_connected());
        assert_eq!(SimpleSignal::class().stats().live, 0);
    }
}
