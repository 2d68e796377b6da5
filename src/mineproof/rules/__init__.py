"""The rules of a game as data: how mines are dealt, what is given, when a game ends."""

from mineproof.rules.given import Given
from mineproof.rules.mines import Mines
from mineproof.rules.report_rules import REPORT_RULES
from mineproof.rules.rules import (
    RULE_WORDS,
    FirstClick,
    Goal,
    OnMine,
    Rules,
    RuleValue,
    read_words,
    split_report,
    split_words,
)
from mineproof.rules.shares import parse_share, share_text

__all__ = [
    "REPORT_RULES",
    "RULE_WORDS",
    "FirstClick",
    "Given",
    "Goal",
    "Mines",
    "OnMine",
    "RuleValue",
    "Rules",
    "parse_share",
    "read_words",
    "share_text",
    "split_report",
    "split_words",
]
