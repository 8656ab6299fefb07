//! Semantic analysis over the tree. Each function is checked and lowered in one walk: an expression is given its type and its
//! instructions at once ([`operand`]), so that there is no second tree. Functions that no entry point reaches are walked as
//! well, for their errors, and thrown away (A11.6).
//!
//! | module | holds |
//! |---|---|
//! | [`options`], [`codes`] | what is asked for, what can be wrong |
//! | [`operand`] | what an expression is |
//! | [`function`] | functions and their instances in the IR |
//! | `scope` | names and what they mean |
//! | `declare`, `resolve` | declarations, types |
//! | `expression`, `call`, `statement` | bodies |
//! | `entry`, [`system_values`] | entry points |

mod call;
pub mod codes;
pub(crate) mod entry;
mod flow;
pub mod function;
pub mod operand;
pub mod options;
mod reach;
mod scope;
pub mod system_values;

use crate::layout::Layouts;
use crate::lower::resource::Resource;
use crate::types::{Ty, Types};
use aquatint_base::{Code, Diagnostic, Diags, HashMap, Name, Span};
use aquatint_ir::{Function as IrFunction, FunctionId, Module, RegionId, Value};
use function::{Function, Instance, Mode};
use operand::Object;
use options::{Limits, Options};

/// What a function is while it is being lowered.
pub(crate) struct Current {
    pub(crate) function: IrFunction,
    pub(crate) region: RegionId,
    pub(crate) span: Span,
    pub(crate) precise: bool,
    /// What it needs of the stage.
    pub(crate) stage_uses: Vec<(&'static str, crate::intrinsics::Stages, Span)>,
    /// The instances that it calls.
    pub(crate) calls: Vec<(usize, Span)>,
    /// Module-scope variables that it names.
    pub(crate) statics: Vec<usize>,
    /// The type of its result.
    pub(crate) result: Ty,
    /// `this`, in a method.
    pub(crate) this: Option<(Ty, Value)>,
    /// Loops and switches around the place, innermost last.
    pub(crate) flow: Vec<Flow>,
    /// Whether nothing behind this place is reached.
    pub(crate) dead: bool,
    /// Names declared later are not seen.
    pub(crate) order: u32,
    /// How deep the chain of instances is.
    pub(crate) depth: usize,
    /// The namespace that names are looked up from.
    pub(crate) namespace: usize,
    /// Names of blocks, innermost last.
    pub(crate) scopes: Vec<Vec<Name>>,
    /// What local names mean, innermost last.
    pub(crate) locals: HashMap<Name, Vec<scope::Symbol>>,
}

/// A loop or switch around a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flow {
    /// `break` and `continue` belong to it.
    Loop,
    /// A switch that is held by a loop of one pass: `break` leaves that; the variable says that a `continue` of the loop
    /// outside was meant.
    WrappedSwitch { continued: Option<Value> },
    /// A switch whose breaks all end their case.
    Switch,
}

impl Current {
    pub(crate) fn new(function: IrFunction, region: RegionId, span: Span) -> Self {
        Self {
            function,
            region,
            span,
            precise: false,
            stage_uses: Vec::new(),
            calls: Vec::new(),
            statics: Vec::new(),
            result: crate::types::VOID,
            this: None,
            flow: Vec::new(),
            dead: false,
            order: u32::MAX,
            depth: 0,
            namespace: 0,
            scopes: Vec::new(),
            locals: HashMap::default(),
        }
    }
}

/// The state of a compilation.
pub struct Sema<'a> {
    pub(crate) options: &'a Options,
    pub(crate) limits: Limits,
    pub(crate) diags: &'a mut Diags,
    pub(crate) module: Module,
    pub(crate) types: Types,
    pub(crate) layouts: Layouts,
    pub(crate) resources: Vec<Resource>,
    pub(crate) functions: Vec<Function<()>>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) instance_index: HashMap<usize, Vec<usize>>,
    /// Instances to lower.
    pub(crate) queue: Vec<usize>,
    /// Entry points: number in the module, instance, place.
    pub(crate) entries: Vec<(usize, usize, Span)>,
    /// Where, in the wrapper of each entry point, variables get their first values.
    pub(crate) entry_statics: Vec<usize>,
    pub(crate) function_names: HashMap<Name, u32>,
    pub(crate) namespaces: Vec<scope::Namespace>,
    pub(crate) variables: Vec<scope::Variable>,
    /// Counts declarations, so that what is declared later is not seen earlier.
    pub(crate) order: u32,
    /// Whether the function at hand is only checked.
    pub(crate) checking: bool,
    pub(crate) cur: Current,
}

impl Sema<'_> {
    pub(crate) fn error(&mut self, code: &'static Code, span: Span, message: String) {
        self.diags.push(Diagnostic::error(code, message).at(span, ""));
    }

    pub(crate) fn warning(&mut self, code: &'static Code, span: Span, message: String) {
        self.diags.push(Diagnostic::warning(code, message).at(span, ""));
    }

    /// A name that no function of the module has.
    pub(crate) fn unique_function_name(&mut self, wanted: &str) -> Name {
        let mut text = wanted.to_owned();
        loop {
            let name = self.module.names.intern(&text);
            let count = self.function_names.entry(name).or_insert(0);
            *count += 1;
            if *count == 1 {
                return name;
            }
            text = format!("{wanted}.{count}");
        }
    }

    /// The instance of a function for the resources that it is called with.
    pub(crate) fn instance(
        &mut self,
        function: usize,
        objects: &[Option<(Object, bool)>],
        depth: usize,
    ) -> Option<usize> {
        let known = self.instance_index.entry(function).or_default();
        for &index in known.iter() {
            let same = self.instances[index].objects.len() == objects.len()
                && self.instances[index].objects.iter().zip(objects).all(|(a, b)| match (a, b) {
                    (None, None) => true,
                    (Some((a, x)), Some((b, y))) => a.resource == b.resource && x == y,
                    _ => false,
                });
            if same {
                return Some(index);
            }
        }
        if depth > self.limits.call_depth {
            let message = format!("calls with resources nest more than {} deep", self.limits.call_depth);
            self.error(&codes::AQ4013, self.cur.span, message);
            return None;
        }
        let id: FunctionId = self.module.functions.push(IrFunction::placeholder());
        let index = self.instances.len();
        self.instances.push(Instance {
            function,
            objects: objects.to_vec(),
            id,
            stage_uses: Vec::new(),
            calls: Vec::new(),
            statics: Vec::new(),
            depth,
        });
        self.instance_index.entry(function).or_default().push(index);
        self.queue.push(index);
        Some(index)
    }

    /// TODO-AST
    pub(crate) fn default_argument(&mut self, _function: usize, _index: usize, span: Span) -> operand::Expr {
        operand::Expr::error(span)
    }

    /// Whether a parameter passes its value through a pointer.
    pub(crate) fn by_pointer(mode: Mode) -> bool {
        mode != Mode::In
    }
}

/// The nearest spelling within edit distance 2 (F1.3).
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > 64 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in names.take(4096) {
        if candidate == name || candidate.len().abs_diff(name.len()) > 2 {
            continue;
        }
        let distance = edit_distance(name, candidate);
        if distance <= 2 && distance < name.len() && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|b| b.1)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &d) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(c != d)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn f1_3_the_nearest_spelling_is_within_two_edits() {
        let names = ["Sample", "SampleLevel", "Load"];
        assert_eq!(nearest("Smaple", names.into_iter()), Some("Sample"));
        assert_eq!(nearest("Loda", names.into_iter()), Some("Load"));
        assert_eq!(nearest("Completely", names.into_iter()), None);
    }
}
