//! The table: one byte for each position, in memory and on disk.
//!
//! The file is a header of 64 bytes and then the bytes in the order of the [index](super::index). All numbers are
//! little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `DOBUTSU` and a line end |
//! | 4, 4 | version of the format; rules (0 paper, 1 official) |
//! | 8 | how many bytes follow the header |
//! | 8, 8, 8 | how many positions are won, lost, drawn |
//! | 8 | plies of the longest win |
//! | 4, 4 | CRC-32 of the bytes after the header; CRC-32 of the 60 bytes before this number |

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;

use super::index::{Domain, Index};
use super::memory::Memory;
use super::near::can_catch;
use super::reachable::{Reachable, TryEnds, Walk};
use super::retrograde;
use super::retrograde::{DRAW, UNUSED, Watch, decided};
use super::verify::{Flaw, verify};
use super::view::View;
use crate::files;
use crate::files::FileError;
use crate::game::{Solved, Symmetry};
use crate::games::dobutsu::{Position, Rules};
use crate::random::below;

const MAGIC: [u8; 8] = *b"DOBUTSU\n";
const VERSION: u32 = 1;
const HEADER: usize = 64;
/// No table is larger.
const MOST: u64 = 300_000_000;

/// How many positions of the table have which result. Not in the table, because it is plain to see, is every position in
/// which the player to move can catch the lion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won by the player to move.
    pub won: u64,
    /// Lost by the player to move.
    pub lost: u64,
    /// Neither.
    pub drawn: u64,
    /// The plies of the longest win.
    pub longest: u8,
}

/// Why a table cannot be used; the sentence says what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum TableError {
    #[error("there is no solution of the game under {rules} rules at '{}': `dobutsu-ga solve --rules {rules}{}` makes it (about a minute)", path.display(), out(path, *given))]
    Missing { path: PathBuf, rules: Rules, given: bool },
    #[error("'{}' is not a solution table: `dobutsu-ga solve --out FILE` makes one", .0.display())]
    NoTable(PathBuf),
    #[error("the table '{}' is for {found} rules, not for {wanted}: name another file, or a folder, which can hold the tables of all rules", path.display())]
    OtherRules { path: PathBuf, found: Rules, wanted: Rules },
    #[error("the table '{}' has version {found}, and this program reads version {VERSION}: use a newer program, or solve again with --force", path.display())]
    Version { path: PathBuf, found: u32 },
    #[error("the table '{}' is damaged ({what}): `dobutsu-ga solve --rules {rules} --force --out {}` makes it again", path.display(), files::quoted(path))]
    Damaged { path: PathBuf, what: &'static str, rules: Rules },
    #[error(
        "there is not enough memory to solve the game: end other programs, or allow this one more (`ulimit -v`)"
    )]
    Memory,
    #[error("there is no cache folder on this system: name a file with --table, or with --out for solve")]
    NoPlace,
    #[error(transparent)]
    File(#[from] FileError),
}

/// What to add to the command that makes a missing table, if it is not to be at the usual place.
fn out(path: &Path, given: bool) -> String {
    if given { format!(" --out {}", files::quoted(path)) } else { String::new() }
}

/// The solution of the game under one set of rules.
pub struct Table {
    rules: Rules,
    pub(super) index: Index,
    pub(super) values: Memory,
    counts: Counts,
}

impl Table {
    /// The environment variable that names another place for tables: a file or a folder.
    pub const PLACE: &str = "DOBUTSU_GA_TABLE";

    /// Where the table of these rules is kept: the place given, else that of [`Table::PLACE`], else the user's cache
    /// folder. A folder stands for the file of the usual name in it.
    pub fn place(given: Option<&Path>, rules: Rules) -> Result<PathBuf, TableError> {
        let name = format!("{rules}.table");
        let asked = given.map(Path::to_path_buf);
        match asked
            .or_else(|| std::env::var_os(Self::PLACE).filter(|path| !path.is_empty()).map(PathBuf::from))
        {
            Some(path) if path.is_dir() => Ok(path.join(name)),
            Some(path) => Ok(path),
            None => Ok(dirs::cache_dir().ok_or(TableError::NoPlace)?.join("dobutsu-ga").join(name)),
        }
    }

    /// Solves the game on all threads of the current rayon pool. `watch` is told now and again how many positions
    /// are decided, and how many there are.
    pub fn solve(rules: Rules, watch: Watch) -> Result<Table, TableError> {
        let (index, values) = retrograde::solve(rules, watch).map_err(|_| TableError::Memory)?;
        let counts = Counts::of(&values);
        let values = Memory::copy(&values).map_err(|_| TableError::Memory)?;
        Ok(Table { rules, index, values, counts })
    }

    /// Writes the table: at any moment there is none or a whole one.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        files::write_parts(path, &[&self.header(), &self.values])
    }

    fn header(&self) -> [u8; HEADER] {
        let Counts { won, lost, drawn, longest } = self.counts;
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(VERSION.to_le_bytes());
        header.extend((self.rules as u32).to_le_bytes());
        for number in [self.values.len() as u64, won, lost, drawn, u64::from(longest)] {
            header.extend(number.to_le_bytes());
        }
        header.extend(crc32fast::hash(&self.values).to_le_bytes());
        header.extend(crc32fast::hash(&header).to_le_bytes());
        header.try_into().expect("the fields are 64 bytes")
    }

    /// Reads the table of these rules, and makes sure that it is whole.
    pub fn open(given: Option<&Path>, rules: Rules) -> Result<Table, TableError> {
        let path = Table::place(given, rules)?;
        let cannot_read = |error| FileError::new("read", &path, error);
        let mut file = match files::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(TableError::Missing { path, rules, given: given.is_some() });
            }
            file => file.map_err(cannot_read)?,
        };
        let mut header = Vec::with_capacity(HEADER);
        file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(cannot_read)?;
        let counts = check_header(&header, &path, rules)?;
        let damaged = |what| TableError::Damaged { path: path.clone(), what, rules };
        // What takes time can be done at the same time.
        let len = number(&header, 16);
        let (index, values) = rayon::join(
            || Index::new(Domain::Quiet(rules)),
            || Memory::read(&mut file, usize::try_from(len.min(MOST)).unwrap_or(0)),
        );
        if len != index.len() as u64 {
            return Err(damaged("it does not hold as many positions as there are"));
        }
        let values = match values {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(damaged("its end is missing"));
            }
            values => values.map_err(cannot_read)?,
        };
        if file.read(&mut [0]).map_err(cannot_read)? > 0 {
            return Err(damaged("it is too long"));
        }
        if u64::from(crc32fast::hash(&values)) != number(&header, 56) & 0xFFFF_FFFF {
            return Err(damaged("its checksum does not fit"));
        }
        Ok(Table { rules, index, values, counts })
    }

    /// Whether there is a table of these rules that looks good by its header.
    pub fn is_there(given: Option<&Path>, rules: Rules) -> bool {
        let header = |path: &Path| -> io::Result<Vec<u8>> {
            let mut header = Vec::with_capacity(HEADER);
            files::open(path)?.take(HEADER as u64).read_to_end(&mut header)?;
            Ok(header)
        };
        Table::place(given, rules)
            .is_ok_and(|path| header(&path).is_ok_and(|header| check_header(&header, &path, rules).is_ok()))
    }

    /// The rules it was made for.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many positions have which result.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What a position is worth.
    ///
    /// # Panics
    /// If the position is of other rules.
    pub fn probe(&self, position: &Position) -> Solved {
        assert_eq!(position.rules(), self.rules, "a table answers for its own rules only");
        if position.is_over() {
            return Solved::Loss(0);
        }
        if can_catch(position) {
            return Solved::Win(1);
        }
        self.value(self.index.number(&View::of(position).folded().0))
    }

    pub(super) fn value(&self, number: usize) -> Solved {
        match self.values[number] {
            DRAW | UNUSED => Solved::Draw,
            value if value % 2 == 0 => Solved::Win(value - decided(0)),
            value => Solved::Loss(value - decided(0)),
        }
    }

    /// How many numbers the index has, each with a position but for mirror images.
    pub fn numbers(&self) -> usize {
        self.index.len()
    }

    /// The position of a number, with the first player to move; none if it is the mirror image of another one.
    pub fn position(&self, number: usize) -> Option<Position> {
        let used = self.values.get(number).is_some_and(|value| *value != UNUSED);
        used.then(|| self.index.cursor().position(number).to_position(self.rules))
    }

    /// Any position that goes on and in which the lion cannot be caught at once, each as likely as any other, seen from any side.
    pub fn any_position(&self, random: &mut ChaCha8Rng) -> Position {
        loop {
            let Some(mut position) = self.position(below(random, self.numbers())) else { continue };
            for symmetry in [Symmetry::Mirror, Symmetry::Turn] {
                if below(random, 2) == 1 {
                    position = position.transform(symmetry);
                }
            }
            if !position.is_over() {
                return position;
            }
        }
    }

    /// Looks at every position: is it worth what its moves make of it? Tells the first one that is not.
    pub fn verify(&self, watch: Watch) -> Result<(), Flaw> {
        if Counts::of(&self.values) != self.counts {
            return Err(Flaw::Counts);
        }
        verify(self, watch)
    }

    /// Counts the positions that can come about in a game.
    pub fn reachable(&self, ends_when: TryEnds) -> Reachable {
        let walk = Walk::new(self.rules, &self.index, ends_when);
        walk.walk();
        walk.count(&self.values)
    }
}

fn number(header: &[u8], at: usize) -> u64 {
    header[at..at + 8].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn check_header(header: &[u8], path: &Path, wanted: Rules) -> Result<Counts, TableError> {
    let path = path.to_path_buf();
    if !header.starts_with(&MAGIC) {
        return Err(TableError::NoTable(path));
    }
    let damaged = |what| TableError::Damaged { path: path.clone(), what, rules: wanted };
    if header.len() < HEADER {
        return Err(damaged("its end is missing"));
    }
    let found = (number(header, 8) & 0xFFFF_FFFF) as u32;
    if found != VERSION {
        return Err(TableError::Version { path, found });
    }
    if u64::from(crc32fast::hash(&header[..60])) != number(header, 56) >> 32 {
        return Err(damaged("the checksum of its header does not fit"));
    }
    let found = if number(header, 8) >> 32 == 0 { Rules::Paper } else { Rules::Official };
    if found != wanted {
        return Err(TableError::OtherRules { path, found, wanted });
    }
    let [won, lost, drawn, longest] = [24, 32, 40, 48].map(|at| number(header, at));
    Ok(Counts { won, lost, drawn, longest: longest as u8 })
}

impl Counts {
    fn of(values: &[u8]) -> Counts {
        let mut of_value = [0u64; 256];
        values.iter().for_each(|value| of_value[usize::from(*value)] += 1);
        let mut counts = Counts { drawn: of_value[usize::from(DRAW)], ..Counts::default() };
        for plies in 0..UNUSED - 1 {
            let count = of_value[usize::from(decided(plies))];
            if plies % 2 == 0 {
                counts.lost += count
            } else {
                counts.won += count
            }
            if count > 0 && plies % 2 == 1 {
                counts.longest = plies;
            }
        }
        counts
    }
}
