//! Work shared among the threads of the current rayon pool, results in order.
//!
//! Only `each` and [`install`] call rayon, through `dyn` closures: rayon's adapters would otherwise be compiled anew for every closure and
//! every game, which was a tenth of the library.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Calls `work` with every number below `count`, one at a time to each thread: pieces of work differ in length, and a thread left alone with
/// several would hold up the others.
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

/// What `work` returns for every number below `count`, in their order.
pub fn map_range<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    each(count, &|i| {
        let result = work(i);
        *results[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let result = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|slot| result(slot).expect("every number was worked on")).collect()
}

/// What `work` returns for every item and its number, in their order.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    map_range(items.len(), |i| work(i, &items[i]))
}

/// The same, until one fails: then no other is begun, and its error is returned.
pub fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicBool::new(false);
    let one = |i: usize, item: &T| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(i, item);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    };
    // Where nothing has failed nothing is missing.
    map(items, one).into_iter().flatten().collect()
}

/// Runs `work` inside a thread pool.
pub fn install<R: Send>(pool: &rayon::ThreadPool, work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    let mut run = || result = work.take().map(|work| work());
    let run: &mut (dyn FnMut() + Send) = &mut run;
    pool.install(run);
    result.expect("the pool has run it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_errors_stop_the_rest() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(map(&items, |i, item| i + item), (0..1000).map(|i| 2 * i).collect::<Vec<_>>());
        let even = |_: usize, item: &usize| if item.is_multiple_of(2) { Ok(*item) } else { Err(*item) };
        assert_eq!(try_map(&items[..1], even), Ok(vec![0]));
        assert!(try_map(&items, even).is_err_and(|odd| odd % 2 == 1));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(install(&pool, rayon::current_num_threads), 3);
    }
}
