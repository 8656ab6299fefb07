//! Effects (sheet 5.4 and 6.7, cases of 7.3 row 52), and all of them in the corpus.

mod builder;
mod corpus;
mod hostile;
mod meaning;
