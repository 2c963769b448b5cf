//! The interactive view: keys walk through a game.

use std::collections::HashMap;
use std::io::{self, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use sgf_stream::tree::{Node, NodeId};

use super::draw::Style;
use super::panel;
use super::position::{Line, Position};
use crate::visible::{Blanks, fitted};

/// The command of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A number of nodes forward, or back.
    Go(isize),
    /// The next variation, or the one before.
    Variation(isize),
    Branch,
    Start,
    End,
    Quit,
    Redraw,
}

/// Where the user is in a game. Knows which variations were taken, so that going back and on again leads there.
struct Walk<'t> {
    node: Node<'t>,
    taken: HashMap<NodeId, NodeId>,
}

impl<'t> Walk<'t> {
    fn new(line: &Line<'t>, node: Node<'t>) -> Self {
        let mut walk = Walk { node: line.end(), taken: HashMap::new() };
        walk.remember();
        walk.node = node;
        walk
    }

    /// Going on from the nodes before this one leads here.
    fn remember(&mut self) {
        for node in self.node.path() {
            if let Some(parent) = node.parent().filter(|parent| parent.has_variations()) {
                self.taken.insert(parent.id(), node.id());
            }
        }
    }

    fn next(&self, node: Node<'t>) -> Option<Node<'t>> {
        let taken = self.taken.get(&node.id()).and_then(|&id| node.tree().node(id));
        taken.or_else(|| node.first_child())
    }

    /// The end of the line that the user is in.
    fn end(&self) -> Node<'t> {
        let mut node = self.node;
        while let Some(next) = self.next(node) {
            node = next;
        }
        node
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Go(nodes) => {
                for _ in 0..nodes.unsigned_abs() {
                    let next = if nodes > 0 { self.next(self.node) } else { self.node.parent() };
                    let Some(next) = next else { break };
                    self.node = next;
                }
            }
            Step::Variation(by) => {
                let sibling = if by > 0 { self.node.next_sibling() } else { self.node.previous_sibling() };
                if let Some(sibling) = sibling {
                    self.node = sibling;
                    self.remember();
                }
            }
            Step::Branch => {
                while let Some(next) = self.next(self.node) {
                    self.node = next;
                    if self.node.siblings().count() > 1 {
                        break;
                    }
                }
            }
            Step::Start => self.node = self.node.tree().root(),
            Step::End => self.node = self.end(),
            Step::Quit | Step::Redraw => {}
        }
    }
}

/// The command of an event of the terminal.
fn asked(event: &Event) -> Option<Step> {
    let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else {
        return matches!(event, Event::Resize(..)).then_some(Step::Redraw);
    };
    if *kind == KeyEventKind::Release {
        return None;
    }
    Some(match code {
        KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => Step::Quit,
        KeyCode::Char('q') | KeyCode::Esc => Step::Quit,
        KeyCode::Right | KeyCode::Char('l' | ' ') => Step::Go(1),
        KeyCode::Left | KeyCode::Char('h') | KeyCode::Backspace => Step::Go(-1),
        KeyCode::Down | KeyCode::Char('j') => Step::Variation(1),
        KeyCode::Up | KeyCode::Char('k') => Step::Variation(-1),
        KeyCode::PageDown => Step::Go(10),
        KeyCode::PageUp => Step::Go(-10),
        KeyCode::Tab => Step::Branch,
        KeyCode::Home | KeyCode::Char('g') => Step::Start,
        KeyCode::End | KeyCode::Char('G') => Step::End,
        _ => return None,
    })
}

const HELP: &str = "← → move   ↑ ↓ variation   PgUp PgDn ten moves   Tab branch   Home End   q quit";

/// Restores the terminal, also after an error.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// Shows a game, and walks through it until the user quits.
pub(super) fn walk<'t>(line: &Line<'t>, node: Node<'t>, style: Style, name: &str) -> io::Result<()> {
    let mut walk = Walk::new(line, node);
    let _screen = Screen::enter()?;
    loop {
        draw(&walk, style, name)?;
        let step = loop {
            if let Some(step) = asked(&event::read()?) {
                break step;
            }
        };
        if step == Step::Quit {
            return Ok(());
        }
        walk.step(step);
    }
}

fn draw(walk: &Walk<'_>, style: Style, name: &str) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let mut out = io::stdout().lock();
    let mut lines = vec![fitted(name, columns, Blanks::Kept)];
    match Position::of(walk.node) {
        Ok(position) => {
            let line = Line::through(walk.end());
            let height = rows.saturating_sub(2);
            lines.extend(panel::beside(&position, &line, style, columns, Some(height)));
        }
        Err(message) => lines.push(message),
    }
    queue!(out, MoveTo(0, 0))?;
    for line in lines.iter().take(rows.saturating_sub(1)) {
        write!(out, "{line}")?;
        queue!(out, Clear(ClearType::UntilNewLine))?;
        write!(out, "\r\n")?;
    }
    queue!(out, Clear(ClearType::FromCursorDown), MoveTo(0, rows.saturating_sub(1) as u16))?;
    write!(out, "{}", fitted(HELP, columns, Blanks::Kept))?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use sgf_stream::tree::GameTree;

    use super::*;

    #[test]
    fn going_back_and_on_again_leads_to_the_same_node() {
        let tree: GameTree = "(;B[aa](;W[ab];B[ac](;W[ad])(;W[ae];B[xx]))(;W[af];B[ag])(;W[ah]))".parse().unwrap();
        let line = Line::through(tree.root());
        let mut walk = Walk::new(&line, tree.root());
        for (step, expected) in [
            (Step::Go(-1), 0),
            (Step::Go(10), 3),
            (Step::Variation(1), 4),
            (Step::Start, 0),
            (Step::End, 5),
            (Step::Go(-3), 1),
            (Step::Variation(-1), 1),
            (Step::Variation(1), 6),
            (Step::Go(-1), 0),
            (Step::Branch, 6),
            (Step::End, 7),
            (Step::Variation(1), 7),
            (Step::Start, 0),
            (Step::Go(2), 7),
            (Step::Redraw, 7),
        ] {
            walk.step(step);
            assert_eq!(walk.node.number(), expected, "{step:?}");
        }
    }
}
