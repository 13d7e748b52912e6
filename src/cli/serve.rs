//! `dobutsu-ga serve`: the page to play on and to watch runs on.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use super::{CliError, at_signal, input, tell};
use crate::web::{Options, Server};

/// Open a page in the browser: play, watch runs, look into perfect play
///
/// Serves on this machine only; everything is in the program, nothing is fetched from elsewhere. Ctrl-C ends it.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 4010)]
    port: u16,
    /// The address to listen on; any other than this machine's own lets others in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The folder whose runs are shown, and into which runs started on the page are written
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    /// The table of perfect play, if it is not at its usual place
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A name under which the page may be opened, beside localhost and plain addresses; can be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// How much the runs started on the page may fill; beyond that no more can be started there
    #[arg(long, value_name = "MEGABYTES", default_value_t = 500)]
    runs_space: u32,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let options = Options {
        address: SocketAddr::new(args.bind, args.port),
        results: args.results.clone(),
        table: args.table.clone(),
        allow_hosts: args.allow_host.clone(),
        runs_space: u64::from(args.runs_space) * 1_000_000,
    };
    let server = Server::bind(&options).map_err(input)?;
    let address = server.address()?;
    if !args.bind.is_loopback() {
        tell(format_args!(
            "warning: everybody who can reach {address} can play, start runs and use this machine's cores"
        ));
    }
    let stopper = server.stopper();
    at_signal(move || stopper.stop());
    // An address that means all of them is none that a browser can go to.
    let seen = match address.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        _ => address,
    };
    writeln!(out, "The page is at http://{seen}/ (Ctrl-C ends it)")?;
    if let Some(reached) = reached_by_others(address) {
        let link = format!("http://{reached}/");
        writeln!(out, "From a phone or another machine in the same network: {link}\n\n{}", qr_code(&link))?;
    }
    out.flush()?;
    if args.open {
        open(&format!("http://{seen}/"));
    }
    Ok(server.run()?)
}

/// The address that others type; none if only this machine can reach the server.
fn reached_by_others(address: SocketAddr) -> Option<SocketAddr> {
    match address.ip() {
        ip if ip.is_loopback() => None,
        ip if ip.is_unspecified() => Some(SocketAddr::new(own_address(ip)?, address.port())),
        _ => Some(address),
    }
}

/// By which address this machine would reach others: nothing is sent, only the way is looked up.
fn own_address(all: IpAddr) -> Option<IpAddr> {
    // Addresses for documentation: never anybody's own.
    let elsewhere = if all.is_ipv4() { "192.0.2.1:9" } else { "[2001:db8::1]:9" };
    let socket = UdpSocket::bind(SocketAddr::new(all, 0)).ok()?;
    socket.connect(elsewhere).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
}

/// A picture of the address for a phone's camera, of half blocks: two rows of it are one line.
fn qr_code(link: &str) -> String {
    QrCode::new(link).map_or_else(
        |_| String::new(),
        |code| code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build(),
    )
}

/// Asks the system to show the page; if it cannot, the address has been printed.
fn open(address: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        tell(format_args!("cannot open a browser with {program}: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_get_an_address_only_if_they_can_reach_it() {
        let reached = |text: &str| reached_by_others(text.parse().unwrap());
        assert_eq!(reached("127.0.0.1:4010"), None);
        assert_eq!(reached("[::1]:4010"), None);
        assert_eq!(reached("192.0.2.7:4010"), Some("192.0.2.7:4010".parse().unwrap()));
        // Which address this machine has is its own affair, but it is none that means all or itself.
        if let Some(own) = reached("0.0.0.0:4010") {
            assert!(!own.ip().is_unspecified() && !own.ip().is_loopback() && own.port() == 4010);
        }
    }

    #[test]
    fn the_code_is_a_square_of_half_blocks() {
        let code = qr_code("http://192.0.2.7:4010/");
        let lines: Vec<&str> = code.lines().collect();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width));
        assert!(width.abs_diff(2 * lines.len()) <= 1, "{width} by {}", lines.len());
        assert!(code.contains('█') && code.chars().all(|c| " ▀▄█\n".contains(c)));
    }
}
