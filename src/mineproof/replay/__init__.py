"""Recorded games of other programs: read, counted as players count, and reviewed."""
