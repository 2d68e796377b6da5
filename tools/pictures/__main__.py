"""`python -m tools.pictures train`, `measure` or `pairs`."""

from __future__ import annotations

import sys

COMMANDS = ("train", "measure", "pairs")

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"python -m tools.pictures {'|'.join(COMMANDS)}")
    if sys.argv[1] == "train":
        from tools.pictures.train import main
    elif sys.argv[1] == "measure":
        from tools.pictures.measure import main
    else:
        from tools.pictures.measure import pairs as main
    main(sys.argv[2:])
