//! Writing the text. Reads the module and what raising settled; decides nothing about meaning.
//!
//! | module | writes |
//! |---|---|
//! | `entry` | the file's parts in order, signatures |
//! | `types` | types and structs |
//! | `statement`, `branch`, `repeat`, `effect` | regions: dispatch and what is named; `if` and `switch`; loops; calls and the like |
//! | `expression`, `operator` | values; how operations are spelled |
//! | `memory` | paths, loads, stores |
//! | `texture` | textures, quads, waves |
//! | `literal` | constants |

mod branch;
mod effect;
mod entry;
mod expression;
pub(crate) mod literal;
mod memory;
mod operator;
mod repeat;
mod statement;
mod texture;
mod types;

pub(crate) use types::{extent, size_of};

use crate::Options;
use crate::names::Namer;
use crate::raise::Raised;
use crate::raise::plan::Plan;
use crate::reach::{Flags, Reach};
use aquatint_ir::{Function, GlobalId, LocalId, Module, TypeId, Value};
use smallvec::SmallVec;

/// Writes the file.
pub(crate) fn print(module: &Module, reach: &Reach, raised: &mut Raised, options: &Options) -> String {
    let namer = std::mem::take(&mut raised.interface.namer);
    let raised = &*raised;
    let size: usize = reach.functions.iter().map(|&f| module.functions[f].insts.len()).sum();
    let mut file = File {
        module,
        reach,
        raised,
        options,
        out: String::with_capacity(2048 + size * 28),
        depth: 0,
        plain: types::plain_structs(module, reach, options),
        arrays: false,
        namer,
    };
    file.arrays = file.has_array_values();
    file.write();
    file.out
}

/// The text in the making.
struct File<'a> {
    module: &'a Module,
    reach: &'a Reach,
    raised: &'a Raised,
    options: &'a Options,
    out: String,
    depth: usize,
    /// By struct: whether its vectors are plain ones instead of packed ones.
    plain: Flags,
    /// Whether array variables are values: structs with a member `e`.
    arrays: bool,
    /// The names at file scope and in the entry's signature.
    namer: Namer,
}

/// How a local is written.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Label {
    /// Not declared yet.
    #[default]
    None,
    /// A numbered value.
    Number(u32),
    /// A name of the source, in [`Body::texts`].
    Text(u32),
    /// As this other value.
    Alias(Value),
}

/// A function in the making.
struct Body<'f, 'a> {
    file: &'f mut File<'a>,
    function: &'a Function,
    plan: &'a Plan,
    /// Whether it is the entry function.
    entry: bool,
    /// The globals that it gets as parameters.
    needs: &'a [GlobalId],
    labels: Vec<Label>,
    texts: Vec<String>,
    next: u32,
    frames: SmallVec<[statement::Frame; 8]>,
}

impl File<'_> {
    /// Begins a line.
    fn start(&mut self) {
        const BLANKS: &str = "                                                                ";
        let mut left = self.depth * 4;
        while left > 0 {
            let take = left.min(BLANKS.len());
            self.out.push_str(&BLANKS[..take]);
            left -= take;
        }
    }

    fn line(&mut self, text: &str) {
        self.start();
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn number(&mut self, number: u32) {
        literal::unsigned(&mut self.out, u64::from(number));
    }
}

impl<'a> Body<'_, 'a> {
    fn push(&mut self, text: &str) {
        self.file.out.push_str(text);
    }

    fn type_of(&self, value: Value) -> TypeId {
        self.file.module.type_of(self.function, value)
    }

    fn type_name(&mut self, ty: TypeId) {
        self.file.type_name(ty);
    }

    /// Gives a local its label: the source's name, or the next number.
    fn label(&mut self, local: LocalId) {
        if let Some(Label::Text(_)) = self.labels.get(local.index()) {
            return;
        }
        if let Some(label) = self.labels.get_mut(local.index()) {
            *label = Label::Number(self.next);
            self.next += 1;
        }
    }

    /// A number for a variable that is no value of the IR.
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn push_numbered(&mut self, number: u32) {
        self.file.out.push(self.file.raised.interface.numbered);
        self.file.number(number);
    }

    /// Writes the label of a local that has been declared.
    fn push_label(&mut self, local: LocalId) {
        match self.labels.get(local.index()).copied().unwrap_or_default() {
            Label::Number(number) => self.push_numbered(number),
            Label::Text(index) => {
                let text = self.texts.get(index as usize).map_or("", String::as_str);
                self.file.out.push_str(text);
            }
            Label::Alias(value) => self.expr(value, 0),
            // A use without a definition: the verifier refuses such modules.
            Label::None => self.push("undefined"),
        }
    }

    fn find_function(&self, function: aquatint_ir::FunctionId) -> Option<usize> {
        self.file.reach.position(function)
    }

    fn interface(&self) -> &'a crate::raise::name_interface::Interface {
        &self.file.raised.interface
    }
}
