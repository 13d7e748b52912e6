//! The named, bounded weights of an evaluator: the only thing a learner may change.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{POINT, Readings, UnknownReading};
use crate::games::dobutsu::{HandPiece, Kind};

/// One weight. The nine piece values come first, in the order of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Gene {
    BoardChick,
    BoardGiraffe,
    BoardElephant,
    BoardLion,
    BoardHen,
    HandChick,
    HandGiraffe,
    HandElephant,
    HandLion,
    Mobility,
    Check,
    Try,
}

impl Gene {
    /// Every gene.
    pub const ALL: [Gene; 12] = [
        Gene::BoardChick,
        Gene::BoardGiraffe,
        Gene::BoardElephant,
        Gene::BoardLion,
        Gene::BoardHen,
        Gene::HandChick,
        Gene::HandGiraffe,
        Gene::HandElephant,
        Gene::HandLion,
        Gene::Mobility,
        Gene::Check,
        Gene::Try,
    ];

    /// The nine piece values, which are all that the paper evolves.
    pub const MATERIAL: &'static [Gene] = Self::ALL.split_at(9).0;

    /// Section and key in a genome file.
    const fn place(self) -> (&'static str, &'static str) {
        match self {
            Gene::BoardChick => ("board", "chick"),
            Gene::BoardGiraffe => ("board", "giraffe"),
            Gene::BoardElephant => ("board", "elephant"),
            Gene::BoardLion => ("board", "lion"),
            Gene::BoardHen => ("board", "hen"),
            Gene::HandChick => ("hand", "chick"),
            Gene::HandGiraffe => ("hand", "giraffe"),
            Gene::HandElephant => ("hand", "elephant"),
            Gene::HandLion => ("hand", "lion"),
            Gene::Mobility => ("features", "mobility"),
            Gene::Check => ("features", "check"),
            Gene::Try => ("features", "try"),
        }
    }
}

impl fmt::Display for Gene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (section, key) = self.place();
        f.pad(&format!("{section}.{key}"))
    }
}

/// A value for every gene, from 0 to 10,000 points in thousandths, and how the features are read.
///
/// ```
/// use dobutsu_ga::eval::{Gene, Genome};
/// let genome = Genome::BASE.with(Gene::BoardChick, 286_000)?;
/// assert_eq!(Genome::from_toml(&genome.to_toml())?, genome);
/// # Ok::<(), dobutsu_ga::eval::GenomeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Genome {
    genes: [i32; 12],
    /// How mobility, check and try are understood.
    pub readings: Readings,
}

impl Genome {
    /// The largest value of a gene, in thousandths. Sums of all features stay far inside an `i32`.
    pub const MAX: i32 = 10_000 * POINT;

    /// Nothing is worth anything.
    pub const ZERO: Genome = Genome::whole([0; 12]);

    /// The paper's untrained values: pieces only (its Table 4).
    pub const BASE: Genome = Genome::whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 0, 0, 0]);

    /// The untrained values with 1 for each square of mobility (evaluator 2).
    pub const MOBILITY: Genome = Genome::whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 1, 0, 0]);

    /// The untrained values with mobility, 500 for check and 500 for a try (evaluator 3).
    pub const FULL: Genome = Genome::whole([4, 5, 5, 50, 8, 1, 3, 3, 100, 1, 500, 500]);

    /// Genomes that come with the program, by name: what the paper evolved (its Tables 5, 7 and 8), the champions of our
    /// robust runs, and weights fitted to the solved game.
    const NAMED: [(&str, &str); 7] = [
        ("table5", include_str!("../../experiments/genomes/table5.toml")),
        ("table7", include_str!("../../experiments/genomes/table7.toml")),
        ("table8", include_str!("../../experiments/genomes/table8.toml")),
        ("robust", include_str!("../../experiments/genomes/robust.toml")),
        ("robust-full", include_str!("../../experiments/genomes/robust-full.toml")),
        ("oracle", include_str!("../../experiments/genomes/oracle.toml")),
        ("fitted", include_str!("../../experiments/genomes/fitted.toml")),
    ];

    /// The names of all genomes that come with the program.
    pub fn names() -> [&'static str; 7] {
        Self::NAMED.map(|(name, _)| name)
    }

    /// The genome of this name that comes with the program.
    ///
    /// ```
    /// use dobutsu_ga::eval::{Gene, Genome};
    /// assert_eq!(Genome::named("table5").map(|genome| genome.get(Gene::BoardChick)), Some(286_000));
    /// ```
    pub fn named(name: &str) -> Option<Genome> {
        let (_, text) = Self::NAMED.into_iter().find(|(known, _)| *known == name)?;
        Genome::from_toml(text).ok()
    }

    /// A genome of whole points in the order of [`Gene::ALL`].
    const fn whole(points: [u16; 12]) -> Genome {
        let mut genes = [0; 12];
        let mut i = 0;
        while i < 12 {
            assert!(points[i] <= 10_000);
            genes[i] = points[i] as i32 * POINT;
            i += 1;
        }
        Genome { genes, readings: Readings::DEFAULT }
    }

    /// The value of a gene in thousandths.
    pub const fn get(&self, gene: Gene) -> i32 {
        self.genes[gene as usize]
    }

    /// The genome with one gene changed, in thousandths.
    pub fn with(mut self, gene: Gene, thousandths: i32) -> Result<Genome, GenomeError> {
        if !(0..=Self::MAX).contains(&thousandths) {
            return Err(GenomeError::Range { gene, value: f64::from(thousandths) / f64::from(POINT) });
        }
        self.genes[gene as usize] = thousandths;
        Ok(self)
    }

    /// The value of a piece on the board.
    pub const fn board(&self, kind: Kind) -> i32 {
        self.genes[Gene::BoardChick as usize + kind as usize]
    }

    /// The value of a piece in hand.
    pub const fn hand(&self, piece: HandPiece) -> i32 {
        self.genes[Gene::HandChick as usize + piece as usize]
    }

    /// Whether pieces are all that counts.
    pub fn is_material_only(&self) -> bool {
        self.genes[Gene::MATERIAL.len()..].iter().all(|value| *value == 0)
    }

    /// The text of a genome file.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut open = "";
        for gene in Gene::ALL {
            let (section, key) = gene.place();
            if section != open {
                text += &format!("{}[{section}]\n", if open.is_empty() { "" } else { "\n" });
                open = section;
            }
            text += &format!("{key} = {}\n", points(self.get(gene)));
        }
        text += "\n[readings]\n";
        for (name, reading) in self.readings.named() {
            text += &format!("{name} = \"{reading}\"\n");
        }
        text
    }

    /// Reads the text of a genome file: every gene must be there; readings may, and nothing else.
    pub fn from_toml(text: &str) -> Result<Genome, GenomeError> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| GenomeError::Syntax(error.message().to_string()))?;
        let mut readings = Readings::default();
        for (section, content) in &table {
            let entries = content.as_table().ok_or_else(|| GenomeError::Unknown(section.clone()))?;
            for (key, value) in entries {
                if section == "readings" {
                    let text = value.as_str().map_or_else(|| value.to_string(), String::from);
                    if !readings.set(key, &text)? {
                        return Err(GenomeError::UnknownReading(key.clone()));
                    }
                } else if !Gene::ALL.iter().any(|gene| gene.place() == (section, key)) {
                    return Err(GenomeError::Unknown(format!("{section}.{key}")));
                }
            }
        }
        let mut genome = Genome { genes: [0; 12], readings };
        for gene in Gene::ALL {
            let (section, key) = gene.place();
            let value = table.get(section).and_then(|content| content.get(key));
            let value = match value.ok_or(GenomeError::Missing(gene))? {
                toml::Value::Integer(points) => *points as f64,
                toml::Value::Float(points) => *points,
                _ => return Err(GenomeError::NotANumber(gene)),
            };
            genome = genome.with(gene, thousandths(gene, value)?)?;
        }
        Ok(genome)
    }

    /// Reads a genome file.
    pub fn load(path: &Path) -> Result<Genome, GenomeError> {
        let wrong = |error: String| GenomeError::File { path: path.to_path_buf(), error };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Genome::from_toml(&text).map_err(|error| wrong(error.to_string()))
    }
}

fn thousandths(gene: Gene, value: f64) -> Result<i32, GenomeError> {
    let scaled = value * f64::from(POINT);
    if !value.is_finite() || !(0.0..=f64::from(Genome::MAX)).contains(&scaled) {
        return Err(GenomeError::Range { gene, value });
    }
    if !has_three_decimals(value) {
        return Err(GenomeError::TooFine { gene, value });
    }
    Ok(scaled.round() as i32)
}

/// Whether a number is written with at most three decimals: the nearest such number is then the very same.
pub(crate) fn has_three_decimals(value: f64) -> bool {
    (value * f64::from(POINT)).round() / f64::from(POINT) == value
}

/// Thousandths as points, with as many decimals as it takes.
pub(crate) fn points(thousandths: i32) -> String {
    let (whole, rest) = (thousandths / POINT, thousandths % POINT);
    let text = format!("{whole}.{rest:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

impl fmt::Debug for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let genes = Gene::ALL.map(|gene| format!("{gene}={}", points(self.get(gene))));
        f.write_str(&genes.join(" "))
    }
}

/// What is wrong with a genome.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum GenomeError {
    #[error("{gene} is {value}: a gene must be from 0 to 10000")]
    Range { gene: Gene, value: f64 },
    #[error("{gene} is {value}: a gene has at most three decimals")]
    TooFine { gene: Gene, value: f64 },
    #[error(
        "{0} is missing: a genome has a value for each of [board] chick giraffe elephant lion hen, [hand] chick giraffe elephant lion, [features] mobility check try"
    )]
    Missing(Gene),
    #[error("{0} is not a number")]
    NotANumber(Gene),
    #[error(
        "'{0}' is no gene: a genome has [board] chick giraffe elephant lion hen, [hand] chick giraffe elephant lion, [features] mobility check try"
    )]
    Unknown(String),
    #[error("'readings.{0}' is no reading: there are {names}", names = Readings::NAMES.join(", "))]
    UnknownReading(String),
    #[error(transparent)]
    Reading(#[from] UnknownReading),
    #[error("it is not TOML: {0}")]
    Syntax(String),
    #[error("the genome file '{}' cannot be used: {error}", path.display())]
    File { path: PathBuf, error: String },
}
