"""The one command line: `frapp-lab`, which is the same as `python -m frapp_lab`."""

from __future__ import annotations

import argparse
import pkgutil
import sys
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

from frapp_lab.course import commands


def found() -> dict[str, ModuleType]:
    """All commands by name: each is a module of `frapp_lab.course.commands`.

    >>> "student-copy" in found()
    True
    """
    modules = [module.name for module in pkgutil.iter_modules(commands.__path__)]
    return {
        name.replace("_", "-"): import_module(f"{commands.__name__}.{name}") for name in modules
    }


def parser() -> argparse.ArgumentParser:
    """What the command line takes: every command and its own arguments."""
    made = argparse.ArgumentParser(
        prog="frapp-lab", description="The course frapp_lab from the command line."
    )
    made.add_argument("--version", action="version", version=f"frapp_lab {version('frapp_lab')}")
    chosen = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in found().items():
        first, _, rest = (module.__doc__ or "").partition("\n\n")
        one = chosen.add_parser(
            name,
            help=first,
            description=f"{first}\n\n{rest}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(one)
        one.set_defaults(run=module.run, refuse=one.error)
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run one command; what it refuses is told in a sentence, without a traceback."""
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except (ValueError, OSError) as error:
        return options.refuse(str(error))
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
