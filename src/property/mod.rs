//! The registry of properties.
