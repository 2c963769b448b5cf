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
                    p { "Created with " code { "sgf report" } ", sgf-stream " (env!("CARGO_PKG_VERSION")) "." }
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
            Value::Year(year) => td .n data-v=(year) { (year) },
            Value::Number(value) => td .n data-v=(value) { (number(*value)) },
            Value::Share(share) => td .n data-v=(share) { (percent(*share)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a variable of the style sheet, as red, green and blue, in a block of declarations.
    fn rgb(block: &str, name: &str) -> [f64; 3] {
        let (_, value) = block.split_once(&format!("--{name}: #")).unwrap_or_else(|| panic!("no --{name}"));
        [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&value[at..at + 2], 16).unwrap()) / 255.0)
    }

    /// The contrast of WCAG 2.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let linear = |part: f64| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        let luminance =
            |[red, green, blue]: [f64; 3]| 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05;
        let (one, other) = (luminance(one), luminance(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn neighbors_in_charts_and_texts_have_contrast_on_light_and_dark_pages() {
        let blocks: Vec<&str> = STYLE.split(":root {").skip(1).map(|rest| &rest[..rest.find('}').unwrap()]).collect();
        assert_eq!((blocks.len(), blocks[2].contains("--page: #fff")), (3, true));
        for block in &blocks[..2] {
            let mut pairs = Vec::new();
            let series = (0..8).map(|n| format!("c{n}")).collect::<Vec<_>>();
            // The last series has all others. With fewer series, it follows none or any of those before it.
            pairs.extend(series.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str(), 3.0)));
            pairs.extend(series.iter().map(|series| (series.as_str(), "card", 3.0)));
            for (one, other) in [("black", "white"), ("white", "draw"), ("black", "draw"), ("error", "warning")] {
                pairs.push((one, other, 3.0));
            }
            pairs.extend(["draw", "outline", "error", "warning"].map(|name| (name, "card", 3.0)));
            for text in ["ink", "quiet", "link", "error-text", "warning-text"] {
                pairs.extend(["page", "card"].map(|ground| (text, ground, 4.5)));
            }
            for (one, other, least) in pairs {
                let found = contrast(rgb(block, one), rgb(block, other));
                assert!(
                    found >= least,
                    "--{one} and --{other} have a contrast of {found:.2}, less than {least}: {block}"
                );
            }
        }
    }
}
