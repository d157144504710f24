//! Mistakes in the description of a class: each request for the class panics, and says what to do.

use std::panic::catch_unwind;

use acedia_actors::{Actor, ActorClass, ClassBuilder, Function, actor};

static SPEAK: Function<Animal> = Function::new("Speak");
static TWIN: Function<Twins> = Function::new("Speak");
static OTHER_TWIN: Function<Twins> = Function::new("speak");

macro_rules! classes {
    ($($type:ident $name:literal |$class:ident| $describe:expr => $expected:literal)+) => {
        $(#[derive(Default)]
        struct $type;
        impl Actor for $type {
            actor!($type, $name);
            fn describe($class: &mut ClassBuilder<'_, Self>) {
                let _ = $describe;
            }
        })+
        const CLASSES: &[(fn() -> &'static ActorClass, &str)] = &[$(($type::class, $expected)),+];
    };
}

classes! {
    Animal "Test.Animal" |class| class.function(&SPEAK, |_, ()| ()) => ""
    Twins "Test.Twins" |class| class.function(&TWIN, |_, ()| ()).function(&OTHER_TWIN, |_, ()| ())
        => "Test.Twins has two functions named Speak; to override the inherited one, pass its `Function`"
    Stone "Test.Stone" |class| class.function(&SPEAK, |_, ()| ())
        => "Test.Stone does not inherit the function Speak of the type mistakes::Animal"
    Gate "Test.Gate" |class| { class.state("Closed"); class.state("Locked").extends("Close"); }
        => "state `Locked` of Test.Gate extends `Close`, which is not a state described before it (did you mean `Closed`?)"
    Early "Test.Early" |class| { class.state("First").extends("Second"); class.state("Second"); }
        => "state `First` of Test.Early extends `Second`, which is not a state described before it"
    Own "Test.OwnState" |class| { class.state("Alone").extends("Alone"); }
        => "state `Alone` of Test.OwnState extends `Alone`, which is not a state described before it"
    Lost "Test.Lost" |class| { class.state("Going").code(|code| { code.label("Begin").goto("Begni"); }); }
        => "state `Going` of Test.Lost has no label `Begni` (did you mean `Begin`?)"
    Double "Test.Double" |class| { class.state("Going").code(|code| { code.label("Here").sleep(1.0).label("HERE"); }); }
        => "state `Going` of Test.Double has two labels `HERE`"
}

#[test]
fn a_mistaken_description_panics_each_time() {
    for (class, expected) in CLASSES {
        for _ in 0..2 {
            let said = catch_unwind(class)
                .err()
                .map(|panic| *panic.downcast::<String>().unwrap());
            assert_eq!(said.unwrap_or_default(), *expected);
        }
    }
}
