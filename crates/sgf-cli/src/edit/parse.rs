//! Edits on the command line.

use regex::Regex;
use sgf_board::Symmetry;
use sgf_stream::property::{Group, Property};

/// A kind of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    Comments,
    Annotations,
    Marks,
    Territory,
    Time,
    Setup,
    Display,
    Analysis,
    Private,
}

impl Kind {
    /// Returns whether a property is of this kind. The registry does not have unknown ones.
    pub(super) fn has(self, property: Option<&Property>) -> bool {
        let Some(property) = property else { return self == Kind::Private };
        match self {
            Kind::Comments => property.is_comment(),
            Kind::Annotations => property.is_annotation(),
            Kind::Marks => property.is_markup(),
            Kind::Territory => property.group() == Group::Territory,
            Kind::Time => property.is_time(),
            Kind::Setup => property.group() == Group::Setup,
            Kind::Display => property.group() == Group::Display,
            Kind::Analysis => property.group() == Group::Analysis,
            Kind::Private => property.is_private(),
        }
    }
}

/// A property of the root and its new value.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) ident: String,
    pub(super) value: String,
}

/// A replacement in the values of a property.
#[derive(Clone, Debug)]
pub(super) struct Replace {
    pub(super) ident: String,
    pub(super) regex: Regex,
    pub(super) text: String,
}

/// Parses an angle.
pub(super) fn turn(text: &str) -> Result<Symmetry, String> {
    match text {
        "90" => Ok(Symmetry::ROTATE_CLOCKWISE),
        "180" => Ok(Symmetry::ROTATE_180),
        "270" => Ok(Symmetry::ROTATE_COUNTERCLOCKWISE),
        _ => Err("use 90, 180 or 270".to_owned()),
    }
}

/// Returns the symmetry of a turn and then a reflection; `None` if nothing is moved.
pub(super) fn symmetry(turn: Option<Symmetry>, mirror: bool) -> Option<Symmetry> {
    let flip = if mirror { Symmetry::FLIP_HORIZONTAL } else { Symmetry::IDENTITY };
    Some(turn.unwrap_or_default().then(flip)).filter(|symmetry| *symmetry != Symmetry::IDENTITY)
}

/// Parses an identifier.
pub(super) fn ident(text: &str) -> Result<String, String> {
    let is_sound = text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if is_sound { Ok(text.to_owned()) } else { Err("use an identifier of upper-case letters, such as PB".to_owned()) }
}

/// Parses `IDENT=VALUE`.
pub(super) fn set(text: &str) -> Result<Set, String> {
    let (name, value) = text.split_once('=').ok_or("use an identifier, `=` and a value, such as GM=11")?;
    Ok(Set { ident: ident(name)?, value: value.to_owned() })
}

/// Parses `IDENT/REGEX/TEXT/`, with any character that is neither a letter nor a digit for `/`.
pub(super) fn replace(text: &str) -> Result<Replace, String> {
    let usage = "use an identifier, a regular expression and a text, such as DT/-/./; if one of them contains a `/`, separate \
                 them with another character, as in DT|/|-|";
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).ok_or(usage)?;
    let (name, rest) = text.split_at(end);
    let mark = rest.chars().next().ok_or(usage)?;
    let parts: Vec<&str> = rest[mark.len_utf8()..].split(mark).collect();
    let [regex, text, ""] = parts[..] else { return Err(usage.to_owned()) };
    let regex = Regex::new(regex).map_err(|error| error.to_string())?;
    Ok(Replace { ident: ident(name)?, regex, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_has_three_parts() {
        for (text, expected) in [
            ("DT/a/b/", Some(("DT", "a", "b"))),
            ("DT|a/b||", Some(("DT", "a/b", ""))),
            ("DT/a/b", None),
            ("DT/a/b/c/", None),
            ("DT", None),
            ("dt/a/b/", None),
            ("DT/(/b/", None),
        ] {
            let parsed = replace(text).ok();
            let parts = parsed.as_ref().map(|it| (it.ident.as_str(), it.regex.as_str(), it.text.as_str()));
            assert_eq!(parts, expected, "{text}");
        }
        // No backslash hides a separator, so the message has another one.
        let message = replace(r"DT/a\/b/c/").err().unwrap();
        let example = message.rsplit_once(' ').unwrap().1;
        assert_eq!(replace(example).map(|it| it.regex.as_str().to_owned()), Ok("/".to_owned()), "{message}");
    }

    #[test]
    fn a_turn_and_a_reflection_are_one_symmetry() {
        assert_eq!(symmetry(None, false), None);
        assert_eq!(symmetry(None, true), Some(Symmetry::FLIP_HORIZONTAL));
        assert_eq!(symmetry(turn("90").ok(), false), Some(Symmetry::ROTATE_CLOCKWISE));
        assert_eq!(symmetry(turn("90").ok(), true), Some(Symmetry::TRANSPOSE));
        assert!(turn("45").is_err());
    }
}
