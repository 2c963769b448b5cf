//! Serializing: a test for every row of the mapping.
#![cfg(feature = "serde")]

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sgf_stream::value::{Compose, Dates, GameResult, PointList, Ruleset, SimpleText, Size, go};

#[derive(Serialize, Clone, Default)]
#[serde(rename_all = "UPPERCASE")]
struct H {
    pb: String,
    km: Option<f64>,
    sz: (u8, u8),
    ko: bool,
}

#[derive(Serialize)]
enum Step {
    B(go::Move),
    W(go::Move),
    LB(String, String),
    KO,
    Other,
}

#[test]
fn first() {
    let h = H { pb: "a]b:\\".into(), km: Some(6.5), sz: (17, 3), ko: true };
    assert_eq!(sgf_stream::to_string(&h).unwrap(), "(;PB[a\\]b:\\\\]KM[6.5]SZ[17:3]KO[])\n");
    let s =
        vec![vec![Step::B(go::Move::parse("dd").unwrap()), Step::Other, Step::KO, Step::LB("aa".into(), "b".into())]];
    assert_eq!(sgf_stream::to_string(&s).unwrap(), "(;B[dd];;KO[];LB[aa][b])\n");
    let e = sgf_stream::to_string(&[Step::KO]).unwrap_err();
    panic!("{e}");
}
