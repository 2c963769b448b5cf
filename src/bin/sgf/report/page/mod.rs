//! The page: one file of HTML, with its styles and a small script in it.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::charts::{number, percent};
use super::view::{Content, Figure, Section, Table, Value};
use crate::visible::Visible;

/// The look of the page. Without it the page can still be read.
const STYLE: &str = include_str!("style.css");

/// Sorts tables by a click, and opens them for printing. Nothing else needs it.
const SCRIPT: &str = include_str!("script.js");

/// Draws the page.
pub(super) fn page(title: &str, sections: &[Section]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("sgf-stream ", env!("CARGO_PKG_VERSION")));
                // Without it, browsers ask a server for one.
                link rel="icon" href="data:,";
                title { (Visible(title)) " · SGF report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    (stones())
                    div {
                        h1 { (Visible(title)) }
                        p { "What is in these SGF files" }
                    }
                }
                nav aria-label="Sections" {
                    ol { @for section in sections { li { a href=(format!("#{}", section.id)) title=(section.title) { (section.id) } } } }
                }
                main { @for section in sections { (draw(section)) } }
                footer {
                    p { "Made by " code { "sgf report" } " of sgf-stream " (env!("CARGO_PKG_VERSION")) "." }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// A small picture beside the title.
fn stones() -> Markup {
    html! {
        svg .stones viewBox="0 0 48 48" aria-hidden="true" {
            path d="M16 2V46M32 2V46M2 16H46M2 32H46" {}
            circle .b cx="16" cy="16" r="7.4" {}
            circle .b cx="32" cy="32" r="7.4" {}
            circle .w cx="32" cy="16" r="7.4" {}
            circle .w cx="16" cy="32" r="7.4" {}
        }
    }
}

fn draw(section: &Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { a href=(format!("#{}", section.id)) { (section.title) } }
            @if !section.lead.is_empty() { p .lead { (section.lead) } }
            div .figures { @for figure in &section.figures { (self::figure(figure)) } }
        }
    }
}

fn figure(figure: &Figure) -> Markup {
    html! {
        figure id=(format!("f-{}", figure.id)) .missing[matches!(figure.content, Content::Missing(_))] {
            @if !figure.title.is_empty() { h3 { (figure.title) } }
            @match &figure.content {
                Content::Chart { picture, notes, table } => {
                    (picture)
                    @if !notes.is_empty() { figcaption { @for note in notes { p { (Visible(note)) } } } }
                    (numbers(table))
                }
                Content::Missing(why) => p .why { (why) },
            }
        }
    }
}

fn numbers(table: &Table) -> Markup {
    html! {
        details .numbers {
            summary { "Numbers" }
            div .scroll tabindex="0" {
                table {
                    thead { tr { @for column in &table.columns { th scope="col" { (Visible(column)) } } } }
                    tbody { @for row in &table.rows { tr { @for cell in row { (self::cell(cell)) } } } }
                }
            }
        }
    }
}

fn cell(value: &Value) -> Markup {
    html! {
        @match value {
            Value::Null => td {},
            Value::Text(text) => td { (Visible(text)) },
            Value::Count(count) => td .n data-v=(count) { (number(*count as f64)) },
            Value::Number(value) => td .n data-v=(value) { (number(*value)) },
            Value::Share(share) => td .n data-v=(share) { (percent(*share)) },
        }
    }
}
