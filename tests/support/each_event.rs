//! Events for closures, with one copy of the tokenizer.

use sgf_stream::{Event, Flow, OwnedEvent, Parser, SyntaxError};

/// A handler of events, as a pointer: the tokenizer is compiled once for all of them, and not for each closure.
pub type Handler<'h> = &'h mut dyn FnMut(Event<'_>, u64) -> Flow;

/// [`Parser::parse`] with a [`Handler`].
pub trait EachEvent {
    fn each_event(&self, bytes: &[u8], handler: impl FnMut(Event<'_>, u64)) -> Result<Flow, SyntaxError>;
}

impl EachEvent for Parser {
    fn each_event(&self, bytes: &[u8], mut handler: impl FnMut(Event<'_>, u64)) -> Result<Flow, SyntaxError> {
        let handler: Handler<'_> = &mut |event, at| {
            handler(event, at);
            Flow::Continue
        };
        self.parse(bytes, handler)
    }
}

/// The events of some games in the order of their trees: what follows the variations of a node comes before them. A tree
/// without a bracket starts where its node does.
pub fn in_tree_order(events: Vec<(u64, OwnedEvent)>) -> Vec<(u64, OwnedEvent)> {
    let is_implied = |pair: &[(u64, OwnedEvent)]| pair[0].1 == OwnedEvent::StartTree && pair[0].0 == pair[1].0;
    if !events.windows(2).any(is_implied) {
        return events;
    }
    // The open trees: the events of their nodes, and then their child trees.
    let (mut open, mut ordered) = (Vec::<(bool, Vec<_>, Vec<Vec<_>>)>::new(), Vec::new());
    for (n, (at, event)) in events.iter().enumerate() {
        match (event, open.last_mut()) {
            (OwnedEvent::StartTree, _) => {
                open.push((is_implied(&events[n..n + 2]), vec![(*at, event.clone())], Vec::new()));
            }
            (OwnedEvent::EndTree, _) => {
                let (is_implied, mut tree, children) = open.pop().unwrap();
                tree.extend(children.into_iter().flatten());
                tree.push((*at, event.clone()));
                match open.last_mut() {
                    Some((.., siblings)) if is_implied => siblings.insert(0, tree),
                    Some((.., siblings)) => siblings.push(tree),
                    None => ordered.extend(tree),
                }
            }
            (_, Some((_, nodes, _))) => nodes.push((*at, event.clone())),
            (_, None) => unreachable!("an event outside of games"),
        }
    }
    ordered
}
