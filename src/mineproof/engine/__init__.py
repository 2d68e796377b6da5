"""The exact counting engine, and nothing else.

`exact` is the way in: `analyze` and its kin choose the compiled core or the readable Python `twin`.
`analysis` is what they answer, `session` follows a game, `constraints` says what clues mean and
what follows from one or two of them. `enumerate` tries every layout: the oracle of both engines.
"""
