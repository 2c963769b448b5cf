//! Conversions to FF[4].

use std::borrow::Cow;

use quickcheck::quickcheck;
use sgf_stream::property::convert::{Converted, to_ff4};
use sgf_stream::property::{self, Context, Origin};
use sgf_stream::{Game, Ident, RawValue};

use super::lookup;
use crate::support::convert::converted;

#[test]
fn conversions_follow_the_page() {
    let any = Context::default();
    let ff3 = Context::new(Game::Go, 3);
    let sgf2 = Context::default().with_sgf2(true);
    for (property, context, expected) in [
        ("L[fg][es][jk]", any, "LB[fg:A][es:B][jk:C]"),
        ("Letter[ fg\n]", any, "LB[fg:A]"),
        ("L[aa:cc]", any, "as it is"),
        ("L[]", any, "as it is"),
        ("M[fg][es]", any, "MA[fg][es]"),
        ("KI[11]", any, "KM[5.5]"),
        ("KI[12]", any, "KM[6]"),
        ("KI[-1]", any, "KM[-0.5]"),
        ("KI[-9223372036854775808]", any, "KM[-4611686018427387904]"),
        ("KI[x]", any, "as it is"),
        ("KI[1][2]", any, "as it is"),
        ("VW[ba][db]", ff3, "VW[ba:db]"),
        ("VW[db][ba]", ff3, "VW[ba:db]"),
        ("VW[bb][da]", ff3, "VW[ba:db]"),
        ("VW[aa][aa]", ff3, "VW[aa]"),
        ("VW[ba][db]", any, "as it is"),
        ("VW[ba][db][ee]", ff3, "as it is"),
        ("VW[ba:db]", ff3, "as it is"),
        ("VW[]", ff3, "as it is"),
        ("FF[3]", ff3, "FF[4]"),
        ("FF[4]", any, "as it is"),
        ("TE[an event]", sgf2, "EV[an event]"),
        ("KO[6.5]", sgf2, "KM[6.5]"),
        ("RD[2025-06-12]", sgf2, "DT[2025-06-12]"),
        ("GK[1]", sgf2, "GM[1]"),
        ("HD[2]", sgf2, "HA[2]"),
        ("TE[1]", any, "as it is"),
        // A Korean server writes RD in files that say FF[4], where it means nothing else.
        ("RD[2015-10-20]", ff3, "DT[2015-10-20]"),
        ("RD[2007-05-01]", any, "DT[2007-05-01]"),
        ("RD[20061206]", any, "DT[20061206]"),
        ("RD[06-11-28]", any, "as it is"),
        ("RD[2007-05-01][2007-05-02]", any, "as it is"),
        ("RD[]", any, "as it is"),
        ("RD[06-11-28]", sgf2, "DT[06-11-28]"),
        ("GK[1]", any, "as it is"),
        ("LKM[6.5]", any, "KM[6.5]"),
        ("PTM[3600]", any, "TM[3600]"),
        ("PDT[2001-02-03]", any, "DT[2001-02-03]"),
        ("TL[3600]", any, "TM[3600]"),
        ("TL[8h]", any, "TM[28800]"),
        ("TL[1.5m]", any, "TM[90]"),
        ("TL[30s]", any, "TM[30]"),
        ("TL[0,0]", any, "as it is"),
        ("TL[Black: 3:59  White: 3:57]", any, "as it is"),
        ("OM[30]", any, "part of OT"),
        ("OP[300.0]", any, "part of OT"),
        ("BS[0]", any, "none"),
        ("LT[]", ff3, "none"),
        ("LT[60]", any, "as it is"),
        ("SC[aa][bb]", any, "none"),
        ("B[tt]", ff3, "as it is"),
        ("KGSDE[aa]", any, "as it is"),
        ("QQQ[x]", any, "as it is"),
    ] {
        assert_eq!(converted(property, &context), expected, "{property} in {context:?}");
    }
}

#[test]
fn letters_go_on_after_z() {
    let points: Vec<String> = (0..703).map(|n| format!("{n:03}")).collect();
    let values: Vec<_> = points.iter().map(|point| RawValue::new(point.as_bytes())).collect();
    let Some(Converted::Property { ident: "LB", values }) = to_ff4(Ident::new(b"L"), &values, &Context::default())
    else {
        panic!()
    };
    for (n, label) in [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")] {
        assert_eq!(*values[n], *format!("{n:03}:{label}").as_bytes());
    }
}

#[test]
fn what_does_not_change_is_borrowed() {
    let value = RawValue::new(b"fg");
    match to_ff4(Ident::new(b"M"), &[value], &Context::default()) {
        Some(Converted::Property { values, .. }) => assert!(matches!(values[0], Cow::Borrowed(_))),
        other => panic!("{other:?}"),
    }
}

quickcheck! {
    fn any_value_of_a_known_property_can_be_converted(row: usize, value: Vec<u8>, ff: u8, sgf2: bool) -> bool {
        let row = &property::all()[row % property::all().len()];
        let context = Context::new(row.game().unwrap_or_default(), ff).with_sgf2(sgf2);
        let ident = Ident::new(row.ident().as_bytes());
        match to_ff4(ident, &[RawValue::new(&value)], &context) {
            Some(Converted::Property { ident: new, values }) => {
                // What comes out is FF[4]'s, and needs no further conversion.
                let values: Vec<_> = values.iter().map(|value| RawValue::new(value)).collect();
                let context = Context::new(context.game(), 4);
                let row = lookup(new, &context).unwrap();
                row.origin() == Origin::Ff4 && to_ff4(Ident::new(new.as_bytes()), &values, &context).is_none()
            }
            _ => true,
        }
    }
}
