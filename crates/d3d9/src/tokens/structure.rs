//! Main program, subroutines, nesting and calls (sheet 1.15, 1.17).

use super::{Instruction, Opcode, RegisterKind, Shader};
use crate::codes;
use aquatint_base::{Code, Diagnostic, Diags, HashMap, Limits};
use smallvec::SmallVec;
use std::ops::Range;

/// Stands for "no partner" in [`Program::partner`]'s table.
const NONE: u32 = u32::MAX;

/// A subroutine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subroutine {
    /// Number of its label.
    pub label: u16,
    /// Index of the `label` instruction.
    pub label_instruction: u32,
    /// Its instructions, without `label` and without the closing `ret`.
    pub body: Range<u32>,
}

/// How the instructions of a shader are divided. All indices are into [`Shader::instructions`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The main program, without its closing `ret`.
    pub main: Range<u32>,
    /// The subroutines, in stream order.
    pub subroutines: Vec<Subroutine>,
    /// Indices into `subroutines`, each behind all that it calls.
    pub callees_first: Vec<u32>,
    /// Instructions with all calls written out.
    pub inlined_instructions: u64,
    /// `ret` instructions inside an if or loop: they return at once.
    pub early_returns: Vec<u32>,
    /// Calls to a label that stands before the caller.
    pub backward_calls: Vec<u32>,
    /// First unreachable instruction of each stretch behind a `ret`.
    pub unreachable: Vec<u32>,
    /// Deepest nesting of if within one body.
    pub if_depth: u32,
    /// Deepest nesting of loop and rep within one body.
    pub loop_depth: u32,
    /// Deepest chain of calls.
    pub call_depth: u32,
    partners: Vec<u32>,
    by_label: HashMap<u16, u32>,
}

impl Program {
    /// The instruction that belongs to a flow instruction: of if its else or endif, of else its endif, of loop and rep
    /// their end, and of each end its opener.
    pub fn partner(&self, instruction: u32) -> Option<u32> {
        self.partners.get(instruction as usize).copied().filter(|&partner| partner != NONE)
    }

    /// The subroutine of a label: an index into [`Program::subroutines`].
    pub fn subroutine(&self, label: u16) -> Option<u32> {
        self.by_label.get(&label).copied()
    }
}

/// Divides the instructions and reports E-NEST, E-BREAK, E-LABEL and E-CALL. One walk; what it returns after an error is
/// for messages only.
pub fn analyse(shader: &Shader, limits: &Limits, diags: &mut Diags) -> Program {
    let count = shader.instructions.len() as u32;
    let mut program = Program { main: 0..count, inlined_instructions: u64::from(count), ..Program::default() };
    if shader.instructions.iter().all(|i| !is_flow(i.opcode)) {
        return program;
    }
    program.partners = vec![NONE; shader.instructions.len()];
    let mut walk = Walk {
        shader,
        limits,
        diags,
        program,
        stack: Vec::new(),
        section: Section::Main,
        loops: 0,
        ifs: 0,
        calls: Vec::new(),
    };
    walk.run();
    walk.resolve_calls();
    walk.program
}

const fn is_flow(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Call | CallNz | Loop | Ret | EndLoop | Label | Rep | EndRep | If | IfC | Else | EndIf | Break | BreakC | BreakP
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Main,
    Subroutine(u32),
    /// Behind a `ret` at nesting 0.
    Dead {
        reported: bool,
    },
}

/// A call: the instruction, the caller (`None`: main) and the label.
struct Call {
    instruction: u32,
    caller: Option<u32>,
    label: u16,
}

struct Walk<'a> {
    shader: &'a Shader,
    limits: &'a Limits,
    diags: &'a mut Diags,
    program: Program,
    /// Open blocks of the section: the instruction that opened them (of if with an else: the else).
    stack: Vec<u32>,
    section: Section,
    loops: u32,
    ifs: u32,
    calls: Vec<Call>,
}

impl Walk<'_> {
    fn run(&mut self) {
        let shader = self.shader;
        for (i, instruction) in shader.instructions.iter().enumerate() {
            let i = i as u32;
            if let Section::Dead { reported: false } = self.section
                && instruction.opcode != Opcode::Label
            {
                self.program.unreachable.push(i);
                self.section = Section::Dead { reported: true };
            }
            use Opcode::*;
            match instruction.opcode {
                If | IfC | Rep | Loop => {
                    if self.stack.len() >= self.limits.nesting {
                        let message = format!("blocks nest deeper than {} levels", self.limits.nesting);
                        self.error(i, &codes::E_NEST, message, "flatten the control flow");
                        return;
                    }
                    self.open(i, instruction.opcode);
                }
                Else => match self.stack.last().copied() {
                    Some(open) if matches!(self.opcode(open), Some(If | IfC)) => {
                        self.pair(open, i);
                        self.stack.pop();
                        self.stack.push(i);
                    }
                    Some(open) => self.mismatch(i, open),
                    None => self.error(i, &codes::E_NEST, "else without if".into(), "remove it, or add its if"),
                },
                EndIf | EndRep | EndLoop => self.close(i, instruction.opcode),
                Break | BreakC | BreakP if self.loops == 0 => {
                    let message = format!("{} outside of loop and rep", instruction.opcode.row().name);
                    self.error(i, &codes::E_BREAK, message, "a break leaves the loop or rep of the same subroutine");
                }
                Ret if self.stack.is_empty() => self.finish(i),
                Ret => self.program.early_returns.push(i),
                Label => match self.label(i, instruction) {
                    true => {}
                    false => return,
                },
                Call | CallNz => {
                    let caller = match self.section {
                        Section::Subroutine(n) => Some(Some(n)),
                        Section::Main => Some(None),
                        Section::Dead { .. } => None,
                    };
                    let label = label_of(instruction);
                    if let (Some(caller), Some(label)) = (caller, label) {
                        self.calls.push(self::Call { instruction: i, caller, label });
                    }
                }
                _ => {}
            }
        }
        let end = shader.instructions.len() as u32;
        self.unclosed();
        if let Section::Subroutine(n) = self.section {
            self.end_of_body(n, end);
        }
    }

    fn opcode(&self, instruction: u32) -> Option<Opcode> {
        self.shader.instructions.get(instruction as usize).map(|i| i.opcode)
    }

    fn open(&mut self, i: u32, opcode: Opcode) {
        self.stack.push(i);
        if matches!(opcode, Opcode::Rep | Opcode::Loop) {
            self.loops += 1;
            self.program.loop_depth = self.program.loop_depth.max(self.loops);
        } else {
            self.ifs += 1;
            self.program.if_depth = self.program.if_depth.max(self.ifs);
        }
    }

    /// Whether the block that `open` opened is closed by `closer`.
    fn closes(&self, open: u32, closer: Opcode) -> bool {
        use Opcode::*;
        match self.opcode(open) {
            Some(If | IfC | Else) => closer == EndIf,
            Some(Rep) => closer == EndRep,
            Some(Loop) => closer == EndLoop,
            _ => false,
        }
    }

    fn close(&mut self, i: u32, opcode: Opcode) {
        // The stack holds at most `limits.nesting` blocks, so the search is bounded.
        let found = self.stack.iter().rposition(|&open| self.closes(open, opcode));
        let Some(found) = found else {
            let message = format!("{} closes nothing", opcode.row().name);
            return match self.stack.last().copied() {
                Some(open) => self.mismatch(i, open),
                None => self.error(i, &codes::E_NEST, message, "remove it, or add its opening instruction"),
            };
        };
        if found + 1 < self.stack.len()
            && let Some(&inner) = self.stack.last()
        {
            self.mismatch(i, inner);
        }
        while self.stack.len() > found {
            let Some(open) = self.stack.pop() else { break };
            self.leave(open);
            if self.stack.len() == found {
                self.pair(open, i);
            }
        }
    }

    fn leave(&mut self, open: u32) {
        match self.opcode(open) {
            Some(Opcode::Rep | Opcode::Loop) => self.loops = self.loops.saturating_sub(1),
            _ => self.ifs = self.ifs.saturating_sub(1),
        }
    }

    fn pair(&mut self, open: u32, close: u32) {
        for (from, to) in [(open, close), (close, open)] {
            if let Some(slot) = self.program.partners.get_mut(from as usize)
                && (*slot == NONE || from == open)
            {
                *slot = to;
            }
        }
    }

    /// `i` does not fit the block that `open` opened.
    fn mismatch(&mut self, i: u32, open: u32) {
        let name = |n: u32| self.opcode(n).map_or("?", |o| o.row().name);
        let message = format!("{} does not close the {} that is open", name(i), name(open));
        let second = self.shader.instructions.get(open as usize).map(|o| (self.shader.instruction_span(o), o.word));
        let mut diagnostic = self.located(i, &codes::E_NEST, message);
        if let Some((span, word)) = second {
            diagnostic = diagnostic.at(span, format!("word {word}: opened here"));
        }
        self.diags.push(diagnostic.help("blocks must close in the reverse of the order in which they opened"));
    }

    /// Reports the blocks that are open at the end of a section.
    fn unclosed(&mut self) {
        for open in std::mem::take(&mut self.stack) {
            let message = format!("{} is never closed", self.opcode(open).map_or("?", |o| o.row().name));
            self.error(open, &codes::E_NEST, message, "add its closing instruction");
        }
        self.loops = 0;
        self.ifs = 0;
    }

    /// A `ret` at nesting 0.
    fn finish(&mut self, i: u32) {
        match self.section {
            Section::Main => self.program.main.end = i,
            Section::Subroutine(n) => {
                if let Some(subroutine) = self.program.subroutines.get_mut(n as usize) {
                    subroutine.body.end = i;
                }
            }
            Section::Dead { .. } => return,
        }
        self.section = Section::Dead { reported: false };
    }

    /// A label; whether to go on.
    fn label(&mut self, i: u32, instruction: &Instruction) -> bool {
        self.unclosed();
        match self.section {
            Section::Dead { .. } => {}
            Section::Main => {
                self.program.main.end = i;
                self.error(
                    i,
                    &codes::E_LABEL,
                    "the label does not follow a ret".into(),
                    "end the main program with ret before the first label",
                );
            }
            Section::Subroutine(n) => self.end_of_body(n, i),
        }
        let n = self.program.subroutines.len();
        if n >= self.limits.labels {
            let message = format!("more than {} labels", self.limits.labels);
            self.error(i, &codes::E_LABEL, message, "use fewer subroutines, or raise the limit");
            return false;
        }
        let Some(label) = label_of(instruction) else {
            self.section = Section::Dead { reported: true };
            return true;
        };
        if let Some(&first) = self.program.by_label.get(&label) {
            let first = self.program.subroutines.get(first as usize).map_or(0, |s| s.label_instruction);
            let span = self.shader.instructions.get(first as usize).map(|o| self.shader.instruction_span(o));
            let mut diagnostic = self.located(i, &codes::E_LABEL, format!("label l{label} exists already"));
            if let Some(span) = span {
                diagnostic = diagnostic.at(span, "the first one");
            }
            self.diags.push(diagnostic.help("give one of them another number"));
        } else {
            self.program.by_label.insert(label, n as u32);
        }
        self.program.subroutines.push(Subroutine { label, label_instruction: i, body: i + 1..i + 1 });
        self.section = Section::Subroutine(n as u32);
        true
    }

    /// A subroutine reaches `end` without a `ret`.
    fn end_of_body(&mut self, n: u32, end: u32) {
        let Some(subroutine) = self.program.subroutines.get_mut(n as usize) else { return };
        subroutine.body.end = end;
        let (label, at) = (subroutine.label, subroutine.label_instruction);
        self.error(at, &codes::E_LABEL, format!("subroutine l{label} does not end with ret"), "add ret at its end");
    }

    /// Finds the targets of the calls, refuses cycles and explosions, and orders the subroutines.
    fn resolve_calls(&mut self) {
        let count = self.program.subroutines.len();
        let mut edges: Vec<SmallVec<[(u32, u32); 2]>> = vec![SmallVec::new(); count];
        let mut of_main: Vec<u32> = Vec::new();
        for call in std::mem::take(&mut self.calls) {
            let Some(target) = self.program.subroutine(call.label) else {
                let message = format!("label l{} does not exist", call.label);
                self.error(
                    call.instruction,
                    &codes::E_LABEL,
                    message,
                    "add the label behind the ret of the main program",
                );
                continue;
            };
            let label_at = self.program.subroutines.get(target as usize).map_or(0, |s| s.label_instruction);
            if label_at < call.instruction {
                self.program.backward_calls.push(call.instruction);
            }
            match call.caller {
                None => of_main.push(target),
                Some(caller) => {
                    if let Some(list) = edges.get_mut(caller as usize) {
                        list.push((target, call.instruction));
                    }
                }
            }
        }
        let Some(order) = self.order(&edges) else { return };
        let mut cost = vec![0u64; count];
        let mut depth = vec![1u32; count];
        for &n in &order {
            let n = n as usize;
            let body =
                self.program.subroutines.get(n).map_or(0, |s| u64::from(s.body.end.saturating_sub(s.body.start)));
            let mut total = body;
            let mut deepest = 1;
            for &(target, _) in edges.get(n).into_iter().flatten() {
                total = total.saturating_add(cost.get(target as usize).copied().unwrap_or(0));
                deepest = deepest.max(1 + depth.get(target as usize).copied().unwrap_or(0));
            }
            if let (Some(c), Some(d)) = (cost.get_mut(n), depth.get_mut(n)) {
                (*c, *d) = (total, deepest);
            }
        }
        let mut total = u64::from(self.program.main.end);
        for target in of_main {
            total = total.saturating_add(cost.get(target as usize).copied().unwrap_or(0));
            self.program.call_depth = self.program.call_depth.max(depth.get(target as usize).copied().unwrap_or(0));
        }
        self.program.inlined_instructions = total;
        self.program.callees_first = order;
        if total > self.limits.instructions as u64 {
            let message = format!(
                "with all calls written out the shader has {total} instructions, the limit is {}",
                self.limits.instructions
            );
            self.error(0, &codes::E_CALL, message, "call less often, or raise the limit");
        }
    }

    /// The subroutines, callees first; `None` after an E-CALL. Depth-first with an explicit stack.
    fn order(&mut self, edges: &[SmallVec<[(u32, u32); 2]>]) -> Option<Vec<u32>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; edges.len()];
        let mut order = Vec::with_capacity(edges.len());
        let mut acyclic = true;
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for start in 0..edges.len() {
            if marks.get(start) != Some(&Mark::New) {
                continue;
            }
            stack.push((start as u32, 0));
            while let Some((node, next)) = stack.last_mut() {
                let n = *node as usize;
                if let Some(mark) = marks.get_mut(n) {
                    *mark = Mark::Open;
                }
                let edge = edges.get(n).and_then(|list| list.get(*next)).copied();
                *next += 1;
                match edge {
                    Some((target, instruction)) => match marks.get(target as usize) {
                        Some(Mark::New) => stack.push((target, 0)),
                        Some(Mark::Open) => {
                            acyclic = false;
                            let label = self.program.subroutines.get(target as usize).map_or(0, |s| s.label);
                            let message = format!("the call of l{label} is recursive");
                            self.error(instruction, &codes::E_CALL, message, "subroutines cannot call themselves");
                        }
                        _ => {}
                    },
                    None => {
                        if let Some(mark) = marks.get_mut(n) {
                            *mark = Mark::Done;
                        }
                        order.push(n as u32);
                        stack.pop();
                    }
                }
            }
        }
        acyclic.then_some(order)
    }

    fn located(&self, i: u32, code: &'static Code, message: String) -> Diagnostic {
        let diagnostic = Diagnostic::error(code, message);
        match self.shader.instructions.get(i as usize) {
            Some(instruction) => {
                let span = self.shader.instruction_span(instruction);
                let excerpt = crate::disassemble::instruction_text(self.shader.version, instruction);
                diagnostic.at_excerpt(span, format!("word {}, byte {}", instruction.word, span.start), excerpt)
            }
            None => diagnostic.at(self.shader.span(0, 1), ""),
        }
    }

    fn error(&mut self, i: u32, code: &'static Code, message: String, help: &'static str) {
        let diagnostic = self.located(i, code, message).help(help);
        self.diags.push(diagnostic);
    }
}

/// The label that call, callnz and label name.
fn label_of(instruction: &Instruction) -> Option<u16> {
    let register = instruction.sources.first()?.register;
    (register.kind == RegisterKind::Label).then_some(register.index)
}
