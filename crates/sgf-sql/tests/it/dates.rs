//! Dates: a number beside one is an error, and units of time are first days.

use datafusion::prelude::SessionContext;

use crate::support::{ask, context_of, directory, try_ask};

const GAMES: &[u8] =
    b"(;DT[1094-03-05];B[dd];W[pp])(;DT[1950-07-01])(;DT[1960-01-01])(;DT[1968-05-01])(;DT[1968-12-31])\
    (;DT[1975-06-01])(;DT[1999])(;PB[no date])";

fn games() -> (tempfile::TempDir, SessionContext) {
    let (directory, path) = directory(&[("a.sgf", GAMES)]);
    (directory, context_of(&path, 2))
}

async fn error_of(ctx: &SessionContext, query: &str) -> String {
    match try_ask(ctx, query).await {
        Ok(rows) => panic!("{query}: {rows}"),
        Err(error) => error.to_string(),
    }
}

/// What an error says to write.
fn advice(error: &str) -> &str {
    let start = error.find("; write ").unwrap_or_else(|| panic!("{error}")) + "; write ".len();
    error[start..].split(", or a day as in '1960-12-31'").next().unwrap()
}

/// Every comparison is an error, which names both sides; what it says to write has the right games.
#[tokio::test]
async fn a_number_beside_a_date_is_an_error_that_says_what_to_write() {
    let (_directory, ctx) = games();
    for (condition, number, instead, games) in [
        ("date = 1968", "1968", "year(date) = 1968", 2),
        ("date <> 1968", "1968", "year(date) <> 1968", 5),
        ("date != 1968", "1968", "year(date) <> 1968", 5),
        ("date < 1960", "1960", "year(date) < 1960", 2),
        ("date <= 1960", "1960", "year(date) <= 1960", 3),
        ("date > 1960", "1960", "year(date) > 1960", 4),
        ("date >= 1960", "1960", "year(date) >= 1960", 5),
        ("1960 < date", "1960", "1960 < year(date)", 4),
        ("1960 >= date", "1960", "1960 >= year(date)", 3),
        ("1968 = date", "1968", "1968 = year(date)", 2),
        ("NOT date > 1960", "1960", "year(date) > 1960", 4),
        ("NOT (date = 1968 OR date > 1970)", "1968", "year(date) = 1968", 2),
        ("date BETWEEN 1960 AND 1969", "1960", "year(date) BETWEEN 1960 AND 1969", 3),
        ("date NOT BETWEEN 1960 AND 1969", "1960", "year(date) NOT BETWEEN 1960 AND 1969", 4),
        ("1968 BETWEEN date AND date_to", "1968", "1968 BETWEEN year(date) AND year(date_to)", 2),
        ("date IN (1960, 1968, 2000)", "1960", "year(date) IN (1960, 1968, 2000)", 3),
        ("date NOT IN (1960, 1968)", "1960", "year(date) NOT IN (1960, 1968)", 4),
        ("date IS DISTINCT FROM 1968", "1968", "year(date) IS DISTINCT FROM 1968", 6),
        ("date IS NOT DISTINCT FROM 1968", "1968", "year(date) IS NOT DISTINCT FROM 1968", 2),
        (
            "CASE date WHEN 1968 THEN true ELSE false END",
            "1968",
            "CASE year(date) WHEN 1968 THEN true ELSE false END",
            2,
        ),
        ("CASE WHEN date > 1960 THEN true END", "1960", "year(date) > 1960", 4),
        ("date_to > 1998", "1998", "year(date_to) > 1998", 1),
        ("date > 1960 + 8", "1960 + 8", "year(date) > 1960 + 8", 2),
        ("date > CAST(1960 AS INT)", "CAST(1960 AS INTEGER)", "year(date) > CAST(1960 AS INTEGER)", 4),
        ("date > CAST(1960 AS DATE)", "1960", "year(date) > 1960", 4),
        ("date > 1960::DATE", "1960", "year(date) > 1960", 4),
        ("date > move_count + 1974", "move_count + 1974", "year(date) > move_count + 1974", 2),
        ("date > '1960'", "'1960'", "year(date) > 1960", 4),
        ("date BETWEEN '1960' AND 1969", "'1960'", "year(date) BETWEEN 1960 AND 1969", 3),
        ("date IN (1960, '1968')", "1960", "year(date) IN (1960, 1968)", 3),
        ("date = 19680501", "19680501", "date = '1968-05-01'", 1),
        ("date BETWEEN 19680501 AND 19750601", "19680501", "date BETWEEN '1968-05-01' AND '1975-06-01'", 3),
    ] {
        let error = error_of(&ctx, &format!("SELECT * FROM games WHERE {condition}")).await;
        let named = condition.contains("date_to >") as usize;
        let date = ["date", "date_to"][named];
        let kind = if number.starts_with('\'') { "a text that is not a day" } else { "a number" };
        assert!(error.contains(&format!("{number} is {kind}; write ")), "{condition}: {error}");
        assert!(error.contains(&format!("{date} is a date, and ")), "{error}");
        assert_eq!(advice(&error), instead, "{condition}");
        let count = ask(&ctx, &format!("SELECT count(*) FROM games WHERE {instead}")).await;
        assert_eq!(count, games.to_string(), "{instead}");
    }
    // Numbers that are neither years nor days, and what the planner spells in its own way.
    for condition in ["date > 196805", "date > -5", "date = 0", "date = 19681350", "date + 1 > 1960"] {
        let error = error_of(&ctx, &format!("SELECT * FROM games WHERE {condition}")).await;
        assert!(error.contains("is a number; write a day as in '1960-12-31'"), "{condition}: {error}");
    }
}

/// Wherever the number is, and wherever the date comes from.
#[tokio::test]
async fn a_number_beside_a_date_is_an_error_in_all_places() {
    let (_directory, ctx) = games();
    ask(&ctx, "CREATE VIEW of_days AS SELECT date AS day, file FROM games").await;
    let expected = "a date is expected; write a day as in '1960-12-31', or take the year of the date: year(date)";
    for (query, advice) in [
        ("SELECT date > 1960 FROM games", "write year(date) > 1960, or"),
        ("SELECT count(*) FILTER (WHERE date > 1960) FROM games", "write year(date) > 1960, or"),
        ("SELECT file FROM games ORDER BY date > 1960", "write year(date) > 1960, or"),
        ("SELECT date > 1960, count(*) FROM games GROUP BY 1", "write year(date) > 1960, or"),
        (
            "SELECT file, min(date) FROM games GROUP BY file HAVING min(date) > 1960",
            "min(games.date) is a date, and 1960 is a number; write year(min(games.date)) > 1960, or",
        ),
        (
            "SELECT * FROM (SELECT date AS d FROM games) WHERE d > 1960",
            "d is a date, and 1960 is a number; write year(d)",
        ),
        ("WITH g AS (SELECT date AS d FROM games) SELECT * FROM g WHERE d = 1968", "write year(g.d) = 1968, or"),
        ("SELECT * FROM of_days WHERE day > 1960", "write year(of_days.day) > 1960, or"),
        ("SELECT * FROM of_days WHERE day IN (SELECT 1968)", expected),
        ("SELECT * FROM games WHERE date > (SELECT 1960)", expected),
        ("SELECT * FROM games WHERE date IN (SELECT ply FROM moves)", expected),
        (
            "SELECT * FROM games g WHERE EXISTS (SELECT 1 FROM moves m WHERE m.file = g.file AND m.ply > g.date)",
            "g.date is a date, and m.ply is a number; write m.ply > year(g.date), or",
        ),
        ("SELECT * FROM games g JOIN moves m ON g.date = m.ply", "write year(g.date) = m.ply, or"),
        ("SELECT * FROM games g JOIN moves m ON g.date > m.ply AND g.file = m.file", "write year(g.date) > m.ply, or"),
        (
            "SELECT * FROM games g JOIN (SELECT ply AS date FROM moves) m USING (date)",
            "write year(g.date) = m.date, or",
        ),
        ("SELECT * FROM games WHERE nullif(date, 1968) IS NOT NULL", expected),
        ("SELECT CASE WHEN date IS NULL THEN 0 ELSE date END FROM games", expected),
        ("SELECT CAST(1960 AS DATE)", expected),
        ("SELECT CAST(size_x AS DATE) FROM games", expected),
        ("SELECT DATE '1968-05-01' > 1960", "write year('1968-05-01') > 1960, or"),
        ("SELECT date FROM games UNION ALL SELECT size_x FROM games", expected),
        ("SELECT lag(date, 1, 1960) OVER (ORDER BY file) FROM games", expected),
        ("SELECT lead(date, 1, size_x) OVER (ORDER BY file) FROM games", expected),
        // DataFusion has no type that both have.
        ("SELECT * FROM games WHERE date > 1960.5", "Date32 > Float64"),
        ("SELECT * FROM games WHERE coalesce(date, 1960) = DATE '1968-05-01'", "coalesce(Date32, Int64)"),
        ("SELECT * FROM games WHERE array_has(dates, 1968)", "array_has(List(Date32), Int64)"),
        ("SELECT * FROM games WHERE 1968 = ANY(dates)", "array_has(List(Date32), Int64)"),
        ("SELECT * FROM games WHERE date > '1968-05'", "'1968-05' is a text that is not a day; write a day as in"),
    ] {
        let error = error_of(&ctx, query).await;
        assert!(error.contains(advice), "{query}: {error}");
    }
    for query in [
        "SELECT lag(date, 1, DATE '1960-01-01') OVER (ORDER BY date) FROM games",
        "SELECT lag(size_x, 1, 1960) OVER (ORDER BY date) FROM games",
    ] {
        ask(&ctx, query).await;
    }
    // The context has the rule once, however many tables it has.
    assert_eq!(ctx.state().analyzer().rules.iter().filter(|rule| rule.name().contains("dates")).count(), 1);
}

/// Dates with dates, and numbers with numbers, are as before.
#[tokio::test]
async fn other_comparisons_of_dates_go_on() {
    let (_directory, ctx) = games();
    for (condition, games) in [
        ("date > '1960-01-01'", 4),
        ("date >= DATE '1968-05-01'", 4),
        ("date BETWEEN '1960-01-01' AND '1968-05-01'", 2),
        ("date IN ('1968-05-01', '1999-01-01')", 2),
        ("date = date_to", 6),
        ("date IS NULL", 1),
        ("date > TRY_CAST('x' AS DATE)", 0),
        ("date = '19680501'", 1),
        ("year(date) > 1960", 4),
        ("date_part('year', date) = 1968", 2),
        ("extract(year FROM date) = 1968", 2),
        ("date + INTERVAL '1' YEAR > '1969-01-01'", 4),
        ("date + 1 > '1968-12-31'", 3),
        ("date - 1 >= '1968-12-30'", 3),
        ("CAST(date AS VARCHAR) LIKE '196%'", 3),
        ("array_has(dates, DATE '1968-05-01')", 1),
        ("CASE WHEN date IS NULL THEN 1 ELSE 0 END = 1", 1),
        ("move_count > 1", 1),
    ] {
        let count = ask(&ctx, &format!("SELECT count(*) FROM games WHERE {condition}")).await;
        assert_eq!(count, games.to_string(), "{condition}");
    }
}

#[tokio::test]
async fn units_of_time_have_first_days() {
    let (_directory, ctx) = games();
    for (unit, days) in [
        ("millennium", "1001-01-01 1001-01-01 1001-01-01 2001-01-01"),
        ("century", "1001-01-01 1901-01-01 1901-01-01 2001-01-01"),
        ("decade", "1090-01-01 1960-01-01 1970-01-01 2000-01-01"),
        ("DECADE", "1090-01-01 1960-01-01 1970-01-01 2000-01-01"),
        ("year", "1094-01-01 1968-01-01 1970-01-01 2001-01-01"),
        ("quarter", "1094-01-01 1968-04-01 1970-01-01 2001-10-01"),
        ("month", "1094-03-01 1968-05-01 1970-01-01 2001-12-01"),
        ("week", "1094-03-05 1968-04-29 1969-12-29 2001-12-31"),
        ("day", "1094-03-05 1968-05-01 1970-01-01 2001-12-31"),
        ("hour", "1094-03-05 1968-05-01 1970-01-01 2001-12-31"),
    ] {
        let of = |day: &str| format!("date_trunc('{unit}', DATE '{day}')");
        let query = ["1094-03-05", "1968-05-01", "1970-01-01", "2001-12-31"].map(of).join(", ");
        assert_eq!(ask(&ctx, &format!("SELECT {query}")).await, days, "{unit}");
    }
    let decades = "SELECT date_trunc('decade', date), count(*) FROM games WHERE date IS NOT NULL GROUP BY 1 ORDER BY 1";
    assert_eq!(ask(&ctx, decades).await, "1090-01-01 1\n1950-01-01 1\n1960-01-01 3\n1970-01-01 1\n1990-01-01 1");
    // Times are times, as before.
    let time = "TIMESTAMP '1968-05-01T12:34:56'";
    for (unit, expected) in
        [("hour", "1968-05-01T12:00:00"), ("year", "1968-01-01T00:00:00"), ("decade", "1960-01-01T00:00:00")]
    {
        assert_eq!(ask(&ctx, &format!("SELECT date_trunc('{unit}', {time})")).await, expected);
    }
    assert_eq!(
        ask(&ctx, "SELECT date_trunc('decade', NULL), datetrunc('decade', DATE '1968-05-01')").await,
        " 1960-01-01"
    );
    let error = error_of(&ctx, "SELECT date_trunc('fortnight', date) FROM games").await;
    assert!(error.contains("\"fortnight\" is not a unit of time; write millennium, century, decade, year"), "{error}");
}
