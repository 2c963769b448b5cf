//! Moves of Octi.

use std::fmt;

use super::{Cursor, Point, Prong, Prongs, Stone};
use crate::value::ValueError;
use crate::value::games::notation::without_white_space;
use crate::value::typed::sgf_value;

/// *Move* of Octi: a list of actions, one per pod.
///
/// ```text
/// Move    = Part { "," Part }
/// Part    = Point                                 a new pod
///         | Stone "+" Prong                       a new prong
///         | Stone "+" Prong "-" Prong             a turned prong: to the first, from the second
///         | Stone "-" Stop { "-" Stop }           a pod that moves or jumps
/// Stop    = Point { Capture }
/// Capture = "x" { Prong }                         (FF[4], "Octi")
/// ```
///
/// Lenient parsing ignores white space and case. The canonical form has the letters of prongs in upper case and
/// alphabetical order, and `x` in lower case.
///
/// ```
/// use sgf_stream::value::octi::{Move, Part};
///
/// let played = Move::parse("84-86-68x")?;
/// let [Part::Walk(walk)] = played.parts() else { unreachable!() };
/// assert_eq!(walk.steps().len(), 2);
/// assert!(walk.steps()[1].is_capture());
/// assert_eq!(Move::parse("46CD-56,46D-55")?.parts().len(), 2);
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move(Vec<Part>);

impl Move {
    const KIND: &'static str = "Octi move";

    /// Creates a move of several parts. Returns `None` if `parts` is empty.
    pub fn new(parts: Vec<Part>) -> Option<Self> {
        if parts.is_empty() { None } else { Some(Move(parts)) }
    }

    /// Returns the actions, in file order; at least one.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Parses a value strictly.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Cursor::whole(Self::KIND, raw.as_ref(), |cursor| {
            let mut parts = vec![part(cursor)?];
            while cursor.eat(b',') {
                parts.push(part(cursor)?);
            }
            Ok(Move(parts))
        })
    }

    /// Parses a value leniently, with white space and in any case.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a move even leniently.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        without_white_space(raw.as_ref(), |raw| {
            let mut raw = raw.to_ascii_uppercase();
            raw.iter_mut().filter(|b| **b == b'X').for_each(|b| *b = b'x');
            Self::parse(raw)
        })
    }
}

fn part(cursor: &mut Cursor<'_>) -> Result<Part, ValueError> {
    let stone = cursor.stone()?;
    if cursor.eat(b'+') {
        let to = cursor.prong()?;
        return match cursor.eat(b'-') {
            true => Ok(Part::Turn { stone, to, from: cursor.prong()? }),
            false => Ok(Part::Add { stone, prong: to }),
        };
    }
    if cursor.eat(b'-') {
        let mut steps = vec![step(cursor)?];
        while cursor.eat(b'-') {
            steps.push(step(cursor)?);
        }
        return Ok(Part::Walk(Walk { stone, steps }));
    }
    match stone.prongs.is_empty() {
        true => Ok(Part::Place(stone.point)),
        false => Err(cursor.error("a plus sign or a dash")),
    }
}

fn step(cursor: &mut Cursor<'_>) -> Result<Step, ValueError> {
    let mut step = Step { to: cursor.point()?, captures: Vec::new() };
    while cursor.eat(b'x') {
        step.captures.push(cursor.prongs()?);
    }
    Ok(step)
}

sgf_value!(Move, "Octi move");

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            write!(f, "{}{part}", if at == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl From<Part> for Move {
    fn from(part: Part) -> Self {
        Move(vec![part])
    }
}

/// The action of one pod in a [`Move`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// `73`: a new pod, captured or from the reserve.
    Place(Point),
    /// `33+B`: the pod gets a prong.
    Add {
        /// The pod.
        stone: Stone,
        /// The prong.
        prong: Prong,
    },
    /// `33+A-B`: a prong of the pod is turned.
    Turn {
        /// The pod.
        stone: Stone,
        /// The prong after the turn.
        to: Prong,
        /// The prong before the turn.
        from: Prong,
    },
    /// `84-86-68x`: the pod moves or jumps.
    Walk(Walk),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Place(point) => point.fmt(f),
            Part::Add { stone, prong } => write!(f, "{stone}+{prong}"),
            Part::Turn { stone, to, from } => write!(f, "{stone}+{to}-{from}"),
            Part::Walk(walk) => walk.fmt(f),
        }
    }
}

/// The path of a pod: one step, or several jumps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Walk {
    stone: Stone,
    steps: Vec<Step>,
}

impl Walk {
    /// Creates the path of a pod. Returns `None` without a step.
    pub fn new(stone: Stone, steps: Vec<Step>) -> Option<Self> {
        if steps.is_empty() { None } else { Some(Walk { stone, steps }) }
    }

    /// Returns the pod at its starting point.
    pub const fn stone(&self) -> Stone {
        self.stone
    }

    /// Returns the steps; at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stone.fmt(f)?;
        self.steps.iter().try_for_each(|step| write!(f, "-{step}"))
    }
}

/// One step or jump of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The end point of the step.
    pub to: Point,
    /// The captured pods, by their prongs; [`Prongs::NONE`] for all pods jumped over.
    pub captures: Vec<Prongs>,
}

impl Step {
    /// Returns whether the step captures a pod.
    pub fn is_capture(&self) -> bool {
        !self.captures.is_empty()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.fmt(f)?;
        self.captures.iter().try_for_each(|prongs| write!(f, "x{prongs}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::{assert_faults, printing_laws};
    use quickcheck::{Arbitrary, Gen};

    impl Arbitrary for Step {
        fn arbitrary(g: &mut Gen) -> Self {
            let captures = (0..usize::arbitrary(g) % 3).map(|_| Stone::arbitrary(g).prongs).collect();
            Step { to: Point::arbitrary(g), captures }
        }
    }

    impl Arbitrary for Part {
        fn arbitrary(g: &mut Gen) -> Self {
            let stone = Stone::arbitrary(g);
            match u8::arbitrary(g) % 4 {
                0 => Part::Place(stone.point),
                1 => Part::Add { stone, prong: Prong::arbitrary(g) },
                2 => Part::Turn { stone, to: Prong::arbitrary(g), from: Prong::arbitrary(g) },
                _ => {
                    let steps = (0..1 + usize::arbitrary(g) % 3).map(|_| Step::arbitrary(g)).collect();
                    Part::Walk(Walk::new(stone, steps).unwrap())
                }
            }
        }
    }

    impl Arbitrary for Move {
        fn arbitrary(g: &mut Gen) -> Self {
            Move((0..1 + usize::arbitrary(g) % 3).map(|_| Part::arbitrary(g)).collect())
        }
    }

    printing_laws!(Move);

    #[test]
    fn the_examples_of_the_specification_parse() {
        let parts = |raw: &str| Move::parse(raw).unwrap().parts().to_vec();
        assert!(matches!(parts("73")[..], [Part::Place(_)]));
        assert!(matches!(parts("33+B!")[..], [Part::Add { prong: Prong { superprong: true, .. }, .. }]));
        let turn = &parts("33+A-B")[0];
        assert!(matches!(turn, Part::Turn { to, from, .. } if to.to_string() == "A" && from.to_string() == "B"));
        let [Part::Walk(walk)] = &parts("84-86-68xDxAB")[..] else { panic!() };
        assert_eq!(walk.steps()[1].captures.iter().map(Prongs::to_string).collect::<Vec<_>>(), ["D", "AB"]);
        let [Part::Walk(walk)] = &parts("84-86x-68")[..] else { panic!() };
        assert_eq!(walk.steps()[0].captures, [Prongs::NONE]);
        assert!(!walk.steps()[1].is_capture());
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_faults::<Move>(&[
            ("", "a digit from 1 to 9", 0),
            ("46CD", "a plus sign or a dash", 4),
            ("33+", "a prong from A to H", 3),
            ("33+AB", "the end of the value", 4),
            ("33+A-", "a prong from A to H", 5),
            ("84-", "a digit from 1 to 9", 3),
            ("84-86X", "the end of the value", 5),
            ("84-86,", "a digit from 1 to 9", 6),
            ("84-86 ", "the end of the value", 5),
        ]);
    }

    #[test]
    fn lenient_parsing_ignores_white_space_and_case() {
        assert_eq!(Move::parse_lenient("84 - 86Xd , 73\n").unwrap().to_string(), "84-86xD,73");
    }

    #[test]
    fn a_move_has_a_part_and_a_walk_a_step() {
        let point = Point::new(1, 1).unwrap();
        assert_eq!((Move::new(Vec::new()), Walk::new(point.into(), Vec::new())), (None, None));
    }
}
