"""The core with its bindings as a module that Pyodide's Python imports."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from tools.site.downloads import pyodide_folder
from tools.site.emscripten import (
    ROOT,
    binding_sources,
    compiled,
    core_sources,
    link,
    need_emscripten,
    version,
)
from tools.wheels import interpreters

__all__ = ["MODULE", "core_module", "python_of_pyodide"]

BUILD = ROOT / "build" / "site-core"
MODULE = "_core.cpython-313-wasm32-emscripten.so"
VERSION = (3, 13)
"""The Python of the pinned Pyodide; its headers and its bytecode are the same in all of 3.13."""
_SIDE_MODULE = ("-sSIDE_MODULE=2", "-sEXPORTED_FUNCTIONS=_PyInit__core", "-sWASM_BIGINT", "-fPIC")
_CONFIGURED = re.compile(r"^(?:#define|/\* #undef) (\w+)", re.MULTILINE)


def core_module() -> Path:
    """Compile what has changed, and link. Raises SystemExit."""
    import nanobind

    need_emscripten()
    headers = _headers()
    core = compiled(core_sources(), BUILD / "core", ["-fPIC"])
    library = Path(nanobind.source_dir())
    known = [
        f"-I{headers}",
        f"-I{nanobind.include_dir()}",
        f"-I{library.parent / 'ext' / 'robin_map' / 'include'}",
        "-fPIC",
        "-fno-strict-aliasing",
    ]
    ours = [
        f'-DMINEPROOF_VERSION="{version()}"',
        '-DMINEPROOF_FLAGS="-O3 -ffp-contract=off, WebAssembly"',
    ]
    bindings = compiled(binding_sources(), BUILD / "bindings", [*known, *ours])
    binder = compiled([library / "nb_combined.cpp"], BUILD / "nanobind", [*known, "-w", "-DNDEBUG"])
    return link([*core, *bindings, *binder], BUILD / MODULE, _SIDE_MODULE)


def python_of_pyodide() -> str:
    """A Python of Pyodide's version on this machine, with its headers. Raises SystemExit."""
    code = (
        "import sys, sysconfig, pathlib;"
        "assert pathlib.Path(sysconfig.get_path('include'), 'Python.h').exists();"
        f"assert sys.version_info[:2] == {VERSION};"
        "assert not sysconfig.get_config_var('Py_GIL_DISABLED')"
    )
    for python in interpreters():
        if subprocess.run([python, "-c", code], capture_output=True).returncode == 0:
            return python
    sys.exit("mineproof: the site needs Python 3.13 with its headers, on the PATH or under pyenv")


def _headers() -> Path:
    """CPython's headers, with the configuration of Pyodide's own build."""
    made = BUILD / "include"
    if (made / "done").exists():
        return made
    shutil.rmtree(made, ignore_errors=True)
    where = "import sysconfig; print(sysconfig.get_path('include'))"
    asked = subprocess.run([python_of_pyodide(), "-c", where], capture_output=True, text=True)
    shutil.copytree(asked.stdout.strip(), made)
    configured = _build_variables()
    lines = ["/* From the configuration of Pyodide's own build. */"]
    for name in _CONFIGURED.findall((made / "pyconfig.h").read_text()):
        value = configured.get(name, 0)
        lines.append(f"#define {name} {value}" if value != 0 else f"/* #undef {name} */")
    (made / "pyconfig.h").write_text("\n".join(lines) + "\n")
    (made / "done").touch()
    return made


def _build_variables() -> dict[str, Any]:
    """What Pyodide's Python says of how it was configured."""
    with (
        zipfile.ZipFile(pyodide_folder() / "python_stdlib.zip") as library,
        tempfile.TemporaryDirectory() as folder,
    ):
        (name,) = (one for one in library.namelist() if one.startswith("_sysconfigdata"))
        found: dict[str, Any] = runpy.run_path(library.extract(name, folder))["build_time_vars"]
        return found


if __name__ == "__main__":
    print(core_module())
