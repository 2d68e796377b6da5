"""LOGIC FORM: constraints, boxes and components of the frontier, built from a view."""
