//! Edits, one by one: what they do, what they refuse, and texts in charsets.

use sgf_stream::tree::{EditError, GameTree, NodeId, Place};
use sgf_stream::value::{Compose, GameResult, PointList, Real, SimpleText, Size, Text, go};

use super::{sgf, tree};

fn id(n: usize) -> NodeId {
    NodeId::new(n).unwrap()
}

#[test]
fn cycles_and_roots_are_errors_and_change_nothing() {
    let before = tree("(;N[0](;N[1];N[2];N[3])(;N[4]))");
    let mut game = before.clone();
    for (result, error) in [
        (game.move_to(id(1), Place::LastChildOf(id(1))), EditError::UnderItself(id(1))),
        (game.move_to(id(1), Place::FirstChildOf(id(3))), EditError::UnderItself(id(1))),
        (game.move_to(id(1), Place::After(id(3))), EditError::UnderItself(id(1))),
        (game.move_to(id(1), Place::Before(id(2))), EditError::UnderItself(id(1))),
        (game.move_to(id(0), Place::LastChildOf(id(1))), EditError::IsRoot),
        (game.move_to(id(1), Place::Before(id(0))), EditError::IsRoot),
        (game.remove(id(0)).map(|_| ()), EditError::IsRoot),
        (game.remove_node_keep_children(id(0)), EditError::IsRoot),
        (game.add(Place::After(id(0))).map(|_| ()), EditError::IsRoot),
        (game.add(Place::LastChildOf(id(5))).map(|_| ()), EditError::NoSuchNode(id(5))),
        (game.set(id(9), "B", "dd"), EditError::NoSuchNode(id(9))),
        (game.set(id(1), "b", "dd"), EditError::Ident("b".into())),
        (game.set(id(1), "B D", "dd"), EditError::Ident("B D".into())),
        (game.set(id(1), "", "dd"), EditError::Ident(String::new())),
        (game.set_list::<&str>(id(1), "B", []), EditError::NoValue("B".into())),
        (game.set_raw::<&str>(id(1), "B", []), EditError::NoValue("B".into())),
    ] {
        assert_eq!(result, Err(error));
    }
    assert_eq!((sgf(&game), game.nth(4).unwrap().id()), (sgf(&before), id(4)));
    assert_eq!(EditError::UnderItself(id(1)).to_string(), "node 1 cannot be moved under itself");
}

#[test]
fn an_id_names_its_node_until_that_is_removed() {
    let mut game = tree("(;N[0](;N[1];N[2])(;N[3](;N[4])(;N[5])))");
    game.move_to(id(3), Place::Before(id(1))).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[3](;N[4])(;N[5]))(;N[1];N[2]))");
    assert_eq!(game.remove(id(3)), Ok(3));
    assert_eq!(sgf(&game), "(;N[0];N[1];N[2])");
    for gone in [3, 4, 5] {
        assert!(game.node(id(gone)).is_none());
        assert_eq!(game.remove(id(gone)), Err(EditError::NoSuchNode(id(gone))));
    }
    let new = game.add(Place::LastChildOf(id(0))).unwrap();
    assert_eq!((new, game.len()), (id(6), 4));
    assert_eq!(game.node(new).unwrap().number(), 3);
    game.renumber();
    assert_eq!(game.node(id(3)).unwrap().number(), 3);
    assert!(game.node(new).is_none());
}

#[test]
fn variations_move_up_and_lines_become_main_lines() {
    let mut game = tree("(;N[0](;N[1])(;N[2](;N[3])(;N[4]))(;N[5]))");
    assert_eq!(game.promote(id(5)), Ok(true));
    assert_eq!(sgf(&game), "(;N[0](;N[1])(;N[5])(;N[2](;N[3])(;N[4])))");
    assert_eq!((game.promote(id(1)), game.promote(id(0))), (Ok(false), Ok(false)));
    game.make_main_line(id(4)).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[2](;N[4])(;N[3]))(;N[1])(;N[5]))");
    assert!(game.node(id(4)).unwrap().is_on_main_line());
}

#[test]
fn children_take_the_place_of_a_node_that_is_dissolved() {
    let mut game = tree("(;N[0](;N[1])(;N[2](;N[3])(;N[4]))(;N[5]))");
    game.remove_node_keep_children(id(2)).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[1])(;N[3])(;N[4])(;N[5]))");
    game.remove_node_keep_children(id(1)).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[3])(;N[4])(;N[5]))");
}

#[test]
fn brackets_of_an_only_child_go_when_it_gets_a_sibling_or_another_place() {
    let mut game = tree("(;N[0](;N[1](;N[2])))");
    let sibling = game.add(Place::LastChildOf(id(0))).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[1](;N[2]))(;))");
    game.remove(sibling).unwrap();
    assert_eq!(sgf(&game), "(;N[0];N[1](;N[2]))");
    game.move_to(id(2), Place::FirstChildOf(id(0))).unwrap();
    game.remove(id(1)).unwrap();
    assert_eq!(sgf(&game), "(;N[0];N[2])");
}

#[test]
fn trees_are_copied_into_trees() {
    let from = tree("(;N[a](;N[b](;N[c](;N[d])(;N[e])))(;N[f]))");
    let mut game = tree("(;N[0];N[1])");
    let copy = game.graft(Place::FirstChildOf(id(0)), from.nth(1).unwrap()).unwrap();
    assert_eq!(sgf(&game), "(;N[0](;N[b](;N[c](;N[d])(;N[e])))(;N[1]))");
    assert_eq!(game.node(copy).unwrap().descendants().count(), 4);
    let part = game.subtree(copy).unwrap();
    assert_eq!((sgf(&part), part.len()), ("(;N[b](;N[c](;N[d])(;N[e])))".to_owned(), 4));
    assert_eq!(part.nth(3).unwrap().text("N").unwrap(), "e");
    assert_eq!(game.subtree(id(99)), Err(EditError::NoSuchNode(id(99))));
}

#[test]
fn typed_values_are_printed_and_texts_escaped() {
    let mut game = tree("(;FF[4]MULTIGOGM[1])");
    let root = NodeId::ROOT;
    game.set(root, "SZ", Size::square(9).unwrap()).unwrap();
    game.set(root, "KM", Real::new(6.5).unwrap()).unwrap();
    game.set(root, "RE", GameResult::parse("B+Resign").unwrap()).unwrap();
    game.set(root, "C", r"a\b [c]").unwrap();
    game.set(root, "AP", ("my:program", "1.0")).unwrap();
    game.set(root, "DD", ()).unwrap();
    game.set(root, "HA", 2).unwrap();
    let stones: PointList = ["aa", "ba", "ab", "bb", "dd"].map(|p| go::Point::parse(p).unwrap()).into_iter().collect();
    game.set_list(root, "AB", stones.compress()).unwrap();
    game.append(root, "AB", go::Point::parse("ee").unwrap()).unwrap();
    game.append(root, "AW", go::Point::parse("ff").unwrap()).unwrap();
    assert_eq!(
        sgf(&game),
        r"(;FF[4]MULTIGOGM[1]SZ[9]KM[6.5]RE[B+Resign]C[a\\b [c\]]AP[my\:program:1.0]DD[]HA[2]AB[aa:bb][dd][ee]AW[ff])"
    );
    assert_eq!(game.root().text("C").unwrap(), r"a\b [c]");
    assert_eq!(game.root().get::<(String, String)>("AP").unwrap().unwrap().0, "my:program");
    assert_eq!(game.root().list::<go::Point>("AB").unwrap().len(), 6);
    assert_eq!(game.root().get::<f64>("KM"), Ok(Some(6.5)));
    assert_eq!((game.unset(root, "KM"), game.unset(root, "KM")), (Ok(true), Ok(false)));
    assert!(!game.root().contains("KM"));
}

#[test]
fn white_space_is_written_unchanged_or_refused() {
    let line = "line breaks, which its property does not allow; replace them with spaces";
    let tab = "tabs (U+0009), which SGF cannot represent; replace them with spaces";
    let returns = "carriage returns (U+000D), which SGF cannot represent; replace them with";
    let mut game = tree("(;FF[4]GN[x];C[x])");
    let before = game.clone();
    for (node, ident, text, expected) in [
        (0, "GN", "two\nlines", line.to_owned()),
        (0, "GN", "two\r\nlines", format!("{returns} spaces")),
        (0, "PB", "a\tb", tab.to_owned()),
        (1, "C", "a\tb", tab.to_owned()),
        (1, "C", "a\r\nb", format!("{returns} line feeds (U+000A)")),
        (1, "C", "a\n\rb", format!("{returns} line feeds (U+000A)")),
        (1, "C", "a\u{B}b", "vertical tabs (U+000B), which SGF cannot represent; replace them with spaces".into()),
        (1, "C", "a\u{C}b", "form feeds (U+000C), which SGF cannot represent; replace them with spaces".into()),
        (1, "XX", "a\rb", format!("{returns} line feeds (U+000A)")),
        (1, "LB", "aa:a\nb", line.to_owned()),
    ] {
        let expected = format!("{ident}: the text has {expected}");
        let message = |edited: Result<(), EditError>| edited.unwrap_err().to_string();
        assert_eq!(message(game.set(id(node), ident, text)), expected);
        assert_eq!(message(game.set_list(id(node), ident, ["x", text])), expected);
        assert_eq!(message(game.append(id(node), ident, text)), expected);
    }
    assert!(game.set(id(1), "LB", ("aa", "a\nb")).is_err());
    assert!(game.set(id(1), "XX", ("a", Text::new("a\nb"))).is_err());
    assert!(game.set(id(1), "XX", Compose(Text::new("a"), Text::new("a\nb"))).is_err());
    assert!(game.set(id(0), "GN", Text::new("two\nlines")).is_err());
    assert_eq!(game, before);

    game.set(id(0), "GN", SimpleText::new("two\r\nlines")).unwrap();
    game.set(id(1), "C", Text::new("two\r\nlines\t")).unwrap();
    game.set(id(1), "XX", "\\\n]").unwrap();
    assert_eq!(sgf(&game), "(;FF[4]GN[two lines];C[two\nlines ]XX[\\\\\n\\]])");
    assert_eq!(game.nth(1).unwrap().text("XX").unwrap(), "\\\n]");
}

#[test]
fn what_the_root_says_of_the_game_counts_from_then_on() {
    let mut game = tree("(;SZ[19];B[tt])");
    let first = id(1);
    assert_eq!(game.node(first).unwrap().get("B"), Ok(Some(go::Move::Pass)));
    game.set(NodeId::ROOT, "SZ", 21).unwrap();
    assert_eq!(game.node(first).unwrap().get("B"), Ok(Some(go::Move::Play(go::Point::parse("tt").unwrap()))));
    game.unset(NodeId::ROOT, "SZ").unwrap();
    assert_eq!(game.node(first).unwrap().get("B"), Ok(Some(go::Move::Pass)));
}

#[test]
fn a_property_takes_the_place_of_all_of_its_name() {
    let mut game = tree("(;AB[aa]C[x]AddBlack[bb]B[cc])");
    game.set(NodeId::ROOT, "AB", "dd").unwrap();
    assert_eq!(sgf(&game), "(;AB[dd]C[x]B[cc])");
}

#[test]
fn a_text_that_is_not_ascii_says_which_charset_it_is_in() {
    let mut game = tree("(;FF[4])");
    game.set(NodeId::ROOT, "PB", "本因坊").unwrap();
    game.set(NodeId::ROOT, "PW", "呉清源").unwrap();
    assert_eq!(sgf(&game), "(;FF[4]CA[UTF-8]PB[本因坊]PW[呉清源])");
    // Existing values that are not UTF-8 would become unreadable.
    let mut game = GameTree::from_slice(b"(;FF[4]PB[M\xFCller];B[dd])").unwrap();
    let before = game.clone();
    assert_eq!(game.set(id(1), "C", "囲碁"), Err(EditError::Charset("an unknown charset".into())));
    assert_eq!(game, before);
    // And so would a text in UTF-8 in a game that says otherwise.
    let mut game = tree("(;FF[4]CA[GBK])");
    assert_eq!(game.set(NodeId::ROOT, "C", "囲碁"), Err(EditError::Charset("GBK".into())));
    assert_eq!(game.append(NodeId::ROOT, "C", "囲碁"), Err(EditError::Charset("GBK".into())));
    assert_eq!(game.set(NodeId::ROOT, "C", "ASCII"), Ok(()));
}

#[test]
fn a_failed_append_leaves_the_property_as_it_was() {
    let mut game = tree("(;FF[4]CA[GBK]LB[aa:x])");
    let before = sgf(&game);
    assert!(game.append(NodeId::ROOT, "LB", "bb:囲").is_err());
    assert!(game.append(NodeId::ROOT, "lb", "bb").is_err());
    assert_eq!(sgf(&game), before);
}

#[test]
fn numbers_of_all_kinds_and_booleans_are_values() {
    let mut game = GameTree::new();
    let mut set = |value: &dyn Fn(&mut GameTree) -> Result<(), EditError>| {
        value(&mut game)?;
        Ok::<_, EditError>(game.root().raw("XX").map(|raw| String::from_utf8_lossy(raw.as_bytes()).into_owned()))
    };
    let some = |text: &str| Ok(Some(text.to_owned()));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", 2)), some("2"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", u8::MAX)), some("255"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", i128::MIN)), some("-170141183460469231731687303715884105728"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", 3usize)), some("3"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", 6.5)), some("6.5"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", 0.1f32)), some("0.1"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", -0.0)), some("0"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", 1e21)), some("1000000000000000000000"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", f64::NAN)), Err(EditError::NotFinite("XX".into())));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", (1, f64::INFINITY))), Err(EditError::NotFinite("XX".into())));
    assert_eq!(set(&|game| game.append(NodeId::ROOT, "XX", 7u64)), some("1000000000000000000000"));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", false)), Ok(None));
    assert_eq!(set(&|game| game.append(NodeId::ROOT, "XX", false)), Ok(None));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "XX", true)), some(""));
    assert_eq!(set(&|game| game.set(NodeId::ROOT, "xx", false)), Err(EditError::Ident("xx".into())));
    assert_eq!(set(&|game| game.set_list(NodeId::ROOT, "XX", [1u8, 2])), some("1"));
}

#[cfg(feature = "charset")]
mod charset {
    use sgf_stream::Parser;
    use sgf_stream::charset::{Charset, Decoding};
    use sgf_stream::tree::{EditError, GameTree, NodeId, TreeBuilder};

    fn tree(bytes: &[u8], decoding: Decoding) -> GameTree {
        Parser::new().slice(bytes).read_game(&mut TreeBuilder::new().charset(decoding)).unwrap().unwrap().unwrap()
    }

    #[test]
    fn texts_are_read_and_written_in_the_charset_of_the_game() {
        let mut game = tree(b"(;CA[Shift_JIS]PB[\x96\x7B\x88\xF6\x96\x56])", Decoding::new());
        assert_eq!(game.root().text("PB").unwrap(), "本因坊");
        // Its second byte is that of a backslash.
        game.set(NodeId::ROOT, "PW", "申]").unwrap();
        assert_eq!(game.to_vec().unwrap(), b"(;CA[Shift_JIS]PB[\x96\x7B\x88\xF6\x96\x56]PW[\x90\x5C\\]])\n");
        assert_eq!(game.root().text("PW").unwrap(), "申]");
        assert_eq!(game.root().get::<String>("PW").unwrap().unwrap(), "申]");
        assert_eq!(game.set(NodeId::ROOT, "PW", "한국"), Err(EditError::Charset("Shift_JIS".into())));
        assert_eq!(game.root().text("PW").unwrap(), "申]");
        assert_eq!(game.convert_to_utf8(), Ok(0));
        game.set(NodeId::ROOT, "PW", "한국").unwrap();
        assert_eq!(game.to_vec().unwrap(), "(;CA[UTF-8]PB[本因坊]PW[한국])\n".as_bytes());
    }

    #[test]
    fn setting_ca_converts_the_texts() {
        let texts = |game: &GameTree| ["PB", "C"].map(|name| game.root().text(name).map(|text| text.into_owned()));
        let names = ["UTF-8", "GB18030", "gb2312", "Shift_JIS", "Big5", "EUC-JP", "EUC-KR"];
        for (from, to) in names.iter().flat_map(|from| names.iter().map(move |to| (from, to))) {
            let mut game: GameTree = "(;PB[中]C[a \\] 中];B[dd])".parse().unwrap();
            let before = texts(&game);
            game.set(NodeId::ROOT, "CA", *from).unwrap();
            game.set(NodeId::ROOT, "CA", *to).unwrap();
            assert_eq!(texts(&game), before, "{from} {to}");
            let again = tree(&game.to_vec().unwrap(), Decoding::new());
            assert_eq!((texts(&again), again.root().text("CA").unwrap()), (before, (*to).into()), "{from} {to}");
        }
    }

    #[test]
    fn setting_ca_changes_nothing_if_a_text_does_not_fit() {
        let gbk = b"(;CA[GBK]PB[\xBA\xBA\xD7\xD6];C[ok])";
        for (bytes, label, expected) in [
            (&gbk[..], "ISO-8859-1", "PB[汉字] cannot be written in ISO-8859-1; UTF-8 has all characters"),
            (
                gbk,
                "nonsense",
                "CA: \"nonsense\" is unknown, or a charset in which ASCII is not ASCII; use a name such as UTF-8",
            ),
            (
                gbk,
                "UTF-16",
                "CA: \"UTF-16\" is unknown, or a charset in which ASCII is not ASCII; use a name such as UTF-8",
            ),
            (gbk, "", "CA: \"\" is unknown, or a charset in which ASCII is not ASCII; use a name such as UTF-8"),
            (
                b"(;CA[UTF-8];C[\xFF])",
                "GBK",
                "C has bytes that are invalid in UTF-8; `GameTree::convert_to_utf8` replaces them",
            ),
        ] {
            for mut game in [tree(bytes, Decoding::new()), GameTree::from_slice(bytes).unwrap()] {
                let before = game.clone();
                assert_eq!(game.set(NodeId::ROOT, "CA", label).unwrap_err().to_string(), expected);
                assert_eq!(game, before);
            }
        }
        // A raw label is only a label, and an ASCII game has nothing to convert.
        let mut game = tree(gbk, Decoding::new());
        game.set_raw(NodeId::ROOT, "CA", ["UTF-8"]).unwrap();
        assert_eq!(game.root().raw("PB").unwrap().as_bytes(), b"\xBA\xBA\xD7\xD6");
        let mut game: GameTree = "(;PB[a])".parse().unwrap();
        game.set(NodeId::ROOT, "CA", "Big5").unwrap();
        assert_eq!(game.to_vec().unwrap(), b"(;CA[Big5]PB[a])\n");
    }

    #[test]
    fn a_forced_charset_is_converted_too() {
        let mut game = tree(b"(;CA[UTF-8]PB[\xBA\xBA\xD7\xD6])", Decoding::new().force(Charset::GBK));
        game.set(NodeId::ROOT, "CA", "UTF-8").unwrap();
        assert_eq!(game.to_vec().unwrap(), "(;CA[UTF-8]PB[汉字])\n".as_bytes());
        game.set(NodeId::ROOT, "PW", "常昊").unwrap();
        assert_eq!(game.root().text("PW").unwrap(), "常昊");
    }

    #[test]
    fn labels_are_split_after_they_are_decoded() {
        // The first character of the second label is 0x83 0x5C: no backslash hides the colon in front.
        let game = tree(b"(;CA[Shift_JIS];LB[aa:\x83\x5C][bb:b])", Decoding::new());
        let labels = game.nth(1).unwrap().list::<(sgf_stream::value::go::Point, String)>("LB").unwrap();
        assert_eq!(labels.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["ソ", "b"]);
    }

    #[test]
    fn a_game_without_ca_is_detected_or_as_the_caller_says() {
        let latin = b"(;PB[M\xFCller]C[gr\xFC\xDFt die Gr\xFC\xDFenden];B[dd])";
        let game = tree(latin, Decoding::new().default_charset(Charset::WINDOWS_1252));
        assert_eq!(game.root().text("PB").unwrap(), "Müller");
        let mut game = tree(latin, Decoding::new());
        assert_eq!(game.root().text("PB").unwrap(), "Müller");
        assert_eq!(game.convert_to_utf8(), Ok(0));
        assert_eq!(game.root().raw("PB").unwrap().as_bytes(), "Müller".as_bytes());
        assert_eq!(game.root().text("CA").unwrap(), "UTF-8");
        let mut game = GameTree::from_slice(b"(;CA[UTF-8]PB[M\xFCller])").unwrap();
        assert_eq!(game.convert_to_utf8(), Ok(1));
        assert_eq!(game.root().raw("PB").unwrap().as_bytes(), "M\u{FFFD}ller".as_bytes());
        let mut game = GameTree::from_slice(b"(;PB[Mueller])").unwrap();
        assert_eq!((game.convert_to_utf8(), game.to_vec().unwrap()), (Ok(0), b"(;PB[Mueller])\n".to_vec()));
    }
}
