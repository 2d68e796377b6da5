"""The processes of the grader: `python -m mineproof.courses.child` answers one order.

A module of its own because it is what these processes run. `grade` plays the games of one
submission, trusted and with the secret of the deals; `build` and `call` run a submission's own code
and are confined by whoever starts them. They answer with what that code did and judge nothing.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from mineproof.agents.adapters import main_file, module_of
from mineproof.agents.program import words_of
from mineproof.errors import InputError, one_line
from mineproof.sandbox.confinement import PRIVATE_FOLDER
from mineproof.sandbox.process import ParentLink
from mineproof.sandbox.wire import describe_exception

_MOST_OUTPUT = 20_000
_MOST_BUILT = 48 * 2**20
_MOST_FILES = 2_000
_MOST_ITEMS = 5_000


def main() -> None:
    """Answer the orders of the grader until it hangs up."""
    link = ParentLink()
    for line in link:
        order = json.loads(line)
        answer = _ORDERS[order["order"]](order)
        link.answer(json.dumps(answer).encode())


def _grade(order: dict[str, Any]) -> Any:
    from mineproof.courses.grader import graded_row

    return graded_row(order)


def _build(order: dict[str, Any]) -> Any:
    """Build a copy of the folder, and answer with an archive of all its files."""
    here = Path(PRIVATE_FOLDER) / "build"
    source = Path(order["folder"])
    # Not by `shutil`: rights of files cannot be changed in here.
    for path in sorted(source.rglob("*"))[:_MOST_FILES]:
        if path.is_file():
            copy = here / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    try:
        done = subprocess.run(
            words_of(order["build"]),
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # One thread for each of Java's jobs: a submission may start few.
            env={**os.environ, "JAVA_TOOL_OPTIONS": "-XX:ActiveProcessorCount=1 -XX:+UseSerialGC"},
            check=False,
        )
    except (OSError, ValueError, InputError) as error:
        return {"failed": one_line(str(error))}
    said = done.stdout[-_MOST_OUTPUT:].decode("utf-8", "replace")
    if done.returncode:
        return {"failed": f"the build ended with status {done.returncode}", "said": said}
    data = io.BytesIO()
    room = _MOST_BUILT
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for path in sorted(here.rglob("*"))[:_MOST_FILES]:
            if (
                path.is_file()
                and not path.is_symlink()
                and (room := room - path.stat().st_size) > 0
            ):
                archive.add(path, str(path.relative_to(here)), recursive=False)
    return {"built": base64.b64encode(data.getvalue()).decode(), "said": said}


_modules: dict[str, Any] = {}


def _call(order: dict[str, Any]) -> Any:
    """Make an object of a submission's class, call its methods, and say what they returned.

    Lists stand for cells: an argument that is a list becomes a tuple, a list of lists a set.
    """
    try:
        if not _modules:
            path = Path(order["file"])
            _modules["own"] = module_of(main_file(path) if path.is_dir() else path)
        made = getattr(_modules["own"], order["class"])(*map(_given, order["make"]))
        said = [_told(getattr(made, name)(*map(_given, given))) for name, given in order["calls"]]
        return {
            "returned": said,
            "fields": {one: _told(getattr(made, one)) for one in order["fields"]},
        }
    except BaseException as error:
        return {"failed": describe_exception(error)}


def _given(value: Any) -> Any:
    if isinstance(value, list):
        return (
            {tuple(one) for one in value} if value and isinstance(value[0], list) else tuple(value)
        )
    return value


def _told(value: Any) -> Any:
    """A value as JSON: a set as a sorted list of its items, a tuple as a list."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, set | frozenset):
        if len(value) > _MOST_ITEMS:
            return f"a set of {len(value)}"
        return sorted((_told(one) for one in value), key=repr)
    if isinstance(value, tuple | list) and len(value) <= _MOST_ITEMS:
        return [_told(one) for one in value]
    return f"{type(value).__name__}"


_ORDERS = {"grade": _grade, "build": _build, "call": _call}


if __name__ == "__main__":
    main()
