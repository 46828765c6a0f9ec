//! Games as PGN: for now, writing them.
