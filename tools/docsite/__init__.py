"""The site of the docs: staged, with its generated pages, built by Zensical, and checked."""
