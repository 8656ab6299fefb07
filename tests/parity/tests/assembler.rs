//! The golden cases' text through our assembler: the words must be the recorded ones.
//!
//! The recording assembler moves definitions and declarations to the front, so words are compared as two parts: the set of
//! those, and the exact sequence of the rest.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::tokens::Item;
use aquatint_parity::golden::Case;
use aquatint_parity::{in_repository, translate};

/// Definitions and declarations, sorted; then the rest in order.
type Parts = (Vec<Vec<u32>>, Vec<Vec<u32>>);

fn parts(words: &[u32]) -> Result<Parts, String> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let shader = translate::decode(&bytes)?;
    let slice = |word: u32, count: u32| words[word as usize..(word + count) as usize].to_vec();
    let (mut front, mut rest) = (Vec::new(), vec![vec![words[0]]]);
    for item in shader.sequence() {
        match item {
            Item::Instruction(i) => rest.push(slice(shader.instructions[i].word, shader.instructions[i].words)),
            Item::Declaration(i) => front.push(slice(shader.declarations[i].word, shader.declarations[i].words)),
            Item::Definition(i) => front.push(slice(shader.definitions[i].word, shader.definitions[i].words)),
            Item::Comment(_) => {}
        }
    }
    front.sort();
    Ok((front, rest))
}

fn stage(case: &Case, stage: usize) -> Result<(), String> {
    let mut diags = Diags::new();
    let assembled = assemble(&case.text[stage], SourceId::default(), &AssembleOptions::default(), &mut diags);
    let mut words = assembled.ok_or_else(|| translate::reason(&diags))?;
    if let (Some(version), Some(first)) = (case.versions[stage], words.first_mut()) {
        *first = version;
    }
    let (ours, recorded) = (parts(&words)?, parts(&case.words[stage])?);
    let hex = |all: &[Vec<u32>]| all.iter().map(|i| format!("    {i:08X?}\n")).collect::<String>();
    // A line that the text cannot say (a definition of infinities) stands there as another, and by hand in the words.
    let by_hand: Vec<_> = recorded.0.iter().filter(|i| !ours.0.contains(i)).collect();
    let instead = ours.0.iter().filter(|i| !recorded.0.contains(i)).count();
    if instead != by_hand.len() || !by_hand.iter().all(|i| case.hand[stage].contains(i)) {
        return Err(format!("declarations differ\n  ours\n{}  recorded\n{}", hex(&ours.0), hex(&recorded.0)));
    }
    if ours.1 != recorded.1 {
        return Err(format!("instructions differ\n  ours\n{}  recorded\n{}", hex(&ours.1), hex(&recorded.1)));
    }
    Ok(())
}

#[test]
fn golden_text_assembles_to_the_recorded_words() {
    let folder = in_repository("tests/golden/d3d9");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let (mut checked, mut failures) = (0, Vec::new());
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "case")) {
        let case = Case::read(&entry.path()).unwrap_or_else(|e| panic!("{}: {e}", entry.path().display()));
        for (index, name) in ["vs", "ps"].into_iter().enumerate() {
            checked += 1;
            if let Err(why) = stage(&case, index) {
                failures.push(format!("{} [{name}]: {why}", case.name));
            }
        }
    }
    println!("{checked} texts assembled, {} are other words than recorded", failures.len());
    failures.sort();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
