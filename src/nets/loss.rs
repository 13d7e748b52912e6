//! How wrong an output is, and which way it should change.

/// Squared error of a number, and its gradient.
///
/// ```
/// use dobutsu_ga::nets::squared_error;
/// assert_eq!(squared_error(3.0, 1.0), (4.0, 4.0));
/// ```
pub fn squared_error(output: f32, target: f32) -> (f32, f32) {
    let difference = output - target;
    (difference * difference, 2.0 * difference)
}

/// Cross-entropy between the softmax of some outputs and a distribution, and its gradient.
///
/// ```
/// use dobutsu_ga::nets::cross_entropy;
/// let (loss, gradient) = cross_entropy(&[0.0, 0.0], &[1.0, 0.0]);
/// assert_eq!((loss, gradient), (2_f32.ln(), vec![-0.5, 0.5]));
/// ```
pub fn cross_entropy(outputs: &[f32], target: &[f32]) -> (f32, Vec<f32>) {
    // Less the largest, so that no power leaves the range of numbers.
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = outputs.iter().map(|output| (output - most).exp()).sum();
    let log = |output: &f32| output - most - sum.ln();
    let loss = -outputs.iter().zip(target).map(|(output, target)| target * log(output)).sum::<f32>();
    let whole: f32 = target.iter().sum();
    let gradient = outputs.iter().zip(target).map(|(output, target)| whole * log(output).exp() - target);
    (loss, gradient.collect())
}
