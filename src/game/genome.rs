//! The named, bounded weights of an evaluator: the only thing a learner may change.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{GeneInfo, POINT, ReadingSet, Weighted};
use crate::game::{GameTag, OtherGame, UnknownVariant};

/// A value for every gene of a game's evaluator, from 0 to 10,000 points in thousandths, and how the features are read.
///
/// ```
/// use dobutsu_ga::games::dobutsu::eval::{Gene, Genome};
/// let genome = Genome::BASE.with(Gene::BoardChick, 286_000)?;
/// assert_eq!(Genome::from_toml(&genome.to_toml())?, genome);
/// # Ok::<(), dobutsu_ga::game::GenomeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String", bound = "G: Weighted")]
pub struct Genome<G: Weighted> {
    values: G::Values,
    /// How the features are understood.
    pub readings: G::Readings,
}

impl<G: Weighted> Genome<G> {
    /// The largest value of a gene, in thousandths.
    pub const MAX: i32 = G::WEIGHTS.scale.most * POINT;

    /// The smallest value of a gene, in thousandths.
    pub const MIN: i32 = G::WEIGHTS.scale.least * POINT;

    /// A genome of these values, which must be from [`MIN`](Genome::MIN) to [`MAX`](Genome::MAX).
    pub(crate) const fn of(values: G::Values, readings: G::Readings) -> Genome<G> {
        Genome { values, readings }
    }

    /// Nothing is worth anything.
    pub fn zero() -> Genome<G> {
        Genome { values: G::Values::default(), readings: G::Readings::default() }
    }

    /// The untrained values, which champions are measured against.
    pub fn untrained() -> Genome<G> {
        Genome::named(G::WEIGHTS.genomes[0].name)
            .expect("the genomes that come with the program are in order")
    }

    /// The names of all genomes that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        G::WEIGHTS.genomes.iter().map(|known| known.name)
    }

    /// The genome of this name that comes with the program.
    ///
    /// ```
    /// use dobutsu_ga::games::dobutsu::eval::{Gene, Genome};
    /// assert_eq!(Genome::named("table5").map(|genome| genome.get(Gene::BoardChick)), Some(286_000));
    /// ```
    pub fn named(name: &str) -> Option<Genome<G>> {
        let known = G::WEIGHTS.genomes.iter().find(|known| known.name == name)?;
        Genome::from_toml(known.text).ok()
    }

    /// The values of all genes in thousandths, in the order of [`Weighted::WEIGHTS`].
    pub fn values(&self) -> &[i32] {
        self.values.as_ref()
    }

    /// The same, as the array that it is.
    pub const fn array(&self) -> &G::Values {
        &self.values
    }

    /// The genome with one gene, by its number, changed to so many thousandths.
    pub fn with_value(mut self, gene: usize, thousandths: i32) -> Result<Genome<G>, GenomeError> {
        if !(Self::MIN..=Self::MAX).contains(&thousandths) {
            return Err(out_of_range::<G>(
                &G::WEIGHTS.genes[gene],
                f64::from(thousandths) / f64::from(POINT),
            ));
        }
        self.values.as_mut()[gene] = thousandths;
        Ok(self)
    }

    /// Whether pieces are all that counts.
    pub fn is_material_only(&self) -> bool {
        self.values()[G::WEIGHTS.material..].iter().all(|value| *value == 0)
    }

    /// The text of a genome file.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        if !GameTag::<G>::default().is_unsaid() {
            text += &format!("game = \"{}\"\n\n", G::NAME);
        }
        let mut open = "";
        for (gene, value) in G::WEIGHTS.genes.iter().zip(self.values()) {
            if gene.section != open {
                text += &format!("{}[{}]\n", if open.is_empty() { "" } else { "\n" }, gene.section);
                open = gene.section;
            }
            text += &format!("{} = {}\n", gene.key, points(*value));
        }
        let readings = self.readings.named();
        if !readings.is_empty() {
            text += "\n[readings]\n";
        }
        for (name, reading) in readings {
            text += &format!("{name} = \"{reading}\"\n");
        }
        text
    }

    /// Reads the text of a genome file: every gene must be there; readings may, and nothing else.
    pub fn from_toml(text: &str) -> Result<Genome<G>, GenomeError> {
        let mut table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| GenomeError::Syntax(error.message().to_string()))?;
        let said = table.remove("game");
        GameTag::<G>::check(said.as_ref().map(|said| said.as_str().unwrap_or("nothing with a name")))?;
        let mut genome = Genome::<G>::zero();
        for (section, content) in &table {
            let entries = content.as_table().ok_or_else(|| unknown::<G>(section.clone()))?;
            for (key, value) in entries {
                if section == "readings" && !G::Readings::NAMES.is_empty() {
                    let text = value.as_str().map_or_else(|| value.to_string(), String::from);
                    if !genome.readings.set(key, &text)? {
                        let names: Vec<&str> = G::Readings::NAMES.iter().map(|(name, _)| *name).collect();
                        return Err(GenomeError::UnknownReading {
                            name: key.clone(),
                            names: names.join(", "),
                        });
                    }
                } else if !G::WEIGHTS.genes.iter().any(|gene| (gene.section, gene.key) == (section, key)) {
                    return Err(unknown::<G>(format!("{section}.{key}")));
                }
            }
        }
        for (number, gene) in G::WEIGHTS.genes.iter().enumerate() {
            let value = table.get(gene.section).and_then(|content| content.get(gene.key));
            let value = match value.ok_or_else(|| GenomeError::Missing { gene, genes: gene_list::<G>() })? {
                toml::Value::Integer(points) => *points as f64,
                toml::Value::Float(points) => *points,
                _ => return Err(GenomeError::NotANumber(gene)),
            };
            genome = genome.with_value(number, thousandths::<G>(gene, value)?)?;
        }
        Ok(genome)
    }

    /// Reads a genome file.
    pub fn load(path: &Path) -> Result<Genome<G>, GenomeError> {
        Self::from_file(path, crate::files::read_text(path).map_err(|error| error.to_string()))
    }

    /// Reads the text of the genome file of this name, or passes on why there is none.
    pub fn from_file(path: &Path, text: Result<String, String>) -> Result<Genome<G>, GenomeError> {
        let wrong = |error: String| GenomeError::File { path: path.to_path_buf(), error };
        let genome = Genome::from_toml(&text.map_err(wrong)?).map_err(|error| wrong(error.to_string()))?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        match G::WEIGHTS.renamed.iter().find(|(old, now)| *old == stem && Genome::named(now) == Some(genome))
        {
            Some((old, now)) => Err(wrong(format!(
                "it holds the values of set {now}, which was called {old} up to version 0.1: rename the file to {now}.toml, or use \
                 the player {now}"
            ))),
            None => Ok(genome),
        }
    }
}

fn unknown<G: Weighted>(name: String) -> GenomeError {
    GenomeError::Unknown { name, genes: gene_list::<G>() }
}

/// All genes, section by section.
fn gene_list<G: Weighted>() -> String {
    let mut text = String::new();
    let mut open = "";
    for gene in G::WEIGHTS.genes {
        if gene.section != open {
            text += &format!("{}[{}]", if open.is_empty() { "" } else { ", " }, gene.section);
            open = gene.section;
        }
        text += &format!(" {}", gene.key);
    }
    text
}

fn out_of_range<G: Weighted>(gene: &'static GeneInfo, value: f64) -> GenomeError {
    GenomeError::Range { gene, value, least: G::WEIGHTS.scale.least, most: G::WEIGHTS.scale.most }
}

fn thousandths<G: Weighted>(gene: &'static GeneInfo, value: f64) -> Result<i32, GenomeError> {
    let scaled = value * f64::from(POINT);
    if !(f64::from(Genome::<G>::MIN)..=f64::from(Genome::<G>::MAX)).contains(&scaled) {
        return Err(out_of_range::<G>(gene, value));
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
    let (whole, rest) = (thousandths.abs() / POINT, thousandths.abs() % POINT);
    let text = format!("{}{whole}.{rest:03}", if thousandths < 0 { "-" } else { "" });
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// As the text of its file.
impl<G: Weighted> From<Genome<G>> for String {
    fn from(genome: Genome<G>) -> String {
        genome.to_toml()
    }
}

impl<G: Weighted> TryFrom<String> for Genome<G> {
    type Error = GenomeError;

    fn try_from(text: String) -> Result<Genome<G>, GenomeError> {
        Genome::from_toml(&text)
    }
}

/// Everything that decides a value, in one line.
impl<G: Weighted> fmt::Display for Genome<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let genes = G::WEIGHTS
            .genes
            .iter()
            .zip(self.values())
            .map(|(gene, value)| format!("{gene}={}", points(*value)));
        let readings = self.readings.named().into_iter().map(|(name, reading)| format!("{name}={reading}"));
        f.write_str(&genes.chain(readings).collect::<Vec<_>>().join(" "))
    }
}

impl<G: Weighted> fmt::Debug for Genome<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is wrong with a genome.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum GenomeError {
    #[error("{gene} is {value}: a gene must be from {least} to {most}")]
    Range { gene: &'static GeneInfo, value: f64, least: i32, most: i32 },
    #[error("{gene} is {value}: a gene has at most three decimals")]
    TooFine { gene: &'static GeneInfo, value: f64 },
    #[error("{gene} is missing: a genome has a value for each of {genes}")]
    Missing { gene: &'static GeneInfo, genes: String },
    #[error("{0} is not a number")]
    NotANumber(&'static GeneInfo),
    #[error("'{name}' is no gene: a genome has {genes}")]
    Unknown { name: String, genes: String },
    #[error("'readings.{name}' is no reading: there are {names}")]
    UnknownReading { name: String, names: String },
    #[error(transparent)]
    OtherGame(#[from] OtherGame),
    #[error(transparent)]
    Reading(#[from] UnknownVariant),
    #[error("it is not TOML: {0}")]
    Syntax(String),
    #[error("the genome file '{}' cannot be used: {error}", path.display())]
    File { path: PathBuf, error: String },
}
