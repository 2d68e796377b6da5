"""`mineproof explain`: why a cell is certain, or the solutions that show that it is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mineproof.surfaces.cli.options import AsJson, PositionFile

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.proofs.documents import Document
    from mineproof.proofs.explainer import Explanations
    from mineproof.proofs.proof import NoProof, Proof
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.view.view import View

__all__ = ["command"]

_MOST_NAMED = 8


def command(
    position: PositionFile,
    cell: Annotated[
        str | None, typer.Option("--cell", metavar="R,C", help="Explain this hidden cell.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Explain every hidden cell.")] = False,
    as_json: AsJson = False,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Draw the proof; with --all, the board."),
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option("--proof", metavar="FILE", help="Write the proof for check-proof."),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="STEPS",
            help="Steps of the search for a cell's fewest premises.  [default: 60000]",
        ),
    ] = None,
) -> None:
    """Say why a cell is certain, with the fewest premises; or show that it is not.

    The exit status is 3 if the position has no solution; the clash is then shown as a proof.
    """
    from mineproof.errors import InconsistentPosition, InputError
    from mineproof.inference.engine.inconsistency import inconsistent
    from mineproof.proofs.explainer import explain, explain_all, explain_clash
    from mineproof.proofs.smallest import DEFAULT_STEPS
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.surfaces.cli.waiting import Waiting
    from mineproof.view.view import View

    if (cell is None) == (not every):
        asked = "both --cell and --all are given" if every else "no cell is named"
        raise InputError(f"{asked}; accepted: one of --cell R,C and --all")
    if budget is not None and budget < 0:
        raise InputError(f"--budget {budget}; accepted: 0 or more steps")
    steps = DEFAULT_STEPS if budget is None else budget
    picture, file = Output.named("--svg", svg), Output.named("--proof", proof)
    with Waiting("reading the position"):
        view = View.read(position)
    shown = _Shown(view, as_json, picture, file)
    try:
        if cell is None:
            with Waiting("looking for the proofs of all cells"):
                found = explain_all(view, steps=steps)
            shown.everything(found)
        else:
            number = _cell(view, cell)
            with Waiting("looking for a smallest proof"):
                one = explain(view, number, steps=steps)
            shown.one(one)
    except InconsistentPosition:
        with Waiting("looking for the fewest clues that clash"):
            clash = explain_clash(view, steps=steps)
        if clash is None:
            raise
        shown.one(clash)
        # Other clues may clash too; the last line names those of the proof.
        raise inconsistent(view, clash.clues, uses_total=clash.uses_total) from None


def _cell(view: View, text: str) -> int:
    from mineproof.board.topology import parse_coordinates

    return view.topology.cell(parse_coordinates(text.strip()))


class _Shown:
    """Prints, draws and writes explanations of one view."""

    def __init__(
        self, view: View, as_json: bool, picture: Output | None, file: Output | None
    ) -> None:
        self.view, self.as_json, self.picture, self.file = view, as_json, picture, file

    def one(self, found: Proof | NoProof) -> None:
        from mineproof.proofs.documents import to_json
        from mineproof.proofs.pictures import draw_no_proof, draw_proof
        from mineproof.proofs.proof import NoProof
        from mineproof.surfaces.cli.console import print_paragraphs

        if self.picture is not None:
            if isinstance(found, NoProof):
                self.picture.write(draw_no_proof(self.view, found))
            else:
                self.picture.write(draw_proof(self.view, found))
        self._keep([found])
        if self.as_json:
            typer.echo(json.dumps(to_json(found)))
            return
        console = _console()
        if isinstance(found, NoProof):
            self._print_solutions(console, found)
            print_paragraphs(console, str(found))
        else:
            self._print_board(console, found)
            print_paragraphs(console, str(found))
            console.print(_rests_on(found), soft_wrap=True, style="dim")

    def everything(self, found: Explanations) -> None:
        from mineproof.proofs.documents import to_json
        from mineproof.proofs.pictures import draw_proofs
        from mineproof.surfaces.cli.console import print_paragraphs

        proofs, uncertain = found.proofs, found.uncertain
        documents: list[Document] = [*proofs]
        if uncertain is not None:
            documents.append(uncertain)
        if self.picture is not None:
            self.picture.write(draw_proofs(self.view, proofs))
        self._keep(documents)
        if self.as_json:
            none = None if uncertain is None else to_json(uncertain)
            said: dict[str, Any] = {"proofs": [to_json(p) for p in proofs], "uncertain": none}
            typer.echo(json.dumps(said))
            return
        console = _console()
        name = self.view.topology.cell_name
        console.print(self._board({}, console, proofs), soft_wrap=True)
        for one in proofs:
            assert one.cell is not None
            print_paragraphs(console, f"{name(one.cell)} ({one.technique}): {one}")
        if uncertain is not None:
            print_paragraphs(console, str(uncertain))

    def _keep(self, documents: Sequence[Document]) -> None:
        from mineproof.proofs.documents import to_text

        if self.file is not None:
            self.file.write("\n".join(map(to_text, documents)))

    def _board(
        self,
        shades: dict[int, str],
        console: Console,
        proofs: Sequence[Proof] = (),
        mines: Sequence[int] = (),
    ) -> object:
        """The board; proved cells say `ok` or `X`, so it can be read without colours."""
        from mineproof.board.layout import Layout
        from mineproof.proofs.pictures import said_of
        from mineproof.surfaces.cli.console import writes_unicode
        from mineproof.surfaces.cli.terminal import ASCII, UNICODE, Shade, board_text

        labels = said_of(proofs)
        return board_text(
            self.view,
            highlight={
                **{cell: Shade[name] for cell, name in shades.items()},
                **dict.fromkeys(labels, Shade.MOVE),
            },
            truth=Layout.of(self.view.topology, mines) if mines else None,
            symbols=UNICODE if writes_unicode(console) else ASCII,
            width=console.width,
            labels=labels,
        )

    def _print_board(self, console: Console, found: Proof) -> None:
        premises = dict.fromkeys(found.clues, "PREMISE")
        console.print(self._board(premises, console, [found]), soft_wrap=True)

    def _print_solutions(self, console: Console, found: NoProof) -> None:
        shades = dict.fromkeys(found.cells, "MOVE") if len(found.cells) == 1 else {}
        for number, mines in enumerate(found.solutions, 1):
            console.print(f"solution {number}", style="bold")
            console.print(self._board(shades, console, mines=mines), soft_wrap=True)


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


def _console() -> Console:
    from mineproof.surfaces.cli.console import stdout_console

    return stdout_console()
