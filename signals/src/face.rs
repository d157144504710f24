//! The methods that a [`Signal`](crate::Signal) and a [`Relay`](crate::Relay) share: all but emissions.

/// Implements the shared methods for a type with the fields `connections` and `handlers`. `Given` is the type of a handler's second
/// argument, which follows the receiver. It has an elided lifetime, which a generic parameter cannot have: so this is a macro.
macro_rules! signal {
    (
        $signal:ident<$args:ident>, $given:ty;
        $(#[$connect:meta])* connect
        $(#[$connect_with:meta])* connect_with
    ) => {
        impl<$args: ?Sized, R> $signal<$args, R> {
            #[doc = concat!("A `", stringify!($signal), "` without handlers. Allocates nothing.")]
            #[must_use]
            pub const fn new() -> Self {
                Self {
                    connections: Connections::new(),
                    handlers: PhantomData,
                }
            }
        }

        impl<$args: ?Sized + 'static, R> $signal<$args, R> {
            $(#[$connect])*
            #[inline]
            pub fn connect<H: ReceiverHandle>(
                &self,
                receiver: H,
                handler: impl Fn(&H::Object, $given) -> R::Item + Send + Sync + 'static,
            ) -> Connection
            where
                R: Rule,
            {
                self.connect_with(Terms::default(), receiver, handler)
            }

            $(#[$connect_with])*
            pub fn connect_with<H: ReceiverHandle>(
                &self,
                terms: Terms,
                receiver: H,
                handler: impl Fn(&H::Object, $given) -> R::Item + Send + Sync + 'static,
            ) -> Connection
            where
                R: Rule,
            {
                let receiver = receiver.handle();
                let binding: Binding<$args, R> = Box::new($crate::slot::Bound {
                    receiver,
                    handler,
                    once: terms.once,
                });
                self.connections.add(terms.priority, receiver.as_any(), binding)
            }
        }

        impl<$args: ?Sized, R> std::ops::Deref for $signal<$args, R> {
            type Target = Connections;

            fn deref(&self) -> &Connections {
                &self.connections
            }
        }

        impl<$args: ?Sized, R> Default for $signal<$args, R> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<$args: ?Sized, R> std::fmt::Display for $signal<$args, R> {
            /// Prints `2 connections`.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.connections.fmt(f)
            }
        }

        impl<$args: ?Sized, R> std::fmt::Debug for $signal<$args, R> {
            #[doc = concat!("`", stringify!($signal), "(2 connections)`.")]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($signal))
            }
        }
    };
}

pub(crate) use signal;
