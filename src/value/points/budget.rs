//! How many points rectangles may be expanded to.

/// The points that rectangles of a game, or of a list, may still have.
///
/// A rectangle names up to 2,704 points of a Go board in five bytes, so code that expands rectangles takes their points
/// from a budget: its time and memory are then proportional to the length of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u32,
}

/// The budget for the board of a game, or for the marks of a diagram: 1,000,000 points.
///
/// No game of a corpus of 10,887 files needs 20,000.
impl Default for Budget {
    fn default() -> Self {
        Budget::new(1_000_000)
    }
}

impl Budget {
    /// Creates a budget of this many points.
    pub const fn new(points: u32) -> Self {
        Budget { left: points }
    }

    /// Takes points from the budget. Returns false, and takes nothing, if there are fewer.
    #[inline]
    pub fn take(&mut self, points: u64) -> bool {
        match u64::from(self.left).checked_sub(points) {
            Some(left) => {
                self.left = left as u32; // at most what it was
                true
            }
            None => false,
        }
    }

    /// Takes the points of a value from the budget, except the first.
    ///
    /// A single point is as long as its value.
    #[inline]
    pub fn expand(&mut self, area: u64) -> bool {
        self.take(area.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_points_of_the_budget_can_be_taken() {
        let mut budget = Budget::new(10);
        assert!(budget.take(4) && budget.expand(7));
        assert!(budget.take(0) && budget.expand(1) && budget.expand(0));
        assert!(!budget.take(1) && !budget.expand(2));
        let mut budget = Budget::new(10);
        assert!(!budget.take(11) && !budget.take(u64::MAX) && budget.take(10));
    }
}
