"""Static puzzles (report 3), solved by backtracking."""
