//! Case files: an input and what is expected of it, as text.
//!
//! A file holds any number of cases, or is one.
//!
//! ```text
//! // what stands before the first case is a comment on all of them
//! // case: NAME [OPTION]
//! the input, up to the next mark
//! // ---- after
//! what is expected; the word `same` stands for the input
//! ```
//!
//! The mark and the expectation may be absent: an input can say itself what is wrong with it, `// error: V004` on the guilty
//! line ([`Case::notes`]). A file without `// case:` is one case with the name of the file. An expectation may also lie in a
//! file beside the input, of another extension ([`CaseFile::read_beside`]). The first line of an input may hold options of
//! its own, `// options: WORD WORD=VALUE` ([`Case::options`]).

use crate::{bless, difference};
use std::path::{Path, PathBuf};

/// Begins a case.
const CASE: &str = "// case: ";
/// Begins the expectation.
const AFTER: &str = "// ---- after";
/// The expectation that the input stays as it is.
const SAME: &str = "same";

/// One case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Its name, option included.
    pub name: String,
    /// The file and the line where it begins, to find it.
    pub place: String,
    /// What goes in.
    pub input: String,
    /// What should come out, if the file says so.
    pub expected: Option<String>,
}

impl Case {
    /// File, line and name.
    pub fn title(&self) -> String {
        format!("{}: {}", self.place, self.name)
    }

    /// What stands in brackets in the name.
    pub fn option(&self) -> Option<&str> {
        let (_, rest) = self.name.split_once('[')?;
        rest.split_once(']').map(|(option, _)| option)
    }

    /// The words behind `// options:` in the first line of the input.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        let line = self.input.lines().next().and_then(|line| line.strip_prefix("// options:"));
        line.unwrap_or_default().split_whitespace()
    }

    /// The lines of the input with a comment `// KEY: TEXT`, counted from 1, and the text.
    pub fn notes(&self, key: &str) -> Vec<(u32, &str)> {
        let mark = format!("// {key}: ");
        let lines = self.input.lines().zip(1..);
        lines.filter_map(|(line, number)| Some((number, line.split_once(&mark)?.1.trim()))).collect()
    }

    /// Whether nothing is expected to change.
    pub fn is_left_alone(&self) -> bool {
        self.expected.as_deref().is_some_and(|expected| expected.trim() == SAME)
    }
}

/// What came out of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    text: String,
    right: Option<bool>,
}

impl Found {
    /// A text; it is right if it is the expected one, blank lines at its end aside.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), right: None }
    }

    /// A text with the judgement of who knows more than texts (two modules can be equal and read differently). Where it is
    /// right, blessing keeps the expectation as it was written.
    pub fn judged(text: impl Into<String>, right: bool) -> Self {
        Self { text: text.into(), right: Some(right) }
    }

    /// That the input stayed as it is.
    pub fn same() -> Self {
        Self::text(SAME)
    }
}

/// A case file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its cases in order.
    pub cases: Vec<Case>,
    /// What stands before the first case.
    head: String,
    /// The file with the expectation, where it is not in the file itself.
    beside: Option<PathBuf>,
}

impl CaseFile {
    /// Reads a file.
    ///
    /// # Errors
    /// What the file system says, or that a name occurs twice.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = load(path)?;
        Self::split(path, &text)
    }

    /// Reads a file that is one case, with the expectation beside it in a file of that extension, which may be absent yet.
    ///
    /// # Errors
    /// What the file system says.
    pub fn read_beside(path: &Path, extension: &str) -> Result<Self, String> {
        let input = load(path)?;
        let beside = path.with_extension(extension);
        let expected = if beside.exists() { Some(load(&beside)?) } else { None };
        let name = stem(path);
        let place = file_name(path);
        let cases = vec![Case { name, place, input, expected }];
        Ok(Self { path: path.to_owned(), cases, head: String::new(), beside: Some(beside) })
    }

    /// The files of a folder with that extension, sorted; an empty folder is an error, as it would test nothing.
    ///
    /// # Errors
    /// What the file system says, or that there is no such file.
    pub fn folder(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
        let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let paths = entries.flatten().map(|entry| entry.path());
        let mut all: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
        all.sort();
        if all.is_empty() { Err(format!("no cases *.{extension} in {}", folder.display())) } else { Ok(all) }
    }

    fn split(path: &Path, text: &str) -> Result<Self, String> {
        let mut head = String::new();
        let mut cases: Vec<Case> = Vec::new();
        let mut after = false;
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            if let Some(name) = line.strip_prefix(CASE) {
                let (name, place) = (name.trim().to_owned(), format!("{}:{number}", file_name(path)));
                if cases.iter().any(|case| case.name == name) {
                    return Err(format!("{place}: two cases are called {name}"));
                }
                cases.push(Case { name, place, input: String::new(), expected: None });
                after = false;
                continue;
            }
            let Some(case) = cases.last_mut() else {
                head.push_str(line);
                continue;
            };
            if !after && line.trim_end() == AFTER {
                after = true;
                case.expected = Some(String::new());
            } else if let Some(expected) = case.expected.as_mut() {
                expected.push_str(line);
            } else {
                case.input.push_str(line);
            }
        }
        if cases.is_empty() {
            let place = file_name(path);
            cases.push(Case { name: stem(path), place, input: std::mem::take(&mut head), expected: None });
        }
        Ok(Self { path: path.to_owned(), cases, head, beside: None })
    }

    /// Runs every case. Where the texts found are not as expected, they are written into the file if `UPDATE_EXPECT=1` asks
    /// for that, and shown as a difference if not.
    ///
    /// # Errors
    /// All that is wrong: differences, and what `run` says of cases that have no outcome.
    pub fn check(&self, mut run: impl FnMut(&Case) -> Result<Found, String>) -> Result<(), String> {
        let mut updated = self.clone();
        let mut wrong = Vec::new();
        let mut differs = false;
        for (case, update) in self.cases.iter().zip(&mut updated.cases) {
            let found = match run(case) {
                Ok(found) => found,
                Err(why) => {
                    wrong.push(format!("{}: {why}", case.title()));
                    continue;
                }
            };
            let expected = case.expected.as_deref().unwrap_or_default();
            let equal = match self.beside {
                Some(_) => expected == found.text,
                None => expected.trim_end() == found.text.trim_end(),
            };
            if found.right.unwrap_or(equal) {
                continue;
            }
            update.expected = Some(found.text.clone());
            differs = true;
            if !bless::is_asked() {
                let (expected, found) = (expected.trim_end(), found.text.trim_end());
                wrong.push(format!("{}:\n{}", case.title(), difference::lines(expected, found)));
            }
        }
        if differs && bless::is_asked() {
            updated.write()?;
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let hint = if differs { format!("\n{}", bless::HINT) } else { String::new() };
        Err(format!("{}{hint}", wrong.join("\n")))
    }

    fn write(&self) -> Result<(), String> {
        match (&self.beside, self.cases.as_slice()) {
            (Some(beside), [case]) => bless::replace(beside, case.expected.as_deref().unwrap_or_default()),
            _ => bless::replace(&self.path, &self.text()),
        }
    }

    fn text(&self) -> String {
        let mut all = self.head.clone();
        for case in &self.cases {
            all.push_str(&format!("{CASE}{}\n{}\n", case.name, case.input.trim_end()));
            if let Some(expected) = &case.expected {
                all.push_str(&format!("{AFTER}\n{}\n", expected.trim_end()));
            }
            all.push('\n');
        }
        format!("{}\n", all.trim_end())
    }
}

fn load(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// About these.\n// case: one [4]\n// options: strict entry=a\nx // error: V004\n// ---- after\nX\n\
                        \n// case: two\ny\n// ---- after\nsame\n\n// case: three\nz\n";

    fn file(text: &str) -> CaseFile {
        CaseFile::split(Path::new("f.case"), text).unwrap()
    }

    #[test]
    fn cases_are_split_at_their_marks() {
        let file = file(FILE);
        assert_eq!(file.cases.len(), 3);
        let one = &file.cases[0];
        assert_eq!(
            (one.name.as_str(), one.option(), one.title().as_str()),
            ("one [4]", Some("4"), "f.case:2: one [4]")
        );
        assert_eq!(one.options().collect::<Vec<_>>(), ["strict", "entry=a"]);
        assert_eq!(one.notes("error"), [(2, "V004")]);
        assert_eq!(one.expected.as_deref().map(str::trim), Some("X"));
        assert!(!one.is_left_alone() && file.cases[1].is_left_alone());
        assert_eq!((file.cases[2].input.as_str(), &file.cases[2].expected), ("z\n", &None));
        assert_eq!(file.text(), FILE);
    }

    #[test]
    fn a_file_without_marks_is_one_case() {
        let file = file("module\n");
        assert_eq!((file.cases.len(), file.cases[0].name.as_str(), file.cases[0].input.as_str()), (1, "f", "module\n"));
    }

    #[test]
    fn a_name_may_not_occur_twice() {
        let message = CaseFile::split(Path::new("f.case"), "// case: a\n// case: a\n").unwrap_err();
        assert_eq!(message, "f.case:2: two cases are called a");
    }

    #[test]
    fn differences_and_failures_are_all_reported() {
        let message = file(FILE)
            .check(|case| match case.name.as_str() {
                "one [4]" => Ok(Found::text("Y")),
                "two" => Ok(Found::judged("other text, same meaning", true)),
                _ => Err("broken".to_owned()),
            })
            .unwrap_err();
        assert!(message.contains("f.case:2: one [4]:\n- X\n+ Y\n"), "{message}");
        assert!(message.contains("three: broken") && message.contains("UPDATE_EXPECT=1"), "{message}");
        assert!(!message.contains("two"), "{message}");
        assert!(file("// case: a\nq\n// ---- after\nQ\n").check(|_| Ok(Found::text("Q\n\n"))).is_ok());
    }
}
