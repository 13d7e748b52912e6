//! The tables of a folder, read back: pictures are drawn from them, so that they can be drawn again at any time.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use crate::files::{self, FileError};

/// TableFiles by the names of their files.
pub struct TableFiles(BTreeMap<String, String>);

/// Why nothing can be drawn from a table.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum TableError {
    #[error("there is no table '{0}': the work that writes it is not finished")]
    Missing(String),
    #[error("the table '{table}' has no column '{column}': another version may have written it")]
    NoColumn { table: String, column: String },
    #[error("the table '{table}' is damaged or was edited (line {line}): '{text}' is no {column}")]
    Cell { table: String, line: usize, text: String, column: String },
    #[error("the table '{table}' is damaged or was edited: {why}")]
    Damaged { table: String, why: String },
}

impl TableError {
    /// A table of which a part is missing.
    pub fn not_whole(table: &str) -> TableError {
        TableError::Damaged { table: table.to_string(), why: "not whole".to_string() }
    }
}

impl TableFiles {
    /// Of files that are about to be written.
    pub fn of<N: AsRef<str>>(files: &[(N, Vec<u8>)]) -> TableFiles {
        let tables = files.iter().filter(|(name, _)| name.as_ref().ends_with(".csv"));
        TableFiles(
            tables
                .map(|(name, bytes)| (name.as_ref().to_string(), String::from_utf8_lossy(bytes).into_owned()))
                .collect(),
        )
    }

    /// Of a folder.
    pub fn read(folder: &Path) -> Result<TableFiles, FileError> {
        let mut found = Vec::new();
        for name in files::entries(folder)? {
            let name = name.to_string_lossy().into_owned();
            if name.ends_with(".csv") {
                let bytes = files::read_if_there(&folder.join(&name))?.unwrap_or_default();
                found.push((name, bytes));
            }
        }
        Ok(TableFiles::of(&found))
    }

    /// Whether there is a table of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text of a table.
    pub fn text(&self, name: &str) -> Result<&str, TableError> {
        self.0.get(name).map(String::as_str).ok_or_else(|| TableError::Missing(name.to_string()))
    }

    /// The rows of a table.
    pub fn rows(&self, name: &str) -> Result<Rows, TableError> {
        let damaged =
            |error: csv::Error| TableError::Damaged { table: name.to_string(), why: error.to_string() };
        let mut reader = csv::Reader::from_reader(self.text(name)?.as_bytes());
        let header = reader.headers().map_err(damaged)?.iter().map(String::from).collect();
        let records = reader.records().collect::<Result<_, _>>().map_err(damaged)?;
        Ok(Rows { table: name.to_string(), header, records })
    }
}

/// The rows of a table.
pub struct Rows {
    table: String,
    header: Vec<String>,
    records: Vec<csv::StringRecord>,
}

impl Rows {
    /// What the columns are called.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// Row by row.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.records.iter().enumerate().map(|(number, record)| Row { of: self, line: number + 2, record })
    }

    /// Something of every row.
    pub fn map<T>(&self, of: impl FnMut(Row<'_>) -> Result<T, TableError>) -> Result<Vec<T>, TableError> {
        self.iter().map(of).collect()
    }
}

/// A row of a table.
pub struct Row<'a> {
    of: &'a Rows,
    line: usize,
    record: &'a csv::StringRecord,
}

impl<'a> Row<'a> {
    /// What stands in a column.
    pub fn text(&self, column: &str) -> Result<&'a str, TableError> {
        let place = self.of.header.iter().position(|name| name == column);
        place
            .and_then(|place| self.record.get(place))
            .ok_or_else(|| TableError::NoColumn { table: self.of.table.clone(), column: column.to_string() })
    }

    /// The number in a column.
    pub fn number<T: FromStr>(&self, column: &str) -> Result<T, TableError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| TableError::Cell {
            table: self.of.table.clone(),
            line: self.line,
            text: text.to_string(),
            column: column.to_string(),
        })
    }

    /// The number in a column, or nothing if it is empty.
    pub fn maybe<T: FromStr>(&self, column: &str) -> Result<Option<T>, TableError> {
        if self.text(column)?.is_empty() { Ok(None) } else { self.number(column).map(Some) }
    }

    /// The numbers in several columns.
    pub fn numbers<T: FromStr, const N: usize>(&self, columns: [&str; N]) -> Result<[T; N], TableError> {
        let numbers: Vec<T> = columns.iter().map(|column| self.number(column)).collect::<Result<_, _>>()?;
        Ok(numbers.try_into().unwrap_or_else(|_| unreachable!("as many as there are columns")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Rows {
        TableFiles::of(&[("a.csv", text.as_bytes().to_vec())]).rows("a.csv").unwrap()
    }

    #[test]
    fn cells_are_found_by_the_names_of_their_columns() {
        let rows = rows("name,low,high\n\"b, c\",1,2.5\nd,,4\n");
        let found = rows.map(|row| {
            Ok((row.text("name")?.to_string(), row.maybe::<f64>("low")?, row.number::<f64>("high")?))
        });
        assert_eq!(found.unwrap(), [("b, c".to_string(), Some(1.0), 2.5), ("d".to_string(), None, 4.0)]);
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said() {
        let rows = rows("a,b\n1,x\n");
        let first = rows.iter().next().unwrap();
        let said = |error: TableError| error.to_string();
        assert_eq!(
            said(first.number::<f64>("b").unwrap_err()),
            "the table 'a.csv' is damaged or was edited (line 2): 'x' is no b"
        );
        assert_eq!(
            said(first.text("c").unwrap_err()),
            "the table 'a.csv' has no column 'c': another version may have written it"
        );
        let none = TableFiles::of::<&str>(&[]);
        assert_eq!(
            said(none.text("b.csv").unwrap_err()),
            "there is no table 'b.csv': the work that writes it is not finished"
        );
    }
}
