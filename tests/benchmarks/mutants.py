"""Would the tests notice? One-line changes of the code, the nearest tests run on each.

    python tests/benchmarks/mutants.py --number 200 --seed 0 [FILE …]

Each mutant changes one thing: a comparison, a sign, an operator, a constant, the order of two
arguments, a term that is dropped, a condition that is turned round. It is *killed* if a test fails.
The survivors are listed, for somebody to judge.
"""

import argparse
import ast
import concurrent.futures
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CODE = ROOT / "frapp_lab"
DEFAULT = ("mechanisms", "privacy", "mining", "data/cube.py", "explorers/models",
           "course/exercises/judging.py")  # fmt: skip

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
               ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
               ast.In: ast.NotIn, ast.NotIn: ast.In}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
             ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
             ast.BitOr: ast.BitAnd, ast.Mod: ast.Mult, ast.MatMult: ast.Mult}  # fmt: skip


def changes(node: ast.AST) -> list[tuple[str, ast.AST]]:
    """What can be changed at a node: what it is called, and the node in its place."""
    made = []

    def add(what: str, change) -> None:
        new = copy.deepcopy(node)
        made.append((what, change(new) or new))

    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        add("comparison", lambda n: n.ops.__setitem__(0, COMPARISONS[type(n.ops[0])]()))
    if isinstance(node, ast.BinOp):
        if type(node.op) in OPERATORS:
            add("operator", lambda n: setattr(n, "op", OPERATORS[type(n.op)]()))
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            add("dropped term", lambda n: n.left)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        add("sign", lambda n: n.operand)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        add("constant", lambda n: setattr(n, "value", n.value + 1))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        add("constant", lambda n: setattr(n, "value", not n.value))
    if (
        isinstance(node, ast.Call)
        and len(node.args) > 1
        and not any(isinstance(argument, ast.Starred) for argument in node.args[:2])
    ):
        add("swapped arguments", lambda n: n.args.__setitem__(slice(2), n.args[1::-1]))
    if isinstance(node, ast.BoolOp):
        other = {ast.And: ast.Or, ast.Or: ast.And}
        add("and/or", lambda n: setattr(n, "op", other[type(n.op)]()))
    if isinstance(node, ast.IfExp):
        add("condition", lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test)))
    return made


def places(tree: ast.Module) -> list[tuple[ast.AST, str, int | None]]:
    """Where in the code (not in annotations, decorators or refusals) a node can be replaced."""
    found = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return
        if isinstance(node, ast.keyword) and node.arg == "strict":
            return  # of zip: it only guards against what does not happen
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
                continue
            for i, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    found.append((node, name, i))
                    visit(child)

    visit(tree)
    return found


def mutants(path: Path) -> list[tuple[int, str, str, str]]:
    """All mutants of a file: line, kind of change, what stood there, and the whole new source."""
    source, made = path.read_text(encoding="utf-8"), []
    tree = ast.parse(source)
    for number, (owner, name, i) in enumerate(places(tree)):
        old = getattr(owner, name) if i is None else getattr(owner, name)[i]
        for kind, _ in changes(old):
            made.append((getattr(old, "lineno", 0), kind, ast.unparse(old)[:60], (number, kind)))
    return made


def mutated(path: Path, where: tuple[int, str]) -> str:
    """The source with one change."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owner, name, i = places(tree)[where[0]]
    old = getattr(owner, name) if i is None else getattr(owner, name)[i]
    new = dict(changes(old))[where[1]]
    if i is None:
        setattr(owner, name, new)
    else:
        getattr(owner, name)[i] = new
    return ast.unparse(ast.fix_missing_locations(tree))


def nearest_tests(path: Path) -> list[str]:
    """Tests named as the file first, then all of its room."""
    inside = path.relative_to(CODE)
    room = ROOT / "tests" / inside.parent
    found = [room / f"test_{inside.stem}.py", *sorted(room.glob("test_*.py"))]
    found += [ROOT / "tests" / "explorers" / f"test_{inside.stem}_card.py"]
    return [str(test.relative_to(ROOT)) for test in dict.fromkeys(found) if test.exists()]


def survives(path: Path, where: tuple[int, str], limit: int) -> bool:
    """Whether all nearest tests pass on the mutant."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("frapp_lab", "tests", "data", "pyproject.toml"):
            place = ROOT / part
            (shutil.copytree if place.is_dir() else shutil.copy)(place, folder / part)
        (folder / path.relative_to(ROOT)).write_text(mutated(path, where), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
                   "-o", "addopts=", *nearest_tests(path)]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": name, "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("files", nargs="*")
    options.add_argument("--number", type=int, default=200)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--limit", type=int, default=180, help="seconds for the tests of one")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = options.parse_args()
    roots = [Path(f).resolve() for f in asked.files] or [CODE / name for name in DEFAULT]
    paths = [p for root in roots for p in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    every = [(path, *m) for path in paths if nearest_tests(path) for m in mutants(path)]
    chosen = random.Random(asked.seed).sample(every, min(asked.number, len(every)))
    print(f"{len(every)} mutants of {len(paths)} files, {len(chosen)} tried", flush=True)
    counts: dict[str, list[int]] = {}
    with concurrent.futures.ThreadPoolExecutor(asked.workers) as pool:
        alive = pool.map(lambda m: survives(m[0], m[4], asked.limit), chosen)
        for (path, line, kind, old, _), lives in zip(chosen, alive, strict=True):
            room = path.relative_to(CODE).parts[0]
            killed, tried = counts.setdefault(room, [0, 0])
            counts[room] = [killed + (not lives), tried + 1]
            if lives:
                print(f"survived: {path.relative_to(ROOT)}:{line} {kind}: {old}", flush=True)
    for room, (killed, tried) in sorted(counts.items()):
        print(f"{room:25} {killed:4} of {tried:4} killed, {100 * killed / tried:.0f} %")
    killed, tried = (sum(c[i] for c in counts.values()) for i in (0, 1))
    print(f"{'all':25} {killed:4} of {tried:4} killed, {100 * killed / tried:.0f} %")


if __name__ == "__main__":
    main()
