//! The programs on a page, and the outputs below them.

/// Runs the blocks of a page, and returns the page with the outputs that they have now.
///
/// `run` gets the language and the text of a block, and returns its output, or `None` for a block that it does not run. The
/// output of a block is on the page if the next block is in the language `text`, with blank lines only between the two.
pub(crate) fn with_outputs(page: &str, mut run: impl FnMut(&str, &str) -> Option<String>) -> String {
    let mut renewed = String::new();
    let mut output: Option<String> = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        renewed += &format!("{line}\n");
        let Some(language) = line.strip_prefix("```") else {
            output = output.filter(|_| line.is_empty());
            continue;
        };
        let block: String = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match output.take() {
            Some(output) if language == "text" => renewed += &output,
            _ => {
                output = run(language, &block)
                    .map(|output| output.trim_end().lines().map(|line| format!("{}\n", line.trim_end())).collect());
                renewed += &block;
            }
        }
        renewed += "```\n";
    }
    renewed
}
