"""Pictures of boards, read as positions: the grid, the cells, and what fits the rules."""
