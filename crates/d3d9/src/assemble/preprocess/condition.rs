//! The value of an `#if`.

/// Depth of parentheses and signs.
const DEPTH: u32 = 64;

/// Evaluates an expression of integers; names that are left count as 0. `None` where it is malformed.
pub(super) fn evaluate(text: &str) -> Option<i64> {
    let mut parser = Parser { rest: text };
    let value = parser.binary(0, 0)?;
    parser.rest.trim_ascii().is_empty().then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
}

/// Binary operators by precedence, the loosest first; longer spellings before their prefixes.
const LEVELS: [&[&str]; 5] = [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"]];

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_ascii_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: usize, depth: u32) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(depth) };
        let mut left = self.binary(level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|operator| self.eat(operator)) {
            let right = self.binary(level + 1, depth)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                _ => left.wrapping_sub(right),
            };
        }
        Some(left)
    }

    fn unary(&mut self, depth: u32) -> Option<i64> {
        if depth >= DEPTH {
            return None;
        }
        if self.eat("!") {
            return Some(i64::from(self.unary(depth + 1)? == 0));
        }
        if self.eat("-") {
            return Some(self.unary(depth + 1)?.wrapping_neg());
        }
        if self.eat("(") {
            let value = self.binary(0, depth + 1)?;
            return self.eat(")").then_some(value);
        }
        self.rest = self.rest.trim_ascii_start();
        let length = self.rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let (word, rest) = self.rest.split_at_checked(length).filter(|(word, _)| !word.is_empty())?;
        self.rest = rest;
        if !word.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
            return Some(0);
        }
        match word.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[test]
    fn conditions() {
        assert_eq!(evaluate("1 + 2 == 3 && !(0x10 < 4)"), Some(1));
        assert_eq!(evaluate("NAME || 0"), Some(0));
        assert_eq!(evaluate("1 +"), None);
        assert_eq!(evaluate(&"(".repeat(100_000)), None);
        assert_eq!(evaluate(&"!".repeat(100_000)), None);
    }
}
