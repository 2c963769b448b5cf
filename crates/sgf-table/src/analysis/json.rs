//! Numbers in JSON texts, without building their values.

use sgf_stream::work;

/// Returns the text after a key and its colon. `depth` is the number of open objects and arrays around the key.
pub(super) fn find<'t>(json: &'t str, key: &str, depth: usize) -> Option<&'t str> {
    let bytes = json.as_bytes();
    let (mut at, mut open) = (0_usize, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        work::note(1);
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.checked_sub(1).filter(|&open| open > 0)?,
            b'"' => {
                let start = at;
                at = end_of_string(bytes, at)?;
                if open == depth && bytes.get(start..at - 1) == Some(key.as_bytes()) {
                    let rest = json.get(at..)?.trim_start();
                    if let Some(rest) = rest.strip_prefix(':') {
                        return Some(rest.trim_start());
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the place after the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the number after a key.
pub(super) fn number(json: &str, key: &str, depth: usize) -> Option<f64> {
    let rest = find(json, key, depth)?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_at_their_depth() {
        let json = r#"{"a":{"x":1,"s":"\"x\":5}"},"x": -2.5e1 ,"m":[{"x":3},{"x":4}]}"#;
        assert_eq!(number(json, "x", 1), Some(-25.0));
        assert_eq!(number(json, "x", 2), Some(1.0));
        assert_eq!(number(json, "x", 3), Some(3.0));
        assert_eq!(number(json, "y", 1), None);
        assert_eq!(number("{\"x\":\"1\"}", "x", 1), None);
        assert_eq!(number("{\"x\"", "x", 1), None);
        assert_eq!(number("{\"x\\", "x", 1), None);
        assert_eq!(number("]", "x", 0), None);
    }
}
