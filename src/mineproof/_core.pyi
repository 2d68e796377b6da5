"""The compiled core of mineproof. Import it through mineproof.kernel."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def build_info() -> dict[str, str]:
    """Compiler, flags and version of this build."""

def deal_number(seed: int, index: int, excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """
    `count` mines outside the excluded cells, every layout equally likely; a byte a cell.
    """

def deal_independent(seed: int, index: int, excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """
    Each cell outside the excluded ones is a mine with chance threshold / 2**64.
    """

def count_mines(offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mines: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """For every cell the number of mines among its neighbours."""

def deal_many(seed: int, first_index: int, games: int, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]]:
    """
    Mines and counts of games first_index, first_index + 1, ...: two tables, a row a game.
    """
