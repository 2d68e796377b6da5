"""Find or install the browser that `make test` drives: python3 tools/browser.py.

An installed browser is used. With CI=true a missing one is installed with apt. Otherwise one line
says which tests are left out and how to install it. What it prints on stdout is for pytest.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOG = Path(__file__).resolve().parent.parent / "build" / "browser.log"
LEAVE_OUT = "--ignore=tests/browser"


def find_browser() -> str | None:
    """The browser's path, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def install() -> None:
    """Install Debian's chromium. Raises SystemExit."""
    sys.stderr.write("mineproof: installing chromium for the browser tests\n")
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("w") as log:
        for words in ("update", "install -y --no-install-recommends chromium"):
            command = [*sudo, "apt-get", "-qq", *words.split()]
            try:
                done = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
            except OSError:
                done = 1
            # A package list that could not be updated may still have the browser.
            if done and "install" in words:
                sys.exit(f"mineproof: chromium could not be installed; the log is in {LOG}")


def main() -> None:
    if find_browser() is not None:
        return
    if os.environ.get("CI") == "true":
        install()
        return
    sys.stderr.write(
        "mineproof: no chromium was found, so the tests in a browser are left out; install it"
        " (Debian: apt-get install chromium)\n"
    )
    print(LEAVE_OUT)


if __name__ == "__main__":
    main()
