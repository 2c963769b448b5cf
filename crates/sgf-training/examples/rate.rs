//! Reads all positions of a file, and prints their number and the seconds that it took.
//!
//!     cargo run --release -p sgf-training --example rate -- FILE [dense|packed] [PLANE…]
//!
//! `benches/python.py --rate` compares the Python package with it.

use std::time::Instant;

use sgf_training::{Plane, Positions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: rate FILE [dense|packed] [PLANE…]")?;
    let is_dense = arguments.next().is_some_and(|how| how == "dense");
    let planes: Vec<Plane> = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    let mut positions = Positions::new([file]).batch(4096);
    if !planes.is_empty() {
        positions = positions.planes(planes);
    }
    let shape = positions.shape();
    let (start, mut count) = (Instant::now(), 0);
    let mut reader = positions.read()?;
    while let Some(batch) = reader.next_batch() {
        count += batch.len();
        if is_dense {
            std::hint::black_box(batch.dense_planes(shape));
        }
        std::hint::black_box(batch);
    }
    println!("{count} {:.6}", start.elapsed().as_secs_f64());
    Ok(())
}
