//! Positions as files of pictures.

use std::path::{Path, PathBuf};

use super::position::Position;
use crate::failure::Failure;

/// The format of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    #[default]
    Svg,
    /// Needs the feature `png`.
    Png,
}

/// Returns the message of a build without PNG.
fn no_png() -> String {
    Failure::without_feature("PNG", "png")
}

/// Where pictures go: the value of `--output`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    File(PathBuf, Format),
    Directory(PathBuf),
}

/// Reads the value of `--output`.
pub(super) fn place(text: &str) -> Result<Place, String> {
    let path = PathBuf::from(text);
    if text.ends_with(std::path::is_separator) || path.is_dir() {
        return Ok(Place::Directory(path));
    }
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(Place::File(path, Format::Svg)),
        Some("png") => format("png").map(|format| Place::File(path, format)),
        _ => Err("unknown picture format; use a name that ends in .svg or .png, or in / for a directory".to_owned()),
    }
}

/// Reads the value of `--format`.
pub(super) fn format(text: &str) -> Result<Format, String> {
    match text {
        "svg" => Ok(Format::Svg),
        "png" if cfg!(feature = "png") => Ok(Format::Png),
        "png" => Err(no_png()),
        _ => Err("unknown format; use svg or png".to_owned()),
    }
}

impl Format {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
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
    /// Whether only the part of the board around the stones is shown.
    pub(super) is_cropped: bool,
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
        if self.is_cropped {
            diagram.crop();
        }
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

/// Draws SVG as PNG. Texts use a font of the system.
#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, String> {
    use std::sync::{Arc, LazyLock};

    use resvg::tiny_skia::Pixmap;
    use resvg::usvg::fontdb::Database;
    use resvg::usvg::{Options, Transform, Tree};

    /// Finding the fonts of a machine takes longer than a picture.
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        if fonts.is_empty() {
            crate::failure::warn(format_args!("no fonts found; pictures have no coordinates and labels"));
        }
        Arc::new(fonts)
    });
    let mut options = Options::default();
    if svg.contains("<text") {
        options.fontdb = Arc::clone(&FONTS);
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the picture is empty")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>, String> {
    Err(no_png())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_on_the_format() {
        assert_eq!(place("a/b.SVG"), Ok(Place::File("a/b.SVG".into(), Format::Svg)));
        assert_eq!(place("a/b.svg/"), Ok(Place::Directory("a/b.svg/".into())));
        assert_eq!(place("src"), Ok(Place::Directory("src".into())));
        assert_eq!(place("b.png").is_ok(), cfg!(feature = "png"));
        assert!(place("b.jpg").is_err() && place("svg").is_err() && format("gif").is_err());
        assert_eq!(numbered(Path::new("a/b.c.svg"), 50), Path::new("a/b.c-50.svg"));
    }
}
