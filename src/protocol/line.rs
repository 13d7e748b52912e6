//! Lines from somebody who may send anything: none is held that is longer than any line of a protocol.

use std::io::{self, BufRead, Read};

/// How many bytes a line may have: many times what a position needs.
pub(super) const LONGEST_LINE: usize = 1_000;

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end; the last one may lack that. What is no UTF-8 stands there as `�`.
    Whole(String),
    /// The begin of a line that is too long. The rest is still to come.
    TooLong,
}

/// The next line; `None` at the end of the input.
pub(super) fn next_line(mut input: impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > LONGEST_LINE {
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(String::from_utf8_lossy(&bytes).into_owned())))
}

/// Reads over the rest of a line.
pub(super) fn skip_line(mut input: impl BufRead) -> io::Result<()> {
    while let Some(Line::TooLong) = next_line(&mut input)? {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let long = "7".repeat(5 * LONGEST_LINE);
        let text = format!("1\r\n\n{long}\n{}\n\u{fffd}", &long[..LONGEST_LINE]);
        let mut input = text.as_bytes();
        let whole = |text: &str| Some(Line::Whole(text.to_string()));
        assert_eq!(next_line(&mut input).unwrap(), whole("1\r"));
        assert_eq!(next_line(&mut input).unwrap(), whole(""));
        assert_eq!(next_line(&mut input).unwrap(), Some(Line::TooLong));
        skip_line(&mut input).unwrap();
        assert_eq!(next_line(&mut input).unwrap(), whole(&long[..LONGEST_LINE]));
        assert_eq!(next_line(&mut input).unwrap(), whole("\u{fffd}"));
        assert_eq!(next_line(&mut input).unwrap(), None);
        assert_eq!(next_line(&b"\xff\n"[..]).unwrap(), whole("\u{fffd}"));
    }
}
