"""What is installed, from which versions and extras, and what happens without a compiler."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import mineproof
from mineproof import kernel

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INSTALL = ROOT / "tools" / "install.py"


def python(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env={**os.environ, **env}, capture_output=True, text=True
    )


# --------------------------------------------------------------------------------- one of each


def test_the_version_is_the_same_everywhere() -> None:
    assert metadata.version("mineproof") == mineproof.__version__
    assert f"\nversion: {mineproof.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    if kernel.available():
        assert kernel.core.build_info()["version"] == mineproof.__version__


def test_the_package_is_typed() -> None:
    package = Path(str(mineproof.__file__)).parent
    assert (package / "py.typed").exists()
    assert (package / "_core.pyi").exists()


def test_only_the_kernel_imports_the_core() -> None:
    named = set()
    for file in (ROOT / "src" / "mineproof").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Import(names=names):
                    found = {alias.name for alias in names}
                case ast.ImportFrom(module=module, names=names):
                    found = {f"{module}.{alias.name}" for alias in names} | {module or ""}
                case ast.Constant(value=str(text)):
                    found = {text}
                case _:
                    continue
            if "mineproof._core" in found:
                named.add(file.relative_to(ROOT / "src").as_posix())
    assert named == {"mineproof/kernel.py"}


# ---------------------------------------------------------------------------------------- pins


def pins() -> dict[str, str]:
    lines = (ROOT / "pins.txt").read_text().splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def requirements() -> list[Requirement]:
    extras = PROJECT["project"]["optional-dependencies"].values()
    groups = PROJECT["dependency-groups"].values()
    texts = [
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *(text for named in (*extras, *groups) for text in named),
    ]
    return [Requirement(text) for text in texts if not text.startswith("mineproof")]


def test_pins_and_sources_hold_no_addresses() -> None:
    assert not re.search(r"://|@|--", (ROOT / "pins.txt").read_text())


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_every_requirement_has_a_pin_that_it_accepts(requirement: Requirement) -> None:
    pin = pins()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(pin, prereleases=True)


def test_every_extra_is_used_by_code_that_is_there() -> None:
    files = (ROOT / "src").rglob("*.py")
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    extras = PROJECT["project"]["optional-dependencies"]
    for text in (text for needs in extras.values() for text in needs):
        name = Requirement(text).name
        library = {"pillow": "PIL"}.get(name, name)
        used = rf"^\s*(?:import|from) {library}\b|import_module\(\"{library}\"\)"
        assert re.search(used, sources, re.MULTILINE), f"no code imports {library}"


def test_requirements_are_bounded_above() -> None:
    """Those whose versions are dates cannot be."""
    unbounded = {r.name for r in requirements() if "<" not in str(r.specifier)}
    assert unbounded == {"distributed"}


# ---------------------------------------------------------------------------------- the twins


@pytest.mark.parametrize("word", ["off", "OFF", "0", "no"])
def test_the_core_can_be_turned_off(word: str) -> None:
    done = python(
        "-c", "from mineproof import kernel; print(kernel.describe())", MINEPROOF_CORE=word
    )
    assert done.stdout == "Python twins (no compiled core)\n"


def test_the_core_describes_itself() -> None:
    if kernel.available():
        assert re.fullmatch(r"C\+\+ core, \S+ [\d.]+", kernel.describe())
    else:
        assert kernel.describe() == "Python twins (no compiled core)"


def test_without_a_compiler_a_pure_wheel_is_built_and_the_twins_run(tmp_path: Path) -> None:
    tree, wheels, unpacked = tmp_path / "tree", tmp_path / "wheels", tmp_path / "unpacked"
    tree.mkdir()
    for name in ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    built = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    for name in ("cpp", "src"):
        shutil.copytree(ROOT / name, tree / name, ignore=built)
    build = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1])",
            str(wheels),
        ],
        cwd=tree,
        env={**os.environ, "CXX": str(tmp_path / "no-such-compiler"), "MINEPROOF_REQUIRE_CORE": ""},
        capture_output=True,
        text=True,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    assert "C++20 compiler" in build.stdout + build.stderr
    (wheel,) = wheels.iterdir()
    assert wheel.name == f"mineproof-{mineproof.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
        assert "mineproof/py.typed" in archive.namelist()
        archive.extractall(unpacked)
    # -S: without it the editable install of this very tree would be imported.
    done = python(
        "-S",
        "-c",
        "import mineproof.kernel as k; print(k.__file__, k.describe())",
        PYTHONPATH=os.pathsep.join([str(unpacked), sysconfig.get_path("purelib")]),
    )
    assert done.stdout == (
        f"{unpacked / 'mineproof' / 'kernel.py'} Python twins (no compiled core)\n"
    )


def test_a_failing_compiler_fails_where_the_core_is_required(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copy(ROOT / "LICENSE", tmp_path)
    (tmp_path / "src" / "mineproof").mkdir(parents=True)
    (tmp_path / "src" / "mineproof" / "__init__.py").write_text('__version__ = "0"\n')
    (tmp_path / "CMakeLists.txt").write_text("message(FATAL_ERROR broken)\n")
    build = subprocess.run(
        [sys.executable, "-c", "import scikit_build_core.build as b; b.build_wheel('wheels')"],
        cwd=tmp_path,
        env={**os.environ, "MINEPROOF_REQUIRE_CORE": "1"},
        capture_output=True,
        text=True,
    )
    assert build.returncode != 0
    assert not (tmp_path / "wheels").exists()


# ------------------------------------------------------------------------- the install script


@pytest.fixture
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", INSTALL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.PYTHON = Path(sys.executable)
    return module


def test_the_install_script_parses_on_old_pythons() -> None:
    tree = ast.parse(INSTALL.read_text(), feature_version=(3, 4))
    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Starred, ast.Match, ast.AsyncWith)
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, new)]


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 8, 18), (3, 10, 13)])
def test_an_older_python_gets_a_clear_line(version: tuple[int, ...]) -> None:
    done = python(
        "-c",
        f"import runpy, sys; sys.version_info = {version}; sys.argv = ['install.py'];"
        f"runpy.run_path({str(INSTALL)!r}, run_name='__main__')",
    )
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "needs Python 3.11 or later" in line
    assert ".".join(map(str, version)) in line


def test_a_python_without_venv_gets_a_clear_line(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    script = shutil.copy(INSTALL, tmp_path / "tools")
    for name in ("pyproject.toml", "pins.txt", "CMakeLists.txt"):
        shutil.copy(ROOT / name, tmp_path)
    done = python(
        "-c",
        "import runpy, sys; sys.modules['ensurepip'] = None; sys.argv = ['install.py'];"
        f"runpy.run_path({str(script)!r}, run_name='__main__')",
        PATH="",
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "python3-venv" in line
    assert not (tmp_path / ".venv").exists()


def test_an_unknown_argument_is_refused() -> None:
    done = python(str(INSTALL), "everything")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "mineproof: unknown argument 'everything'; accepted: dev\n"


def test_a_missing_compiler_is_noticed(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CXX", str(tmp_path / "no-such-compiler"))
    assert install.find_compiler() == (
        "no C++20 compiler was found",
        "g++ (Debian: build-essential)",
    )
    monkeypatch.delenv("CXX")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install.find_compiler()[0] == "no C++20 compiler was found"


def test_a_compiler_too_old_for_cxx20_is_noticed(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = tmp_path / "c++"
    old.write_text("#!/bin/sh\necho 'unrecognized option -std=c++20' >&2\nexit 1\n")
    old.chmod(0o755)
    monkeypatch.setenv("CXX", str(old))
    assert install.find_compiler()[0] == "no C++20 compiler was found"


def test_a_change_of_the_core_is_noticed_and_one_elsewhere_is_not(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("cpp/exact", "cpp/search", "cpp/tests", "src"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("pyproject.toml", "pins.txt", "CMakeLists.txt", "cpp/deal.cpp", "src/a.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "PINS", tmp_path / "pins.txt")
    state = install.wanted_state(["dev"], {})

    (tmp_path / "src" / "a.py").write_text("changed")
    (tmp_path / "src" / "b.py").write_text("new")
    (tmp_path / "cpp" / "tests" / "test_deal.cpp").write_text("new")
    assert install.wanted_state([], state) == state
    files = ("cpp/deal.cpp", "cpp/exact/new.hpp", "cpp/search/new.cpp", "CMakeLists.txt")
    for name in (*files, "pyproject.toml"):
        (tmp_path / name).write_text("changed")
        changed = install.wanted_state(["dev"], {})
        assert changed != state
        state = changed
    (tmp_path / "cpp" / "exact" / "new.hpp").unlink()
    assert install.wanted_state(["dev"], {}) != state


# --------------------------------------------------------------------------- what the extras bring


HIDE = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            return None
        return self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path[:] = map(Without, sys.meta_path)
"""
# Library, extra, a command line or a program that needs it.
NEEDED = [
    (
        "PIL",
        "picture",
        "from mineproof.picture.reader import decode\ndecode(b'\\x89PNG\\r\\n\\x1a\\n')",
    ),
    ("duckdb", "lab", ["sql", "{folder}", "select 1"]),
    (
        "matplotlib",
        "lab",
        ["compare", "--agents", "exact", "--games", "2", "--plot", "{folder}/p.svg"],
    ),
    (
        "distributed",
        "cluster",
        [
            "compare",
            "--agents",
            "exact",
            "--games",
            "2",
            "--engine",
            "dask://127.0.0.1:1",
            "--out",
            "{folder}/out",
        ],
    ),
    ("gymnasium", "gym", "import mineproof.envs.environments"),
    ("mcp", "mcp", ["mcp"]),
]
POSITION = "square 3x3 mines=2\n1..\n12.\n01.\n"
GAME = ["--board", "4x4/3", "--seed", "1"]
# What proofs and the logic sat need comes with the package; an install may lack it all the same.
NEED_SAT = [
    ["explain", "{folder}/position.txt", "--cell", "0,2"],
    ["explain", "{folder}/position.txt", "--all", "--json"],
    ["solve", "{folder}/position.txt", "--dimacs", "-"],
    ["play", "--agent", "sat", *GAME],
    ["play", "--agent", "sat[global]+corner-first", *GAME],
    ["play", "--agent", "exact", "--proofs", *GAME],
    ["compare", "--agents", "exact,sat", "--games", "4", "--jobs", "1", *GAME],
    ["compare", "--agents", "exact,sat", "--games", "4", "--jobs", "2", *GAME],
    ["check", "sat", "--games", "4", *GAME],
]


def without(library: str, program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a Python that does not find a library; its child processes do not either."""
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(HIDE.format(library=library))
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(hidden)},
    )


def command(words: list[str], folder: Path) -> str:
    """The program that is a command line."""
    given = ["mineproof", *(word.format(folder=folder) for word in words)]
    return f"import sys\nsys.argv = {given!r}\nfrom mineproof.cli import main\nmain()"


@pytest.mark.parametrize(
    ("library", "extra", "use"),
    NEEDED,
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_the_error_names_the_extra(
    library: str, extra: str, use: str | list[str], tmp_path: Path
) -> None:
    program = use if isinstance(use, str) else command(use, tmp_path)
    done = without(library, program, tmp_path)
    assert done.returncode != 0
    assert done.stdout == ""  # nothing was played before it was said
    line = done.stderr.splitlines()[-1]
    assert library.lower() in line.lower()
    assert line.endswith(f"which is not installed; install it: pip install 'mineproof[{extra}]'")


def test_every_extra_for_users_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {extra for _, extra, _ in NEEDED}


@pytest.mark.parametrize("library", ["duckdb", "matplotlib", "distributed", "gymnasium"])
def test_plain_commands_need_no_extra(library: str, tmp_path: Path) -> None:
    program = (
        "import mineproof as mp\n"
        "view = mp.View.parse('square 3x3 mines=2\\n1..\\n12.\\n01.')\n"
        "print(mp.analyze(view).solutions, mp.explain(view, (0, 2)))\n"
        "print(mp.play('4x4/2', agent='exact', seed=1).outcome is not None)\n"
        "print(mp.compare(['exact', 'sat'], board='4x4/2', games=2))\n"
        "import mineproof.web.app\n"
    )
    done = without(library, program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", NEED_SAT, ids=lambda words: " ".join(words[:4]))
def test_without_python_sat_a_command_says_so_in_one_line(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(POSITION)
    done = without("pysat", command(words, tmp_path), tmp_path)
    assert done.stderr == (
        "mineproof: smallest proofs and the logic sat need python-sat, which is not installed;"
        " install it: pip install python-sat\n"
    )
    assert done.returncode == 2


def test_without_python_sat_everything_else_works(tmp_path: Path) -> None:
    program = (
        "import mineproof as mp\n"
        f"view = mp.View.parse({POSITION!r})\n"
        "print(mp.analyze(view).safe.names)\n"
        "print(mp.play('4x4/3', agent='exact', seed=1).outcome is not None)\n"
        "print(mp.compare(['exact', 'single-point'], board='4x4/3', games=2).games)\n"
        "import mineproof.web.app\n"
        "print(mp.play('4x4/3', agent='sat', seed=1))\n"
    )
    done = without("pysat", program, tmp_path)
    assert done.stdout.splitlines() == ["('0,2',)", "True", "2"]
    assert done.stderr.splitlines()[-1].startswith("mineproof.errors.MissingLibrary: smallest")
