"""A deterministic Hypothesis profile; HYPOTHESIS_PROFILE=thorough searches longer."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def same_chance() -> None:
    """Agents of others that draw from Python's own generator draw the same in every run."""
    random.seed(1)
