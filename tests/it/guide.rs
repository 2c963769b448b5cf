//! The pages of the guide: what no compiler sees.

#[test]
fn the_cookbook_lists_all_its_recipes() {
    let page = include_str!("../../src/guide/cookbook.md");
    let (tables, recipes) = page.split_at(page.find("\n# ").unwrap());
    let anchor = |title: &str| {
        let kept = title.chars().filter(|char| char.is_alphanumeric() || " -".contains(*char));
        kept.map(|char| if char == ' ' { '-' } else { char.to_ascii_lowercase() }).collect::<String>()
    };
    // In programs, a `#` begins a hidden line.
    let texts = recipes.split("```").step_by(2);
    let titles: Vec<&str> = texts.flat_map(str::lines).filter_map(|line| line.strip_prefix("# ")).collect();
    let missing: Vec<_> = titles.iter().filter(|title| !tables.contains(&format!("(#{})", anchor(title)))).collect();
    assert!(titles.len() >= 28, "{titles:?}");
    assert_eq!(missing, Vec::<&&str>::new(), "the tables at the top of src/guide/cookbook.md lack these");
}
