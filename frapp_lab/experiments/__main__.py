"""`python -m frapp_lab.experiments` is the same as `frapp-lab experiments`."""

from __future__ import annotations

import sys

from frapp_lab.__main__ import main as frapp_lab


def main(arguments: list[str] | None = None) -> int:
    """Run the trials and write the file: all of it or nothing."""
    return frapp_lab(["experiments", *(sys.argv[1:] if arguments is None else arguments)])


if __name__ == "__main__":
    sys.exit(main())
