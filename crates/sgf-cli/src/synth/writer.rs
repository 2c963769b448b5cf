//! The writer of both sets: properties, points without repetition, random choices.

use super::random::Random;
use super::texts::Texts;

/// Writes games, one after another.
pub(super) struct Writer {
    /// The games so far.
    pub(super) out: Vec<u8>,
    pub(super) random: Random,
    pub(super) texts: Texts,
    /// The points of the board. Those before `dealt` have been used in this game.
    points: Vec<[u8; 2]>,
    dealt: usize,
    /// The color of the next move.
    turn: u8,
}

impl Writer {
    pub(super) fn new(seed: u64, texts: Texts) -> Self {
        let points = (b'a'..=b's').flat_map(|column| (b'a'..=b's').map(move |row| [column, row]));
        Writer { out: Vec::new(), random: Random::new(seed), texts, points: points.collect(), dealt: 0, turn: b'B' }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    pub(super) fn put_number(&mut self, number: u32) {
        self.put(number.to_string().as_bytes());
    }

    /// Writes a property with one value, which `value` writes.
    pub(super) fn property(&mut self, ident: &str, value: impl FnOnce(&mut Self)) {
        self.put(ident.as_bytes());
        self.put(b"[");
        value(self);
        self.put(b"]");
    }

    /// Writes CA, if the user has chosen a charset.
    pub(super) fn put_charset(&mut self) {
        if let Some(label) = &self.texts.charset {
            self.out.extend_from_slice(format!("CA[{label}]").as_bytes());
        }
    }

    /// Clears the board; Black moves first.
    pub(super) fn new_board(&mut self) {
        self.dealt = 0;
        self.turn = b'B';
    }

    pub(super) fn white_moves_first(&mut self) {
        self.turn = b'W';
    }

    /// Returns a point that this game has not used yet, unless all are used.
    #[inline]
    pub(super) fn point(&mut self) -> [u8; 2] {
        if self.dealt == self.points.len() {
            self.dealt = 0;
        }
        let left = self.points.len() - self.dealt;
        let other = self.dealt + self.random.below(left as u32) as usize;
        self.points.swap(self.dealt, other);
        self.dealt += 1;
        self.points[self.dealt - 1]
    }

    /// Writes `;B[dd]`, or `;W[dd]` at every other call. Returns the color.
    #[inline]
    pub(super) fn play(&mut self) -> u8 {
        let color = self.turn;
        self.turn = b'B' + b'W' - color;
        let [column, row] = self.point();
        self.put(&[b';', color, b'[', column, row, b']']);
        color
    }

    /// Writes a property with a list of points.
    pub(super) fn points(&mut self, ident: &str, count: u32) {
        self.put(ident.as_bytes());
        for _ in 0..count {
            let [column, row] = self.point();
            self.put(&[b'[', column, row, b']']);
        }
    }

    /// Writes one of `choices`, each with the given frequency in 1,000; the frequencies add up to 1,000.
    pub(super) fn one_of(&mut self, choices: &[(u32, &str)]) {
        let mut left = self.random.below(1000);
        for &(in_1000, text) in choices {
            if left < in_1000 {
                return self.put(text.as_bytes());
            }
            left -= in_1000;
        }
    }

    pub(super) fn name(&mut self) {
        let name = self.random.pick(&self.texts.names);
        self.out.extend_from_slice(name);
    }

    pub(super) fn event(&mut self) {
        let event = self.random.pick(&self.texts.events);
        self.out.extend_from_slice(event);
    }

    pub(super) fn place(&mut self) {
        let place = self.random.pick(&self.texts.places);
        self.out.extend_from_slice(place);
    }

    pub(super) fn remark(&mut self) {
        let remark = self.random.pick(&self.texts.remarks);
        self.out.extend_from_slice(remark);
    }
}
