//! Parameters by name or path: `name`, `array[1]`, `struct.member`, and chains of these.

use aquatint_base::Id;

use super::model::{Effect, FxType, Value};

/// A parameter, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The parameter.
    pub parameter: usize,
    /// The type of the whole array that it is, or is an element of.
    pub ty: Id<FxType>,
    /// The value of that.
    pub value: &'a Value,
    /// Which element; `None` for all.
    pub element: Option<usize>,
}

impl<'a> Place<'a> {
    /// The object ids of a string, texture or shader, all elements of an array or the one.
    pub fn objects(&self) -> &'a [u32] {
        match (self.value, self.element) {
            (Value::Objects(ids), None) => ids,
            (Value::Objects(ids), Some(element)) => ids.get(element..=element).unwrap_or(&[]),
            (Value::None | Value::Words(_) | Value::Samplers(_) | Value::Struct(_), _) => &[],
        }
    }
}

impl Effect {
    /// The whole of a parameter.
    pub fn place(&self, parameter: usize) -> Option<Place<'_>> {
        let found = self.parameters.get(parameter)?;
        Some(Place { parameter, ty: found.ty, value: &found.value, element: None })
    }

    /// The parameter, element or member that `path` names.
    pub fn resolve(&self, path: &str) -> Option<Place<'_>> {
        let end = path.find(['.', '[']).unwrap_or(path.len());
        let (name, mut rest) = path.split_at_checked(end)?;
        let mut place = self.place(self.parameter(name)?)?;
        while !rest.is_empty() {
            rest = if let Some(inner) = rest.strip_prefix('[') {
                let (number, after) = inner.split_once(']')?;
                let element: usize = number.trim().parse().ok()?;
                if place.element.is_some() || element >= self.ty(place.ty).elements as usize {
                    return None;
                }
                place.element = Some(element);
                after
            } else {
                let member = rest.strip_prefix('.')?;
                let end = member.find(['.', '[']).unwrap_or(member.len());
                let (name, after) = member.split_at_checked(end)?;
                place = self.member(place, name)?;
                after
            };
        }
        Some(place)
    }

    fn member<'a>(&'a self, place: Place<'a>, name: &str) -> Option<Place<'a>> {
        let ty = self.ty(place.ty);
        if place.element.is_none() && ty.elements > 0 {
            return None;
        }
        let position = ty.members.iter().position(|&member| self.name(member) == name)?;
        let Value::Struct(values) = place.value else { return None };
        let value = values.get(place.element.unwrap_or(0) * ty.members.len() + position)?;
        Some(Place { parameter: place.parameter, ty: *ty.members.get(position)?, value, element: None })
    }
}
