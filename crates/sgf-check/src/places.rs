//! The rules about placement: which properties a node may have, and which exclude each other.

use std::ops::Range;

use sgf_board::IllegalMoveError;
use sgf_stream::internal::OneOf;
use sgf_stream::property::{Property, PropertyType};
use sgf_stream::value::Color;

use super::Rule;
use super::report::Report;
use super::state::{Bits, GameState, IllegalMoves, Node, Path, is_standard};

/// Checks the placement of a property of the registry.
pub(super) fn check(
    game: &GameState,
    path: &mut Path,
    node: &mut Node,
    report: &mut Report,
    (row, stone): (&'static Property, Option<Color>),
    span: Range<u64>,
) {
    let ident = row.ident();
    let before = node.has;
    let bit = match (stone, row.exclusion(), ident.as_bytes()) {
        (Some(Color::Black), ..) => Bits::B,
        (Some(_), ..) => Bits::W,
        (_, Some(OneOf::Annotation), _) => Bits::ANNOTATION,
        (_, Some(OneOf::Evaluation), _) => Bits::EVALUATION,
        // KO of SGF2 has another meaning.
        (.., b"KO") if is_standard(row) => Bits::KO,
        (.., b"AW") => Bits::WHITE_SETUP,
        (.., b"FF") => Bits::FF,
        _ => Bits::default(),
    };
    node.has.add(bit);
    if stone.is_some() {
        let other = if bit == Bits::B { (Bits::W, "white") } else { (Bits::B, "black") };
        if before.has(other.0) && !before.has(bit) {
            report.find(node, Rule::TwoMoves, span.clone(), format!("{ident}: the node also has a {} move", other.1));
        }
        if game.is_root && report.is_on(Rule::MoveInRoot) {
            report.find(node, Rule::MoveInRoot, span.clone(), "the root has a move");
        }
    }
    let judgment = match row.exclusion() {
        Some(set @ OneOf::Annotation) => Some((set, Rule::AnnotationConflict, "also annotates the move")),
        Some(set @ OneOf::Evaluation) => Some((set, Rule::EvaluationConflict, "also evaluates the position")),
        _ => None,
    };
    if let Some((set, rule, what)) = judgment
        && before.has(bit)
        && node.property.again.is_none()
    {
        let others: Vec<_> = node.names_of(set, &game.context).filter(|name| *name != ident).collect();
        report.find(node, rule, span.clone(), format!("{ident}: {} {what}", others.join(", ")));
    }
    if !is_standard(row) {
        return;
    }
    match row.property_type() {
        PropertyType::Root if !game.is_root => {
            report.find(node, Rule::RootPropertyOutsideRoot, span, format!("{ident} belongs in the root of the game"));
        }
        PropertyType::GameInfo if !before.has(Bits::INFO) => {
            node.has.add(Bits::INFO);
            match path.info {
                Some(first) => {
                    let message = format!("{ident}: this path already has game info, in the node at byte {first}");
                    report.find(node, Rule::SecondGameInfo, span, message);
                }
                None => path.info = Some(node.offset),
            }
        }
        PropertyType::Move => check_mixture(game, node, report, (Bits::MOVE, Bits::SETUP), ident, span, before),
        PropertyType::Setup => {
            if !game.is_root && !before.has(Bits::SETUP) && ident != "PL" && report.is_on(Rule::SetupAfterRoot) {
                report.find(node, Rule::SetupAfterRoot, span.clone(), format!("{ident} after the root"));
            }
            path.last = None;
            check_mixture(game, node, report, (Bits::SETUP, Bits::MOVE), ident, span, before);
        }
        _ => {}
    }
}

/// Reports setup and moves in one node.
fn check_mixture(
    game: &GameState,
    node: &mut Node,
    report: &mut Report,
    (this, other): (Bits, Bits),
    ident: &str,
    span: Range<u64>,
    before: Bits,
) {
    node.has.add(this);
    // FF[1] to FF[3] allow it.
    if before.has(other) && !before.has(Bits::MIXED) && game.old_version().is_none() {
        node.has.add(Bits::MIXED);
        let message = match this {
            Bits::SETUP => format!("{ident} is a setup property, but the node has move properties"),
            _ => format!("{ident} is a move property, but the node has setup properties"),
        };
        report.find(node, Rule::SetupAndMove, span, message);
    }
}

/// Checks a finished node.
pub(super) fn close(game: &GameState, node: &Node, report: &mut Report) {
    let (has, at) = (node.has, node.offset);
    if !has.has(Bits::BOTH) {
        if has.has(Bits::ANNOTATION) {
            for name in node.names_of(OneOf::Annotation, &game.context) {
                let span = node.place_of(name);
                report.find(node, Rule::AnnotationWithoutMove, span, format!("{name}: the node has no move"));
            }
        }
        if has.has(Bits::KO) {
            let span = node.place_of("KO");
            report.find(node, Rule::KoWithoutMove, span, "KO: the node has no move");
        }
    }
    if !has.has(Bits::KO) {
        let IllegalMoves { occupied, ko, suicide } = node.illegal;
        let moves = [
            (Rule::OccupiedPoint, IllegalMoveError::Occupied, occupied),
            (Rule::KoRetaken, IllegalMoveError::Ko, ko),
            (Rule::Suicide, IllegalMoveError::Suicide, suicide),
        ];
        for (rule, illegal, at) in moves {
            if let Some(at) = at {
                report.find(node, rule, at..at + 4, illegal.to_string());
            }
        }
    }
    if let Some((from, to, handicap)) = node.handicap
        && handicap >= 2
        && (handicap as u64 != node.black_stones || has.has(Bits::WHITE_SETUP))
    {
        let message = match (node.black_stones, has.has(Bits::WHITE_SETUP)) {
            (0, false) => format!("HA[{handicap}], but AB places no stones"),
            (stones, false) => format!("HA[{handicap}], but AB places {stones}"),
            _ => format!("HA[{handicap}], but AW also places stones"),
        };
        report.find(node, Rule::HandicapStones, from..to, message);
    }
    if !game.is_root && !has.has(Bits::ANY) && report.is_on(Rule::EmptyNode) {
        report.find(node, Rule::EmptyNode, at..at + 1, "the node has no properties");
    }
    if game.is_root && !has.has(Bits::FF) && report.is_on(Rule::MissingVersion) {
        report.find(node, Rule::MissingVersion, at..at + 1, "the root has no FF");
    }
}
