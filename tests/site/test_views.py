"""Tests of the coach's views with the site in place of a server."""

from __future__ import annotations

from tests.browser.test_coach_review import *  # noqa: F403
from tests.browser.test_coach_watch import *  # noqa: F403
from tests.browser.test_coach_why import *  # noqa: F403
