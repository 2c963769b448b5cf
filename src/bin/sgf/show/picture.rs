//! Positions as files of pictures.

use std::path::{Path, PathBuf};

use super::position::Position;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
}

/// Reads the value of `--output`.
pub(super) fn place(path: &str) -> Result<(PathBuf, Format), String> {
    let path = PathBuf::from(path);
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok((path, Format::Svg)),
        Some("png") if cfg!(feature = "png") => Ok((path, Format::Png)),
        Some("png") => {
            Err("PNG takes a build of sgf with the feature png: cargo install sgf-stream --features cli,png".to_owned())
        }
        _ => Err("expected a name that ends in .svg or .png".to_owned()),
    }
}

/// The name of a picture of a series.
pub(super) fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}

/// How a picture is made.
pub(super) struct Picture {
    pub(super) format: Format,
    /// Number of moves that are numbered.
    pub(super) numbers: usize,
    pub(super) is_thumbnail: bool,
    pub(super) has_coordinates: bool,
    pub(super) pixels: Option<u32>,
}

impl Picture {
    /// The bytes of the file.
    pub(super) fn bytes(&self, position: &Position<'_>) -> Result<Vec<u8>, String> {
        let svg = self.svg(position);
        match self.format {
            Format::Svg => Ok(svg.into_bytes()),
            Format::Png => png(&svg),
        }
    }

    fn svg(&self, position: &Position<'_>) -> String {
        let mut diagram = position.diagram().clone();
        position.painter().number_moves(&mut diagram, self.numbers);
        let mut svg = diagram.svg().coordinates(self.has_coordinates);
        if self.is_thumbnail {
            svg = svg.thumbnail();
        }
        if let Some(pixels) = self.pixels {
            svg = svg.width(pixels);
        }
        svg.to_string()
    }
}

/// Draws SVG as PNG. Texts take a font of the machine.
#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, String> {
    use resvg::tiny_skia::Pixmap;
    use resvg::usvg::{Options, Transform, Tree};

    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() && svg.contains("<text") {
        crate::failure::note(format_args!("no fonts on this machine: the picture has no letters and numbers"));
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the picture is empty")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>, String> {
    Err("this build of sgf makes no PNG".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_on_the_format() {
        assert_eq!(place("a/b.SVG"), Ok(("a/b.SVG".into(), Format::Svg)));
        assert_eq!(place("b.png").is_ok(), cfg!(feature = "png"));
        assert!(place("b.jpg").is_err() && place("svg").is_err());
        assert_eq!(numbered(Path::new("a/b.c.svg"), 50), Path::new("a/b.c-50.svg"));
    }
}
