//! Rules of the call graph: no recursion, no call of a stage function, and what only some stages may call.
//!
//! Calls are told apart by name and number of arguments. Where overloads leave a choice, recursion is not looked for.

use super::Findings;
use super::rules::Rule;
use super::syntax::Unit;
use std::collections::HashMap;

/// Functions of the library that only fragment functions may call (6.10.1).
const FRAGMENT_ONLY: [&str; 8] = [
    "dfdx",
    "dfdy",
    "fwidth",
    "discard_fragment",
    "get_num_samples",
    "get_sample_position",
    "simd_is_helper_thread",
    "quad_is_helper_thread",
];

/// Methods of textures and interpolants of which the same is true.
const FRAGMENT_METHODS: [&str; 6] = [
    "calculate_clamped_lod",
    "calculate_unclamped_lod",
    "interpolate_at_center",
    "interpolate_at_centroid",
    "interpolate_at_offset",
    "interpolate_at_sample",
];

/// How many functions of one name calls are told apart among.
const MOST_OVERLOADS: usize = 200;

/// A call of a function of the source.
struct Call {
    to: usize,
    at: usize,
    /// No overload leaves a choice.
    sure: bool,
}

/// All rules of calls.
pub fn check(out: &mut Findings) {
    let unit = out.unit;
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, function) in unit.functions.iter().enumerate() {
        if function.name != "operator" {
            by_name.entry(function.name).or_default().push(place);
        }
    }
    let mut calls: Vec<Vec<Call>> = Vec::with_capacity(unit.functions.len());
    // Uses of what only some stages may call: place, name, rule.
    let mut uses: Vec<Vec<(usize, &str, Rule)>> = Vec::with_capacity(unit.functions.len());
    for place in 0..unit.functions.len() {
        let (mut called, mut used) = (Vec::new(), Vec::new());
        if let Some(body) = &unit.functions[place].body {
            for at in body.clone() {
                if unit.is_name(at) {
                    call(unit, &by_name, place, at, body.end, &mut called, &mut used);
                }
            }
        }
        calls.push(called);
        uses.push(used);
    }
    for called in &calls {
        for call in called {
            let function = &unit.functions[call.to];
            if function.stage.is_some() && call.sure {
                out.add(Rule::EntryCall, call.at, format!("the stage function `{}` is called", function.name));
            }
        }
    }
    recursion(out, &calls);
    stages(out, &calls, &uses);
}

fn call<'a>(
    unit: &Unit<'a>,
    by_name: &HashMap<&str, Vec<usize>>,
    from: usize,
    at: usize,
    end: usize,
    called: &mut Vec<Call>,
    used: &mut Vec<(usize, &'a str, Rule)>,
) {
    let name = unit.text(at);
    let mut open = at + 1;
    if unit.text(open) == "<" {
        let Some(behind) = unit.angle_end(open, end) else { return };
        open = behind;
    }
    if unit.text(open) != "(" {
        return;
    }
    let before = unit.text(at.wrapping_sub(1));
    let method = matches!(before, "." | "->");
    if method {
        if FRAGMENT_METHODS.contains(&name) {
            used.push((at, name, Rule::FragmentOnly));
        }
        return;
    }
    // `T name(…)` declares.
    if unit.is_name(at.wrapping_sub(1)) && !matches!(before, "return" | "else" | "do" | "case") {
        return;
    }
    let of_library = before == "::" && matches!(unit.text(at.wrapping_sub(2)), "metal" | "precise" | "fast");
    if before == "::" && !of_library {
        return;
    }
    let count = unit.parts(open + 1..unit.behind(open) - 1).len();
    if !of_library && let Some(candidates) = by_name.get(name) {
        if candidates.len() > MOST_OVERLOADS {
            return;
        }
        let fits = |place: &&usize| {
            let function = &unit.functions[**place];
            let needed = function.parameters.iter().filter(|parameter| parameter.initialiser.is_none()).count();
            function.member_of.is_none() && needed <= count && count <= function.parameters.len()
        };
        let fitting: Vec<usize> = candidates.iter().filter(fits).copied().collect();
        let defined: Vec<usize> = fitting.iter().copied().filter(|&to| unit.functions[to].body.is_some()).collect();
        let targets = if defined.is_empty() { &fitting } else { &defined };
        // Templates are instantiated with other arguments; which overload is meant is not known from the count.
        let sure = targets.len() == 1
            && targets.iter().all(|&to| !unit.functions[to].template)
            && !unit.functions[from].template;
        called.extend(targets.iter().map(|&to| Call { to, at, sure }));
        if !candidates.is_empty() {
            return;
        }
    }
    if FRAGMENT_ONLY.contains(&name) {
        used.push((at, name, Rule::FragmentOnly));
    } else if name == "threadgroup_barrier" {
        used.push((at, name, Rule::BarrierStage));
    } else if name.starts_with("simd_") || name.starts_with("quad_") || name == "simdgroup_barrier" {
        used.push((at, name, Rule::SimdStage));
    }
}

fn recursion(out: &mut Findings, calls: &[Vec<Call>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; calls.len()];
    for root in 0..calls.len() {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.last_mut() {
            let Some(call) = calls[*function].get(*next) else {
                states[*function] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            if !call.sure {
                continue;
            }
            match states[call.to] {
                State::New => {
                    states[call.to] = State::Open;
                    stack.push((call.to, 0));
                }
                State::Open => {
                    let name = out.unit.functions[call.to].name;
                    out.add(Rule::Recursion, call.at, format!("`{name}` calls itself, here or through others"));
                }
                State::Done => {}
            }
        }
    }
}

fn stages(out: &mut Findings, calls: &[Vec<Call>], uses: &[Vec<(usize, &str, Rule)>]) {
    let unit = out.unit;
    for stage in ["vertex", "kernel", "fragment"] {
        let mut seen = vec![false; calls.len()];
        let mut rest: Vec<(usize, usize)> = (0..calls.len())
            .filter(|&place| unit.functions[place].stage == Some(stage))
            .map(|place| (place, place))
            .collect();
        while let Some((place, entry)) = rest.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            for (at, name, rule) in &uses[place] {
                let wrong = match rule {
                    Rule::FragmentOnly => stage != "fragment",
                    Rule::BarrierStage => stage != "kernel",
                    _ => stage == "vertex",
                };
                if wrong {
                    let entry = unit.functions[entry].name;
                    out.add(*rule, *at, format!("the {stage} function `{entry}` reaches a call of `{name}`"));
                }
            }
            rest.extend(calls[place].iter().map(|call| (call.to, entry)));
        }
    }
}
