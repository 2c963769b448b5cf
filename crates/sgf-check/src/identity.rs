//! The rules about which properties exist: in SGF, in the game, in the version of the file.

use std::ops::Range;

use sgf_stream::property::{self, Origin, Property, Successor};
use sgf_stream::{Game, Ident};

use super::Rule;
use super::diagnostic::{Edit, Texts};
use super::report::Report;
use super::state::{GameState, Node, is_standard};

/// Reports lower-case letters in an identifier of FF\[4\]. `ident` is without them.
pub(super) fn check_spelling(node: &Node, report: &mut Report, ident: Ident<'_>, is_fixable: bool, span: Range<u64>) {
    let message = format!("FF[4] does not allow lower-case letters in identifiers; read as {ident}");
    // An identifier that begins with a digit would be read as junk and another identifier.
    let is_ident = ident.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    let edits = match is_ident && is_fixable {
        true => vec![Edit::new(span.clone(), ident.as_bytes())],
        false => Vec::new(),
    };
    report.find_fixable(node, Rule::Syntax(sgf_stream::Code::LowercaseInIdent), span, message, edits);
}

/// Checks a property against its row in the registry.
pub(super) fn check(
    game: &GameState,
    node: &Node,
    report: &mut Report,
    ident: Ident<'_>,
    row: Option<&'static Property>,
    span: Range<u64>,
) {
    let name = ident.as_bytes();
    if name.len() > 2 && report.should_report(Rule::LongIdentifier, name) {
        report.find(node, Rule::LongIdentifier, span.clone(), format!("{} has more than two letters", short(ident)));
    }
    let Some(row) = row else {
        // Names are short, and each is looked up once per game.
        let Ok(text) = std::str::from_utf8(&name[..name.len().min(64)]) else { return };
        let elsewhere = property::find(text).find(|row| row.origin() == Origin::Ff4).and_then(Property::game);
        let (rule, message) = match elsewhere {
            Some(other) => (
                Rule::PropertyOfAnotherGame,
                format!("{text} is a {other} property, but the game is {}", game_name(game.context.game())),
            ),
            None => (Rule::UnknownProperty, format!("unknown property {}", short(ident))),
        };
        if report.should_report(rule, name) {
            report.find(node, rule, span, message);
        }
        return;
    };
    if let Some(old) = game.ff
        && !is_in_version(row, game)
        && row.ident() != "FF"
        && report.should_report(Rule::PropertyNotInVersion, name)
    {
        let message = format!("FF[{old}] does not have {}; it is in {}", row.ident(), row.versions());
        report.find(node, Rule::PropertyNotInVersion, span.clone(), message);
    }
    if is_standard(row) {
        return;
    }
    let clash = property::find(row.ident()).find(|other| other.origin() == Origin::Ff4);
    if let Some(standard) = clash {
        if report.should_report(Rule::PrivateClash, name) {
            let whose = standard.game().map_or(String::new(), |game| format!(" of {game}"));
            let (ident, meaning, origin) = (row.ident(), row.meaning(), row.origin());
            let message =
                format!("{ident} means \"{}\" in FF[4]{whose}, but here \"{meaning}\" ({origin})", standard.meaning());
            report.find(node, Rule::PrivateClash, span, message);
        }
    } else if let Successor::Other(successor) = row.successor()
        && report.should_report(Rule::SupersededProperty, name)
    {
        let message = format!("{} ({}): use the FF[4] property {successor}", row.ident(), row.meaning());
        report.find(node, Rule::SupersededProperty, span, message);
    }
}

/// Returns whether the version that the file names has a property. Any may have it if the file names none.
pub(super) fn is_in_version(row: &Property, game: &GameState) -> bool {
    let version = game.ff.filter(|ff| (1..=4).contains(ff));
    version.is_none_or(|ff| row.versions().is_empty() || row.versions().contains(ff as u8))
}

/// Returns an identifier, shortened for a message.
fn short(ident: Ident<'_>) -> String {
    Texts::default().excerpt(ident.as_bytes())
}

fn game_name(game: Game) -> String {
    match game {
        Game::Other(number) => format!("GM[{number}]"),
        game => game.to_string(),
    }
}
