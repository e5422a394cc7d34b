"""Write slides for teaching: a page of HTML for each lesson, which needs no network.

Slides are written in `notebooks/instructor/slides/NN.md`, one idea each, with a line `---` between
them. `![what it shows](explorer:Posterior)` is the lesson's stored picture of this explorer, and
`picture:3.2` the second picture of its section 3. Formulas become MathML, which browsers show by
themselves.

    frapp-lab slides my_slides
    frapp-lab slides my_slides --lessons 02 03

Arrow keys, space, Page Up and Page Down, Home and End, a click or a swipe turn the pages; printing
gives a page for each slide.
"""

from __future__ import annotations

import argparse
import html
import json
import re
from pathlib import Path

from frapp_lab.course.lessons import NOTEBOOKS, TEACHERS, Lesson, lessons

SOURCES = NOTEBOOKS / TEACHERS / "slides"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab slides` takes."""
    parser.add_argument("target", type=Path, metavar="TARGET", help="a folder for the pages")
    parser.add_argument("--lessons", nargs="+", default=[], metavar="NN", help="such as 02 03")


def run(options: argparse.Namespace) -> int:
    """Write a page for each lesson that has slides."""
    there = {lesson.number: lesson for lesson in lessons() if source(lesson).exists()}
    for number in options.lessons:
        if number not in there:
            raise ValueError(f"--lessons has {number}: there are slides for {', '.join(there)}")
    options.target.mkdir(parents=True, exist_ok=True)
    for number in options.lessons or there:
        path = options.target / f"{there[number].path.stem}.html"
        path.write_text(page(there[number]), encoding="utf-8")
        print(path)
    return 0


def source(lesson: Lesson) -> Path:
    """Say where the slides of a lesson are written."""
    return SOURCES / f"{lesson.number}.md"


def slides(lesson: Lesson) -> list[str]:
    """Read the slides of a lesson, in Markdown."""
    text = source(lesson).read_text(encoding="utf-8")
    return [part.strip() for part in re.split(r"^---$", text, flags=re.MULTILINE)]


def pictures(lesson: Lesson) -> dict[str, str]:
    """Find the pictures that a lesson stores, by their names on slides, as addresses with data.

    The first picture of section 3 is `picture:3` and `picture:3.1`; where an explorer stands more
    than once, `explorer:NAME` is the first of them.
    """
    found: dict[str, str] = {}
    section, place = "", 0
    for cell in json.loads(lesson.path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for number in re.findall(r"^## (\d+) · ", "".join(cell["source"]), re.MULTILINE):
                section, place = number, 0
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                place += 1
                data = "".join("".join(output["data"]["image/png"]).split())
                explorer = re.search(r"explorers\.(\w+)\(", "".join(cell["source"]))
                names = [f"picture:{section}", f"picture:{section}.{place}"]
                for name in [*names, f"explorer:{explorer[1]}"] if explorer else names:
                    found.setdefault(name, f"data:image/png;base64,{data}")
    return found


def formula(latex: str, display: str = "inline") -> str:
    """Write a formula of a slide as MathML."""
    try:
        from latex2mathml.converter import convert
    except ImportError:
        raise ValueError(
            "slides need latex2mathml for their formulas: pip install 'frapp_lab[slides]'"
        ) from None
    return convert(latex, display=display)


def page(lesson: Lesson) -> str:
    """Write the page of a lesson: all slides, formulas and pictures in one file."""
    import mistune

    stored = pictures(lesson)

    class Renderer(mistune.HTMLRenderer):
        def inline_math(self, text: str) -> str:
            return formula(text)

        def block_math(self, text: str) -> str:
            return f"<div>{formula(text.strip(), 'block')}</div>\n"

        def image(self, text: str, url: str, title: str | None = None) -> str:
            if url not in stored:
                raise ValueError(
                    f"{url} is on a slide of lesson {lesson.number}: its notebook stores "
                    f"{', '.join(stored)}"
                )
            return f'<img src="{stored[url]}" alt="{html.escape(text)}">'

    render = mistune.create_markdown(renderer=Renderer(), plugins=["math", "table"])
    many = slides(lesson)
    body = "\n".join(
        f'<section tabindex="-1" aria-roledescription="slide" aria-label="{k} of {len(many)}">\n'
        f"{render(text)}<footer>{lesson.number} · {k}</footer>\n</section>"
        for k, text in enumerate(many, 1)
    )
    return PAGE.format(title=html.escape(f"{lesson.number} · {lesson.title}"), body=body)


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color: #1a1a1a; background: #fff;
  font: clamp(18px, 3.6vmin + 6px, 64px)/1.35 sans-serif; }}
body {{ margin: 0; touch-action: pan-y pinch-zoom; }}
section {{ box-sizing: border-box; min-height: 100vh; padding: 5vmin 8vmin 8vmin; outline: none;
  display: flex; flex-direction: column; justify-content: center; position: relative; }}
section[hidden] {{ display: none; }}
h1, h2 {{ margin: 0 0 .6em; line-height: 1.15; color: #004d80; }}
h1 {{ font-size: 1.8em; }} h2 {{ font-size: 1.4em; }}
p, ul, ol, table {{ margin: 0 0 .7em; max-width: 34em; }}
div {{ margin: .3em 0 .9em; font-size: 1.2em; display: flex; }}
math {{ font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", math; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .2em .8em; border-bottom: 1px solid #bbb; }}
img {{ display: block; max-width: 100%; height: 70vh; object-fit: contain; object-position: left; }}
footer {{ position: absolute; right: 4vmin; bottom: 3vmin; font-size: .6em; color: #595959; }}
@media print {{ section, section[hidden] {{ display: flex; break-after: page; }} }}
</style>
</head>
<body>
<main>
{body}
</main>
<script>
const all = [...document.querySelectorAll("section")];
const steps = {{ ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1, Home: -all.length, End: all.length }};
let now = 0;
function show(k) {{
  now = Math.min(Math.max(k, 0), all.length - 1);
  all.forEach((slide, i) => {{ slide.hidden = i !== now; }});
  history.replaceState(null, "", "#" + (now + 1));
  all[now].focus();
}}
addEventListener("keydown", event => {{
  if (event.key in steps && !event.ctrlKey && !event.metaKey && !event.altKey) {{
    event.preventDefault();
    show(now + steps[event.key] * (event.key === " " && event.shiftKey ? -1 : 1));
  }}
}});
let start = null;
addEventListener("pointerdown", event => {{ start = event.clientX; }});
addEventListener("pointerup", event => {{
  const moved = event.clientX - start;
  if (getSelection().toString()) return;
  if (Math.abs(moved) > 40) show(now - Math.sign(moved));
  else show(now + (event.clientX < innerWidth / 3 ? -1 : 1));
}});
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
show(Number(location.hash.slice(1)) - 1 || 0);
</script>
</body>
</html>
"""
