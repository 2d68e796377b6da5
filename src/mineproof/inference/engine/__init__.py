"""The exact counting engine, and nothing else.

`exact` is the way in: `analyze` and its kin choose between the compiled half (`native`, over the
board translated by `ground`) and the readable Python half (`twin`). What both count over is here
too: `constraints` (what each clue says), `settle` (what single clues decide) and `frontier` (boxes
and components). `counting` is the twin's dynamic program, `analysis` what is answered, `session`
follows a game, `clash` names clues that cannot all be met, `budget` bounds the work.
"""
