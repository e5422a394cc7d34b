"""The commands of `frapp-lab`: one module each, found by itself.

A module's name is the command's, with hyphens for underscores. The first line of its docstring says
what the command does, in the list of all commands; the rest is shown by its `--help`. It has

- `add_arguments(parser)`: what it takes, for argparse;
- `run(options)`: does it, and returns the exit code. It refuses with a ValueError that says why.
"""
