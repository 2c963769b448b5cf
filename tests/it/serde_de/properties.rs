//! Raw properties in other formats, which have to give them back unchanged.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sgf_stream::RawValue;
use sgf_stream::de::Properties;

use crate::support::holds;

/// A game as the recipes have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Game {
    #[serde(rename = "ZZ", skip_serializing_if = "Option::is_none")]
    named: Option<String>,
    #[serde(rename = "$rest")]
    rest: Properties,
    #[serde(rename = "$mainline")]
    moves: Vec<Properties>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(rename = "ZZ")]
    named: String,
    #[serde(flatten)]
    rest: Properties,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Properties(Properties),
}

#[track_caller]
fn assert_comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
    assert_eq!(&serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value, "{json}");
    let pretty = serde_json::to_vec_pretty(value).unwrap();
    assert_eq!(&serde_json::from_slice::<T>(&pretty).unwrap(), value, "{json}");
}

/// Properties with any values. Names are sorted, since the objects of `serde_json::Value` are.
fn properties(picks: &[(u8, Vec<u8>)]) -> Properties {
    const NAMES: [&str; 6] = ["AB", "C", "LB", "P0", "PB", "XX"];
    const PIECES: [&[u8]; 16] = [
        b"\\]",
        b"\\\\",
        b"\\",
        b":",
        b"\\:",
        b"\n",
        b"\\\r\n",
        b"aa",
        b"1",
        b"\xFF",
        b"\xB9\xC5",
        b"\xC3\xA9",
        b"\0",
        b"]",
        b" ",
        b"\"",
    ];
    let mut properties = Properties::new();
    for (place, name) in NAMES.iter().enumerate() {
        for (_, pieces) in picks.iter().filter(|(pick, _)| usize::from(*pick) % NAMES.len() == place) {
            let raw: Vec<u8> = pieces.iter().flat_map(|piece| PIECES[usize::from(*piece) % 16]).copied().collect();
            properties.push(name, RawValue::new(&raw));
        }
    }
    properties
}

#[test]
fn every_raw_value_comes_back_from_json() {
    fn law(root: Vec<(u8, Vec<u8>)>, node: Vec<(u8, Vec<u8>)>) {
        let (root, node) = (properties(&root), properties(&node));
        assert_comes_back(&root);
        let value = serde_json::to_value(&root).unwrap();
        assert_eq!(serde_json::from_value::<Properties>(value).unwrap(), root);
        assert_comes_back(&vec![root.clone(), node.clone()]);
        assert_comes_back(&Flat { named: r"a\]b".into(), rest: root.clone() });
        assert_comes_back(&Untagged::Properties(node.clone()));
        assert_comes_back(&Game { named: None, rest: root, moves: vec![node.clone(), node] });
    }
    holds(200, law as fn(Vec<(u8, Vec<u8>)>, Vec<(u8, Vec<u8>)>));
}

#[test]
fn games_are_written_after_json_as_without() {
    for sgf in [
        r"(;C[a\]b];LB[aa:x\:y][bb:\\])",
        "(;C[a\\\nb]PB[];B[]AB[aa][bb]AB[cc];DD[])",
        "(;HA[02]KM[6.50]XX[\\x][a\\]];W[dd]QQ[a\tb])",
    ] {
        let game: Game = sgf_stream::from_str(sgf).unwrap();
        let again: Game = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
        assert_eq!(again, game);
        assert_eq!(sgf_stream::to_string(&again).unwrap(), sgf_stream::to_string(&game).unwrap());
    }
    let game: Game = sgf_stream::from_slice(b"(;C[a\xFFb];C[\xB9\\]])").unwrap();
    let again: Game = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    assert_eq!(sgf_stream::to_vec(&again).unwrap(), b"(;C[a\xFFb];C[\xB9\\]])\n");
}

#[test]
fn json_may_be_written_by_hand() {
    let read = |json: &str| serde_json::from_str::<Properties>(json).map(|properties| format!("{properties:?}"));
    let wanted = |list: &[(&str, &[&str])]| {
        let mut properties = Properties::new();
        for (name, values) in list {
            values.iter().for_each(|value| properties.push(name, RawValue::new(value.as_bytes())));
        }
        format!("{properties:?}")
    };
    for (json, properties) in [
        (
            r#"{"PB":"x","SZ":19,"KM":6.5,"HA":[2]}"#,
            &[("PB", &["x"][..]), ("SZ", &["19"]), ("KM", &["6.5"]), ("HA", &["2"])][..],
        ),
        (r#"{"AB":["aa"],"C":["x"],"AddBlack":["bb"]}"#, &[("AB", &["aa", "bb"]), ("C", &["x"])]),
        (r#"{"DD":[]}"#, &[("DD", &[""])]),
        (r#"{"C":[[97,98]]}"#, &[("C", &["ab"])]),
        ("{}", &[]),
    ] {
        assert_eq!(read(json).unwrap(), wanted(properties), "{json}");
    }
    assert!(read(r#"{"C":[{}]}"#).unwrap_err().to_string().contains("expected a raw value"));
    assert!(read(r#"{"C":[[256]]}"#).is_err());
}

/// Serde buffers what it flattens, so that texts arrive. They are escaped again, as they would not be from JSON.
#[test]
fn texts_that_were_flattened_from_sgf_are_escaped() {
    let flat: Flat = sgf_stream::from_str(r"(;ZZ[z]C[a\\b\]c]XX[\]][\\])").unwrap();
    let raw = |name| flat.rest.get(name).unwrap().map(|raw| raw.as_bytes().to_vec()).collect::<Vec<_>>();
    assert_eq!(raw("C"), [br"a\\b\]c"]);
    assert_eq!(raw("XX"), [br"\]", br"\\"]);
    assert_comes_back(&flat);
}

/// A field may have the long name of old files: names are compared without lower-case letters.
#[test]
fn a_field_with_a_long_name_is_the_property_of_its_name() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Game {
        #[serde(rename = "PlayerBlack")]
        black: Option<String>,
        #[serde(rename = "SiZe")]
        size: Option<u8>,
        #[serde(rename = "$mainline")]
        nodes: Vec<Node>,
    }
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Node {
        #[serde(rename = "Black")]
        play: Option<String>,
    }
    let game = |black: &str, size| Game {
        black: Some(black.into()),
        size,
        nodes: vec![Node { play: Some("dd".into()) }, Node { play: Some("pp".into()) }, Node { play: None }],
    };
    let nodes = ";B[dd];Black[pp]C[x];W[aa]";
    assert_eq!(super::read(format!("(;PB[a]SZ[9]{nodes})")), Ok(game("a", Some(9))));
    assert_eq!(super::read(format!("(;PB[a]PlayerBlack[b]{nodes})")), Ok(game("a", None)));
    assert_eq!(super::read(format!("(;PlayerBlack[b]SiZe[13]PB[a]{nodes})")), Ok(game("b", Some(13))));
    assert_eq!(super::read::<Game>(format!("(;PLayerBlack[b]{nodes})")).unwrap().black, None);
}
