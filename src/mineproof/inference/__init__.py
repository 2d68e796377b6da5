"""The logics, the exact engine, and the catalog of provers.

Nothing is imported here: whoever asks for the engine does not wait for the logics.
"""
