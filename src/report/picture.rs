//! A picture: drawn once as SVG, and as PNG from that. The font is embedded: no font or library of the system is needed, and the
//! same bytes come out on any machine.

use std::sync::{Arc, LazyLock};

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBAColor, RGBColor, ShapeStyle, TextStyle};
use resvg::tiny_skia::{self, Pixmap, Transform};
use resvg::usvg::{self, fontdb::Database};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// M PLUS 1, reduced to what is drawn here; see `assets/OFL.txt`.
const FONT: &[u8] = include_bytes!("../../assets/mplus1-subset.otf");

/// How the font is called in an SVG, and what may stand in for it where it is not installed.
const FAMILY: &str = "'M PLUS 1', 'M PLUS 1p', 'Noto Sans', 'Noto Sans JP', sans-serif";

/// Colours that also the colour-blind can tell apart.
pub(crate) const BLUE: RGBColor = RGBColor(0, 90, 170);
pub(crate) const RED: RGBColor = RGBColor(200, 50, 30);
pub(crate) const GREEN: RGBColor = RGBColor(0, 140, 90);
pub(crate) const ORANGE: RGBColor = RGBColor(230, 140, 0);
pub(crate) const PURPLE: RGBColor = RGBColor(130, 60, 150);
pub(crate) const BLACK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const WHITE: RGBColor = RGBColor(255, 255, 255);
pub(crate) const GRAY: RGBColor = RGBColor(130, 130, 130);
pub(crate) const PALE: RGBColor = RGBColor(225, 225, 225);

/// Colours of lines that are to be told apart.
pub(crate) const LINE_COLORS: [RGBColor; 5] = [BLUE, RED, GREEN, ORANGE, PURPLE];

/// A place on a sheet, in points from its upper left corner.
pub(crate) type Point = (f64, f64);

/// As which files pictures are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// For pages and slides.
    Png,
    /// For papers: sharp at any size.
    Svg,
    /// Both side by side.
    #[default]
    Both,
}

impl Format {
    /// The endings of the files.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Png => &["png"],
            Format::Svg => &["svg"],
            Format::Both => &["png", "svg"],
        }
    }

    /// The names of the files of a picture.
    pub fn names(self, picture: &str) -> Vec<String> {
        self.endings().iter().map(|ending| format!("{picture}.{ending}")).collect()
    }
}

/// A finished picture.
pub struct Picture {
    /// The name of its files, without the ending.
    pub name: String,
    svg: String,
}

impl Picture {
    /// Draws a picture of this size in points.
    pub(crate) fn draw(name: &str, (width, height): Point, draw: impl FnOnce(&mut Sheet<'_>)) -> Picture {
        let mut text = String::new();
        let mut sheet = Sheet(SVGBackend::with_string(&mut text, (fine(width) as u32, fine(height) as u32)));
        sheet.rectangle((0.0, 0.0), (width, height), WHITE.mix(1.0));
        draw(&mut sheet);
        sheet.0.present().expect(DRAWN);
        drop(sheet);
        // Its size in points, and joints of lines that do not stick out: neither can be said to the backend.
        let body = text.split_once('>').map_or("", |(_, body)| body).trim_start();
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" stroke-linejoin=\"round\">\n{body}",
            fine(width),
            fine(height)
        );
        Picture { name: name.to_string(), svg }
    }

    /// The same picture with another name.
    pub(crate) fn named(self, name: &str) -> Picture {
        Picture { name: name.to_string(), ..self }
    }

    /// The SVG itself.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Names and contents of its files.
    pub fn files(&self, format: Format) -> Vec<(String, Vec<u8>)> {
        let content = |ending: &str| if ending == "svg" { self.svg.clone().into_bytes() } else { self.png() };
        format.endings().iter().map(|ending| (format!("{}.{ending}", self.name), content(ending))).collect()
    }

    fn png(&self) -> Vec<u8> {
        /// Pixels a point: enough for print at half the size of a page.
        const DENSITY: f32 = 2.0;
        static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
            let mut fonts = Database::new();
            fonts.load_font_data(FONT.to_vec());
            Arc::new(fonts)
        });
        let options = usvg::Options { fontdb: FONTS.clone(), ..usvg::Options::default() };
        let tree = usvg::Tree::from_str(&self.svg, &options).expect(DRAWN);
        let size = tree.size().to_int_size().scale_by(DENSITY).expect(DRAWN);
        let mut pixels = Pixmap::new(size.width(), size.height()).expect(DRAWN);
        pixels.fill(tiny_skia::Color::WHITE);
        resvg::render(&tree, Transform::from_scale(DENSITY, DENSITY), &mut pixels.as_mut());
        // Nothing shines through any more.
        let colors: Vec<u8> =
            pixels.data().chunks(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encode(size.width(), size.height(), &colors)
    }
}

/// Drawing into memory does not fail.
const DRAWN: &str = "drawing into memory does not fail";

fn encode(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().expect(DRAWN);
    writer.write_image_data(pixels).expect(DRAWN);
    writer.finish().expect(DRAWN);
    bytes
}

/// The backend knows whole numbers only: it is told tenths of points.
fn fine(points: f64) -> i32 {
    (10.0 * points).round() as i32
}

fn fine_point((x, y): Point) -> (i32, i32) {
    (fine(x), fine(y))
}

/// The embedded font.
fn face() -> FontRef<'static> {
    FontRef::new(FONT).expect("the embedded font is a font")
}

/// How wide a text of this size is, in points.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    static FACE: LazyLock<FontRef<'static>> = LazyLock::new(face);
    let (glyphs, metrics) = (FACE.charmap(), FACE.glyph_metrics(Size::unscaled(), LocationRef::default()));
    let advance =
        |c: char| f64::from(metrics.advance_width(glyphs.map(c).unwrap_or_default()).unwrap_or(0.0));
    let unit = FACE.metrics(Size::unscaled(), LocationRef::default()).units_per_em;
    text.chars().map(advance).sum::<f64>() * size / f64::from(unit)
}

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Pen {
    pub color: RGBColor,
    pub width: f64,
    pub dashed: bool,
}

impl Pen {
    pub(crate) fn new(color: RGBColor, width: f64) -> Pen {
        Pen { color, width, dashed: false }
    }
}

/// What a point is marked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Down,
    Cross,
    Plus,
    Ring,
}

impl Marker {
    pub(crate) const ALL: [Marker; 8] = [
        Marker::Disc,
        Marker::Square,
        Marker::Triangle,
        Marker::Diamond,
        Marker::Down,
        Marker::Cross,
        Marker::Plus,
        Marker::Ring,
    ];
}

/// What a picture is drawn on. All lengths are in points.
pub(crate) struct Sheet<'a>(SVGBackend<'a>);

impl Sheet<'_> {
    /// A line through these points.
    pub(crate) fn line(&mut self, points: &[Point], pen: Pen) {
        let style =
            ShapeStyle { color: pen.color.mix(1.0), filled: false, stroke_width: fine(pen.width) as u32 };
        let parts = if pen.dashed { dashes(points) } else { vec![points.to_vec()] };
        for part in parts {
            self.0.draw_path(part.into_iter().map(fine_point), &style).expect(DRAWN);
        }
    }

    /// A shape with these corners.
    pub(crate) fn shape(&mut self, corners: &[Point], color: RGBAColor) {
        self.0.fill_polygon(corners.iter().copied().map(fine_point), &color.filled()).expect(DRAWN);
    }

    /// A rectangle between two corners.
    pub(crate) fn rectangle(&mut self, (left, top): Point, (right, bottom): Point, color: RGBAColor) {
        self.shape(&[(left, top), (right, top), (right, bottom), (left, bottom)], color);
    }

    /// The border of a rectangle.
    pub(crate) fn frame(&mut self, (left, top): Point, (right, bottom): Point, pen: Pen) {
        // Back to the first corner and a bit further, so that the joint there is one as well.
        let middle = (left + right) / 2.0;
        let corners =
            [(middle, top), (right, top), (right, bottom), (left, bottom), (left, top), (middle, top)];
        self.line(&corners, pen);
    }

    pub(crate) fn marker(&mut self, (x, y): Point, marker: Marker, size: f64, color: RGBColor) {
        let full = color.mix(1.0);
        let thick = Pen::new(color, size * 0.5);
        match marker {
            Marker::Disc => self.disc((x, y), size, color),
            Marker::Ring => {
                self.disc((x, y), size, color);
                self.disc((x, y), size * 0.55, WHITE);
            }
            Marker::Square => {
                let half = size * 0.88;
                self.rectangle((x - half, y - half), (x + half, y + half), full);
            }
            Marker::Triangle => {
                self.shape(
                    &[(x - size, y + 0.7 * size), (x, y - 1.1 * size), (x + size, y + 0.7 * size)],
                    full,
                );
            }
            Marker::Down => {
                self.shape(
                    &[(x - size, y - 0.7 * size), (x, y + 1.1 * size), (x + size, y - 0.7 * size)],
                    full,
                );
            }
            Marker::Diamond => {
                let half = size * 1.2;
                self.shape(&[(x - half, y), (x, y - half), (x + half, y), (x, y + half)], full);
            }
            Marker::Cross => {
                let half = size * 0.85;
                self.line(&[(x - half, y - half), (x + half, y + half)], thick);
                self.line(&[(x - half, y + half), (x + half, y - half)], thick);
            }
            Marker::Plus => {
                let half = size * 1.1;
                self.line(&[(x - half, y), (x + half, y)], thick);
                self.line(&[(x, y - half), (x, y + half)], thick);
            }
        }
    }

    fn disc(&mut self, center: Point, radius: f64, color: RGBColor) {
        self.0.draw_circle(fine_point(center), fine(radius) as u32, &color.filled(), true).expect(DRAWN);
    }

    /// A text whose capitals are centred in height on a point.
    pub(crate) fn text(&mut self, text: &str, at: Point, size: f64, color: RGBColor, side: HPos) {
        self.letters(text, at, size, color, Pos::new(side, VPos::Center), FontTransform::None);
    }

    /// A text that is read from below, centred on a point.
    pub(crate) fn upright(&mut self, text: &str, at: Point, size: f64, color: RGBColor) {
        let place = Pos::new(HPos::Center, VPos::Center);
        self.letters(text, at, size, color, place, FontTransform::Rotate270);
    }

    fn letters(
        &mut self,
        text: &str,
        at: Point,
        size: f64,
        color: RGBColor,
        pos: Pos,
        turned: FontTransform,
    ) {
        // The backend makes letters smaller by this factor, and puts the middle of small letters on the point.
        const SMALLER: f64 = 1.24;
        let sunk = 0.11 * size;
        let at = match turned {
            FontTransform::None => (at.0, at.1 + sunk),
            _ => (at.0 + sunk, at.1),
        };
        let font = (FAMILY, 10.0 * size * SMALLER).into_font().transform(turned);
        let style = TextStyle::from(font).color(&color).pos(pos);
        self.0.draw_text(text, &style, fine_point(at)).expect(DRAWN);
    }
}

/// A line cut into dashes.
fn dashes(points: &[Point]) -> Vec<Vec<Point>> {
    const DASH: f64 = 7.0;
    const GAP: f64 = 5.0;
    let mut parts = Vec::new();
    let mut part: Vec<Point> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, DASH);
    for ends in points.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let share = gone / length;
            let here = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if drawing {
                part.push(here);
                parts.push(std::mem::take(&mut part));
            } else {
                part = vec![here];
            }
            drawing = !drawing;
            left = if drawing { DASH } else { GAP };
        }
        left -= length - gone;
        if drawing {
            part.push(to);
        }
    }
    if part.len() > 1 {
        parts.push(part);
    }
    parts
}

/// The first character of a text that the embedded font cannot draw: it would be missing silently.
#[cfg(test)]
pub(crate) fn missing(text: &str) -> Option<char> {
    let glyphs = face().charmap();
    text.chars().find(|c| glyphs.map(*c).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_is_drawn_has_a_glyph() {
        assert_eq!(missing(&(' '..='~').chain("±×–−≥≤…".chars()).collect::<String>()), None);
        assert_eq!(missing("a☃"), Some('☃'));
    }

    fn sample() -> Picture {
        Picture::draw("sample", (300.0, 100.0), |sheet| {
            sheet.line(&[(10.0, 10.0), (150.25, 50.0), (290.0, 10.0)], Pen::new(BLUE, 2.0));
            sheet.text("lion & \"random\" <1 %", (10.0, 70.0), 16.0, BLACK, HPos::Left);
            Marker::ALL.iter().zip(1..).for_each(|(marker, i)| {
                sheet.marker((f64::from(i) * 30.0, 90.0), *marker, 5.0, RED);
            });
        })
    }

    #[test]
    fn a_picture_drawn_twice_has_the_same_bytes() {
        assert!(sample().files(Format::Both) == sample().files(Format::Both));
    }

    #[test]
    fn the_format_says_which_files_there_are() {
        let names = |format: Format| -> Vec<String> {
            sample().files(format).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names(Format::Png), ["sample.png"]);
        assert_eq!(names(Format::Svg), ["sample.svg"]);
        assert_eq!(names(Format::Both), Format::Both.names("sample"));
        let [(_, png), (_, svg)] = &sample().files(Format::Both)[..] else { panic!("two files") };
        assert!(png.starts_with(b"\x89PNG") && svg.starts_with(b"<svg "));
    }

    /// What other programs read is one element with words in it, and nothing of it depends on a font being installed here.
    #[test]
    fn an_svg_holds_its_words_as_words() {
        let picture = sample();
        let document = usvg::roxmltree::Document::parse(picture.svg()).unwrap();
        assert_eq!(document.root_element().attribute("width"), Some("300"));
        let text = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(text.text().map(str::trim), Some("lion & \"random\" <1 %"));
        assert!(text.attribute("font-family").unwrap().ends_with("sans-serif"));
    }

    /// Letters are drawn at all: without the font, an SVG is drawn without its words, silently.
    #[test]
    fn words_are_to_be_seen_in_a_png() {
        let with = sample().files(Format::Png).remove(0).1;
        let svg = sample().svg.replace("random", "");
        let without = Picture { name: String::new(), svg }.files(Format::Png).remove(0).1;
        assert!(with != without);
    }

    #[test]
    fn dashes_are_as_long_on_many_short_pieces_as_on_one_long() {
        let pieces: Vec<Point> = (0..=50).map(|i| (f64::from(i), 0.0)).collect();
        let ends = |parts: Vec<Vec<Point>>| -> Vec<(i32, i32)> {
            parts.iter().map(|part| (fine(part[0].0), fine(part.last().unwrap().0))).collect()
        };
        let whole = ends(dashes(&[(0.0, 0.0), (50.0, 0.0)]));
        assert_eq!(whole, [(0, 70), (120, 190), (240, 310), (360, 430), (480, 500)]);
        assert_eq!(ends(dashes(&pieces)), whole);
    }

    #[test]
    fn widths_of_texts_add_up() {
        assert!((width("ab", 10.0) - width("a", 10.0) - width("b", 10.0)).abs() < 1e-9);
        assert!(width("らいおん", 10.0) > 39.0);
    }
}
