"""`mineproof explain`: why a cell is certain, or the solutions that show that it is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click

from mineproof.cli.declarations import Option
from mineproof.cli.options import AsJson, OutputFile, PositionFile, PositionMines
from mineproof.errors import InconsistentPosition, InputError

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.proofs.documents import Document
    from mineproof.proofs.explanation import Explanations
    from mineproof.proofs.proof import NoProof, Proof
    from mineproof.view.view import View


_MOST_NAMED = 8


def command(
    position: PositionFile,
    cell: Annotated[str | None, Option(metavar="R,C", help="Explain this hidden cell.")] = None,
    every: Annotated[bool, Option("--all", help="Explain every hidden cell.")] = False,
    mines: PositionMines = None,
    as_json: AsJson = False,
    svg: Annotated[
        str | None, Option(metavar="FILE", help="Draw the proof; with --all, the board.")
    ] = None,
    proof: Annotated[
        str | None, Option(metavar="FILE", help="Write the proof for check-proof.")
    ] = None,
    budget: Annotated[
        int | None,
        Option(
            metavar="STEPS",
            help="Steps of the search for a cell's fewest premises.  [default: 60000]",
        ),
    ] = None,
) -> None:
    """Say why a cell is certain, with the fewest premises; or show that it is not.

    The exit status is 3 if the position has no solution; the clash is then shown as a proof.
    """
    from mineproof.board.topology import parse_coordinates
    from mineproof.cli.console import StatusLine
    from mineproof.engine.analysis import clash_error
    from mineproof.proofs.explanation import explain, explain_all, explain_clash
    from mineproof.proofs.smallest import DEFAULT_STEPS
    from mineproof.view.view import View

    if (cell is None) == (not every):
        asked = "both --cell and --all are given" if every else "no cell is named"
        raise InputError(f"{asked}; accepted: one of --cell R,C and --all")
    if budget is not None and budget < 0:
        raise InputError(f"--budget {budget}; accepted: 0 or more steps")
    steps = DEFAULT_STEPS if budget is None else budget
    picture, file = OutputFile.of("--svg", svg), OutputFile.of("--proof", proof)
    with StatusLine("reading the position"):
        view = View.read(position, mines)
    printer = _Printer(view, as_json, picture, file)
    try:
        if cell is None:
            with StatusLine("looking for the proofs of all cells"):
                found = explain_all(view, steps=steps)
            printer.print_all(found)
        else:
            number = view.topology.cell(parse_coordinates(cell.strip()))
            with StatusLine("looking for a smallest proof"):
                one = explain(view, number, steps=steps)
            printer.print_one(one)
    except InconsistentPosition:
        with StatusLine("looking for the fewest clues that clash"):
            clash = explain_clash(view, steps=steps)
        if clash is None:
            raise
        printer.print_one(clash)
        # Other clues may clash too; the last line names those of the proof.
        raise clash_error(view, clash.clues, uses_total=clash.uses_total) from None


@dataclass(frozen=True)
class _Printer:
    """Prints, draws and writes explanations of one view."""

    view: View
    as_json: bool
    picture: OutputFile | None
    file: OutputFile | None

    def print_one(self, found: Proof | NoProof) -> None:
        from mineproof.cli.console import print_paragraphs, stdout_console
        from mineproof.proofs.documents import to_json
        from mineproof.proofs.explanation import draw_no_proof, draw_proof
        from mineproof.proofs.proof import NoProof

        if self.picture is not None:
            if isinstance(found, NoProof):
                self.picture.write(draw_no_proof(self.view, found))
            else:
                self.picture.write(draw_proof(self.view, found))
        self._write([found])
        if self.as_json:
            click.echo(json.dumps(to_json(found)))
            return
        console = stdout_console()
        if isinstance(found, NoProof):
            self._print_solutions(console, found)
            print_paragraphs(console, str(found))
        else:
            self._print_board(console, dict.fromkeys(found.clues, "PREMISE"), [found])
            print_paragraphs(console, str(found))
            console.print(_rests_on(found), soft_wrap=True, style="dim")

    def print_all(self, found: Explanations) -> None:
        from mineproof.cli.console import print_paragraphs, stdout_console
        from mineproof.proofs.documents import to_json
        from mineproof.proofs.explanation import draw_proofs

        proofs, uncertain = found.proofs, found.uncertain
        if self.picture is not None:
            self.picture.write(draw_proofs(self.view, proofs))
        self._write(proofs if uncertain is None else [*proofs, uncertain])
        if self.as_json:
            none = None if uncertain is None else to_json(uncertain)
            answer: dict[str, Any] = {"proofs": [to_json(p) for p in proofs], "uncertain": none}
            click.echo(json.dumps(answer))
            return
        console = stdout_console()
        self._print_board(console, {}, proofs)
        for one in proofs:
            assert one.cell is not None
            name = self.view.topology.cell_name(one.cell)
            print_paragraphs(console, f"{name} ({one.technique}): {one}")
        if uncertain is not None:
            print_paragraphs(console, str(uncertain))

    def _write(self, documents: Sequence[Document]) -> None:
        from mineproof.proofs.documents import to_text

        if self.file is not None:
            self.file.write("\n".join(map(to_text, documents)))

    def _print_board(
        self,
        console: Console,
        shades: dict[int, str],
        proofs: Sequence[Proof] = (),
        mines: Sequence[int] = (),
    ) -> None:
        """Print the board; proved cells say `ok` or `X`, so it can be read without colours."""
        from mineproof.board.layout import Layout
        from mineproof.cli.terminal import Shade, print_board
        from mineproof.proofs.explanation import cell_signs

        labels = cell_signs(proofs)
        shown = {cell: Shade[name] for cell, name in shades.items()}
        print_board(
            console,
            self.view,
            highlight=shown | dict.fromkeys(labels, Shade.MOVE),
            truth=Layout.of(self.view.topology, mines) if mines else None,
            labels=labels,
        )

    def _print_solutions(self, console: Console, found: NoProof) -> None:
        shades = dict.fromkeys(found.cells, "MOVE") if len(found.cells) == 1 else {}
        for number, mines in enumerate(found.solutions, 1):
            console.print(f"solution {number}", style="bold")
            self._print_board(console, shades, mines=mines)


def _rests_on(found: Proof) -> str:
    """The premises by name, the technique, and whether no fewer would do.

    Many clues are counted; on the board they are marked, and documents name them.
    """
    premises = [found.topology.cell_name(clue) for clue in found.clues]
    if len(premises) > _MOST_NAMED:
        premises = [f"{len(premises)} clues"]
    if found.told is not None:
        premises.append(found.told)
    fewest = "no fewer would do" if found.smallest else "fewer were not ruled out"
    return f"premises: {' '.join(premises)}; {found.technique}; {fewest}"
