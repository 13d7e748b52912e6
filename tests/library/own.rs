//! An evaluator of a library user plays in matches and is tuned, as the example does it.

#[path = "../../examples/own_evaluator.rs"]
mod own_evaluator;

use own_evaluator::{score, tuned};

#[test]
fn an_own_evaluator_is_matched_and_tuned() {
    let numbers = tuned(3);
    assert_eq!(numbers, tuned(3), "the same seed gives the same numbers");
    assert!(score(&numbers, "random", 200) > 0.6);
}
