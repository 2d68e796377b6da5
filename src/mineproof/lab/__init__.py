"""The laboratory: experiments, who plays them, what is kept, and what it says."""

from mineproof.lab.compare import Comparison, compare
from mineproof.lab.engines import make_engine
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run

__all__ = ["Comparison", "Experiment", "Results", "compare", "make_engine", "run"]
