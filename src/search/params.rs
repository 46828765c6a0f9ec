//! Every tunable number of the search (see [`crate::types::tunable`]).

use crate::types::tunable::parameters;

parameters! {
    /// Half the width of the first aspiration window, in score units.
    aspiration_window = 14, 5, 50, 4;
    /// Reverse futility pruning: deepest node, in plies.
    reverse_futility_depth = 9, 4, 14, 1;
    /// Reverse futility pruning: margin for each ply, in score units.
    reverse_futility_margin = 78, 40, 150, 8;
    /// Razoring: margin for each ply, in score units.
    razoring_margin = 220, 120, 500, 25;
    /// Null move: how far the static evaluation must be above beta at no depth, in score units.
    null_move_margin = 80, 0, 400, 15;
    /// Null move: how much less for each ply of depth, in score units.
    null_move_margin_slope = 20, 0, 60, 3;
    /// Null move: plies taken off at any depth.
    null_move_base = 4, 2, 6, 1;
    /// Null move: one more ply taken off for so many plies of depth.
    null_move_divisor = 4, 2, 8, 1;
    /// Null move: one more ply taken off for so many score units above beta.
    null_move_eval_divisor = 160, 80, 400, 20;
    /// Null move: from this depth on a cutoff is verified without null moves.
    null_move_verified_depth = 14, 8, 24, 1;
    /// Internal iterative reduction: least depth, in plies.
    iir_depth = 4, 2, 8, 1;
    /// Singular extension: least depth, in plies.
    singular_depth = 6, 4, 12, 1;
    /// Singular extension: how far below the table's score the others must stay, in score units a ply of depth.
    singular_margin = 2, 1, 6, 1;
    /// Singular extension: how much farther for two plies, in score units.
    double_extension_margin = 22, 5, 60, 5;
    /// Singular extension: how much farther again on principal variations, in score units.
    double_extension_margin_pv = 30, 0, 120, 8;
    /// Futility pruning of quiet moves: deepest node after reduction, in plies.
    futility_depth = 8, 4, 12, 1;
    /// Futility pruning: margin at no depth, in score units.
    futility_base = 45, 0, 200, 12;
    /// Futility pruning: margin for each ply, in score units.
    futility_margin = 72, 40, 180, 10;
    /// Late move pruning: quiet moves searched at no depth.
    late_move_base = 3, 1, 8, 1;
    /// History pruning: deepest node after reduction, in plies.
    history_pruning_depth = 5, 2, 9, 1;
    /// History pruning: how bad a quiet move's history must be for each ply, in history units.
    history_pruning_margin = 4600, 1500, 8000, 300;
    /// SEE pruning of quiet moves: loss allowed for each square of reduced depth, in hundredths of a pawn.
    see_quiet_margin = 24, 10, 60, 4;
    /// SEE pruning of captures: loss allowed for each ply of depth, in hundredths of a pawn.
    see_capture_margin = 95, 40, 200, 10;
    /// SEE pruning of captures: one hundredth of a pawn more allowed for so much history, in history units.
    see_capture_history_divisor = 40, 16, 128, 6;
    /// Late move reduction of quiet moves: at any depth and number, in 1024ths of a ply.
    lmr_quiet_base = 850, 300, 1600, 80;
    /// Late move reduction of quiet moves: for the product of the logarithms, in 1024ths of a ply.
    lmr_quiet_factor = 415, 250, 700, 25;
    /// Late move reduction of captures: for the product of the logarithms, in 1024ths of a ply.
    lmr_capture_factor = 330, 150, 600, 25;
    /// More reduction where a cutoff is expected, in 1024ths of a ply.
    lmr_cut_node = 1500, 0, 3000, 150;
    /// More reduction where the position does not get better, in 1024ths of a ply.
    lmr_not_improving = 850, 0, 2000, 120;
    /// Less reduction where the table knows a principal variation, in 1024ths of a ply.
    lmr_table_pv = 1100, 0, 2500, 120;
    /// Less reduction of a move that gives check, in 1024ths of a ply.
    lmr_check = 1350, 0, 2000, 120;
    /// More reduction where the table's move is a capture, in 1024ths of a ply.
    lmr_table_capture = 1000, 0, 2000, 120;
    /// More reduction where the next ply has had many cutoffs, in 1024ths of a ply.
    lmr_many_cutoffs = 700, 0, 2500, 120;
    /// One ply less reduction for so much history, in history units.
    lmr_history_divisor = 11500, 4000, 20000, 700;
    /// History: bonus for each ply of depth, in history units.
    history_bonus_factor = 180, 60, 400, 20;
    /// History: the highest bonus, in history units.
    history_bonus_max = 1900, 800, 4000, 150;
    /// History: malus for each ply of depth, in history units.
    history_malus_factor = 250, 60, 400, 20;
    /// History: the highest malus, in history units.
    history_malus_max = 2000, 600, 4000, 150;
    /// History of a quiet move: what its butterfly history counts, in 16ths.
    weight_butterfly = 13, 0, 40, 2;
    /// History of a quiet move: what its history by pawn structure counts, in 16ths.
    weight_pawn = 12, 0, 40, 2;
    /// History of a quiet move: what its history after the last move counts, in 16ths.
    weight_last = 20, 0, 40, 2;
    /// History of a quiet move: what its history after the move two plies back counts, in 16ths.
    weight_second = 16, 0, 40, 2;
    /// History of a quiet move: what its history after the move four plies back counts, in 16ths.
    weight_fourth = 9, 0, 40, 2;
    /// History of a quiet move: what its history after the move six plies back counts, in 16ths.
    weight_sixth = 8, 0, 40, 2;
    /// Move ordering: what a quiet move that gives check has ahead of its history, in history units.
    check_ordering = 14000, 0, 30000, 1500;
    /// Move ordering: what it may lose by SEE to have that, in hundredths of a pawn.
    check_ordering_loss = 75, 0, 300, 15;
    /// Move ordering: what a quiet move gains by leaving the attack of a lesser piece, and loses by going into one, in
    /// history units for each hundredth of a pawn that its piece is worth.
    escape_ordering = 16, 0, 64, 3;
    /// History: what a quiet move gains for each score unit that it raises the static evaluation by, in history units.
    eval_change_factor = 8, 0, 40, 2;
    /// History: the most that it gains or loses so, in history units.
    eval_change_max = 1600, 400, 4000, 150;
    /// History: what a quiet move gains when no answer to it is good enough, in 128ths of the bonus.
    fail_low_bonus = 90, 0, 256, 12;
    /// Quiescence: behind so many moves only checks, promotions and captures en passant are tried.
    quiescence_moves = 2, 1, 8, 1;
    /// Quiescence: what a capture may bring at most beyond its victim, in score units.
    quiescence_futility = 215, 60, 400, 20;
    /// Quiescence: what a piece is worth that a capture takes, in score units for a hundred of its value in exchanges.
    quiescence_victim = 200, 60, 400, 15;
    /// Correction history: weight of the pawn structure, in 1024ths.
    correction_pawn = 1000, 0, 2500, 120;
    /// Correction history: weight of the minor pieces, in 1024ths.
    correction_minor = 800, 0, 2500, 120;
    /// Correction history: weight of each colour's pieces, in 1024ths.
    correction_non_pawn = 900, 0, 2500, 120;
}
