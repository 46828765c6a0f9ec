//! Numbers that tuning programs may change, declared one line each: `name = default, minimum, maximum, step`.
//!
//! In an ordinary build they are constants. With the feature `tune` they are UCI options of the same names.

/// A tunable number, as tuning programs want to know it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, here and as an option.
    pub name: &'static str,
    /// The value in an ordinary build.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The greatest sensible value.
    pub max: i32,
    /// How far apart two values must be to play differently, roughly.
    pub step: i32,
}

/// Declares parameters: a function for each, and for all of them `ALL` and, with the feature `tune`, `set`.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $min:literal, $max:literal, $step:literal;)+) => {
        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub fn $name() -> i32 {
                $default
            }
            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            pub fn $name() -> i32 {
                tuned::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )+

        /// All of them.
        pub const ALL: &[$crate::types::tunable::Parameter] = &[
            $($crate::types::tunable::Parameter { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)+
        ];

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod tuned {
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($default);)+
        }

        /// Sets a number, brought into its range; false if there is none of this name.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            use std::sync::atomic::Ordering;
            match name {
                $(stringify!($name) => tuned::$name.store(value.clamp($min, $max), Ordering::Relaxed),)+
                _ => return false,
            }
            true
        }

        const _: () = {
            $(assert!($min <= $default && $default <= $max && $step > 0);)+
        };
    };
}

pub(crate) use parameters;
