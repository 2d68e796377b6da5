"""One logic per file, from one clue at a time to exact counting.

What they share: `fact_logic` is the skeleton of those that follow a game over its `facts` (known
cells and open equations). `option` is what a logic may be told, `backtrack` the search that
reductio and static puzzles use, `clauses` the encoding for SAT solvers, `python_sat` the solver.
`sequence` asks logics one after the other.
"""
