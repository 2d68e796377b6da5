"""`make js`: the package for JavaScript, the core alone, into build/js.

Sources of the package are in js/, those of its interface to the core in cpp/wasm/. The version is
that of mineproof. `npm pack build/js` makes the file that npm installs.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from tools.site.emscripten import CPP, ROOT, compiled, core_sources, link, need_emscripten, version

__all__ = ["build_package"]

MADE = ROOT / "build" / "js"
SOURCES = ROOT / "js"
WASM = "mineproof.wasm"
COMPILE = ("-msimd128",)
LINK = (
    "-msimd128",
    "-sSTANDALONE_WASM",
    "--no-entry",
    "-sALLOW_MEMORY_GROWTH",
    "-sMAXIMUM_MEMORY=2GB",
    "-sTOTAL_STACK=1MB",
    "-sINITIAL_MEMORY=8MB",
)
"""A module by itself: the package's own few lines of JavaScript load it, without Emscripten's."""


def build_package(made: Path = MADE) -> Path:
    """The folder of the package, made anew from what has changed. Raises SystemExit."""
    need_emscripten()
    sources = [path for path in core_sources() if path.parent.name != "batch"]
    sources += sorted((CPP / "wasm").glob("*.cpp"))
    objects = compiled(sources, ROOT / "build" / "js-objects", COMPILE)
    wasm = link(objects, ROOT / "build" / "js-objects" / WASM, LINK)
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(SOURCES, made)
    shutil.copy(wasm, made / WASM)
    shutil.copy(ROOT / "LICENSE", made / "LICENSE")
    description = json.loads((made / "package.json").read_text())
    described = {"name": description.pop("name"), "version": version(), **description}
    (made / "package.json").write_text(json.dumps(described, indent=2) + "\n")
    return made


if __name__ == "__main__":
    folder = build_package()
    size = (folder / WASM).stat().st_size
    sys.stdout.write(f"{folder.relative_to(ROOT)}: {WASM} has {size / 1000:.0f} kB\n")
