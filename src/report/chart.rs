//! Charts with axes: lines, bands and marked points in panels, and legends that stand where no data is.

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::picture::{BLACK, GRAY, Marker, PALE, Pen, Picture, Point, Sheet, width};

/// Sizes of letters, in points.
pub(crate) const TITLE: f64 = 21.0;
const HEAD: f64 = 17.0;
pub(crate) const TEXT: f64 = 15.0;
pub(crate) const SMALL: f64 = 13.0;

/// Space around everything.
pub(crate) const MARGIN: f64 = 24.0;

/// A value and between what it lies, over a place on the horizontal axis.
pub(crate) type Between = (f64, [f64; 2]);

/// A named line of points, with whatever belongs to it.
pub(crate) struct Line {
    name: String,
    color: RGBColor,
    /// None for points that stand alone.
    width: f64,
    dashed: bool,
    marker: Option<Marker>,
    points: Vec<Point>,
    bars: Vec<Between>,
    band: Vec<Between>,
}

impl Line {
    pub(crate) fn solid(name: &str, color: RGBColor, points: Vec<Point>) -> Line {
        let name = name.to_string();
        Line {
            name,
            color,
            width: 2.0,
            dashed: false,
            marker: None,
            points,
            bars: Vec::new(),
            band: Vec::new(),
        }
    }

    pub(crate) fn dashed(name: &str, color: RGBColor, points: Vec<Point>) -> Line {
        Line { dashed: true, ..Line::solid(name, color, points) }
    }

    /// A level to compare with, over all of an axis.
    pub(crate) fn level(name: &str, color: RGBColor, axis: &Axis, level: f64) -> Line {
        let (low, high) = axis.ends();
        Line { width: 1.5, ..Line::dashed(name, color, vec![(low, level), (high, level)]) }
    }

    /// The same, but thinner.
    pub(crate) fn thin(self) -> Line {
        Line { width: 1.0, ..self }
    }

    /// Points that no line joins.
    pub(crate) fn points(name: &str, color: RGBColor, marker: Marker, points: Vec<Point>) -> Line {
        Line { width: 0.0, marker: Some(marker), ..Line::solid(name, color, points) }
    }

    /// The same with a mark at every point.
    pub(crate) fn marked(self, marker: Marker) -> Line {
        Line { marker: Some(marker), ..self }
    }

    /// The same with vertical bars.
    pub(crate) fn with_bars(self, bars: Vec<Between>) -> Line {
        Line { bars, ..self }
    }

    /// The same with a pale band around it.
    pub(crate) fn with_band(self, band: Vec<Between>) -> Line {
        Line { band, ..self }
    }

    /// A pale band with a name and without a line.
    pub(crate) fn band(name: &str, color: RGBColor, band: Vec<Between>) -> Line {
        Line { width: 0.0, ..Line::solid(name, color, Vec::new()) }.with_band(band)
    }

    /// How high everything of it lies.
    pub(crate) fn heights(&self) -> impl Iterator<Item = f64> {
        let between = self.bars.iter().chain(&self.band).flat_map(|(_, ends)| *ends);
        self.points.iter().map(|(_, y)| *y).chain(between)
    }

    fn pen(&self) -> Pen {
        Pen { color: self.color, width: self.width, dashed: self.dashed }
    }

    /// What stands for it in a legend.
    fn draw_sample(&self, sheet: &mut Sheet<'_>, (x, y): Point) {
        if !self.band.is_empty() {
            sheet.rectangle((x, y - 6.0), (x + SAMPLE, y + 6.0), self.color.mix(BAND));
        }
        if self.width > 0.0 {
            sheet.line(&[(x, y), (x + SAMPLE, y)], self.pen());
        }
        if let Some(marker) = self.marker {
            sheet.marker((x + SAMPLE / 2.0, y), marker, 4.5, self.color);
        }
    }
}

/// How much of its colour a band has.
const BAND: f64 = 0.18;

/// How long a sample in a legend is, and how high a row of it.
const SAMPLE: f64 = 32.0;
const ROW: f64 = 23.0;

/// Draws rows of samples with names, from left to right, and says how high they are. Without a sheet nothing is drawn.
fn legend(sheet: Option<&mut Sheet<'_>>, lines: &[&Line], (left, top): Point, room: f64) -> f64 {
    let mut named: Vec<&Line> = Vec::new();
    for line in lines.iter().filter(|line| !line.name.is_empty()) {
        if named.iter().all(|known| known.name != line.name) {
            named.push(line);
        }
    }
    let (mut x, mut y) = (left, top + ROW / 2.0);
    let mut places = Vec::new();
    for line in &named {
        let wide = SAMPLE + 8.0 + width(&line.name, TEXT);
        if x > left && x + wide > left + room {
            (x, y) = (left, y + ROW);
        }
        places.push((x, y));
        x += wide + 26.0;
    }
    if let Some(sheet) = sheet {
        for (line, (x, y)) in named.iter().zip(places) {
            line.draw_sample(sheet, (x, y));
            sheet.text(&line.name, (x + SAMPLE + 8.0, y), TEXT, BLACK, HPos::Left);
        }
    }
    if named.is_empty() { 0.0 } else { y + ROW / 2.0 - top }
}

/// One pair of axes with lines.
pub(crate) struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub lines: Vec<Line>,
}

/// Panels side by side.
pub(crate) struct Figure {
    pub title: String,
    pub columns: usize,
    /// The size of a panel with what is written around it.
    pub panel: Point,
    /// One legend for all panels, or one for each.
    pub one_legend: bool,
    pub panels: Vec<Panel>,
}

impl Figure {
    /// A figure of one panel, whose title is the figure's.
    pub(crate) fn single(title: &str, x: Axis, y: Axis, lines: Vec<Line>) -> Figure {
        let panels = vec![Panel { title: String::new(), x, y, lines }];
        Figure { title: title.to_string(), columns: 1, panel: (1050.0, 560.0), one_legend: true, panels }
    }

    pub(crate) fn draw(&self, name: &str) -> Picture {
        let rows = self.panels.len().div_ceil(self.columns);
        let wide = self.panel.0 * self.columns as f64 + 2.0 * MARGIN;
        let room = wide - 2.0 * MARGIN;
        let all: Vec<&Line> =
            self.panels.iter().flat_map(|panel| &panel.lines).filter(|_| self.one_legend).collect();
        let heading = if self.title.is_empty() { MARGIN / 2.0 } else { MARGIN + TITLE + 12.0 };
        let shared = legend(None, &all, (0.0, 0.0), room);
        let top = heading + shared + if shared > 0.0 { 10.0 } else { 0.0 };
        let own = |panel: &Panel| {
            let lines: Vec<&Line> = panel.lines.iter().filter(|_| !self.one_legend).collect();
            legend(None, &lines, (0.0, 0.0), self.panel.0 - 80.0)
        };
        // All panels of a figure begin at the same height.
        let own = self.panels.iter().map(own).fold(0.0, f64::max);
        let high = self.panel.1 + own;
        Picture::draw(name, (wide, top + high * rows as f64 + MARGIN / 2.0), |sheet| {
            title(sheet, &self.title, room);
            legend(Some(sheet), &all, (MARGIN, heading), room);
            for (i, panel) in self.panels.iter().enumerate() {
                let (row, column) = (i / self.columns, i % self.columns);
                let corner = (MARGIN + self.panel.0 * column as f64, top + high * row as f64);
                panel.draw(sheet, corner, (self.panel.0, high), own);
            }
        })
    }
}

/// The title of a picture, smaller if there is not enough room for it.
pub(crate) fn title(sheet: &mut Sheet<'_>, text: &str, room: f64) {
    let size = TITLE.min(TITLE * room / width(text, TITLE).max(1.0));
    sheet.text(text, (MARGIN, MARGIN + TITLE / 2.0 - 2.0), size, BLACK, HPos::Left);
}

impl Panel {
    /// Draws it with its upper left corner there; `own` is the height of a legend of its own.
    fn draw(&self, sheet: &mut Sheet<'_>, (left, top): Point, (wide, high): Point, own: f64) {
        let labels = self.y.ticks().map(|(_, label)| width(&label, SMALL)).fold(0.0, f64::max);
        let head = if self.title.is_empty() { 8.0 } else { HEAD + 14.0 };
        let plot = Plot {
            left: left + TEXT + 20.0 + labels,
            right: left + wide - 22.0,
            top: top + head + own,
            bottom: top + high - SMALL - TEXT - 26.0,
            panel: self,
        };
        let middle = (plot.left + plot.right) / 2.0;
        sheet.text(&self.title, (middle, top + HEAD / 2.0 + 2.0), HEAD, BLACK, HPos::Center);
        if own > 0.0 {
            let lines: Vec<&Line> = self.lines.iter().collect();
            legend(Some(sheet), &lines, (plot.left, top + head - 6.0), wide - 80.0);
        }
        sheet.upright(&self.y.name, (left + TEXT / 2.0 + 2.0, (plot.top + plot.bottom) / 2.0), TEXT, BLACK);
        sheet.text(&self.x.name, (middle, plot.bottom + SMALL + 24.0), TEXT, BLACK, HPos::Center);
        plot.axes(sheet);
        self.lines.iter().for_each(|line| plot.band(sheet, line));
        self.lines.iter().for_each(|line| plot.line(sheet, line));
    }
}

/// The rectangle between the axes.
struct Plot<'a> {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    panel: &'a Panel,
}

impl Plot<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.panel.x.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.panel.y.share(value) * (self.bottom - self.top)
    }

    fn point(&self, (x, y): Point) -> Point {
        (self.x(x), self.y(y))
    }

    fn axes(&self, sheet: &mut Sheet<'_>) {
        let (grid, axis) = (Pen::new(PALE, 1.0), Pen::new(GRAY, 1.0));
        for (tick, label) in self.panel.x.ticks() {
            let x = self.x(tick);
            sheet.line(&[(x, self.top), (x, self.bottom)], grid);
            sheet.line(&[(x, self.bottom), (x, self.bottom + 5.0)], axis);
            sheet.text(&label, (x, self.bottom + 8.0 + SMALL / 2.0), SMALL, BLACK, HPos::Center);
        }
        for (tick, label) in self.panel.y.ticks() {
            let y = self.y(tick);
            sheet.line(&[(self.left, y), (self.right, y)], grid);
            sheet.line(&[(self.left - 5.0, y), (self.left, y)], axis);
            sheet.text(&label, (self.left - 9.0, y), SMALL, BLACK, HPos::Right);
        }
        sheet.line(&[(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)], axis);
    }

    fn band(&self, sheet: &mut Sheet<'_>, line: &Line) {
        let upper = line.band.iter().map(|(x, [_, high])| self.point((*x, *high)));
        let lower = line.band.iter().rev().map(|(x, [low, _])| self.point((*x, *low)));
        let corners: Vec<Point> = upper.chain(lower).collect();
        if !corners.is_empty() {
            sheet.shape(&corners, line.color.mix(BAND));
        }
    }

    fn line(&self, sheet: &mut Sheet<'_>, line: &Line) {
        for (x, [low, high]) in &line.bars {
            let (x, low, high) = (self.x(*x), self.y(*low), self.y(*high));
            let pen = Pen::new(line.color, 1.2);
            sheet.line(&[(x, low), (x, high)], pen);
            for end in [low, high] {
                sheet.line(&[(x - 3.0, end), (x + 3.0, end)], pen);
            }
        }
        let points: Vec<Point> = line.points.iter().map(|point| self.point(*point)).collect();
        if line.width > 0.0 && points.len() > 1 {
            sheet.line(&thinned(&points), line.pen());
        }
        if let Some(marker) = line.marker {
            points.iter().for_each(|point| sheet.marker(*point, marker, 4.0, line.color));
        }
    }
}

/// Of each point of width the first, the lowest, the highest and the last: of a line of thousands of points nobody sees more.
fn thinned(points: &[Point]) -> Vec<Point> {
    if points.len() < 2000 {
        return points.to_vec();
    }
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let place = |wanted: Option<(usize, &Point)>| wanted.map_or(0, |(i, _)| i);
        let by_height = |a: &(usize, &Point), b: &(usize, &Point)| a.1.1.total_cmp(&b.1.1);
        let low = place(column.iter().enumerate().min_by(by_height));
        let high = place(column.iter().enumerate().max_by(by_height));
        let mut chosen = [0, low.min(high), low.max(high), column.len() - 1].to_vec();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| column[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::picture::{BLUE, Format, RED};
    use resvg::usvg::roxmltree::Document;

    fn figure(one_legend: bool) -> Picture {
        let panel = |title: &str| Panel {
            title: title.to_string(),
            x: Axis::counting("generation", 100.0),
            y: Axis::covering("value", [0.0, 90.0]),
            lines: vec![
                Line::solid("ours", BLUE, vec![(0.0, 90.0), (100.0, 90.0)]).marked(Marker::Disc),
                Line::dashed("paper", RED, vec![(0.0, 0.0), (100.0, 90.0)]),
                Line::solid("", RED, vec![(0.0, 10.0), (100.0, 80.0)]),
            ],
        };
        let panels = vec![panel("left"), panel("right")];
        Figure { title: "Both".to_string(), columns: 2, panel: (400.0, 300.0), one_legend, panels }
            .draw("both")
    }

    fn texts(picture: &Picture) -> Vec<(String, f64)> {
        let document = Document::parse(picture.svg()).unwrap();
        let of = |node: resvg::usvg::roxmltree::Node<'_, '_>| {
            let y = node.attribute("y").unwrap().parse::<f64>().unwrap() / 10.0;
            (node.text().unwrap().trim().to_string(), y)
        };
        document.descendants().filter(|node| node.has_tag_name("text")).map(of).collect()
    }

    /// The highest tick is where the plot begins, and everything of a legend is above it.
    #[test]
    fn legends_stand_above_the_data() {
        for (one_legend, times) in [(true, 1), (false, 2)] {
            let texts = texts(&figure(one_legend));
            let top = texts.iter().find(|(text, _)| text == "100").unwrap().1;
            for name in ["ours", "paper"] {
                let found: Vec<f64> =
                    texts.iter().filter(|(text, _)| text == name).map(|(_, y)| *y).collect();
                assert_eq!(found.len(), times, "{name}");
                assert!(
                    found.iter().all(|y| *y + TEXT / 2.0 < top - 4.0),
                    "{name}: {found:?}, plot from {top}"
                );
            }
        }
    }

    #[test]
    fn figures_come_out_the_same_again() {
        assert!(figure(true).files(Format::Both) == figure(true).files(Format::Both));
    }

    #[test]
    fn a_long_line_keeps_its_ends_and_extremes() {
        let points: Vec<Point> =
            (0..10_000).map(|i| (f64::from(i) / 100.0, f64::from(i * 7 % 1000))).collect();
        let kept = thinned(&points);
        assert!(kept.len() <= 400, "{}", kept.len());
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[9_999]));
        let highest = |points: &[Point]| points.iter().map(|point| point.1).fold(0.0, f64::max);
        assert_eq!(highest(&kept), highest(&points));
    }
}
