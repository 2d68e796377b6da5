"""For those who test agents and engines: Hypothesis strategies and checks."""
