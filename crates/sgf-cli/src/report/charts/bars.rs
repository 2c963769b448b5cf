//! Lists with bars.

use maud::{Markup, html};

use super::{color, only, short};
use crate::visible::Visible;

/// A row of a list.
pub(in crate::report) struct Bar {
    pub(in crate::report) label: String,
    /// The number that its length shows.
    pub(in crate::report) value: f64,
    /// The text after it.
    pub(in crate::report) text: String,
    /// The number of its color.
    pub(in crate::report) color: usize,
}

/// Bars as long as their values, the longest as long as there is room; or, with `full`, as long as parts of that.
pub(in crate::report) fn bars(rows: &[Bar], full: Option<f64>) -> Markup {
    if let [bar] = rows {
        return only(&bar.label, &bar.text);
    }
    let most = full.unwrap_or_else(|| rows.iter().map(|bar| bar.value).fold(0.0, f64::max)).max(f64::MIN_POSITIVE);
    html! {
        div .bars role="list" {
            @for bar in rows {
                div .bar role="listitem" {
                    span .label title=(Visible(&bar.label)) { (Visible(&bar.label)) }
                    span .track {
                        span class=(format!("fill {}", color('k', bar.color)))
                            style=(format!("width:{}%", short((bar.value / most * 100.0).clamp(0.0, 100.0)))) {}
                    }
                    span .value { (bar.text) }
                }
            }
        }
    }
}
