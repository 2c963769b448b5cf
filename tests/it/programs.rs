//! The programs of the tutorial: `programs FILE` runs the one whose number, from 1, is in the variable `PROGRAM`.

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

fn main() {
    let number: usize = std::env::var("PROGRAM").expect("PROGRAM").parse().expect("a number");
    PROGRAMS[number - 1]();
}
