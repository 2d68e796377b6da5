"""In what two experiments differ, for the message that refuses a folder of another one."""

from __future__ import annotations

from dataclasses import fields

from mineproof.lab.experiment import Experiment

__all__ = ["first_difference"]


def first_difference(found: Experiment, wanted: Experiment) -> str:
    """The first thing in which two experiments differ, in a few words."""
    for field in fields(Experiment):
        theirs, ours = getattr(found, field.name), getattr(wanted, field.name)
        if theirs == ours:
            continue
        if field.name == "worlds":
            return "other worlds"
        if field.name == "secret":
            return "another secret of the deals"
        if field.name == "sources":
            return "the file of an agent was changed since"
        if field.name == "rules":
            theirs, ours = _differing_words(found.rules_text, wanted.rules_text)
        return f"its {field.name.replace('_', ' ')} {_shown(theirs)}, asked for {_shown(ours)}"
    return "nothing that can be named"


def _differing_words(first: str, second: str) -> tuple[str, str]:
    a, b = first.split(), second.split()
    return (
        " ".join(word for word in a if word not in b),
        " ".join(word for word in b if word not in a),
    )


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
