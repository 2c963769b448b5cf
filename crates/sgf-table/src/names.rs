//! Players under one name.

use std::collections::HashMap;

/// Names of players, and the names that stand for them in a table.
///
/// Archives spell one player in many ways: `Lee Sedol`, `Lee Se-dol 9p`, `李世乭`. With
/// [`TableBuilder::names`](super::TableBuilder::names), the columns `black`, `white`, `PB` and `PW` have the chosen name.
/// `sgf names` finds spellings that are probably one person.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_table::{Names, Table, TableBuilder};
///
/// let names = Names::from_iter([("Lee Se-dol 9p", "Lee Sedol"), ("李世乭", "Lee Sedol")]);
/// assert_eq!(names.get(" 李世乭"), Some("Lee Sedol"));
///
/// let parser = Parser::new();
/// let table = TableBuilder::new(&parser, Table::Games).columns(["black", "white", "PB_raw"])?.names(names);
/// let mut rows = table.rows(parser.reader("(;PB[李世乭]PW[AlphaGo])".as_bytes()));
/// rows.next_game(|row| {
///     assert_eq!(row.cell(0).to_string(), "Lee Sedol");
///     assert_eq!(row.cell(1).to_string(), "AlphaGo");
///     assert_eq!(row.cell(2).to_string(), "[李世乭]"); // as it is in the file
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names(HashMap<Box<str>, Box<str>>);

impl Names {
    /// Returns the name that stands for another one. White space around the name does not matter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name.trim()).map(|name| &**name)
    }

    /// Returns the names with those that stand for them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, person)| (&**name, &**person))
    }

    /// Returns the number of names that have another one.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Collects pairs of a name in files and the name that stands for it. Of two pairs with the same name, the last counts.
impl<A: AsRef<str>, B: AsRef<str>> FromIterator<(A, B)> for Names {
    fn from_iter<I: IntoIterator<Item = (A, B)>>(names: I) -> Self {
        Names(names.into_iter().map(|(name, person)| (name.as_ref().trim().into(), person.as_ref().into())).collect())
    }
}
