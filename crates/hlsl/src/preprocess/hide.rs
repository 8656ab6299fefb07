//! Hide sets (sheet A3.4): which macros a token may not be expanded as.
//!
//! A set is a list that shares its tail with the sets that it grew from. They last for one use of a macro in the text.

use aquatint_base::{HashMap, Name};

/// The number of a set; 0 is the empty one.
pub type HideId = u32;

#[derive(Default)]
pub struct HideSets {
    /// The set without its last name, that name, and the number of names.
    nodes: Vec<(HideId, Name, u32)>,
    known: HashMap<(HideId, Name), HideId>,
    unions: HashMap<(HideId, HideId), HideId>,
}

impl HideSets {
    /// Forgets all sets.
    pub fn reset(&mut self) {
        if !self.nodes.is_empty() {
            self.nodes.clear();
            self.known.clear();
            self.unions.clear();
        }
    }

    fn node(&self, id: HideId) -> Option<(HideId, Name, u32)> {
        self.nodes.get(id.checked_sub(1)? as usize).copied()
    }

    pub fn len(&self, id: HideId) -> usize {
        self.node(id).map_or(0, |n| n.2 as usize)
    }

    pub fn contains(&self, mut id: HideId, name: Name) -> bool {
        while let Some((parent, last, _)) = self.node(id) {
            if last == name {
                return true;
            }
            id = parent;
        }
        false
    }

    pub fn add(&mut self, id: HideId, name: Name) -> HideId {
        if self.contains(id, name) {
            return id;
        }
        let length = self.len(id) as u32 + 1;
        *self.known.entry((id, name)).or_insert_with(|| {
            self.nodes.push((id, name, length));
            self.nodes.len() as u32
        })
    }

    /// The names of a set, the first one first.
    fn list(&self, mut id: HideId) -> Vec<Name> {
        let mut list = Vec::new();
        while let Some((parent, name, _)) = self.node(id) {
            list.push(name);
            id = parent;
        }
        list.reverse();
        list
    }

    pub fn union(&mut self, a: HideId, b: HideId) -> HideId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        // Grown from the larger one, which often holds all.
        let (base, other) = if self.len(a) >= self.len(b) { (a, b) } else { (b, a) };
        let sum = self.list(other).into_iter().fold(base, |set, name| self.add(set, name));
        self.unions.insert((a, b), sum);
        sum
    }

    pub fn intersection(&mut self, a: HideId, b: HideId) -> HideId {
        if a == b {
            return a;
        }
        if a == 0 || b == 0 {
            return 0;
        }
        let list = self.list(a);
        list.into_iter().fold(0, |set, name| if self.contains(b, name) { self.add(set, name) } else { set })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aquatint_base::Names;

    #[test]
    fn a3_4_sets_are_sets() {
        let mut names = Names::new();
        let [a, b, c] = ["a", "b", "c"].map(|t| names.intern(t));
        let mut sets = HideSets::default();
        let ab = {
            let s = sets.add(0, a);
            sets.add(s, b)
        };
        let bc = {
            let s = sets.add(0, b);
            sets.add(s, c)
        };
        let all = sets.union(ab, bc);
        assert!([a, b, c].iter().all(|&n| sets.contains(all, n)) && sets.len(all) == 3);
        let only = sets.intersection(ab, bc);
        assert!(sets.contains(only, b) && sets.len(only) == 1);
        assert_eq!((sets.union(ab, 0), sets.intersection(ab, 0), sets.add(ab, a)), (ab, 0, ab));
    }
}
