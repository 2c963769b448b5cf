//! Makes the programs of the tutorial functions of `programs`, so that tests/it/guide.rs can run them.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let page_file = "../../crates/sgf-guide/src/tutorial.md";
    println!("cargo::rerun-if-changed={page_file}");
    let page = fs::read_to_string(page_file).unwrap();
    let (mut modules, mut names) = (String::new(), String::new());
    for (n, block) in page.split("```rust,no_run\n").skip(1).enumerate() {
        let program = block.split("```").next().unwrap().replace("fn main()", "pub(super) fn main()");
        writeln!(modules, "mod program{n} {{\n{program}\n}}").unwrap();
        write!(names, "program{n}::main, ").unwrap();
    }
    let file = Path::new(&env::var_os("OUT_DIR").unwrap()).join("programs.rs");
    fs::write(file, format!("{modules}\nconst PROGRAMS: &[fn()] = &[{names}];\n")).unwrap();
}
