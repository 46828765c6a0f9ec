//! Every tunable number of the evaluation (see [`crate::types::tunable`]).

use crate::types::tunable::parameters;

parameters! {
    /// How much less than its value a network's answer counts with no pieces left but kings and pawns, in 1024ths; with
    /// all pieces nothing is taken off, in between in proportion.
    material_fading = 0, 0, 600, 40;
}
