"""The JSON schemas of the answers, by name, for the documentation and for the tests."""

from __future__ import annotations

from typing import Any

from mineproof.advice.advice import Basis
from mineproof.advice.hinting import HintKind
from mineproof.generation.teaching_puzzle import Question

__all__ = ["SCHEMAS"]

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_NUMBER: Schema = {"type": "number"}
_SWITCH: Schema = {"type": "boolean"}
_CHANCE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_CELL: Schema = {"type": "integer", "minimum": 0}
_SHOWN: Schema = {
    "description": "null hidden, F flag, a clue, ? open without a clue, * an opened mine",
    "anyOf": [{"type": "null"}, _WHOLE, {"enum": ["F", "?", "*"]}],
}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _words(*words: str) -> Schema:
    return {"enum": list(words)}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_CELLS = _list(_CELL)
_POINT = _list(_NUMBER)
_CERTAIN = _maybe(_words("safe", "mine"))
_CHANGED = _list({"type": "array", "prefixItems": [_CELL, _SHOWN], "minItems": 2, "maxItems": 2})
_MEASURES = {
    "type": "object",
    "properties": {"3bv": _WHOLE, "openings": _WHOLE, "islands": _WHOLE},
    "required": ["3bv", "openings", "islands"],
}
_STANDING: dict[str, Schema] = {
    "state": _words("ready", "running", "won", "lost"),
    "version": _WHOLE,
    "mines_left": _maybe(_WHOLE),
    "elapsed_ms": _WHOLE,
    "practice": _SWITCH,
    "undone": _SWITCH,
    "seed": {**_maybe(_WHOLE), "description": "null while a game with a random one runs"},
    "layout": {**_maybe(_CELLS), "description": "null until the game is over"},
    "measures": _maybe(_MEASURES),
}
_EXPLANATION: dict[str, Schema] = {
    "cell": _maybe(_CELL),
    "certain": _CERTAIN,
    "p": _maybe(_CHANCE),
    "text": _TEXT,
    "summary": _maybe({**_TEXT, "description": "what is proved, and from how much"}),
    "technique": _maybe(_TEXT),
    "premises": _CELLS,
    "uses_total": _SWITCH,
    "smallest": {
        **_SWITCH,
        "description": "no fewer premises do; of two solutions, no two differ in fewer cells",
    },
    "steps": _list(_ref("ProofStep")),
    "witnesses": _maybe(_list(_CELLS)),
}

SCHEMAS: dict[str, Schema] = {
    "Error": _object(
        error={
            "type": "object",
            "properties": {"code": _TEXT, "message": _TEXT, "cell": _CELL, "clash": _CELLS},
            "required": ["code", "message"],
            "additionalProperties": False,
        }
    ),
    "Board": _object(
        name=_TEXT,
        mines=_maybe(_WHOLE),
        topology=_TEXT,
        rows=_WHOLE,
        cols=_WHOLE,
        shape=_TEXT,
        cells=_WHOLE,
        coordinates=_list(_list(_WHOLE)),
        names=_list(_TEXT),
        polygons=_maybe(_list(_list(_POINT))),
        centres=_maybe(_list(_POINT)),
        neighbours=_list(_CELLS),
        size=_POINT,
    ),
    "View": _object(shown=_list(_SHOWN), mines_left=_maybe(_WHOLE), rules=_TEXT, short=_TEXT),
    "Boards": _object(
        presets=_list(_object(name=_TEXT, board=_TEXT)),
        topologies=_list(_object(name=_TEXT, doc=_TEXT, example=_TEXT)),
        limits=_object(cells=_WHOLE, watch_cells=_WHOLE),
    ),
    "Agents": _list(
        _object(
            name=_TEXT,
            aliases=_list(_TEXT),
            text=_TEXT,
            uses=_TEXT,
            report=_TEXT,
            options=_list(_TEXT),
        )
    ),
    "Game": _object(
        game=_TEXT,
        board=_ref("Board"),
        view=_ref("View"),
        moves=_list(_object(action=_TEXT, cell=_CELL)),
        no_guess={**_SWITCH, "description": "whether the board can be solved from its first cell"},
        **_STANDING,
    ),
    "Moved": _object(
        changed=_CHANGED,
        analysis={
            **_maybe(_ref("Analysis")),
            "description": "of the position after the move; null if not asked for, or not quick",
        },
        **_STANDING,
    ),
    "Analysis": _object(
        p=_list(_maybe(_CHANCE)),
        certain=_list(_CERTAIN),
        promised={
            **_SWITCH,
            "description": "nothing is open, and the rules keep the first cell free",
        },
        solutions=_maybe(_TEXT),
        best=_maybe(
            _object(
                cell=_CELL,
                p=_CHANCE,
                reason=_TEXT,
                basis=_words(*(basis.value for basis in Basis)),
                ties=_WHOLE,
                tied={**_CELLS, "description": "the cells that are as good"},
                win=_maybe({**_TEXT, "description": "its chance to win, in words"}),
            )
        ),
        win=_maybe(
            _object(
                cells=_list(
                    _object(
                        cell=_CELL,
                        chance=_CHANCE,
                        low=_CHANCE,
                        high=_CHANCE,
                        exact=_SWITCH,
                        text={**_TEXT, "description": "in words, an estimate with its error"},
                    )
                ),
                method=_TEXT,
            )
        ),
        note=_maybe({**_TEXT, "description": "why there is no chance to win, where it was asked"}),
        elapsed_us=_WHOLE,
    ),
    "ProofStep": _object(
        kind={
            **_words("step", "suppose", "case"),
            "description": "something that follows, the contrary supposed, or one of several cases",
        },
        text=_TEXT,
        parts={
            **_list(_object(text=_TEXT, cells=_CELLS)),
            "description": "the text in parts, with the cells that each speaks of",
        },
        premises={**_CELLS, "description": "the clues it uses"},
        uses_total=_SWITCH,
        rests_on={**_list(_WHOLE), "description": "the earlier steps it uses, by number from 1"},
        under={**_list(_WHOLE), "description": "the suppositions it stands under"},
        cells={**_CELLS, "description": "the hidden cells it speaks of"},
        concludes=_list({"type": "array", "prefixItems": [_CELL, _words("safe", "mine")]}),
        counts={
            **_list(_object(cells=_CELLS, mines=_list(_WHOLE))),
            "description": "the numbers of mines that cells may hold; none is a contradiction",
        },
    ),
    "Explanation": _object(**_EXPLANATION),
    "Hint": _object(
        kind={
            **_words(*(kind.value for kind in HintKind)),
            "description": "what it tells; all that was not asked for is empty or null",
        },
        level={**_WHOLE, "description": "how much was told: 1 the least"},
        more={**_SWITCH, "description": "whether another level tells more"},
        text=_TEXT,
        region={**_CELLS, "description": "where to look"},
        premises=_CELLS,
        uses_total=_SWITCH,
        cell=_maybe(_CELL),
        certain=_CERTAIN,
        why=_maybe(_ref("Explanation")),
    ),
    "Lessons": _object(
        patterns=_list(
            _object(
                name=_TEXT,
                title=_TEXT,
                explanation=_TEXT,
                picture={**_TEXT, "description": "the puzzle that shows it"},
                puzzles=_list(_TEXT),
            )
        ),
        levels=_list(_object(level=_WHOLE, puzzles=_list(_TEXT))),
    ),
    "Puzzle": _object(
        puzzle=_TEXT,
        board=_ref("Board"),
        view=_ref("View"),
        question=_words(*(question.value for question in Question)),
        text=_TEXT,
        pattern=_TEXT,
        technique=_TEXT,
        level=_WHOLE,
        safe=_CELLS,
        mines=_CELLS,
        best=_CELLS,
        premises={**_CELLS, "description": "the clues that the proofs use"},
        choices={
            **_list(_object(cell=_CELL, risk=_CHANCE, win=_CHANCE)),
            "description": "of a guess: every hidden cell, the best first",
        },
    ),
    "Review": _object(
        moves=_list(
            _object(
                n=_WHOLE,
                action=_TEXT,
                cell=_CELL,
                changed=_CHANGED,
                risk=_maybe(_CHANCE),
                best_risk=_maybe(_CHANCE),
                best_cell=_maybe(_CELL),
                lost=_maybe(_CHANCE),
                measure=_maybe(
                    {**_words("win", "risk"), "description": "what `lost` is a share of"}
                ),
                kind=_maybe(_words("forced", "good", "inaccuracy", "blunder")),
                certain=_CERTAIN,
                text=_TEXT,
            )
        ),
        lost=_NUMBER,
        blunders=_list(_WHOLE),
        guesses={**_WHOLE, "description": "moves that may have opened a mine, or not"},
        luck={**_NUMBER, "description": "guesses that held, minus their expected number"},
    ),
    "Position": _object(
        board=_ref("Board"),
        view=_ref("View"),
        status=_words("consistent", "contradictory", "too-wide"),
        clash=_CELLS,
        message=_maybe(_TEXT),
        why=_maybe(_ref("Explanation")),
    ),
    "Text": _object(text=_TEXT),
    "Watched": _object(
        board=_ref("Board"),
        seed=_WHOLE,
        games=_list(
            _object(
                agent=_TEXT,
                view=_ref("View"),
                steps=_list(
                    _object(
                        n=_WHOLE,
                        cell=_maybe(_CELL),
                        action=_TEXT,
                        changed=_CHANGED,
                        reason=_object(
                            kind=_words("proved", "guessed", "unstated"),
                            text=_TEXT,
                            premises=_CELLS,
                        ),
                        risk=_maybe(_CHANCE),
                    )
                ),
                won=_SWITCH,
                outcome=_TEXT,
                note=_TEXT,
                layout=_maybe(_CELLS),
            )
        ),
    ),
}
