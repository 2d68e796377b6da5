"""One logic per module, from one clue at a time to exact counting.

`base` is what they share: following a game over its known cells and open equations, options, and
sequences of logics; `single-point` is there too. `sat` and `reductio` also serve smallest proofs
and static puzzles. The names of them all are in `mineproof.agents.catalog`.
"""
