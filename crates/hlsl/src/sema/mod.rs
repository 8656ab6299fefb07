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
//! | `resolve`, `declare`, `globals`, `template` | types; declarations; resources and statics; instances of templates |
//! | `body`, `statement`, `flow` | bodies of functions, statements, regions |
//! | `expression`, `invoke`, `call` | expressions; calls as written; overloads and what a call becomes |
//! | `reach` | what entry points reach |
//! | `entry`, [`system_values`] | entry points |

mod body;
mod call;
pub mod codes;
mod declare;
pub(crate) mod entry;
mod expression;
mod flow;
pub mod function;
mod globals;
mod invoke;
pub mod operand;
pub mod options;
mod reach;
mod resolve;
mod scope;
mod statement;
pub mod system_values;
mod template;

use crate::ast::{self, Tree};
use crate::layout::Layouts;
use crate::lower::resource::Resource;
use crate::types::{Ty, Types};
use aquatint_base::{Code, Diagnostic, Diags, HashMap, Name, Names, Span};
use aquatint_ir::{Function as IrFunction, FunctionId, Module, RegionId, Stage, Value};
use function::{Function, Instance};
use operand::Object;
use options::{Limits, Options};
use std::rc::Rc;

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
    /// A switch whose breaks all end their case; whether one of them is reached.
    Switch { left: bool },
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

/// The body of a function: its declaration, its block, and the namespace that its names are looked up from.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) decl: &'a ast::FunctionDecl,
    pub(crate) block: ast::StmtId,
    pub(crate) namespace: usize,
}

/// Analyses a tree and lowers its entry points. `None` where an error was reported.
pub fn analyse(tree: &Tree, names: Names, options: &Options, diags: &mut Diags) -> Option<Module> {
    let errors = diags.errors();
    let mut module = Module::new();
    module.names = names;
    let name = module.names.intern("file scope");
    let file = IrFunction::new(name, aquatint_ir::types::VOID);
    let region = file.body;
    let mut sema = Sema {
        tree,
        options,
        limits: Limits::default(),
        diags,
        module,
        types: Types::new(),
        layouts: Layouts::new(options.native16),
        resources: Vec::new(),
        functions: Vec::new(),
        defaults: Vec::new(),
        instances: Vec::new(),
        instance_index: HashMap::default(),
        queue: Vec::new(),
        entries: Vec::new(),
        entry_statics: Vec::new(),
        function_names: HashMap::default(),
        cur: Current::new(file, region, Span::NONE),
        namespaces: vec![scope::Namespace::default()],
        variables: Vec::new(),
        order: 0,
        checking: false,
        type_scopes: HashMap::default(),
        uniform_params: HashMap::default(),
        globals_members: Vec::new(),
        bindings: Vec::new(),
        late_statics: Vec::new(),
        object_slots: HashMap::default(),
        templates: Vec::new(),
        template_depth: 0,
        template_count: 0,
        row_default: false,
        returns: false,
        statements: 0,
    };
    sema.declare_items(&tree.items);
    sema.finish_globals();
    sema.declare_params();
    sema.assign_registers();
    sema.lower_statics();
    for entry in &options.entries {
        if let Some((function, stage)) = sema.find_entry(&entry.name, entry.stage) {
            sema.lower_entry(function, stage);
        }
    }
    let mut done = 0;
    while done < sema.instances.len() {
        // Initialisers of statics are instances that are there already.
        if sema.instances[done].function != usize::MAX {
            sema.lower_instance(done);
        }
        done += 1;
    }
    for function in 0..sema.functions.len() {
        if !sema.instance_index.contains_key(&function) && sema.functions[function].body.is_some() {
            sema.check_function(function);
        }
    }
    sema.check_entries();
    let module = sema.module;
    (diags.errors() == errors).then_some(module)
}

/// The state of a compilation.
pub struct Sema<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) options: &'a Options,
    pub(crate) limits: Limits,
    pub(crate) diags: &'a mut Diags,
    pub(crate) module: Module,
    pub(crate) types: Types,
    pub(crate) layouts: Layouts,
    pub(crate) resources: Vec<Resource>,
    pub(crate) functions: Vec<Rc<Function<Body<'a>>>>,
    /// The parameters of each function where it was declared first, for their defaults.
    pub(crate) defaults: Vec<&'a [ast::Variables]>,
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
    /// The scope of a struct or enum, by its type.
    pub(crate) type_scopes: HashMap<Ty, usize>,
    /// The block of the uniform parameters of entry points, by function: resource, and the fields by parameter.
    pub(crate) uniform_params: HashMap<usize, (usize, Vec<Option<usize>>)>,
    /// Variables and places of the members of `$Globals`.
    pub(crate) globals_members: Vec<(usize, Option<u32>)>,
    /// Where resources want to be: resource, register, space.
    pub(crate) bindings: Vec<(usize, Option<u32>, u32)>,
    /// Statics whose first value is computed: variable, expression, namespace, order.
    pub(crate) late_statics: Vec<(usize, ast::ExprId, usize, u32)>,
    /// Locals that hold objects: the region that declares each, and the variable that holds its index into a resource array.
    pub(crate) object_slots: HashMap<usize, (RegionId, Value)>,
    pub(crate) templates: Vec<template::Template<'a>>,
    pub(crate) template_depth: usize,
    pub(crate) template_count: usize,
    /// Whether matrices of the type at hand lie in rows.
    pub(crate) row_default: bool,
    /// Whether the function at hand has a `return`.
    pub(crate) returns: bool,
    /// Statements of the function at hand.
    pub(crate) statements: usize,
    pub(crate) cur: Current,
}

impl Sema<'_> {
    /// The function that an entry point names, and its stage (A1.2, A14.2).
    fn find_entry(&mut self, name: &str, stage: Option<Stage>) -> Option<(usize, Stage)> {
        let known = self.module.names.find(name);
        let found = known.and_then(|wanted| {
            self.functions.iter().position(|f| f.name == wanted && f.of.is_none() && f.body.is_some())
        });
        let Some(function) = found else {
            let mut message = format!("there is no entry point '{name}'");
            let all = self.functions.iter().map(|f| self.module.names.get(f.name));
            if let Some(near) = nearest(name, all) {
                message.push_str(&format!("; did you mean '{near}'?"));
            }
            self.error(&codes::AQ3021, Span::NONE, message);
            return None;
        };
        let data = self.functions[function].clone();
        let stage = match (stage.or(self.options.profile_stage), &data.attributes.shader) {
            (Some(stage), _) => stage,
            (None, Some(Ok(stage))) => *stage,
            (None, Some(Err(other))) => {
                self.error(&codes::AQ3048, data.span, format!("stage '{other}' is not supported"));
                return None;
            }
            (None, None) => {
                self.error(&codes::AQ0004, data.span, format!("the stage of '{name}' is not said"));
                return None;
            }
        };
        Some((function, stage))
    }

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
