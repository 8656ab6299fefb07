//! Golden Direct3D 9 cases, read from their files (format: `tests/golden/d3d9/README.md`).

use std::path::Path;

/// A case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The file's name without its extension.
    pub name: String,
    /// `both`, `strict` or `ieee`.
    pub mode: String,
    /// Absolute tolerance.
    pub absolute: f32,
    /// Relative tolerance.
    pub relative: f32,
    /// Options under which `[expect]` holds.
    pub options: Vec<String>,
    /// Whether the sheet decides differently from Wine.
    pub wine_differs: bool,
    /// Options under which `[expect.wine]` holds after all.
    pub wine_options: Vec<String>,
    /// Words that were encoded by hand, by stage: those of a line each.
    pub hand: [Vec<Vec<u32>>; 2],
    /// Version words written over the assembler's, by stage.
    pub versions: [Option<u32>; 2],
    /// Assembly text of the vertex and pixel shader.
    pub text: [String; 2],
    /// Their words.
    pub words: [Vec<u32>; 2],
    /// The job.
    pub job: Vec<String>,
    /// Texels that the sheet expects.
    pub expect: Vec<Texel>,
    /// Texels that Wine drew, if they are others.
    pub wine: Vec<Texel>,
}

/// A texel: x, y, colour.
pub type Texel = (u32, u32, [f32; 4]);

fn float(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut case = Case { name, ..Case::default() };
        let mut section = String::new();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name.to_owned();
                continue;
            }
            match section.as_str() {
                "" => case.header(line)?,
                "vs" => push_line(&mut case.text[0], line),
                "ps" => push_line(&mut case.text[1], line),
                "vs.words" => words(&mut case.words[0], line)?,
                "ps.words" => words(&mut case.words[1], line)?,
                "job" => case.job.push(line.to_owned()),
                "expect" => texel(&mut case.expect, line)?,
                "expect.wine" => texel(&mut case.wine, line)?,
                other => return Err(format!("a section [{other}]")),
            }
        }
        if case.words.iter().any(Vec::is_empty) || case.expect.is_empty() {
            return Err("no words, or nothing expected".to_owned());
        }
        Ok(case)
    }

    fn header(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let stage = || usize::from(value.starts_with("ps"));
        match key {
            "format" if value == "aquatint-golden-d3d9 1" => {}
            "format" => return Err(format!("format '{value}'")),
            "mode" => self.mode = value.to_owned(),
            "tolerance" => {
                let numbers = value.split_once(':').map_or(value, |(numbers, _)| numbers);
                let parts: Vec<&str> = numbers.split_whitespace().collect();
                let ["abs", absolute, "rel", relative] = parts[..] else {
                    return Err(format!("tolerance '{value}'"));
                };
                (self.absolute, self.relative) = (float(absolute)?, float(relative)?);
            }
            "option" => self.options.push(value.to_owned()),
            "wine-differs" => self.wine_differs = true,
            "wine-option" => self.wine_options.push(value.to_owned()),
            "version" => {
                let word = value.split_whitespace().nth(1).unwrap_or_default();
                let word = u32::from_str_radix(word.trim_start_matches("0x"), 16);
                self.versions[stage()] = Some(word.map_err(|_| format!("version '{value}'"))?);
            }
            "hand" => {
                let (_, encoded) = value.rsplit_once('=').ok_or_else(|| format!("hand '{value}'"))?;
                let mut line = Vec::new();
                words(&mut line, encoded)?;
                self.hand[stage()].push(line);
            }
            "" | "title" | "covers" => {}
            key if key.starts_with('#') => {}
            other => return Err(format!("a header line '{other}'")),
        }
        Ok(())
    }

    /// The version of the pixel shader, or of the vertex shader where the name says so: `ps_2_0`.
    pub fn version(&self) -> &str {
        self.name.split_once('-').map_or("other", |(version, _)| version).trim_end_matches(".case")
    }

    /// Whether two colours match under the case's tolerance.
    pub fn matches(&self, got: [f32; 4], want: [f32; 4]) -> bool {
        got.iter().zip(want).all(|(&got, want)| {
            (got.is_nan() && want.is_nan())
                || got == want
                || (got.is_finite()
                    && want.is_finite()
                    && (got - want).abs() <= self.absolute + self.relative * want.abs())
        })
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn words(all: &mut Vec<u32>, line: &str) -> Result<(), String> {
    for word in line.split_whitespace() {
        all.push(u32::from_str_radix(word, 16).map_err(|_| format!("'{word}' is no word"))?);
    }
    Ok(())
}

fn texel(all: &mut Vec<Texel>, line: &str) -> Result<(), String> {
    let line = line.split_once('#').map_or(line, |(texel, _)| texel);
    let parts: Vec<&str> = line.split_whitespace().collect();
    match parts[..] {
        [] => Ok(()),
        [x, y, r, g, b, a] => {
            let whole = |t: &str| t.parse::<u32>().map_err(|_| format!("'{t}' is no coordinate"));
            all.push((whole(x)?, whole(y)?, [float(r)?, float(g)?, float(b)?, float(a)?]));
            Ok(())
        }
        _ => Err(format!("a texel '{line}'")),
    }
}
