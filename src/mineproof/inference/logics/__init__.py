"""One logic a file, from one clue at a time to exact counting.

What they share: `facts` (known cells and open equations of one game) and `backtrack` (the search
that reductio and static puzzles use). `sequence` asks logics one after the other.
"""
