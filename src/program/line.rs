//! Lines from somebody who may send anything: none is held that is longer than any line that makes sense.

use std::io::{self, BufRead, Read};

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end; the last one may lack that. What is no UTF-8 stands there as `�`.
    Whole(String),
    /// The begin of a line that is too long. The rest is still to come.
    TooLong,
}

/// The next line, of at most so many bytes; `None` at the end of the input.
pub fn next_line(mut input: impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > longest {
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(String::from_utf8_lossy(&bytes).into_owned())))
}

/// Reads over the rest of a line.
pub fn skip_line(mut input: impl BufRead) -> io::Result<()> {
    while let Some(Line::TooLong) = next_line(&mut input, 1_000)? {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        const LONGEST: usize = 1_000;
        let long = "7".repeat(5 * LONGEST);
        let text = format!("1\r\n\n{long}\n{}\n\u{fffd}", &long[..LONGEST]);
        let mut input = text.as_bytes();
        let next_line = |input: &mut &[u8]| super::next_line(input, LONGEST);
        let whole = |text: &str| Some(Line::Whole(text.to_string()));
        assert_eq!(next_line(&mut input).unwrap(), whole("1\r"));
        assert_eq!(next_line(&mut input).unwrap(), whole(""));
        assert_eq!(next_line(&mut input).unwrap(), Some(Line::TooLong));
        skip_line(&mut input).unwrap();
        assert_eq!(next_line(&mut input).unwrap(), whole(&long[..LONGEST]));
        assert_eq!(next_line(&mut input).unwrap(), whole("\u{fffd}"));
        assert_eq!(next_line(&mut input).unwrap(), None);
        assert_eq!(next_line(&mut &b"\xff\n"[..]).unwrap(), whole("\u{fffd}"));
    }
}
