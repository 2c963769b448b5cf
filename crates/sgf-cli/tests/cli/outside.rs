//! `sgf sql` and `sgf filter`, which run `sgf-sql`.

use std::fs;

use super::*;

#[test]
fn without_the_program_it_is_said_how_to_get_it() {
    for name in ["sql", "filter"] {
        let output = command(&[name, "SELECT 1"]).env("PATH", "").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("cargo install --path crates/sgf-sql"), "{stderr}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[cfg(unix)]
#[test]
fn arguments_are_passed_on_as_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let directory = std::env::temp_dir().join(format!("sgf-outside-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let program = directory.join("sgf-sql");
    fs::write(&program, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for (args, expected) in [
        (&["sql", "SELECT '$HOME `id`'; --", "a b.sgf"][..], "<sql><SELECT '$HOME `id`'; --><a b.sgf>"),
        (&["sql", "--help"], "<sql><--help>"),
        (&["sql", "--quiet", "--format", "csv", "SELECT 1"], "<sql><--quiet><--format><csv><SELECT 1>"),
        (&["filter", "--where", "x", "-", "--count"], "<filter><--where><x><-><--count>"),
        (&["sql"], "<sql>"),
    ] {
        let output = command(args).env("PATH", &directory).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(7));
    }
    // So are those of a subcommand that this program does not have.
    fs::rename(&program, directory.join("sgf-my-tool")).unwrap();
    let output = command(&["my-tool", "--help", "a b"]).env("PATH", &directory).output().unwrap();
    assert_eq!((&*output.stdout, output.status.code()), (&b"<--help><a b>"[..], Some(7)));
    for name in ["chek", "./sgf-my-tool", "--my-tool"] {
        let output = command(&[name]).env("PATH", &directory).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.starts_with("sgf: error: un")), (Some(2), true), "{stderr}");
    }
    fs::remove_dir_all(&directory).unwrap();
}
