"""Boards that need no guess, and puzzles that teach, made from games."""
