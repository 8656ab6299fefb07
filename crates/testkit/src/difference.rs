//! Two texts, line by line: what is missing begins with `-`, what is new with `+`, three equal lines stand around.

use std::fmt::Write as _;

/// Equal lines that are shown before and after each change.
const CONTEXT: usize = 3;
/// Changes beyond which two texts count as wholly different; it bounds time and memory (its square).
const MOST_EDITS: usize = 1000;
/// Lines of output.
const MOST_LINES: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    /// A line of both: its number in the new text.
    Keep(usize),
    /// A line of the old text.
    Remove(usize),
    /// A line of the new text.
    Add(usize),
}

/// The lines that differ, in order, with the equal ones around them. Empty where the lines are equal.
pub fn lines(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let edits = edits(&old, &new);
    let near = |index: usize| {
        let around = index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(edits.len());
        edits[around].iter().any(|edit| !matches!(edit, Edit::Keep(_)))
    };
    let mut out = String::new();
    let mut written = 0;
    let mut skipping = false;
    for (index, edit) in edits.iter().enumerate() {
        if !near(index) {
            skipping = true;
            continue;
        }
        if written == MOST_LINES {
            out.push_str("  … and more\n");
            break;
        }
        if std::mem::take(&mut skipping) && written > 0 {
            out.push_str("  …\n");
        }
        let _ = match *edit {
            Edit::Keep(line) => writeln!(out, "  {}", new[line]),
            Edit::Remove(line) => writeln!(out, "- {}", old[line]),
            Edit::Add(line) => writeln!(out, "+ {}", new[line]),
        };
        written += 1;
    }
    if out.is_empty() && expected != found {
        out.push_str("  only the ends of lines differ\n");
    }
    out
}

/// The fewest edits (Myers' greedy algorithm), or all of one and all of the other where they are too many.
fn edits(old: &[&str], new: &[&str]) -> Vec<Edit> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut all: Vec<Edit> = (0..start).map(Edit::Keep).collect();
    match path(a, b) {
        Some(path) => all.extend(path.into_iter().map(|edit| match edit {
            Edit::Keep(line) => Edit::Keep(line + start),
            Edit::Remove(line) => Edit::Remove(line + start),
            Edit::Add(line) => Edit::Add(line + start),
        })),
        None => {
            all.extend((start..old.len() - end).map(Edit::Remove));
            all.extend((start..new.len() - end).map(Edit::Add));
        }
    }
    all.extend((new.len() - end..new.len()).map(Edit::Keep));
    all
}

fn path(a: &[&str], b: &[&str]) -> Option<Vec<Edit>> {
    let (n, m) = (a.len() as isize, b.len() as isize);
    // Furthest x on diagonal k = x - y after each number of edits; diagonal k is at k + d + 1.
    let mut rounds: Vec<Vec<isize>> = Vec::new();
    let mut before: Vec<isize> = vec![0, 0, 0];
    let reach = |round: &[isize], d: isize, k: isize| round[(k + d + 1) as usize];
    for d in 0..=(MOST_EDITS.min(a.len() + b.len()) as isize) {
        let mut now = vec![0; (2 * d + 3) as usize];
        for k in (-d..=d).step_by(2) {
            // The round before has diagonals up to d - 1 either way.
            let down = d == 0 || k == -d || (k != d && reach(&before, d - 1, k - 1) < reach(&before, d - 1, k + 1));
            let mut x = match (d, down) {
                (0, _) => 0,
                (_, true) => reach(&before, d - 1, k + 1),
                (_, false) => reach(&before, d - 1, k - 1) + 1,
            };
            while x < n && x - k < m && x >= 0 && x - k >= 0 && a[x as usize] == b[(x - k) as usize] {
                x += 1;
            }
            now[(k + d + 1) as usize] = x;
            if x >= n && x - k >= m {
                return Some(back(&rounds, n, m, d, k));
            }
        }
        rounds.push(now.clone());
        before = now;
    }
    None
}

fn back(rounds: &[Vec<isize>], n: isize, m: isize, mut d: isize, mut k: isize) -> Vec<Edit> {
    let (mut x, mut y) = (n, m);
    let mut all = Vec::new();
    while d > 0 {
        let round = &rounds[(d - 1) as usize];
        let reach = |k: isize| round[(k + d) as usize];
        let down = k == -d || (k != d && reach(k - 1) < reach(k + 1));
        let from = if down { k + 1 } else { k - 1 };
        let from_x = reach(from);
        let after_edit = if down { from_x } else { from_x + 1 };
        while x > after_edit {
            (x, y) = (x - 1, y - 1);
            all.push(Edit::Keep(y as usize));
        }
        if down {
            y -= 1;
            all.push(Edit::Add(y as usize));
        } else {
            x -= 1;
            all.push(Edit::Remove(x as usize));
        }
        (d, k) = (d - 1, from);
    }
    while y > 0 {
        y -= 1;
        all.push(Edit::Keep(y as usize));
    }
    all.reverse();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_in_place() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n";
        let new = "a\nb\nc\nD\ne\nf\ng\nh\ni\nj\nk\nl\n";
        assert_eq!(lines(old, new), "  a\n  b\n  c\n- d\n+ D\n  e\n  f\n  g\n  …\n  i\n  j\n  k\n+ l\n");
        assert_eq!(lines(old, old), "");
        assert_eq!(lines("a", "a\n"), "  only the ends of lines differ\n");
        assert_eq!(lines("", "x\n"), "+ x\n");
    }

    /// The edits turn one text into the other, and there are no more than the classic table says.
    #[test]
    fn edits_are_right_and_fewest() {
        let mut state = 7u32;
        let mut next = |bound: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % bound
        };
        for _ in 0..300 {
            let words = ["a", "b", "c"];
            let mut text = |most| (0..next(most)).map(|_| words[next(3) as usize]).collect::<Vec<_>>();
            let (old, new) = (text(12), text(12));
            let all = edits(&old, &new);
            let (mut from, mut to) = (Vec::new(), Vec::new());
            for edit in &all {
                match *edit {
                    Edit::Keep(line) => {
                        from.push(new[line]);
                        to.push(new[line]);
                    }
                    Edit::Remove(line) => from.push(old[line]),
                    Edit::Add(line) => to.push(new[line]),
                }
            }
            assert_eq!((from, to), (old.clone(), new.clone()));
            let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
            for i in 0..=old.len() {
                for j in 0..=new.len() {
                    table[i][j] = match (i, j) {
                        (0, _) => j,
                        (_, 0) => i,
                        _ if old[i - 1] == new[j - 1] => table[i - 1][j - 1],
                        _ => 1 + table[i - 1][j].min(table[i][j - 1]),
                    };
                }
            }
            let changes = all.iter().filter(|edit| !matches!(edit, Edit::Keep(_))).count();
            assert_eq!(changes, table[old.len()][new.len()]);
        }
    }

    #[test]
    fn long_and_wholly_different_texts_take_no_time() {
        let long = |word: &str| (0..20_000).map(|line| format!("{word}{line}\n")).collect::<String>();
        let shown = lines(&long("a"), &long("b"));
        assert!(shown.starts_with("- a0\n") && shown.ends_with("… and more\n"));
    }
}
