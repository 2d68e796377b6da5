"""Benchmarks: one file each. See README.md."""
