"""For those who test agents and logics of their own: Hypothesis strategies and checks.

    from mineproof.testing import check_agent, check_logic
    from mineproof.testing import strategies      # needs hypothesis, as check_logic does

`check_agent` plays an agent on a small board of every topology; `check_logic` compares what a
logic proves with the enumeration of every layout. Both raise AssertionError with the position
that shows the fault.
"""

from mineproof.testing.conformance import check_agent, check_logic

__all__ = ["check_agent", "check_logic"]
