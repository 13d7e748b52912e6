//! The `dobutsu-ga` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    dobutsu_ga::cli::run()
}
