"""For those who test agents and engines of their own: Hypothesis strategies and checks.

    from mineproof.testing import check_agent, check_engine
    from mineproof.testing import strategies      # needs hypothesis, as check_engine does

`check_agent` plays an agent on a small board of every topology; `check_engine` compares what an
engine proves with the enumeration of every layout. Both raise AssertionError with the position
that shows the fault.
"""

from mineproof.testing.conformance import check_agent, check_engine

__all__ = ["check_agent", "check_engine"]
