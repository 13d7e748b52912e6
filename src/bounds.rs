//! Numbers that somebody has set, and the sentence about one that is out of bounds.

/// Says what is wrong with a number of this name, if anything.
///
/// ```
/// use dobutsu_ga::bounds::within;
/// assert_eq!(within("noise", 0.25, 0.0, 1.0), Ok(()));
/// assert_eq!(within("noise", 2.0, 0.0, 1.0), Err("noise is 2: it must be from 0 to 1".to_string()));
/// ```
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(format!("{name} is {value}: it must be from {low} to {high}")),
    }
}
