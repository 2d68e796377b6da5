"""Find or install the browser that `make test` drives: python3 -m tools.browser.

An installed browser is used. With CI=true a missing one is installed with apt. Otherwise one line
says which tests are left out and how to install it. What it prints on stdout is for pytest. With
`firefox` it is about Debian's Firefox, which `make test-site` tries as well.
"""

import shutil
import sys

from tools.debian import in_ci, install

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FIREFOX = ("firefox-esr", "firefox")
LEAVE_OUT = {"chromium": "--ignore=tests/browser", "firefox-esr": "--ignore=tests/site/firefox"}


def find_browser(names: tuple[str, ...] = BROWSERS) -> str | None:
    """The browser's path, if there is one."""
    return next(filter(None, map(shutil.which, names)), None)


def main(wanted: list[str]) -> None:
    names = FIREFOX if "firefox" in wanted else BROWSERS
    package = names[0]
    if find_browser(names) is not None:
        return
    if in_ci():
        install(package, "the browser tests")
        return
    sys.stderr.write(
        f"mineproof: no {package} was found, so the tests in it are left out; install it"
        f" (Debian: apt-get install {package})\n"
    )
    print(LEAVE_OUT[package])


if __name__ == "__main__":
    main(sys.argv[1:])
