"""Families of golden cases: one module a subject, each with a `cases()` that returns cases to record."""
