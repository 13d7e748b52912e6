//! Distributions side by side: quartiles as a box, extremes as whiskers, single values to compare with as marks.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::chart::{MARGIN, SMALL, TEXT, TITLE, title};
use super::picture::{BLACK, BLUE, GRAY, Marker, PALE, Pen, Picture, RED, Sheet, width};
use super::words::Words;
use crate::experiment::FiveNumbers;

/// One quantity over many runs; infinite is what never happened.
pub(crate) struct BoxRow {
    pub label: String,
    pub ours: Vec<f64>,
    pub null: Vec<f64>,
    pub paper: Option<f64>,
    pub untrained: Option<f64>,
}

/// A row for each quantity.
pub(crate) struct BoxChart<'a> {
    pub title: &'a str,
    pub axis: Axis,
    /// A line to compare with, and what it is called.
    pub level: Option<(f64, &'a str)>,
    /// On how much it rests.
    pub note: String,
    pub rows: Vec<BoxRow>,
    pub words: &'a Words,
}

/// Heights and widths.
const ROW: f64 = 52.0;
const TOP: f64 = MARGIN + TITLE + 60.0;
const WIDE: f64 = 820.0;
/// Where what never happened is counted.
const NEVER: f64 = 110.0;

impl BoxChart<'_> {
    fn left(&self) -> f64 {
        self.rows.iter().map(|row| width(&row.label, TEXT)).fold(120.0, f64::max) + MARGIN + 16.0
    }

    fn never_happens(&self) -> bool {
        self.rows.iter().any(|row| row.ours.iter().chain(&row.null).any(|value| value.is_infinite()))
    }

    fn x(&self, value: f64) -> f64 {
        self.left() + self.axis.share(value.min(self.axis.ends().1)) * WIDE
    }

    pub(crate) fn draw(&self, name: &str) -> Picture {
        let bottom = TOP + ROW * self.rows.len() as f64;
        let never = if self.never_happens() { NEVER } else { 0.0 };
        let wide = self.left() + WIDE + never + 2.0 * MARGIN;
        Picture::draw(name, (wide, bottom + 96.0), |sheet| {
            title(sheet, self.title, wide - 2.0 * MARGIN);
            self.legend(sheet);
            self.axes(sheet, bottom);
            for (number, row) in self.rows.iter().enumerate() {
                self.row(sheet, row, TOP + ROW * (number as f64 + 0.5));
            }
        })
    }

    fn axes(&self, sheet: &mut Sheet<'_>, bottom: f64) {
        for (tick, label) in self.axis.ticks() {
            let x = self.x(tick);
            sheet.line(&[(x, TOP), (x, bottom)], Pen::new(PALE, 1.0));
            sheet.text(&label, (x, bottom + 16.0), SMALL, BLACK, HPos::Center);
        }
        if let Some((level, name)) = self.level {
            let x = self.x(level);
            sheet.line(&[(x, TOP), (x, bottom)], Pen { dashed: true, ..Pen::new(GRAY, 1.5) });
            sheet.text(name, (x, TOP - 11.0), SMALL, BLACK, HPos::Center);
        }
        let middle = self.left() + WIDE / 2.0;
        sheet.text(&self.axis.name, (middle, bottom + 44.0), TEXT, BLACK, HPos::Center);
        sheet.text(&self.note, (middle, bottom + 72.0), SMALL, BLACK, HPos::Center);
        if self.never_happens() {
            let x = self.left() + WIDE + MARGIN + NEVER / 2.0;
            sheet.text(self.words.never, (x, bottom + 16.0), SMALL, BLACK, HPos::Center);
        }
    }

    fn row(&self, sheet: &mut Sheet<'_>, row: &BoxRow, y: f64) {
        sheet.text(&row.label, (self.left() - 14.0, y), TEXT, BLACK, HPos::Right);
        let (ours, null) = if row.null.is_empty() { (y, y) } else { (y - 11.0, y + 11.0) };
        for (values, color, y) in [(&row.ours, BLUE, ours), (&row.null, GRAY, null)] {
            self.spread(sheet, values, y, color);
        }
        if let Some(value) = row.untrained {
            sheet.marker((self.x(value), ours), Marker::Ring, 5.0, BLACK);
        }
        if let Some(value) = row.paper {
            sheet.marker((self.x(value), ours), Marker::Diamond, 5.5, RED);
        }
    }

    fn spread(&self, sheet: &mut Sheet<'_>, values: &[f64], y: f64, color: RGBColor) {
        let Some(FiveNumbers(numbers)) = FiveNumbers::of(values.iter().copied()) else { return };
        draw_box(
            sheet,
            numbers.map(|value| if value.is_finite() { self.x(value) } else { f64::INFINITY }),
            y,
            color,
            self.x(f64::INFINITY),
        );
        let never = values.iter().filter(|value| value.is_infinite()).count();
        if never > 0 {
            let x = self.left() + WIDE + MARGIN + NEVER / 2.0;
            let text = format!("{never} {} {}", self.words.of, values.len());
            sheet.text(&text, (x, y), SMALL, color, HPos::Center);
        }
    }

    fn legend(&self, sheet: &mut Sheet<'_>) {
        let (mut x, y) = (MARGIN, MARGIN + TITLE + 22.0);
        let has = |of: fn(&BoxRow) -> bool| self.rows.iter().any(of);
        let boxes = [
            (BLUE, self.words.our_runs, true),
            (GRAY, self.words.coin_tosses, has(|row| !row.null.is_empty())),
        ];
        for (color, name, _) in boxes.into_iter().filter(|(.., there)| *there) {
            draw_box(sheet, [x, x + 10.0, x + 18.0, x + 28.0, x + 40.0], y, color, f64::INFINITY);
            sheet.text(name, (x + 50.0, y), TEXT, BLACK, HPos::Left);
            x += 50.0 + width(name, TEXT) + 30.0;
        }
        let marks = [
            (Marker::Diamond, 5.5, RED, self.words.paper, has(|row| row.paper.is_some())),
            (Marker::Ring, 5.0, BLACK, self.words.untrained_values, has(|row| row.untrained.is_some())),
        ];
        for (marker, size, color, name, _) in marks.into_iter().filter(|(.., there)| *there) {
            sheet.marker((x + 8.0, y), marker, size, color);
            sheet.text(name, (x + 24.0, y), TEXT, BLACK, HPos::Left);
            x += 24.0 + width(name, TEXT) + 30.0;
        }
    }
}

/// A box with its whiskers; what is infinite goes on beyond the end of the axis.
fn draw_box(
    sheet: &mut Sheet<'_>,
    [min, low, middle, high, max]: [f64; 5],
    y: f64,
    color: RGBColor,
    end: f64,
) {
    const HALF: f64 = 7.5;
    if min.is_infinite() {
        return;
    }
    sheet.line(&[(min, y), (max.min(end), y)], Pen::new(color, 1.6));
    if low.is_finite() {
        let right = high.min(end);
        sheet.rectangle((low, y - HALF), (right, y + HALF), color.mix(0.3));
        // A box that goes on has no right edge.
        let mut border = vec![(right, y - HALF), (low, y - HALF), (low, y + HALF), (right, y + HALF)];
        if high.is_finite() {
            border.push((right, y - HALF));
        }
        sheet.line(&border, Pen::new(color, 1.0));
    }
    if max.is_infinite() {
        sheet.shape(&[(end, y - 5.0), (end + 9.0, y), (end, y + 5.0)], color.mix(1.0));
    }
    if middle.is_finite() {
        sheet.line(&[(middle, y - HALF - 1.0), (middle, y + HALF + 1.0)], Pen::new(color, 3.0));
    }
}
