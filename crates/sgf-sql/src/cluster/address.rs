//! Addresses of processes.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use thiserror::Error;

/// A host and a port, as in `scheduler.example:50050` or `[::1]:50050`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A name or an IP address, without brackets.
    host: String,
    port: u16,
}

/// An error of a text that is not an address.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} is not an address: expected HOST:PORT, such as 127.0.0.1:50050")]
pub struct InvalidAddress(String);

impl Address {
    /// Returns the name or IP address of the host.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port. Binding to port 0 picks a free port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of the process.
    pub(super) fn url(&self) -> String {
        format!("http://{self}")
    }

    /// Binds a socket.
    pub(super) async fn bind(&self) -> io::Result<tokio::net::TcpListener> {
        tokio::net::TcpListener::bind((&*self.host, self.port)).await
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Address { host: address.ip().to_string(), port: address.port() }
    }
}

impl FromStr for Address {
    type Err = InvalidAddress;

    fn from_str(text: &str) -> Result<Self, InvalidAddress> {
        let invalid = || InvalidAddress(text.to_owned());
        let (host, port) = text.rsplit_once(':').ok_or_else(invalid)?;
        let port = port.parse().map_err(|_| invalid())?;
        let host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(host) if matches!(host.parse(), Ok(IpAddr::V6(_))) => host,
            Some(_) => return Err(invalid()),
            None => host,
        };
        let is_name =
            |host: &str| !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
        if !is_name(host) && host.parse::<IpAddr>().is_err() {
            return Err(invalid());
        }
        Ok(Address { host: host.to_owned(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        for text in ["127.0.0.1:50050", "scheduler.example:1", "[::1]:0", "a_b-c:65535"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in ["", "host", "host:", ":1", "host:65536", "a b:1", "[::1]", "[x]:1", "http://host:1", "::1:1:x"] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains("expected HOST:PORT"), "{error}");
        }
    }
}
