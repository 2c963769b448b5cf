//! Writes the charset that a game is most likely in into its `CA`.

use crate::RawValue;
use crate::charset::{Charset, Decoding, GameTexts};
use crate::read::parser::Parser;
use crate::syntax::event::Event;
use crate::syntax::tokenizer::declared::Given;
use crate::write::rewrite::edit::Edit;

/// The edit that lets the `CA` of a game name its charset, where `CA` is missing, unknown or false. `None` if `CA` is true, and
/// if the game would be read differently.
///
/// `policy` is that of the user. The parser knows what was detected in the stream: by that it finds the ends of values.
pub(super) fn label(parser: &Parser, policy: Decoding, source: &[u8]) -> Option<Edit> {
    if source.is_ascii() {
        return None;
    }
    let (mut texts, mut label, mut root, mut nodes, mut is_label) = (GameTexts::new(), None, None, 0, false);
    let mut is_utf8 = true;
    for (offset, event) in parser.slice(source).with_offsets().map_while(Result::ok) {
        match event {
            Event::Node => {
                nodes += 1;
                match nodes {
                    1 => root = usize::try_from(offset).ok(),
                    2 => texts.end_root(),
                    _ => {}
                }
            }
            Event::Property(ident) => is_label = nodes == 1 && ident == "CA",
            Event::Value(value) => {
                if is_label && label.is_none() {
                    let start = usize::try_from(offset).ok()? + "[".len();
                    label = Some(start..start + value.as_bytes().len());
                }
                texts.add(value);
                is_utf8 &= str::from_utf8(value.as_bytes()).is_ok();
            }
            _ => {}
        }
    }
    let ca = label.clone().map(|label| RawValue::new(&source[label]));
    let game = policy.game_charset(None, ca, &texts).ok()?;
    let is_false = game.contradicts_ca() && (game.charset() != Charset::UTF_8 || is_utf8);
    if game.is_fallback() || !game.is_guess() && !is_false {
        return None;
    }
    let charset = match parser.config.given {
        // What was detected in the stream has decided where values end.
        Given::Default(two_byte) if !game.contradicts_ca() => Charset::of_two_byte(two_byte)?,
        _ => game.charset(),
    };
    let name = charset.name();
    let edit = match label {
        Some(label) => Edit { range: label, with: name.into() },
        None => Edit::insert(root.filter(|&root| source.get(root) == Some(&b';'))? + 1, format!("CA[{name}]")),
    };
    let edited = [&source[..edit.range.start], &edit.with, &source[edit.range.end..]].concat();
    (source[edit.range.clone()] != edit.with[..] && without_ca(parser, source).eq(without_ca(parser, &edited)))
        .then_some(edit)
}

/// The events of a game, except for the `CA` of its root.
fn without_ca<'g>(parser: &Parser, source: &'g [u8]) -> impl Iterator<Item = Event<'g>> {
    let (mut nodes, mut is_label) = (0, false);
    parser.slice(source).map_while(Result::ok).filter(move |event| {
        match event {
            Event::Node => nodes += 1,
            Event::Property(ident) => is_label = nodes == 1 && *ident == "CA",
            _ => {}
        }
        !(is_label && matches!(event, Event::Property(_) | Event::Value(_)))
    })
}
