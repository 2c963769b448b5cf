//! FG: figures.

use std::fmt;
use std::ops::BitOr;

use crate::value::compose::split;
use crate::value::typed::{sgf_value, trim};
use crate::value::{Number, SimpleText, ValueError};

/// *Figure*: the value of `FG`, which divides a game into printed diagrams.
///
/// ```text
/// figure = None | Number ":" SimpleText           (FF[4], "FG")
/// ```
///
/// Lenient parsing accepts flags without a name (`FG[257]`), and white space as an empty value.
///
/// ```
/// use sgf_stream::value::{Figure, FigureFlags};
///
/// let Figure::Titled { flags, name } = Figure::parse("257:Dia. 1")? else { panic!() };
/// assert_eq!(name, "Dia. 1");
/// assert!(flags.contains(FigureFlags::NO_COORDINATES | FigureFlags::KEEP_CAPTURED));
/// assert_eq!(Figure::parse("")?, Figure::Plain);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Figure {
    /// `FG[]`, a figure without flags and name.
    #[default]
    Plain,
    /// `FG[257:Dia. 1]`, a figure with flags and a name.
    Titled {
        /// The print options.
        flags: FigureFlags,
        /// The name of the diagram.
        name: SimpleText,
    },
}

impl Figure {
    const KIND: &'static str = "figure";

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, its flags are negative or exceed 32 bits, or its name is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        if raw.is_empty() {
            return Ok(Figure::Plain);
        }
        let (flags, name, at) = split(raw, Self::KIND)?;
        let flags = FigureFlags::read(Number::parse(flags))?;
        let name = SimpleText::parse(name).map_err(|error| error.shifted(at).of(Self::KIND))?;
        Ok(Figure::Titled { flags, name })
    }

    /// Parses a value leniently, with white space around its flags, or without a name.
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, or its flags are negative or exceed 32 bits.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let raw = raw.as_ref();
        if trim(raw).0.is_empty() {
            return Ok(Figure::Plain);
        }
        let (flags, name) = match split(raw, Self::KIND) {
            Ok((flags, name, _)) => (flags.as_bytes(), name.as_bytes()),
            Err(_) => (raw, &b""[..]),
        };
        let flags = FigureFlags::read(Number::parse_lenient(flags))?;
        Ok(Figure::Titled { flags, name: SimpleText::parse_lenient(name)? })
    }
}

sgf_value!(Figure, "figure");

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Plain => Ok(()),
            Figure::Titled { flags, name } => write!(f, "{}:{name:#}", flags.bits()),
        }
    }
}

/// The flags of a [`Figure`]. Unnamed bits are kept.
///
/// ```
/// use sgf_stream::value::FigureFlags;
///
/// let flags = FigureFlags::from_bits(515);
/// assert!(flags.contains(FigureFlags::NO_NAME));
/// assert!(!flags.contains(FigureFlags::KEEP_CAPTURED));
/// assert_eq!(flags, FigureFlags::NO_COORDINATES | FigureFlags::NO_NAME | FigureFlags::NO_HOSHI);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FigureFlags(u32);

impl FigureFlags {
    /// 1: no coordinates at the borders.
    pub const NO_COORDINATES: Self = FigureFlags(1);
    /// 2: the name of the diagram is not printed.
    pub const NO_NAME: Self = FigureFlags(2);
    /// 4: moves that are not shown in the figure are not listed.
    pub const HIDE_UNSHOWN_MOVES: Self = FigureFlags(4);
    /// 256: captured stones stay on the board.
    pub const KEEP_CAPTURED: Self = FigureFlags(256);
    /// 512: no hoshi dots.
    pub const NO_HOSHI: Self = FigureFlags(512);
    /// 32768: the other flags are ignored.
    pub const IGNORE_ALL: Self = FigureFlags(32768);

    /// Creates flags from a sum of bits.
    pub const fn from_bits(bits: u32) -> Self {
        FigureFlags(bits)
    }

    /// Returns the sum of the bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether all of `flags` are set.
    pub const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    fn read(number: Result<Number, ValueError>) -> Result<Self, ValueError> {
        let number = number.map_err(|error| error.of(Figure::KIND))?;
        let bits = u32::try_from(number.get());
        bits.map(FigureFlags).map_err(|_| ValueError::new(Figure::KIND, "flags from 0 to 4294967295", 0))
    }
}

impl BitOr for FigureFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        FigureFlags(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Figure {
        fn arbitrary(g: &mut Gen) -> Self {
            let titled = Figure::Titled { flags: FigureFlags(u32::arbitrary(g)), name: SimpleText::arbitrary(g) };
            if u8::arbitrary(g) % 8 == 0 { Figure::Plain } else { titled }
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            (&b" "[..], "a colon", 1),
            (b"257", "a colon", 3),
            (b"Dia. 1:", "a digit", 0),
            (b":Dia. 1", "a digit", 0),
            (b"257 :", "a digit", 3),
            (b"-1:", "flags from 0 to 4294967295", 0),
            (b"4294967296:", "flags from 0 to 4294967295", 0),
            (b"1:a\xFF", "UTF-8", 3),
        ] {
            let error = Figure::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("figure", expected, at), "{raw:?}");
        }
    }

    #[test]
    fn lenient_parsing_accepts_flags_without_a_name() {
        assert_eq!(Figure::parse_lenient("\n"), Ok(Figure::Plain));
        assert_eq!(Figure::parse_lenient(" 257 ").unwrap().to_string(), "257:");
        assert_eq!(Figure::parse_lenient("257 : a:b").unwrap().to_string(), r"257: a\:b");
        assert_eq!(Figure::parse_lenient("Figure 1").unwrap_err().expected(), "a digit");
    }

    quickcheck! {
        fn a_figure_round_trips(figure: Figure) -> bool {
            Figure::parse(figure.to_string()) == Ok(figure)
        }
    }

    parsing_laws!(Figure, ["", "257:Dia. 1", "259:", "+3", "32768:a:b"]);
}
