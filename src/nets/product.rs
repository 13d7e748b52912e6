//! Matrix products: the only place that knows which library makes them.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};

/// A matrix whose rows lie one after the other, as it is or transposed.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a>(ArrayView2<'a, f32>);

impl<'a> Matrix<'a> {
    /// So many columns; as many rows as there are numbers for.
    pub(super) fn new(numbers: &'a [f32], columns: usize) -> Matrix<'a> {
        let rows = numbers.len() / columns;
        Matrix(ArrayView2::from_shape((rows, columns), numbers).expect("a matrix has whole rows"))
    }

    /// Rows and columns change places; nothing is copied.
    pub(super) fn transposed(self) -> Matrix<'a> {
        Matrix(self.0.reversed_axes())
    }
}

/// `out = a b + keep out`, on this thread alone.
pub(super) fn multiply(a: Matrix<'_>, b: Matrix<'_>, keep: f32, out: &mut [f32]) {
    let shape = (a.0.nrows(), b.0.ncols());
    let mut out = ArrayViewMut2::from_shape(shape, out).expect("there is a place for each number");
    general_mat_mul(1.0, &a.0, &b.0, keep, &mut out);
}

/// The sum of the products of two rows, always added in the same order.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    let ((whole_a, rest_a), (whole_b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    let whole_b = &whole_b[..whole_a.len()];
    for (i, a) in whole_a.iter().enumerate() {
        let b = &whole_b[i];
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// The kind of processor, as far as it decides how numbers are rounded.
pub fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let vectors = match () {
        () if std::arch::is_x86_feature_detected!("avx512f") => "avx512",
        () if std::arch::is_x86_feature_detected!("fma") => "fma",
        () if std::arch::is_x86_feature_detected!("avx") => "avx",
        () => "sse2",
    };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "plain";
    format!("{} {vectors}", std::env::consts::ARCH)
}
