//! L6: an edit of twice the bytes takes twice the steps.

#[path = "../../../../tests/support/hostile.rs"]
mod hostile;

use std::path::Path;

use clap::Parser as _;
use sgf_stream::parts::Next;
use sgf_stream::work;

use super::*;
use crate::jobs::Reading;

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

const EDITS: &[&[&str]] = &[
    &["--turn", "90"],
    &["--set", "EV=x"],
    &["--strip", "comments", "--drop", "AB"],
    &["--drop", "B"],
    &["--main-line"],
    &["--drop-empty-nodes", "--drop-final-passes"],
    &["--swap-colors", "--anonymise"],
    &["--replace", "C/x/y/"],
];

/// Length of inputs, in bytes.
const LEN: usize = 4 << 10;

/// Maximum number of steps per byte, for any shape.
const STEPS_PER_BYTE: usize = 40;

/// Returns the number of steps to edit games, and the length of the new bytes.
fn steps(edit: &[&str], mut bytes: &[u8]) -> (usize, usize) {
    let args =
        Command::try_parse_from([&["edit"], edit, &["-"]].concat()).unwrap_or_else(|error| panic!("{error}")).args;
    let decoding = args.charsets.decoding();
    let editor = Editor::new(args.edits().unwrap_or_else(|_| panic!("{edit:?}")), decoding);
    let reading = Reading::new(editor.parser().clone(), decoding);
    let (input, bytes) = reading.open(&Name::of(Path::new("games.sgf")), None, &mut bytes).unwrap();
    if input.transcoded.is_some() {
        return (0, 0); // such files are not edited
    }
    let mut written = 0;
    let steps = work::count(|| {
        let mut parts = input.parser.parts(bytes);
        while let Some(next) = parts.next_part().unwrap() {
            let Next::Part(part) = next else { continue };
            written += editor
                .edit_part(&input, &part, |_, _| true)
                .changes()
                .iter()
                .map(|change| change.with.len())
                .sum::<usize>();
        }
    });
    (steps as usize, written)
}

#[test]
fn editing_is_linear() {
    let head = |len: usize| format!("(;FF[4]{})", "(;B[aa]GM[1])".repeat(len / 13)).into_bytes();
    let inputs = |len| hostile::inputs(len).into_iter().chain([("head".to_owned(), head(len))]);
    let (mut wrong, mut largest) = (Vec::new(), (0, String::new()));
    for edit in EDITS {
        for ((name, short), (_, long)) in inputs(LEN).zip(inputs(2 * LEN)) {
            let ((few, _), (many, written)) = (steps(edit, &short), steps(edit, &long));
            let per_byte = many / (long.len() + written);
            if 10 * many > 22 * few + 10 * LEN || per_byte > STEPS_PER_BYTE {
                wrong.push(format!("{edit:?} {name}: {few} steps for {}, {many} for {}", short.len(), long.len()));
            }
            largest = largest.max((per_byte, name));
        }
    }
    println!("{largest:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
