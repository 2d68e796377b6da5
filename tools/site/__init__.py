"""Builds the coach as a folder of static files, which needs no server of its own."""
