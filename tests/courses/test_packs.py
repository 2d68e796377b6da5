"""Course packs: those that are shipped, and what a teacher's own may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from mineproof.board.presets import parse_worlds, read_worlds
from mineproof.courses import Course, course_names
from mineproof.courses.pack import Criterion, Measure
from mineproof.errors import InputError
from mineproof.game.play import play
from mineproof.view.setting import Setting

ROOT = Path(__file__).parents[2]
SMALL = """mineproof-course = 1
title = "Small"
[boards]
A = "4x4/3"
[hidden]
boards = ["A"]
games = 2
[[points]]
measure = "wins"
board = "A"
at-least = [[0.5, 10], [1.0, 30]]
[[points]]
measure = "seconds"
at-most = [[1.0, 1], [0.5, 2]]
"""


@pytest.mark.parametrize("name", course_names())
def test_every_shipped_course_can_be_played(name: str) -> None:
    course = Course.named(name)
    assert course.about
    assert course.questions
    for places in filter(None, (course.practice, course.hidden)):
        assert places.games > 0
        for place in (*places.boards, *places.worlds):
            assert course.setting(place).rules
    for table in course.tables:
        assert table.agents
    graded = course.hidden is not None
    assert course.most_points == (100 if graded else 0)


def test_the_worlds_of_tornado_are_those_of_the_examples() -> None:
    shipped = read_worlds(ROOT / "examples" / "worlds.txt")
    assert Course.named("tornado").worlds == shipped
    assert parse_worlds(Course.named("tornado").worlds_text) == shipped


def test_the_worlds_of_obscured_are_of_their_mixture_and_sizes() -> None:
    course = Course.named("obscured")
    solved = {"single-point+stop": 0, "sat+stop": 0}
    for world in course.worlds:
        topology = world.layout.topology
        assert topology.name == "square"
        assert topology.blocked
        side = topology.lattice.dimensions[0]
        given = {topology.cell((0, 0)), topology.cell((side // 2, side // 2))}
        assert not any(world.layout.is_mine(cell) for cell in given)
        assert set(play_given(course, world.name)) == given
        if not world.name.startswith("TEST"):
            for agent in solved:
                won = play(world, agent, rules=course.rules).outcome.won
                solved[agent] += won
    assert solved == {"single-point+stop": 11, "sat+stop": 25}


def play_given(course: Course, name: str) -> tuple[int, ...]:
    from mineproof.board.layout import given_cells

    world = next(world for world in course.worlds if world.name == name)
    setting = course.setting(world)
    return tuple(given_cells(setting.board.topology, setting.rules.given))


def test_the_words_of_a_course_for_the_end_of_a_game() -> None:
    course = Course.named("obscured")
    seen = set()
    for world in course.worlds:
        for agent in ("sat+stop", "none+reading-order"):
            outcome = play(world, agent, rules=course.rules).outcome
            word = course.ending(outcome)
            assert word == (
                "alive: all solved"
                if outcome.won
                else "dead: found mine"
                if outcome.termination.value == "exploded"
                else "not terminated"
            )
            seen.add(word)
    assert len(seen) == 3


def test_points_are_those_of_the_last_step_that_is_reached() -> None:
    wins, seconds = Course.parse(SMALL).rubric
    assert [wins.points(one) for one in (None, 0.49, 0.5, 0.99, 1.0)] == [0, 0, 10, 10, 30]
    assert [seconds.points(one) for one in (None, 1.1, 1.0, 0.5, 0.0)] == [0, 0, 1, 2, 2]
    assert Course.parse(SMALL).most_points == 32
    assert wins == Criterion(Measure.WINS, ((0.5, 10.0), (1.0, 30.0)), "A")


def test_the_digest_follows_the_text_and_the_files_it_names(tmp_path: Path) -> None:
    text = SMALL + '[[worlds]]\nfile = "w.txt"\n'
    file = tmp_path / "w.txt"
    found = set()
    for world in ("M5\n1 t\n", "M5\nt 1\n"):
        file.write_text(world)
        found.add(Course.parse(text, folder=tmp_path).digest)
    found.add(Course.parse(SMALL).digest)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("mineproof-course = 1", ""), "not a course"),
        (('title = "Small"', ""), "field title is missing"),
        (('title = "Small"', 'title = "Small"\nnever = 1'), "never is not known"),
        (('A = "4x4/3"', 'A = "4x4/99"'), "99 mines"),
        (('boards = ["A"]', 'boards = ["B"]'), "unknown board"),
        (('boards = ["A"]', ""), "neither boards nor worlds"),
        (('measure = "wins"', 'measure = "luck"'), "accepted: wins"),
        (('measure = "wins"', 'measure = "tests"'), "need tests"),
        (('board = "A"\n', 'board = "B"\n'), "unknown board"),
        (("[[0.5, 10], [1.0, 30]]", "[[0.5]]"), "pairs"),
        (("[[0.5, 10], [1.0, 30]]", "[]"), "is empty"),
        (("games = 2", "games = 0"), "games"),
        (('title = "Small"', 'title = "Small"\nrules = "nine=2"'), "nine"),
        (('title = "Small"', 'title = "Small"\nagents = {x = "nobody"}'), "nobody"),
        (('title = "Small"', 'title = "Small"\nendings = {x = "y"}'), "unknown ending"),
        (('title = "Small"', 'title = "Small"\n[[worlds]]\nfile = "../w.txt"'), "beside the pack"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(change: tuple[str, str], said: str) -> None:
    text = SMALL.replace(*change, 1)
    assert text != SMALL
    with pytest.raises(InputError, match=said) as caught:
        Course.parse(text)
    assert "\n" not in str(caught.value)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="tornado"):
        Course.named("tornadoo")
    with pytest.raises(InputError):
        Course.named("nowhere.toml")


def test_a_board_is_meant_by_its_name_or_as_a_text() -> None:
    course = Course.parse(SMALL)
    assert course.setting("A") == course.setting("4x4/3") == Setting.of("4x4/3")
