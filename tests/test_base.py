"""The base: files, texts, fields, catalogs, random numbers and graphs."""

from __future__ import annotations

import doctest
import io
import os
import stat
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import fields
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, UnknownName, quoted
from mineproof.fields import FieldTable, FieldValue, parse_json, parse_toml
from mineproof.files import Closeable, check_writable, parse_file, read_text, write_text
from mineproof.graphs import components, distances, group_by_sets
from mineproof.registry import Catalog
from mineproof.rng import MAX_SEED, Purpose, Stream, check_seed
from mineproof.text import wilson, wilson_share

# -------------------------------------------- files: text only, a limit, one line on what is wrong


def test_text_is_read_with_plain_line_ends(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(path) == "one\ntwo\nthree\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1x1x0\nH\n")))
    assert read_text("-") == "1x1x0\nH\n"


def test_what_cannot_be_read_is_refused(tmp_path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"one\ntwo \xff")
    with pytest.raises(NotationError, match="line 2: not UTF-8 text; accepted: a text file"):
        read_text(path)
    with pytest.raises(NotationError, match="is longer than 4 bytes"):
        read_text(path, limit=4)
    for name in (tmp_path / "none", tmp_path, "\0", "x" * 10_000):
        with pytest.raises(NotationError, match="accepted: a readable file or -") as caught:
            read_text(name)
        assert len(str(caught.value).splitlines()) == 1


def test_what_a_file_says_wrong_is_said_of_the_file(tmp_path) -> None:
    path, other = tmp_path / "text", tmp_path / "other"
    path.write_text("7\n")
    assert parse_file(path, int) == 7

    def wrong(text: str) -> int:
        raise NotationError("no number", 1)

    def elsewhere(text: str) -> int:
        raise NotationError("no number", 1, str(other))

    with pytest.raises(NotationError, match=f"^{path}: line 1: no number$"):
        parse_file(path, wrong)
    with pytest.raises(NotationError, match=f"^{other}: line 1: no number$"):
        parse_file(path, elsewhere)
    with pytest.raises(NotationError, match="is longer than 1 bytes"):
        parse_file(path, int, limit=1)


def test_a_file_is_written_whole_or_not_at_all(tmp_path) -> None:
    path = tmp_path / "text"
    write_text(path, "one\n")
    path.chmod(0o640)
    write_text(path, "zwölf\n")
    assert path.read_bytes() == "zwölf\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half \ud800 a text")
    assert path.read_text(encoding="utf-8") == "zwölf\n"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_plain_file_is_written_to_as_it_is(tmp_path) -> None:
    path, link, pipe = tmp_path / "text", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(path)
    write_text(link, "one\n")
    assert link.is_symlink()
    assert path.read_text() == "one\n"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "two\n")
    assert os.read(reader, 10) == b"two\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    for nowhere in (tmp_path, tmp_path / "none" / "text", path / "text", "x" * 10_000):
        with pytest.raises(OSError):
            write_text(nowhere, "three\n")
    for write in (lambda name: write_text(name, "three\n"), check_writable):
        with pytest.raises(ValueError, match="null byte"):
            write("\0")


class Held(Closeable):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_with_closes_at_its_end() -> None:
    with Held() as held:
        assert held.closed == 0
    assert held.closed == 1


def test_a_with_closes_at_an_error_and_lets_it_pass() -> None:
    held = Held()
    with pytest.raises(KeyError), held:
        raise KeyError
    assert held.closed == 1


# ------------------------------------------ Wilson's interval against figures worked out elsewhere


# Newcombe (1998), table I, method 3: Wilson's interval without continuity correction.
@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(won: int, played: int, low: float, high: float) -> None:
    interval = wilson(won, played)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@given(st.integers(0, 500), st.integers(0, 500))
def test_wilson_holds_the_share_and_stays_in_bounds(won: int, lost: int) -> None:
    interval = wilson(won, won + lost)
    share = won / (won + lost) if won + lost else 0.5
    assert 0 <= interval.low <= share <= interval.high <= 1


def test_nothing_played_says_nothing() -> None:
    low, high = wilson(0, 0)
    assert (low, high) == (0.0, 1.0)


def test_a_share_of_part_of_a_game_lies_between() -> None:
    assert wilson_share(0.25, 4) == wilson(1, 4)
    narrow, between, wide = (wilson_share(0.25, trials) for trials in (5, 4.5, 4))
    assert wide.low < between.low < narrow.low < narrow.high < between.high < wide.high


# ------------------------------------------------- catalogs: one list, suggestions for wrong names


@pytest.fixture
def fruit() -> Catalog[int]:
    catalog: Catalog[int] = Catalog("fruit")
    catalog.add("apple", 1, aliases=("pomme",))
    catalog.add("pear", 2)
    return catalog


def test_members_by_name_and_alias(fruit: Catalog[int]) -> None:
    assert fruit["apple"] == fruit["pomme"] == 1
    assert list(fruit) == ["apple", "pear"]
    assert len(fruit) == 2
    assert "pomme" in fruit
    assert "plum" not in fruit
    assert fruit.aliases("apple") == ("pomme",)
    assert fruit.aliases("pear") == ()


def test_a_name_is_taken_once(fruit: Catalog[int]) -> None:
    for name, aliases in (("pear", ()), ("pomme", ()), ("plum", ("apple",))):
        with pytest.raises(ValueError, match="already listed"):
            fruit.add(name, 3, aliases=aliases)
    assert "plum" not in fruit


def test_wrong_names_get_the_nearest(fruit: Catalog[int]) -> None:
    with pytest.raises(UnknownName, match="unknown fruit 'aple'; did you mean apple") as caught:
        fruit["aple"]
    assert caught.value.suggestions == ("apple", "pear")
    with pytest.raises(UnknownName, match="unknown fruit 'zzz'; known: apple, pear, pomme"):
        fruit["zzz"]


def test_a_long_wrong_name_costs_little(fruit: Catalog[int]) -> None:
    with pytest.raises(UnknownName) as caught:
        fruit["apple" * 10**6]
    assert len(str(caught.value)) < 200


def test_errors_name_their_place() -> None:
    error = NotationError("no such mark", 3)
    assert str(error) == "line 3: no such mark"
    assert str(error.within("a.board", 2)) == "a.board: line 5: no such mark"
    assert str(NotationError("empty").within("a.board")) == "a.board: empty"
    assert isinstance(error, InputError)


@pytest.mark.parametrize("text", ["a\nb", "\x1b[31m", "é\u2028", "\ud800", "x" * 1000])
def test_quoted_texts_are_short_printable_lines(text: str) -> None:
    shown = quoted(text)
    assert len(shown) <= 40
    assert shown.isascii()
    assert shown.isprintable()


# --------------------------------------------- fields of JSON and TOML: each method takes one type

CELL_AT = Topology.parse("3x3").cell


def test_the_examples_run() -> None:
    ran = doctest.testmod(fields)
    assert (ran.failed, ran.attempted > 0) == (0, True)


@pytest.mark.parametrize(
    ("value", "read", "expected"),
    [
        ("abc", lambda f: f.text(3), "abc"),
        (True, lambda f: f.flag(), True),
        (5, lambda f: f.whole_number(), 5),
        (5, lambda f: f.whole_number(0, 5), 5),
        (5, lambda f: f.number(), 5.0),
        ("a", lambda f: f.one_of({"a": 1}), 1),
        ([1, 2], lambda f: f.whole_numbers(2, 2), (1, 2)),
        (["x"], lambda f: f.texts(), ("x",)),
        ([1, 2], lambda f: f.cell(CELL_AT), 5),
        ([[0, 0], [2, 2]], lambda f: f.cells(CELL_AT, 2), (0, 8)),
        ({"a": 1}, lambda f: f.table()["a"].value, 1),
        ([1, 2], lambda f: [one.name for one in f.each(2)], ["x", "x"]),
    ],
)
def test_a_value_of_its_type_is_read(
    value: object, read: Callable[[FieldValue], Any], expected: object
) -> None:
    assert read(FieldValue(value, "x")) == expected


@pytest.mark.parametrize(
    ("value", "read", "message"),
    [
        (5, lambda f: f.text(), "field x is no text"),
        ("abcd", lambda f: f.text(3), "field x is no text of at most 3 characters"),
        (1, lambda f: f.flag(), "field x holds '1'; accepted: true or false"),
        (True, lambda f: f.whole_number(), "field x holds 'True'; accepted: a whole number"),
        (1.0, lambda f: f.whole_number(), "field x holds '1.0'; accepted: a whole number"),
        (-1, lambda f: f.whole_number(0), "field x holds '-1'; accepted: numbers from 0"),
        (6, lambda f: f.whole_number(1, 5), "field x holds '6'; accepted: 1 to 5"),
        (True, lambda f: f.number(), "field x holds 'True'; accepted: a number"),
        ("c", lambda f: f.one_of({"a": 1, "b": 2}, " or null"), "accepted: a, b or null"),
        ([], lambda f: f.one_of({"a": 1}), "accepted: a"),
        ("abc", lambda f: f.items(3), "field x is no list of at most 3"),
        ([1, 2], lambda f: f.items(1), "field x is no list of at most 1"),
        ([1, -1], lambda f: f.whole_numbers(2, 9), "field x holds '-1'; accepted: 0 to 9"),
        ([1], lambda f: f.texts(), "accepted: a list of texts"),
        ([0.5, 0], lambda f: f.cell(CELL_AT), "accepted: coordinates"),
        ([True, 0], lambda f: f.cell(CELL_AT), "accepted: coordinates"),
        ([9, 9], lambda f: f.cell(CELL_AT), "field x: cell '9,9' is not on the board"),
        ([[0, 0]] * 3, lambda f: f.cells(CELL_AT, 2), "field x is no list of at most 2"),
        ([], lambda f: f.table(), "accepted: an object"),
        ({}, lambda f: f.table()["a"], "field x.a is missing"),
        ({"b": 1}, lambda f: f.table().refuse_others(), "field x.b is not known here"),
    ],
)
def test_any_other_value_is_refused_in_a_line(
    value: object, read: Callable[[FieldValue], Any], message: str
) -> None:
    with pytest.raises(NotationError) as refused:
        read(FieldValue(value, "x"))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_fields_that_were_asked_for_are_known() -> None:
    table = FieldTable({"a": 1, "b": 2, "c": 3})
    assert (table["a"].value, table.get("b", 5).value, table.get("d", 5).value) == (1, 2, 5)
    table.refuse_others(but=("c",))
    with pytest.raises(NotationError, match="field c is not known here"):
        table.refuse_others()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "9" * 10_000, '"\ud800'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not JSON; accepted: an object"):
        parse_json(text, "an object")


@pytest.mark.parametrize("text", ["a = ", "a = 1 = 2", "a = " + "9" * 4301, "a = " + "[" * 100_000])
def test_what_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not TOML"):
        parse_toml(text)


def test_a_value_too_deep_to_be_printed_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(NotationError, match="field x holds what is nested too deeply"):
        FieldValue([deep], "x").cell(CELL_AT)
    while deep:  # taken apart by hand: the interpreter would do it by recursion
        deep = deep[0]


# -------------------------------------- the generator: known numbers, no bias, independent streams

# The first numbers of SplitMix64 from state 0 are published with its reference program.
FROM_STATE_ZERO = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]

GOLDEN = {
    (0, 0, Purpose.DEAL): [7108066972471032027, 17735179542603913674],
    (3, 0, Purpose.AGENT): [15880438060830392050, 8410289903132116254],
    (MAX_SEED, MAX_SEED, Purpose.CLUES): [13843033118502199204, 12368893080761804646],
}


def test_the_sequence_is_splitmix64() -> None:
    stream = Stream(0)
    stream._state = 0
    assert [stream.next() for _ in range(3)] == FROM_STATE_ZERO


@pytest.mark.parametrize("name", GOLDEN)
def test_known_numbers(name: tuple[int, int, Purpose]) -> None:
    stream = Stream(*name)
    assert [stream.next() for _ in range(2)] == GOLDEN[name]


def test_streams_of_other_names_differ() -> None:
    names = [
        (seed, index, purpose) for seed in range(5) for index in range(5) for purpose in Purpose
    ]
    assert len({Stream(*name).next() for name in names}) == len(names)


def chi_square(counts: Counter[object], options: int) -> float:
    expected = counts.total() / options
    missing = (options - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize("bound", [2, 3, 7, 10])
def test_below_is_even(bound: int) -> None:
    stream = Stream(1)
    counts = Counter(stream.below(bound) for _ in range(20_000))
    assert set(counts) == set(range(bound))
    # The 0.1 % point of chi-square with 9 degrees of freedom; fewer have a lower one.
    assert chi_square(counts, bound) < 27.9


def test_below_rejects_what_would_be_biased() -> None:
    """With a bound of 2/3 of the range a plain multiply-shift would favour half of the numbers."""
    bound = 2**65 // 3
    stream = Stream(5)
    low_bits = Counter(stream.below(bound) % 2 for _ in range(20_000))
    assert chi_square(low_bits, 2) < 10.9


@given(st.integers(0, MAX_SEED), st.integers(1, MAX_SEED))
def test_below_stays_below(seed: int, bound: int) -> None:
    stream = Stream(seed)
    assert all(0 <= stream.below(bound) < bound for _ in range(5))
    assert all(0 <= stream.uniform() < 1 for _ in range(5))


def test_shuffles_are_even() -> None:
    stream = Stream(2)
    counts: Counter[object] = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.8


def test_uniform_has_the_mean_of_its_range() -> None:
    stream = Stream(3)
    mean = sum(Fraction(stream.uniform()) for _ in range(10_000)) / 10_000
    assert abs(mean - Fraction(1, 2)) < Fraction(1, 80)


@pytest.mark.parametrize("value", [-1, MAX_SEED + 1, 10**100])
def test_seeds_out_of_range_are_refused(value: int) -> None:
    with pytest.raises(InputError, match=r"seed .* is out of range; accepted: 0 to"):
        check_seed(value)
    with pytest.raises(InputError, match="index"):
        Stream(0, value)


@pytest.mark.parametrize("bound", [0, -1, 2**64])
def test_bounds_out_of_range_are_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Stream(0).below(bound)


# ------------------------------------------- graphs: random ones, against plainer ways to walk them


@st.composite
def graphs(draw: st.DrawFn) -> dict[int, list[int]]:
    """A graph of up to nine nodes; an edge leads one way, and a node may lead to itself."""
    size = draw(st.integers(1, 9))
    nodes = st.integers(0, size - 1)
    edges = draw(st.sets(st.tuples(nodes, nodes), max_size=2 * size))
    return {node: sorted(end for begin, end in edges if begin == node) for node in range(size)}


def relaxed(near: dict[int, list[int]], starts: set[int], within: set[int]) -> dict[int, int]:
    """Distances as Bellman and Ford find them: steps are shortened until none can be."""
    found = dict.fromkeys(starts, 0)
    for _ in near:
        for node, others in near.items():
            for other in within.intersection(others):
                if node in found:
                    found[other] = min(found[node] + 1, found.get(other, len(near)))
    return found


def some(near: dict[int, list[int]]) -> st.SearchStrategy[set[int]]:
    return st.sets(st.sampled_from(sorted(near)))


@given(graphs(), st.data())
def test_distances_are_the_fewest_steps(near: dict[int, list[int]], data: st.DataObject) -> None:
    starts, within = data.draw(some(near)), data.draw(some(near))
    found = distances(sorted(starts), near.__getitem__)
    assert found == relaxed(near, starts, set(near))
    assert list(found.values()) == sorted(found.values()), "breadth-first"
    assert distances(starts, near.__getitem__, within=within) == relaxed(near, starts, within)


@given(graphs(), st.data())
def test_a_walk_ends_after_the_most_steps(near: dict[int, list[int]], data: st.DataObject) -> None:
    starts, most = data.draw(some(near)), data.draw(st.integers(0, 9))
    every = relaxed(near, starts, set(near))
    found = distances(starts, near.__getitem__, most=most)
    assert found == {node: steps for node, steps in every.items() if steps <= most}


@given(graphs(), st.data())
def test_a_walk_ends_when_all_are_found(near: dict[int, list[int]], data: st.DataObject) -> None:
    starts, wanted = data.draw(some(near)), data.draw(some(near))
    every = relaxed(near, starts, set(near))
    last = max((every.get(node, len(near)) for node in wanted), default=0)
    found = distances(starts, near.__getitem__, until=wanted)
    assert found == {node: steps for node, steps in every.items() if steps <= last}


def test_a_walk_asks_each_node_once() -> None:
    asked: list[int] = []

    def near(node: int) -> list[int]:
        asked.append(node)
        return [(node + 1) % 5, (node + 2) % 5, node]

    assert distances([3, 3], near) == {3: 0, 4: 1, 0: 1, 1: 2, 2: 2}
    assert sorted(asked) == [0, 1, 2, 3, 4]


@given(graphs(), st.data())
def test_components_are_the_classes_of_connected_nodes(
    one_way: dict[int, list[int]], data: st.DataObject
) -> None:
    """Classes are merged edge by edge, where the package walks from node to node."""
    edges = {(node, other) for node, others in one_way.items() for other in others}
    edges |= {(other, node) for node, other in edges}
    nodes = data.draw(st.lists(st.sampled_from(sorted(one_way)), unique=True))
    classes = {node: frozenset([node]) for node in nodes}
    for one, other in edges:
        if one in classes and other in classes:
            merged = classes[one] | classes[other]
            classes.update(dict.fromkeys(merged, merged))
    parts = components(nodes, lambda node: [other for begin, other in edges if begin == node])
    assert {frozenset(part) for part in parts} == set(classes.values())
    assert sorted(node for part in parts for node in part) == sorted(nodes)
    firsts = [part[0] for part in parts]
    assert firsts == [min(part, key=nodes.index) for part in parts]
    assert firsts == sorted(firsts, key=nodes.index)


@given(st.lists(st.sets(st.integers(0, 9)), max_size=6))
def test_a_group_is_in_the_same_sets(sets: list[set[int]]) -> None:
    def holders(member: int) -> tuple[int, ...]:
        return tuple(place for place, members in enumerate(sets) if member in members)

    groups = group_by_sets(sets)
    assert groups == {
        places: [member for member in range(10) if holders(member) == places]
        for places in {holders(member) for member in range(10)} - {()}
    }
    assert [group[0] for group in groups.values()] == sorted(min(g) for g in groups.values())
