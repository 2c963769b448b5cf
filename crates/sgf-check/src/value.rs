//! The rules about values.
//!
//! A value is first parsed strictly. Only if that fails, it is parsed leniently, for the message and for the repair.
//! Texts are not parsed: any bytes are a text.

use std::borrow::Cow;
use std::ops::Range;

use sgf_board::internal::is_word_of_hex;
use sgf_stream::charset::CharsetSource;
use sgf_stream::internal::{InNode, canonical, is_white_space, short_decimal, trim_value as trim};
use sgf_stream::property::{List, Property, PropertyType, TypedValue, ValueType, find, lookup};
use sgf_stream::value::{AnyMove, AnyPoint, AnyRect, AnyStone, Color, GridPoint, Size, ValueError, go};
use sgf_stream::{Code, Game, Ident, RawValue};

use super::diagnostic::{Edit, excerpt};
use super::glance::Glance;
use super::go::GoPosition;
use super::identity::is_in_version;
use super::lists::Lists;
use super::points::Area;
use super::report::Report;
use super::state::{GameState, Node, Path, Waiting, is_standard};
use super::structure::is_same_charset;
use super::{Rule, property};

/// Maximum number of empty values of a property that are reported one by one.
const MOST_EMPTY: u32 = 16;

/// The state that the rules about values read and change.
pub(super) struct Values<'c> {
    pub(super) game: &'c GameState,
    pub(super) path: &'c mut Path,
    pub(super) node: &'c mut Node,
    pub(super) lists: &'c mut Lists,
    pub(super) position: &'c mut GoPosition,
    pub(super) report: &'c mut Report,
    pub(super) ca: &'c mut super::charset::Declared,
}

impl Values<'_> {
    fn find(&mut self, rule: Rule, span: Range<u64>, message: impl Into<Cow<'static, str>>) {
        self.report.find(self.node, rule, span, message);
    }

    fn find_fixable(&mut self, rule: Rule, span: Range<u64>, message: String, edits: Vec<Edit>) {
        self.report.find_fixable(self.node, rule, span, message, edits);
    }

    /// Checks a value of the open property.
    pub(super) fn check(&mut self, raw: &[u8], at: u64) {
        let front = self.node.front();
        self.node.last_end = at + raw.len() as u64 + 2;
        let glance = Glance::at(raw);
        self.node.is_doubtful = glance.has_bracket();
        let open = &mut self.node.property;
        open.values = open.values.saturating_add(1);
        let span = at..self.node.last_end;
        if open.row.is_none()
            && let Some(stone) = open.stone
        {
            let ident: &[u8] = if stone == Color::Black { b"B" } else { b"W" };
            open.row = lookup(Ident::new(ident), &self.game.context);
        }
        property::note_value(self.node, raw);
        if let Some(charset) = self.report.texts.charset {
            self.ca.note(charset, raw, glance.is_ascii());
        }
        if glance.has_nul() {
            self.find(
                Rule::NulByte,
                span.clone(),
                format!("{}: the value contains a NUL byte", self.node.property.name()),
            );
        }
        // Values of private properties are not checked: they have no specification.
        let Some(row) = self.node.property.row.filter(|row| is_standard(row)) else { return };
        if row.list() == List::Single {
            property::note_single(self.game, self.node, self.report, row, (raw, front), &span);
        }
        let is_far_value = row.list() == List::Single && self.node.property.values > 1;
        if is_far_value {
            return; // a surplus value may belong anywhere
        }
        let is_blank = || is_white_space(raw[0]) && trim(raw).0.is_empty();
        if raw.is_empty() || is_blank() && row.value_type() != ValueType::Text {
            let is_text = matches!(row.value_type().basic(), ValueType::SimpleText | ValueType::Text);
            // White space in a Text may be layout; in a SimpleText it has no meaning.
            if is_text || !self.may_be_empty(row, raw) {
                return self.note_empty(front, span);
            }
            if row.list() == List::EList && !is_text {
                self.node.property.empty_list = Some((front, span.start, span.end));
            }
        }
        let is_text = matches!(row.value_type(), ValueType::SimpleText | ValueType::Text);
        if is_text && glance.is_ascii() && self.game.context.game() == Game::Go {
            return; // in Go no rule is about it: no text is one of some words, and ASCII is in all charsets
        }
        self.check_version(row, raw, &span);
        match row.value_type() {
            ValueType::SimpleText | ValueType::Text => self.text(row, raw, span),
            ValueType::Charset => self.charset_name(raw, span),
            ValueType::Ruleset => {
                self.position.set_rules(RawValue::new(raw));
                self.check_charset(raw, &span);
            }
            ValueType::Overtime => self.check_charset(raw, &span),
            ValueType::Application | ValueType::TextPair => {
                self.check_charset(raw, &span);
                // In raw bytes, the second byte of a character might hide the colon.
                let is_pair = RawValue::new(&self.in_utf8(raw)).compose().is_some();
                if row.value_type() == ValueType::TextPair {
                    if !is_pair {
                        self.missing_colon(row, raw, span);
                    } else if row.ident() == "IS" {
                        self.setting(raw, span);
                    }
                } else if !is_pair {
                    let message = format!(
                        "AP[{}]: the colon and the version of the program are missing",
                        self.report.texts.excerpt(raw)
                    );
                    self.find(Rule::MissingProgramVersion, span, message);
                }
            }
            ValueType::PointText => self.label(row, raw, front, span),
            _ => self.typed(row, raw, front, span),
        }
    }

    /// Returns whether an empty or blank value is allowed here, or is reported elsewhere.
    fn may_be_empty(&self, row: &Property, raw: &[u8]) -> bool {
        match row.value_type() {
            // A move, or a fault other than a missing value.
            ValueType::None | ValueType::Move | ValueType::Double | ValueType::Figure => true,
            // In games without a notation, white space may be a point.
            ValueType::Point | ValueType::Stone if !raw.is_empty() => !AnyPoint::has_notation(self.game.context.game()),
            _ => raw.is_empty() && row.list() == List::EList && self.node.property.values == 1,
        }
    }

    fn note_empty(&mut self, front: u64, span: Range<u64>) {
        self.node.property.empty_count += 1;
        if self.node.property.empty_count <= MOST_EMPTY {
            self.node.property.empty.push((front, span.start, span.end));
        }
    }

    /// Reports features that the old version of the file lacks.
    fn check_version(&mut self, row: &Property, raw: &[u8], span: &Range<u64>) {
        let Some(ff) = self.game.old_version() else { return };
        if raw.is_empty() && row.value_type() == ValueType::Move {
            let message = format!("FF[{ff}] does not allow an empty value as a pass");
            self.find(Rule::PassNotInVersion, span.clone(), message);
        }
        let what = match row.value_type() {
            _ if !raw.contains(&b':') => return,
            ValueType::Point | ValueType::Stone if row.is_point_list() => "rectangles in point lists",
            ValueType::Size => "board sizes of two numbers",
            _ => return,
        };
        self.find(Rule::NotInVersion, span.clone(), format!("FF[{ff}] does not allow {what}"));
    }

    fn text(&mut self, row: &'static Property, raw: &[u8], span: Range<u64>) {
        self.check_charset(raw, &span);
        let words: &[&str] = match (self.game.context.game(), row.ident()) {
            (Game::Backgammon, "CO") => &["b", "w", "c", "n"],
            (Game::LinesOfAction, "AS") => &["Black", "White", "None"],
            (Game::LinesOfAction, "IP") => &["End"],
            (Game::LinesOfAction, "IY") => &["true", "false"],
            (Game::LinesOfAction, "SU") => &["Standard", "Scrambled-eggs", "Parachute", "Gemma", "Custom"],
            _ => return,
        };
        if !words.iter().any(|word| word.as_bytes() == raw) {
            let message = format!(
                "{}[{}]: unknown word; use one of {}",
                row.ident(),
                self.report.texts.excerpt(raw),
                words.join(", ")
            );
            self.find(Rule::UnknownWord, span, message);
        }
    }

    /// Checks a setting of a Hex viewer.
    fn setting(&mut self, raw: &[u8], span: Range<u64>) {
        let Some((key, value)) = RawValue::new(raw).compose() else { return };
        let is_key = [&b"tried"[..], b"marked", b"lastmove", b"headings", b"lock"].contains(&key.as_bytes());
        if !is_key || !matches!(value.as_bytes(), b"on" | b"off") {
            let message = format!(
                "IS[{}]: unknown setting; use tried, marked, lastmove, headings or lock, with on or off",
                self.report.texts.excerpt(raw)
            );
            self.find(Rule::UnknownWord, span, message);
        }
    }

    /// Returns the value in UTF-8. Bytes that cannot be decoded become `?`, which only a text accepts.
    fn in_utf8<'v>(&self, raw: &'v [u8]) -> Cow<'v, [u8]> {
        if raw.is_ascii() {
            return Cow::Borrowed(raw);
        }
        if let Some(decoded) = self.report.texts.charset.map(|charset| charset.decode(RawValue::new(raw)))
            && decoded.is_sound()
        {
            return match decoded.into_text() {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            };
        }
        match std::str::from_utf8(raw) {
            Ok(_) => Cow::Borrowed(raw),
            Err(_) => Cow::Owned(raw.iter().map(|&byte| if byte.is_ascii() { byte } else { b'?' }).collect()),
        }
    }

    /// Returns whether [`in_utf8`](Self::in_utf8) keeps all of a value.
    fn is_sound(&self, raw: &[u8]) -> bool {
        if let Some(charset) = self.report.texts.charset
            && charset.decode(RawValue::new(raw)).is_sound()
        {
            return true;
        }
        str::from_utf8(raw).is_ok()
    }

    fn check_charset(&mut self, raw: &[u8], span: &Range<u64>) {
        let Some(charset) = self.report.texts.charset else { return };
        if !raw.is_ascii()
            && !charset.decode(RawValue::new(raw)).is_sound()
            && charset.source() != CharsetSource::Detected
        {
            let message =
                format!("{}: the text has bytes that are invalid in {}", self.node.property.name(), charset.charset());
            self.find(Rule::Syntax(Code::BadBytes), span.clone(), message);
        }
    }

    fn charset_name(&mut self, raw: &[u8], span: Range<u64>) {
        if !self.game.is_root {
            return;
        }
        let label = trim(raw).0;
        if self.ca.is_first() && self.report.texts.charset.is_some() {
            let position = self.report.locate(span.start);
            self.ca.found(span.clone(), position);
        }
        let is_utf8 = [&b"UTF-8"[..], b"UTF8"].iter().any(|utf8| is_same_charset(utf8, label));
        if self.game.has_bom && !is_utf8 {
            let message =
                format!("CA[{}]: the file starts with a UTF-8 byte-order mark", self.report.texts.excerpt(raw));
            self.find(Rule::CharsetConflict, span, message);
        } else if self.is_unknown_charset(label) {
            let message = format!("CA[{}]: unknown charset", self.report.texts.excerpt(raw));
            self.find(Rule::Syntax(Code::UnknownCharset), span, message);
        }
    }

    fn is_unknown_charset(&self, label: &[u8]) -> bool {
        self.report.decoding.is_some() && sgf_stream::charset::Charset::for_name(label).is_none()
    }

    /// `Compose = Point ":" SimpleText`
    fn label(&mut self, row: &'static Property, raw: &[u8], front: u64, span: Range<u64>) {
        let Some((point, text)) = RawValue::new(raw).compose() else {
            return self.missing_colon(row, raw, span);
        };
        self.check_charset(text.as_bytes(), &span);
        let (game, board) = (self.game.context.game(), self.game.context.board());
        let read = match AnyPoint::parse(point, game, board) {
            Ok(point) => point,
            Err(error) => {
                let Ok(read) = AnyPoint::parse_lenient(point, game, board) else {
                    return self.unreadable(row, raw, error, span);
                };
                let canonical = read.to_string();
                match AnyPoint::parse(&canonical, game, board) {
                    Ok(_) => {
                        let start = span.start + 1;
                        let edit = Edit::new(start..start + point.as_bytes().len() as u64, canonical.as_bytes());
                        let edits = if self.game.context.leaves_points(point.as_bytes()) { vec![] } else { vec![edit] };
                        let message = sloppy(row, &self.report.texts.excerpt(raw), error, Some(&canonical));
                        self.find_fixable(Rule::SloppyValue, span.clone(), message, edits);
                    }
                    Err(_) => return self.off_board(row, raw, span),
                }
                read
            }
        };
        if let Some((column, row)) = read.grid() {
            let area = [column, row, column, row];
            self.lists.add(self.game, self.node, self.report, (area, false), front, span);
        }
    }

    /// Checks a value that is parsed by its type.
    fn typed(&mut self, row: &'static Property, raw: &[u8], front: u64, span: Range<u64>) {
        if row.is_point_list()
            && let &[x, y] = raw
            && let Some((column, at_row)) = self.position.small_point([x, y])
        {
            return self.points(row, [column, at_row, column, at_row], front, span);
        }
        if matches!(row.value_type(), ValueType::Seconds | ValueType::Real) && short_decimal(raw).is_some() {
            return;
        }
        self.parsed(row, raw, front, span);
    }

    /// Checks a value of a list of points.
    fn points(&mut self, row: &'static Property, area: Area, front: u64, span: Range<u64>) {
        self.position.setup(self.game, self.node, self.lists, self.report, (row, area), &span);
        self.lists.add(self.game, self.node, self.report, (area, true), front, span);
    }

    fn parsed(&mut self, row: &'static Property, raw: &[u8], front: u64, span: Range<u64>) {
        let readable = self.in_utf8(raw);
        let value = RawValue::new(&readable);
        let read = match row.parse(value, &self.game.context) {
            Ok(read) => read,
            Err(error) => {
                let Some(read) = self.faulty(row, value, raw, error, &span) else {
                    if self.node.property.stone.is_some() {
                        self.position.missed();
                    }
                    return;
                };
                read
            }
        };
        self.check_number(row, raw, &read, &span);
        match read {
            TypedValue::Move(play) => {
                if let Some(stone) = self.node.property.stone {
                    let point = match play {
                        AnyMove::Go(go::Move::Play(point)) => Some(point.grid()),
                        _ => None,
                    };
                    self.position.moved(self.path, self.node, self.report, (stone, point), span.start);
                    if matches!(play, AnyMove::Other(_)) && self.report.should_report(Rule::GameNotChecked, b"") {
                        let message = format!("the notation of {} is unknown", self.game.context.game());
                        self.find(Rule::GameNotChecked, span, message);
                    }
                }
            }
            TypedValue::Points(rect) => {
                let Some(area) = rect.area() else { return };
                self.points(row, area, front, span);
            }
            TypedValue::PointPair(from, to) => {
                let (Some(from), Some(to)) = (from.grid(), to.grid()) else { return };
                let pair = [from.0, from.1, to.0, to.1];
                let texts = self.report.texts;
                let name = || format!("{}[{}]", row.ident(), texts.excerpt(raw));
                self.lists.add_pair(self.node, self.report, pair, name, front, span);
            }
            _ => {}
        }
    }

    /// Reports a value that strict parsing rejects. Returns its meaning, if lenient parsing finds one.
    #[cold]
    fn faulty(
        &mut self,
        row: &'static Property,
        value: RawValue<'_>,
        raw: &[u8],
        error: ValueError,
        span: &Range<u64>,
    ) -> Option<TypedValue> {
        let is_recommended = matches!(row.value_type(), ValueType::Rank | ValueType::Round);
        if is_recommended {
            if self.report.is_on(Rule::UnusualFormat) {
                self.find(Rule::UnusualFormat, span.clone(), sloppy(row, &self.report.texts.excerpt(raw), error, None));
            }
            return None;
        }
        if row.value_type() == ValueType::Size {
            return self.faulty_size(row, value, raw, error, span);
        }
        let Ok(read) = row.parse_lenient(value, &self.game.context) else {
            self.unreadable(row, raw, error, span.clone());
            return None;
        };
        // In another charset it may have lost bytes, which no form has.
        let text = str::from_utf8(value.as_bytes()).ok().filter(|_| self.is_sound(raw));
        if let Some(text) = text
            && let Some(InNode { value, beside: Some((name, other)) }) = InNode::of(row, text, None)
        {
            let form = format!("{value}] and {name}[{other}");
            let message = sloppy(row, &self.report.texts.excerpt(raw), error, Some(&form));
            self.wait(Rule::SloppyValue, row, text, message, span);
            return Some(read);
        }
        let printed = match (&read, self.game.old_version()) {
            // The pass of FF[1] to FF[3].
            (TypedValue::Move(AnyMove::Go(go::Move::Pass)), Some(_)) => "tt".to_owned(),
            _ => read.to_string(),
        };
        if row.value_type().has_points() && row.parse(RawValue::new(printed.as_bytes()), &self.game.context).is_err() {
            self.off_board(row, raw, span.clone());
            return None;
        }
        let says_all = text.is_some_and(|text| canonical(row, text, &self.game.context).is_some());
        let edits = match says_all && (printed.is_ascii() || value.as_bytes() == raw) {
            true => vec![Edit::new(span.start + 1..span.end - 1, printed.as_bytes())],
            false => Vec::new(),
        };
        let message = sloppy(row, &self.report.texts.excerpt(raw), error, Some(&printed));
        self.find_fixable(Rule::SloppyValue, span.clone(), message, edits);
        Some(read)
    }

    /// Reports a value whose canonical form depends on its node, at the end of the node.
    fn wait(&mut self, rule: Rule, row: &'static Property, text: &str, message: String, span: &Range<u64>) {
        let is_first = self.node.property.values == 1 && self.node.property.again.is_none();
        if !is_first {
            self.find(rule, span.clone(), message);
        } else if self.report.is_on(rule) {
            let site = self.report.site(self.node, span.clone());
            self.node.waiting.push(Waiting { rule, site, row, text: text.to_owned(), message });
        }
    }

    fn faulty_size(
        &mut self,
        row: &'static Property,
        value: RawValue<'_>,
        raw: &[u8],
        error: ValueError,
        span: &Range<u64>,
    ) -> Option<TypedValue> {
        let Ok(size) = Size::parse_lenient(value) else {
            self.unreadable(row, raw, error, span.clone());
            return None;
        };
        if !size.fits(self.game.context.game()) {
            let message = format!("SZ[{}]: a Go board has at most 52 columns and rows", self.report.texts.excerpt(raw));
            self.find(Rule::BoardTooBig, span.clone(), message);
        }
        let edits = vec![Edit::new(span.start + 1..span.end - 1, size.to_string())];
        if size.is_square() && raw.contains(&b':') {
            let message = format!("SZ[{}]: a square board takes one number", self.report.texts.excerpt(raw));
            self.find_fixable(Rule::SquareSize, span.clone(), message, edits);
        } else if Size::parse(raw).is_err() {
            let message = sloppy(row, &self.report.texts.excerpt(raw), error, Some(&size.to_string()));
            self.find_fixable(Rule::SloppyValue, span.clone(), message, edits);
        }
        Some(TypedValue::Size(size))
    }

    /// Reports a value that lenient parsing also rejects.
    fn unreadable(&mut self, row: &'static Property, raw: &[u8], error: ValueError, span: Range<u64>) {
        if row.value_type().has_points() && self.is_off_board(row, raw) {
            return self.off_board(row, raw, span);
        }
        if error.kind() == "Compose" && error.expected() == "a colon" {
            return self.missing_colon(row, raw, span);
        }
        let mut message = format!("{}[{}]: {}", row.ident(), self.report.texts.excerpt(raw), expected(error));
        let is_of_hex = row.value_type() == ValueType::Move && is_word_of_hex(RawValue::new(raw));
        if is_of_hex && self.game.context.has_assumed_game() {
            message += "; it is a Hex move, but without GM[11] the game is read as Go";
        }
        // A private property of this name may accept it.
        let other = find(row.ident())
            .filter(|other| !is_standard(other))
            .find(|other| other.parse_lenient(RawValue::new(raw), &self.game.context).is_ok());
        if let Some(other) = other {
            let message = format!("{message}; it may be {} ({})", other.meaning(), other.origin());
            return self.find(Rule::PrivateClash, span, message);
        }
        let rule = match row.property_type() {
            PropertyType::Root => Rule::BadRootValue,
            PropertyType::GameInfo => Rule::BadGameInfo,
            _ => Rule::BadValue,
        };
        self.find(rule, span, message);
    }

    fn missing_colon(&mut self, row: &'static Property, raw: &[u8], span: Range<u64>) {
        let message = format!(
            "{}[{}]: the colon between its two components is missing",
            row.ident(),
            self.report.texts.excerpt(raw)
        );
        self.find(Rule::MissingColon, span, message);
    }

    /// Returns whether a value would be a point or a move on a larger board.
    fn is_off_board(&self, row: &Property, raw: &[u8]) -> bool {
        let game = self.game.context.game();
        match row.value_type() {
            ValueType::Move => AnyMove::parse(raw, game, None).is_ok(),
            ValueType::Point | ValueType::Stone if row.is_point_list() => AnyRect::parse(raw, game, None).is_ok(),
            ValueType::Point => AnyPoint::parse(raw, game, None).is_ok(),
            ValueType::Stone => AnyStone::parse(raw, game, None).is_ok(),
            ValueType::PointPair | ValueType::PointText => {
                RawValue::new(raw).compose().is_some_and(|(first, second)| {
                    AnyPoint::parse(first, game, None).is_ok()
                        && (row.value_type() == ValueType::PointText || AnyPoint::parse(second, game, None).is_ok())
                })
            }
            _ => false,
        }
    }

    fn off_board(&mut self, row: &'static Property, raw: &[u8], span: Range<u64>) {
        let size = match self.game.context.board() {
            Some(size) if size.is_square() => format!("{0}x{0}", size.columns()),
            Some(size) => format!("{}x{}", size.columns(), size.rows()),
            None => "known".to_owned(),
        };
        let message = format!("{}[{}] is off the {size} board", row.ident(), self.report.texts.excerpt(raw));
        self.find(Rule::PointOffBoard, span, message);
    }

    /// Reports numbers outside the range of their property.
    fn check_number(&mut self, row: &'static Property, raw: &[u8], read: &TypedValue, span: &Range<u64>) {
        let number = match read {
            TypedValue::Number(number) => number.get(),
            TypedValue::Handicap(handicap) => handicap.stones(),
            TypedValue::Komi(komi) if komi.is_in_hundredths() => {
                let message = format!("KM[{}]: komi in hundredths", self.report.texts.excerpt(raw));
                return self.wait(Rule::NumberOutOfRange, row, &komi.to_string(), message, span);
            }
            _ => return,
        };
        let texts = self.report.texts;
        let message = |range: &str| format!("{}[{}] {range}", row.ident(), texts.excerpt(raw));
        match row.ident() {
            "FF" if number > 4 => {
                self.find(
                    Rule::UnknownVersion,
                    span.clone(),
                    format!("FF[{}] does not exist; the versions are FF[1] to FF[4]", self.report.texts.excerpt(raw)),
                );
            }
            "FF" if number < 1 => self.find(Rule::BadRootValue, span.clone(), message("must be 1 to 4")),
            "GM" if matches!(Game::from_number(number), Game::Other(_)) => {
                self.find(
                    Rule::UnknownGame,
                    span.clone(),
                    format!("no game has the number {}", self.report.texts.excerpt(raw)),
                );
            }
            "ST" if !(0..=3).contains(&number) => {
                self.find(Rule::NumberOutOfRange, span.clone(), message("must be 0 to 3"));
            }
            "PM" if !(0..=2).contains(&number) => {
                self.find(Rule::NumberOutOfRange, span.clone(), message("must be 0 to 2"));
            }
            "CV" if number < 1 => self.find(Rule::NumberOutOfRange, span.clone(), message("must be 1 or more")),
            "DI" if !(1..=6).contains(&(number / 10)) || !(1..=6).contains(&(number % 10)) => {
                self.find(Rule::NumberOutOfRange, span.clone(), message("must be two dice from 1 to 6, such as 31"));
            }
            "HA" if number < 0 => self.find(Rule::NumberOutOfRange, span.clone(), message("must be 2 or more")),
            "HA" if number < 2 && self.report.is_on(Rule::HandicapBelowTwo) => {
                self.find(Rule::HandicapBelowTwo, span.clone(), message("must be 2 or more"));
            }
            "HA" => self.node.handicap = Some((span.start, span.end, number)),
            _ => {}
        }
    }
}

/// Reports the values that were deferred to the end of their node.
pub(super) fn close(game: &GameState, node: &mut Node, report: &mut Report) {
    for Waiting { rule, site, row, text, mut message } in std::mem::take(&mut node.waiting) {
        let rules = node.text_of("RU");
        let form = InNode::of(row, &text, rules);
        if row.value_type() == ValueType::Komi {
            match &form {
                Some(form) => message += &format!("; it means {} points", form.value),
                None => message += "; it may mean points or stones",
            }
        }
        // A later node does not know the game information of the others.
        let form = form.filter(|_| game.is_root);
        let edits = form.map_or(Vec::new(), |form| edits_of(&form, game, node, row, &site.span));
        report.find_at(rule, site, message, edits);
    }
}

/// Returns the edits that write a value, and the value that it implies for another property. Returns none if that
/// property has a different value.
fn edits_of(form: &InNode, game: &GameState, node: &Node, row: &Property, span: &Range<u64>) -> Vec<Edit> {
    let mut edits = vec![Edit::new(span.start + 1..span.end - 1, form.value.as_bytes())];
    let Some((name, value)) = &form.beside else { return edits };
    if node.has_named(name) {
        let agrees = node.text_of(name).is_some_and(|other| form.agrees_with(other, node.text_of("RU")));
        return if agrees { edits } else { Vec::new() };
    }
    let other = lookup(Ident::new(name.as_bytes()), &game.context).filter(|other| is_in_version(other, game));
    // A second value would go to the new property.
    let ends_here = node.end_of(row.ident()) == Some(span.end);
    if other.is_none() || !form.fits(&game.context) || !ends_here || !value.is_ascii() {
        return Vec::new();
    }
    edits.push(Edit::new(span.end..span.end, format!("{name}[{value}]")));
    edits
}

/// Returns the message for a value that only lenient reading accepts.
fn sloppy(row: &Property, shown: &str, error: ValueError, canonical: Option<&str>) -> String {
    let mut message = format!("{}[{}]: {}", row.ident(), shown, expected(error));
    if let Some(canonical) = canonical {
        message += &format!("; read as {}[{}]", row.ident(), excerpt(canonical));
    }
    message
}

fn expected(error: ValueError) -> String {
    let expected = error.expected();
    match error.at() {
        0 => format!("expected {expected}"),
        1 => format!("expected {expected} after the first byte"),
        at => format!("expected {expected} after the first {at} bytes"),
    }
}
