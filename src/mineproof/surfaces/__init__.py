"""Thin surfaces over the library: each translates, none decides."""
