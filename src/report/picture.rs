//! Drawing with an embedded font: no font or library of the system is needed.

use std::sync::Once;

use plotters::prelude::*;
use plotters::style::register_font;

/// M PLUS 1, reduced to what is drawn here; see `assets/OFL.txt`.
const FONT: &[u8] = include_bytes!("../../assets/mplus1-subset.otf");

/// The name under which the font is known.
pub(super) const FAMILY: &str = "sans-serif";

/// Draws a picture and returns it as a PNG.
pub(super) fn png(
    width: u32,
    height: u32,
    draw: impl FnOnce(&DrawingArea<BitMapBackend<'_>, plotters::coord::Shift>),
) -> Vec<u8> {
    static REGISTER: Once = Once::new();
    REGISTER.call_once(|| {
        for style in [FontStyle::Normal, FontStyle::Bold] {
            assert!(register_font(FAMILY, style, FONT).is_ok(), "the embedded font is a font");
        }
    });
    let mut pixels = vec![0; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        area.fill(&WHITE).expect("drawing into memory does not fail");
        draw(&area);
        area.present().expect("drawing into memory does not fail");
    }
    encode(width, height, &pixels)
}

fn encode(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("writing into memory does not fail");
    writer.write_image_data(pixels).expect("writing into memory does not fail");
    writer.finish().expect("writing into memory does not fail");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ab_glyph::{Font, FontRef};

    /// A glyph that is missing is drawn as nothing, silently.
    #[test]
    fn every_character_that_is_drawn_has_a_glyph() {
        let font = FontRef::try_from_slice(FONT).unwrap();
        let drawn = (' '..='~').chain("±×–−≥≤…ひよこきりんぞうらいおんにわとり盤上持駒世代値".chars());
        for c in drawn {
            assert_ne!(font.glyph_id(c).0, 0, "{c} has no glyph");
        }
    }
}
