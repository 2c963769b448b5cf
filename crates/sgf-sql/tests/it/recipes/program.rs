use datafusion::prelude::SessionContext;
use sgf_sql::Options;
use sgf_table::Table;

#[tokio::main]
async fn main() -> datafusion::error::Result<()> {
    let ctx = SessionContext::new();
    sgf_sql::register(&ctx, "games", "../sgf-guide/src/games/", Options::new(Table::Games))?;
    let frame = ctx.sql("SELECT black, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3").await?;
    frame.show().await
}
