"""Drawn boards for the reader of pictures: looks, training and measurement."""
