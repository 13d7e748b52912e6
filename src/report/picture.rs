//! Drawing with an embedded font: no font or library of the system is needed.

use std::ops::Range;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::arena::Estimate;

/// M PLUS 1, reduced to what is drawn here; see `assets/OFL.txt`.
pub(super) const FONT: &[u8] = include_bytes!("../../assets/mplus1-subset.otf");

/// The name under which the font is known.
pub(super) const FAMILY: &str = "sans-serif";

/// What pictures are drawn on.
pub(super) type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// Colours that also the colour-blind can tell apart.
pub(super) const BLUE: RGBColor = RGBColor(0, 90, 170);
pub(super) const RED: RGBColor = RGBColor(200, 50, 30);
pub(super) const GREEN: RGBColor = RGBColor(0, 140, 90);
pub(super) const ORANGE: RGBColor = RGBColor(240, 150, 0);
pub(super) const PURPLE: RGBColor = RGBColor(130, 60, 150);

/// Drawing into memory does not fail.
pub(super) const DRAWN: &str = "drawing into memory does not fail";

/// Draws a picture and returns it as a PNG.
pub(super) fn png(width: u32, height: u32, draw: impl FnOnce(&Area<'_>)) -> Vec<u8> {
    static REGISTER: Once = Once::new();
    REGISTER.call_once(|| {
        assert!(register_font(FAMILY, FontStyle::Normal, FONT).is_ok(), "the embedded font is a font");
    });
    let mut pixels = vec![0; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        area.fill(&WHITE).expect(DRAWN);
        draw(&area);
        area.present().expect(DRAWN);
    }
    encode(width, height, &pixels)
}

fn encode(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect(DRAWN);
    writer.write_image_data(pixels).expect(DRAWN);
    writer.finish().expect(DRAWN);
    bytes
}

/// A line of text at the top left.
pub(super) fn title(area: &Area<'_>, text: &str) {
    write(area, text, (30, 36), 28.0, &BLACK, HPos::Left);
}

/// A text centred in height on a point.
pub(super) fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: f64, color: &RGBColor, h: HPos) {
    let style = (FAMILY, size).into_font().color(color).pos(Pos::new(h, VPos::Center));
    area.draw(&Text::new(text.to_string(), at, style)).expect(DRAWN);
}

/// A named line of points.
pub(super) struct Line {
    name: String,
    color: RGBColor,
    dashed: bool,
    points: Vec<(f64, f64)>,
}

impl Line {
    pub(super) fn solid(name: &str, color: RGBColor, points: Vec<(f64, f64)>) -> Line {
        Line { name: name.to_string(), color, dashed: false, points }
    }

    /// One of many, in the background.
    pub(super) fn faint(points: Vec<(f64, f64)>) -> Line {
        Line::solid("", RGBColor(195, 208, 222), points)
    }

    /// How high its points lie.
    pub(super) fn heights(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|(_, y)| *y)
    }

    pub(super) fn dashed(name: &str, color: RGBColor, points: Vec<(f64, f64)>) -> Line {
        Line { dashed: true, ..Line::solid(name, color, points) }
    }
}

/// Named points in one colour.
pub(super) type Marks<'a> = (&'a str, RGBColor, Vec<(f64, f64)>);

/// A chart with named axes.
pub(super) struct Panel {
    pub title: String,
    pub x: (&'static str, Range<f64>),
    pub y: (&'static str, Range<f64>),
    pub font: f64,
}

/// Where the legend stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    UpperRight,
    LowerRight,
}

impl Panel {
    /// Draws lines, marked points and vertical intervals, with a legend for what has a name.
    pub(super) fn draw(
        &self,
        area: &Area<'_>,
        lines: &[Line],
        marks: &[Marks<'_>],
        intervals: &[(f64, Estimate)],
    ) {
        self.draw_with_legend(area, lines, marks, intervals, Corner::UpperRight);
    }

    /// The same with the legend in a corner of choice.
    pub(super) fn draw_with_legend(
        &self,
        area: &Area<'_>,
        lines: &[Line],
        marks: &[Marks<'_>],
        intervals: &[(f64, Estimate)],
        corner: Corner,
    ) {
        let font = |scale: f64| (FAMILY, self.font * scale).into_font();
        let room = self.font as i32;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, font(1.1))
            .margin(room / 2)
            .margin_right(room * 2)
            .x_label_area_size(room * 3)
            .y_label_area_size(room * 4)
            .build_cartesian_2d(self.x.1.clone(), self.y.1.clone())
            .expect(DRAWN);
        let decimals = if self.y.1.end <= 5.0 { 1 } else { 0 };
        chart
            .configure_mesh()
            .x_desc(self.x.0)
            .y_desc(self.y.0)
            .axis_desc_style(font(1.0))
            .label_style(font(0.85))
            .x_labels((self.x.1.end as usize).clamp(2, 6))
            .y_labels(6)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.decimals$}"))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .draw()
            .expect(DRAWN);
        for (x, estimate) in intervals {
            let style = RGBColor(120, 160, 200).stroke_width(2);
            let bar = PathElement::new(vec![(*x, estimate.low), (*x, estimate.high)], style);
            chart.draw_series([bar]).expect(DRAWN);
        }
        let length = room;
        for line in lines {
            let style = line.color.stroke_width(if line.name.is_empty() { 1 } else { 2 });
            let drawn = if line.dashed {
                chart
                    .draw_series(DashedLineSeries::new(line.points.iter().copied(), 8, 6, style))
                    .expect(DRAWN)
            } else {
                // One stroke a segment: the joints of a thick line would stick out far where it turns sharply.
                let segment = |ends: &[(f64, f64)]| PathElement::new(ends.to_vec(), style);
                chart.draw_series(line.points.windows(2).map(segment)).expect(DRAWN)
            };
            if line.name.is_empty() {
                continue;
            }
            let dashed = line.dashed;
            drawn.label(&line.name).legend(move |(x, y)| {
                // A dashed line is shown by its two ends.
                let end = if dashed { x + length / 3 } else { x + length };
                PathElement::new(vec![(x, y), (end, y)], style)
            });
        }
        for (name, color, points) in marks.iter().filter(|(.., points)| !points.is_empty()) {
            let (color, size) = (*color, room / 4 + 1);
            let circle = move |point: (f64, f64)| Circle::new(point, size, color.filled());
            let drawn = chart.draw_series(points.iter().copied().map(circle)).expect(DRAWN);
            drawn.label(*name).legend(move |(x, y)| Circle::new((x + length / 2, y), size, color.filled()));
        }
        chart
            .configure_series_labels()
            .position(match corner {
                Corner::UpperRight => SeriesLabelPosition::UpperRight,
                Corner::LowerRight => SeriesLabelPosition::LowerRight,
            })
            .legend_area_size(room + 6)
            .label_font(font(0.8))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()
            .expect(DRAWN);
    }
}

/// One quantity of a [`BoxChart`].
pub(super) struct Box5 {
    pub label: String,
    pub ours: Option<[f64; 5]>,
    pub null: Option<[f64; 5]>,
    pub paper: Option<f64>,
}

/// Distributions side by side: quartiles as a box, extremes as whiskers, the paper's value as a diamond.
pub(super) struct BoxChart<'a> {
    pub title: &'a str,
    pub axis: &'static str,
    pub boxes: Vec<Box5>,
}

impl BoxChart<'_> {
    const LEFT: i32 = 290;
    const WIDTH: i32 = 1000;
    const ROW: i32 = 64;
    const TOP: i32 = 120;

    pub(super) fn draw(&self) -> Vec<u8> {
        let rows = self.boxes.len() as i32;
        let bottom = Self::TOP + rows * Self::ROW;
        let all = self.boxes.iter().flat_map(|b| b.ours.into_iter().chain(b.null).flatten().chain(b.paper));
        let (least, most) =
            all.fold((0.0, 1.0), |(least, most): (f64, f64), value| (least.min(value), most.max(value)));
        let (bottom_value, top) = (least * 1.02, most * 1.02);
        let share = |value: f64| (value - bottom_value) / (top - bottom_value);
        let x = |value: f64| Self::LEFT + (share(value) * f64::from(Self::WIDTH)) as i32;
        let gray = RGBColor(150, 150, 150);
        png((Self::LEFT + Self::WIDTH + 60) as u32, (bottom + 80) as u32, |area| {
            title(area, self.title);
            self.legend(area, gray);
            let step = nice_step(top - bottom_value, if least < 0.0 { 0.1 } else { 1.0 });
            let decimals = if step < 1.0 { 1 } else { 0 };
            for number in (bottom_value / step).ceil() as i32..=(top / step).floor() as i32 {
                let tick = f64::from(number) * step;
                let line = [(x(tick), Self::TOP - 10), (x(tick), bottom)];
                area.draw(&PathElement::new(line.to_vec(), RGBColor(225, 225, 225))).expect(DRAWN);
                let text = format!("{tick:.decimals$}");
                write(area, &text, (x(tick), bottom + 18), 18.0, &BLACK, HPos::Center);
            }
            write(area, self.axis, (Self::LEFT + Self::WIDTH / 2, bottom + 50), 20.0, &BLACK, HPos::Center);
            for (row, quantity) in (0..).zip(&self.boxes) {
                let y = Self::TOP + row * Self::ROW + Self::ROW / 2;
                write(area, &quantity.label, (Self::LEFT - 15, y), 19.0, &BLACK, HPos::Right);
                let (ours, null) = if quantity.null.is_some() { (y - 12, y + 12) } else { (y, y) };
                for (numbers, color, y) in [(quantity.ours, BLUE, ours), (quantity.null, gray, null)] {
                    if let Some(numbers) = numbers {
                        draw_box(area, numbers.map(x), y, color);
                    }
                }
                if let Some(paper) = quantity.paper {
                    diamond(area, (x(paper), ours));
                }
            }
        })
    }

    fn legend(&self, area: &Area<'_>, gray: RGBColor) {
        let mut at = Self::LEFT;
        draw_box(area, [at, at + 10, at + 20, at + 30, at + 40], 80, BLUE);
        write(area, "our runs: extremes, quartiles, median", (at + 55, 80), 18.0, &BLACK, HPos::Left);
        at += 420;
        if self.boxes.iter().any(|quantity| quantity.null.is_some()) {
            draw_box(area, [at, at + 10, at + 20, at + 30, at + 40], 80, gray);
            write(area, "coin tosses", (at + 55, 80), 18.0, &BLACK, HPos::Left);
            at += 200;
        }
        if self.boxes.iter().any(|quantity| quantity.paper.is_some()) {
            diamond(area, (at, 80));
            write(area, "paper", (at + 18, 80), 18.0, &BLACK, HPos::Left);
        }
    }
}

fn draw_box(area: &Area<'_>, [min, low, middle, high, max]: [i32; 5], y: i32, color: RGBColor) {
    area.draw(&PathElement::new(vec![(min, y), (max, y)], color.stroke_width(2))).expect(DRAWN);
    area.draw(&Rectangle::new([(low, y - 9), (high, y + 9)], color.mix(0.35).filled())).expect(DRAWN);
    area.draw(&Rectangle::new([(low, y - 9), (high, y + 9)], color.stroke_width(1))).expect(DRAWN);
    area.draw(&PathElement::new(vec![(middle, y - 10), (middle, y + 10)], color.stroke_width(4)))
        .expect(DRAWN);
}

fn diamond(area: &Area<'_>, (x, y): (i32, i32)) {
    let corners = vec![(x - 8, y), (x, y - 8), (x + 8, y), (x, y + 8)];
    area.draw(&Polygon::new(corners, RED.filled())).expect(DRAWN);
}

/// A round distance between ticks that gives about eight of them over this span, but no less than `least`.
fn nice_step(span: f64, least: f64) -> f64 {
    let rough = span / 8.0;
    let scale = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * scale >= rough);
    (factor.unwrap_or(10.0) * scale).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ab_glyph::{Font, FontRef};

    /// A glyph that is missing is drawn as nothing, silently.
    #[test]
    fn every_character_that_is_drawn_has_a_glyph() {
        let font = FontRef::try_from_slice(FONT).unwrap();
        for c in (' '..='~').chain("±×–−≥≤…".chars()) {
            assert_ne!(font.glyph_id(c).0, 0, "{c} has no glyph");
        }
    }
}
