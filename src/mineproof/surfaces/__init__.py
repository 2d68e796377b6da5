"""Thin surfaces over the library: they translate and decide nothing."""
