//! Diagrams as SVG.

use std::fmt::{self, Display, Formatter};

use sgf_stream::value::Color;

use super::{Diagram, Line, Mark, PointState, Shape, Spot};

/// A diagram as SVG: print it with `{}`. Created by [`Diagram::svg`].
///
/// The picture needs no external fonts, styles or scripts, and looks the same on light and dark pages. Texts from files
/// are escaped, so that it can be embedded in an HTML page.
#[derive(Clone, Debug)]
pub struct Svg<'d> {
    diagram: &'d Diagram,
    coordinates: bool,
    is_thumbnail: bool,
    width: Option<u32>,
    title: Option<&'d str>,
}

/// The distance of two neighboring points, in units of the picture.
const CELL: f64 = 24.0;

/// From the center of a hexagon to its corners, where two rows are 1.5 of it apart.
const HEX_RADIUS: f64 = CELL * 0.577_350_269_189_625_8;

const WOOD: &str = "#ecc27c";
const INK: &str = "#4a3413";
/// The last move, and its number on stones of either color.
const RED: &str = "#d6281f";
const LIGHT_RED: &str = "#ff8a80";

impl Diagram {
    /// Draws the diagram as SVG, with coordinates.
    pub fn svg(&self) -> Svg<'_> {
        Svg { diagram: self, coordinates: true, is_thumbnail: false, width: None, title: None }
    }
}

impl<'d> Svg<'d> {
    /// Sets whether to draw coordinates around the board. Default: true.
    #[must_use]
    pub fn coordinates(self, coordinates: bool) -> Self {
        Svg { coordinates, ..self }
    }

    /// Draws a small picture: stones only, without coordinates, marks and labels.
    #[must_use]
    pub fn thumbnail(self) -> Self {
        Svg { is_thumbnail: true, coordinates: false, ..self }
    }

    /// Sets the width in pixels; the height follows. Default: 24 pixels per point, 6 in a thumbnail.
    #[must_use]
    pub fn width(self, pixels: u32) -> Self {
        Svg { width: Some(pixels.max(1)), ..self }
    }

    /// Sets the title for browsers and screen readers. Default: the board size and the last move.
    #[must_use]
    pub fn title(self, title: &'d str) -> Self {
        Svg { title: Some(title), ..self }
    }
}

/// The visible part of a board, and the coordinates of its points in the picture.
struct Layout {
    shape: Shape,
    /// The first and last column and row.
    columns: (u32, u32),
    rows: (u32, u32),
    margin: f64,
}

impl Layout {
    fn of(svg: &Svg<'_>) -> Self {
        let Diagram { shape, size, .. } = *svg.diagram;
        let shown = || svg.diagram.points().filter(|(_, point)| !point.is_hidden).map(|(spot, _)| spot);
        let range = |of: fn(Spot) -> u32, side: u32| {
            (shown().map(of).min().unwrap_or(0), shown().map(of).max().unwrap_or(side - 1))
        };
        let (columns, rows) = match shape {
            Shape::Grid => (range(|spot| spot.column, size.columns()), range(|spot| spot.row, size.rows())),
            Shape::Rhombus => ((0, size.columns() - 1), (0, size.rows() - 1)),
        };
        Layout { shape, columns, rows, margin: if svg.coordinates { CELL } else { CELL / 4.0 } }
    }

    fn center(&self, Spot { column, row }: Spot) -> (f64, f64) {
        let (column, row) = (f64::from(column) - f64::from(self.columns.0), f64::from(row) - f64::from(self.rows.0));
        match self.shape {
            Shape::Grid => (self.margin + (column + 0.5) * CELL, self.margin + (row + 0.5) * CELL),
            Shape::Rhombus => {
                let x = self.margin + (column + 0.5 + row / 2.0) * CELL;
                (x, self.margin + HEX_RADIUS * (1.0 + row * 1.5))
            }
        }
    }

    fn size(&self) -> (f64, f64) {
        let last = self.center(Spot { column: self.columns.1, row: self.rows.1 });
        let below = match self.shape {
            Shape::Grid => CELL / 2.0,
            Shape::Rhombus => HEX_RADIUS,
        };
        (last.0 + CELL / 2.0 + self.margin, last.1 + below + self.margin)
    }
}

impl Display for Svg<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let layout = Layout::of(self);
        let (width, height) = layout.size();
        let natural = if self.is_thumbnail { width / 4.0 } else { width };
        let pixels = self.width.map_or(natural, f64::from);
        write!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" "#,
            N(width),
            N(height),
            N(pixels),
            N(pixels * height / width)
        )?;
        f.write_str(r#"font-family="Helvetica, Arial, DejaVu Sans, sans-serif" text-anchor="middle">"#)?;
        match self.title {
            Some(title) => write!(f, "<title>{}</title>", Escaped(title))?,
            None => write!(f, "<title>{}</title>", DefaultTitle(self.diagram))?,
        }
        match layout.shape {
            Shape::Grid => self.grid(f, &layout)?,
            Shape::Rhombus => self.rhombus(f, &layout)?,
        }
        if self.coordinates {
            self.names(f, &layout)?;
        }
        self.stones(f, &layout)?;
        if !self.is_thumbnail {
            self.marks(f, &layout)?;
        }
        self.last_move(f, &layout)?;
        f.write_str("</svg>\n")
    }
}

impl Svg<'_> {
    fn grid(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        let (width, height) = layout.size();
        write!(f, r#"<rect width="{}" height="{}" fill="{WOOD}"/>"#, N(width), N(height))?;
        let size = self.diagram.size;
        let half = CELL / 2.0;
        // A line ends at the edge of the board, and goes on where the picture ends before it.
        let ends = |(first, last): (u32, u32), side: u32| {
            (if first > 0 { -half } else { 0.0 }, if last + 1 < side { half } else { 0.0 })
        };
        let (left, right) = ends(layout.columns, size.columns());
        let (top, bottom) = ends(layout.rows, size.rows());
        let (x0, y0) = layout.center(Spot { column: layout.columns.0, row: layout.rows.0 });
        let (x1, y1) = layout.center(Spot { column: layout.columns.1, row: layout.rows.1 });
        write!(f, r#"<path stroke="{INK}" stroke-linecap="square" d=""#)?;
        for column in layout.columns.0..=layout.columns.1 {
            let x = N(layout.center(Spot { column, row: layout.rows.0 }).0);
            write!(f, "M{x} {}V{}", N(y0 + top), N(y1 + bottom))?;
        }
        for row in layout.rows.0..=layout.rows.1 {
            let y = N(layout.center(Spot { column: layout.columns.0, row }).1);
            write!(f, "M{} {y}H{}", N(x0 + left), N(x1 + right))?;
        }
        f.write_str(r#""/>"#)?;
        for spot in self.diagram.star_points() {
            if self.diagram.get(spot).is_some_and(|point| !point.is_hidden) {
                let (x, y) = layout.center(spot);
                write!(f, r#"<circle cx="{}" cy="{}" r="2.6" fill="{INK}"/>"#, N(x), N(y))?;
            }
        }
        for (spot, point) in self.diagram.points() {
            let is_inside = (layout.columns.0..=layout.columns.1).contains(&spot.column)
                && (layout.rows.0..=layout.rows.1).contains(&spot.row);
            if point.is_hidden && is_inside {
                let (x, y) = layout.center(spot);
                write!(f, r#"<rect x="{}" y="{}" width="24" height="24" fill="{WOOD}"/>"#, N(x - half), N(y - half))?;
            }
        }
        Ok(())
    }

    fn rhombus(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        let (columns, rows) = (layout.columns.1, layout.rows.1);
        write!(f, r#"<path fill="{WOOD}" stroke="{INK}" stroke-linejoin="round" d=""#)?;
        for (spot, point) in self.diagram.points() {
            if !point.is_hidden {
                let (x, y) = layout.center(spot);
                hexagon(f, x, y)?;
            }
        }
        f.write_str(r#""/>"#)?;
        // Black connects top and bottom, White left and right.
        let side = |f: &mut Formatter<'_>, color: &str, path: &mut dyn Iterator<Item = (f64, f64)>| {
            let corner = |(n, (x, y))| format!("{}{} {}", if n == 0 { 'M' } else { 'L' }, N(x), N(y));
            let corners: String = path.enumerate().map(corner).collect();
            // A dark rim, so that white is seen on white pages.
            for (width, color) in [("4.5", "#777"), ("3", color)] {
                write!(f, r#"<path fill="none" stroke="{color}" stroke-width="{width}" d="{corners}"/>"#)?;
            }
            Ok(())
        };
        let half = CELL / 2.0;
        let rim = |row: u32, sign: f64| {
            (0..=columns).flat_map(move |column| {
                let (x, y) = layout.center(Spot { column, row });
                [(x - half, y + sign * HEX_RADIUS / 2.0), (x, y + sign * HEX_RADIUS)]
            })
        };
        let flank = |column: u32, sign: f64| {
            (0..=rows).flat_map(move |row| {
                let (x, y) = layout.center(Spot { column, row });
                [(x + sign * half, y - HEX_RADIUS / 2.0), (x + sign * half, y + HEX_RADIUS / 2.0)]
            })
        };
        side(f, "#111", &mut rim(0, -1.0))?;
        side(f, "#111", &mut rim(rows, 1.0))?;
        side(f, "#fff", &mut flank(0, -1.0))?;
        side(f, "#fff", &mut flank(columns, 1.0))
    }

    /// Draws the names of columns and rows around the board.
    fn names(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        let color = match layout.shape {
            Shape::Grid => INK,
            Shape::Rhombus => "#888",
        };
        write!(f, r#"<g font-size="11" fill="{color}">"#)?;
        let text = |f: &mut Formatter<'_>, x: f64, y: f64, name: &str| {
            write!(f, r#"<text x="{}" y="{}">{name}</text>"#, N(x), N(y + 4.0))
        };
        let (beside, above) = match layout.shape {
            Shape::Grid => (CELL, CELL * 0.95),
            Shape::Rhombus => (CELL, HEX_RADIUS + CELL * 0.45),
        };
        for column in layout.columns.0..=layout.columns.1 {
            let name = self.diagram.column_name(column);
            for (row, sign) in [(layout.rows.0, -1.0), (layout.rows.1, 1.0)] {
                let (x, y) = layout.center(Spot { column, row });
                text(f, x, y + sign * above, &name)?;
            }
        }
        for row in layout.rows.0..=layout.rows.1 {
            let name = self.diagram.row_name(row);
            for (column, sign) in [(layout.columns.0, -1.0), (layout.columns.1, 1.0)] {
                let (x, y) = layout.center(Spot { column, row });
                text(f, x + sign * beside, y, &name)?;
            }
        }
        f.write_str("</g>")
    }

    fn shown(&self) -> impl Iterator<Item = (Spot, &PointState)> {
        self.diagram.points().filter(|(_, point)| !point.is_hidden)
    }

    fn stones(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        let radius = match layout.shape {
            Shape::Grid => N(CELL * 0.48),
            Shape::Rhombus => N(CELL * 0.4),
        };
        for (color, fill, stroke) in [(Color::Black, "#1b1b1b", "#000"), (Color::White, "#fbfbf8", "#555")] {
            write!(f, r#"<g fill="{fill}" stroke="{stroke}" stroke-width=".8">"#)?;
            for (spot, _) in self.shown().filter(|(_, point)| point.stone == Some(color)) {
                let (x, y) = layout.center(spot);
                write!(f, r#"<circle cx="{}" cy="{}" r="{radius}"/>"#, N(x), N(y))?;
            }
            f.write_str("</g>")?;
        }
        Ok(())
    }

    fn marks(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        for &Line { from, to, has_head } in &self.diagram.lines {
            let is_shown = |spot| self.diagram.get(spot).is_some_and(|point| !point.is_hidden);
            if is_shown(from) && is_shown(to) {
                draw_line(f, layout.center(from), layout.center(to), has_head)?;
            }
        }
        for (spot, point) in self.shown() {
            let (x, y) = layout.center(spot);
            let ink = if point.stone == Some(Color::Black) { "#fff" } else { "#111" };
            if let Some(mark) = point.mark {
                draw_mark(f, mark, (x, y), ink)?;
            }
            if let Some(label) = &point.label {
                if point.stone.is_none() {
                    // The lines of the board do not run through the text.
                    write!(f, r#"<circle cx="{}" cy="{}" r="9" fill="{WOOD}"/>"#, N(x), N(y))?;
                }
                let ink = match point.stone {
                    Some(Color::Black) if self.diagram.last_move == Some(spot) => LIGHT_RED,
                    Some(Color::White) if self.diagram.last_move == Some(spot) => RED,
                    _ => ink,
                };
                draw_label(f, label, (x, y), ink)?;
            }
            if point.is_dim {
                write!(f, r##"<circle cx="{}" cy="{}" r="12" fill="#808080" opacity=".55"/>"##, N(x), N(y))?;
            }
        }
        Ok(())
    }

    /// Draws a ring on the last move, unless something else is on its stone.
    fn last_move(&self, f: &mut Formatter<'_>, layout: &Layout) -> fmt::Result {
        let Some(spot) = self.diagram.last_move else { return Ok(()) };
        let is_free = |point: &&PointState| {
            let has_text = point.mark.is_some() || point.label.is_some();
            !point.is_hidden && point.stone.is_some() && (self.is_thumbnail || !has_text)
        };
        if self.diagram.get(spot).filter(is_free).is_none() {
            return Ok(());
        }
        let (x, y) = layout.center(spot);
        write!(f, r#"<circle cx="{}" cy="{}" r="5.5" fill="none" stroke="{RED}" stroke-width="2"/>"#, N(x), N(y))
    }
}

fn hexagon(f: &mut Formatter<'_>, x: f64, y: f64) -> fmt::Result {
    let (half, quarter) = (CELL / 2.0, HEX_RADIUS / 2.0);
    write!(f, "M{} {}", N(x), N(y - HEX_RADIUS))?;
    for (x, y) in [
        (x + half, y - quarter),
        (x + half, y + quarter),
        (x, y + HEX_RADIUS),
        (x - half, y + quarter),
        (x - half, y - quarter),
    ] {
        write!(f, "L{} {}", N(x), N(y))?;
    }
    f.write_str("Z")
}

fn draw_mark(f: &mut Formatter<'_>, mark: Mark, (x, y): (f64, f64), ink: &str) -> fmt::Result {
    let outline = format_args!(r#"fill="none" stroke="{ink}" stroke-width="2""#).to_string();
    match mark {
        Mark::Circle => write!(f, r#"<circle cx="{}" cy="{}" r="6" {outline}/>"#, N(x), N(y)),
        Mark::Square => write!(f, r#"<rect x="{}" y="{}" width="11" height="11" {outline}/>"#, N(x - 5.5), N(y - 5.5)),
        Mark::Triangle => write!(f, r#"<path d="M{} {}l6 10.4h-12z" {outline}/>"#, N(x), N(y - 7.0)),
        Mark::Cross => write!(f, r#"<path d="M{} {}l10 10m0 -10l-10 10" {outline}/>"#, N(x - 5.0), N(y - 5.0)),
        Mark::Selected => {
            write!(f, r##"<circle cx="{}" cy="{}" r="6" fill="#2a6fdb" opacity=".8"/>"##, N(x), N(y))
        }
        Mark::Territory(color) => {
            let fill = if color == Color::Black { "#111" } else { "#fff" };
            write!(
                f,
                r##"<rect x="{}" y="{}" width="8" height="8" fill="{fill}" stroke="#555" stroke-width=".6"/>"##,
                N(x - 4.0),
                N(y - 4.0)
            )
        }
    }
}

/// Maximum length of a label in characters.
const LONGEST_LABEL: usize = 6;

fn draw_label(f: &mut Formatter<'_>, label: &str, (x, y): (f64, f64), ink: &str) -> fmt::Result {
    let is_cut = label.chars().count() > LONGEST_LABEL;
    let mut shown: String = label.chars().take(LONGEST_LABEL - usize::from(is_cut)).collect();
    if is_cut {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    let size = match shown.chars().count() {
        0..=1 => 14.0,
        2 => 12.0,
        3 => 10.0,
        long => 32.0 / long as f64,
    };
    let y = y + size * 0.35;
    write!(f, r#"<text x="{}" y="{}" font-size="{}" fill="{ink}">"#, N(x), N(y), N(size))?;
    if is_cut {
        write!(f, "<title>{}</title>", Escaped(label))?;
    }
    write!(f, "{}</text>", Escaped(&shown))
}

fn draw_line(f: &mut Formatter<'_>, from: (f64, f64), to: (f64, f64), has_head: bool) -> fmt::Result {
    write!(
        f,
        r##"<path fill="none" stroke="#2a6fdb" stroke-width="2" stroke-linecap="round" d="M{} {}L{} {}"##,
        N(from.0),
        N(from.1),
        N(to.0),
        N(to.1)
    )?;
    if has_head {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let len = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / len * 7.0, dy / len * 7.0);
        for turn in [0.6, -0.6] {
            write!(f, "M{} {}L{} {}", N(to.0), N(to.1), N(to.0 - dx - dy * turn), N(to.1 - dy + dx * turn))?;
        }
    }
    f.write_str(r#""/>"#)
}

/// A number with at most two decimals.
#[derive(Clone, Copy)]
struct N(f64);

impl Display for N {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 100.0).round() / 100.0;
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

struct DefaultTitle<'d>(&'d Diagram);

impl Display for DefaultTitle<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Diagram { size, last_move, .. } = self.0;
        write!(f, "Board {}x{}", size.columns(), size.rows())?;
        match last_move {
            Some(spot) => write!(f, ", last move {}", self.0.name(*spot)),
            None => Ok(()),
        }
    }
}

/// Text in XML. Characters that XML cannot represent become U+FFFD.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use fmt::Write;

        self.0.chars().try_for_each(|char| match char {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => f.write_char(' '),
            '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => f.write_char(char::REPLACEMENT_CHARACTER),
            _ => f.write_char(char),
        })
    }
}
