"""`python -m mineproof` is the command `mineproof`."""

from mineproof.cli import main

if __name__ == "__main__":
    main()
