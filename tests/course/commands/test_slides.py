"""The teacher's slides: one idea each, every formula converted, nothing fetched from the web."""

import argparse
import re
from html.parser import HTMLParser

import pytest

from frapp_lab.course.commands import slides
from frapp_lab.course.lessons import lessons

LESSONS = [lesson for lesson in lessons() if slides.source(lesson).exists()]


class Page(HTMLParser):
    """What a page loads, and what its slides say outside formulas."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.alts, self.said, self.math = [], [], [], 0
        self.inside = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.loaded += [found[key] for key in ("src", "href", "data", "srcset") if key in found]
        if tag == "section":
            self.said.append("")
        if tag == "img":
            self.alts.append(found["alt"])
        if tag in ("math", "footer", "script", "style"):
            self.inside.append(tag)
            self.math += tag == "math"

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data):
        if self.said and not self.inside:
            self.said[-1] += data


def test_every_lesson_but_the_first_has_slides():
    assert [lesson.number for lesson in LESSONS] == [lesson.number for lesson in lessons()][1:]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_slides_have_one_idea_each(lesson):
    parts = slides.slides(lesson)
    assert 10 <= len(parts) <= 14
    assert parts[0].startswith(f"# {lesson.number} · ")
    for part in parts[1:]:
        assert re.findall(r"^#+ ", part, re.MULTILINE) == ["## "], part
    page = Page(slides.page(lesson))
    assert len(page.said) == len(parts)
    assert max(len(said.split()) for said in page.said) <= 40


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_pages_need_no_network(lesson):
    text = slides.page(lesson)
    page = Page(text)
    assert all(address.startswith("data:image/png;base64,") for address in page.loaded)
    assert not re.search(r"@import|url\(|fetch\(|import\(", text)
    assert page.alts
    assert all(len(alt) > 20 for alt in page.alts)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_every_formula_is_converted(lesson):
    source, text = "\n".join(slides.slides(lesson)), slides.page(lesson)
    page = Page(text)
    formulas = re.findall(r"\$\$.+?\$\$|\$[^$]+\$", source, re.DOTALL)
    assert page.math == len(formulas)
    assert "$" not in "".join(page.said)
    # A command that the converter does not know stays in its text with its backslash.
    assert not [m for m in re.findall(r"<math.*?</math>", text, re.DOTALL) if "\\" in m]


def test_the_command_writes_pages_and_refuses_a_lesson_without_slides(tmp_path, capsys):
    parser = argparse.ArgumentParser()
    slides.add_arguments(parser)
    assert slides.run(parser.parse_args([str(tmp_path / "new"), "--lessons", "02"])) == 0
    (path,) = (tmp_path / "new").iterdir()
    assert path.name == "02_privacy_breaches.html"
    assert str(path) in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"99.*there are slides for 01"):
        slides.run(parser.parse_args([str(tmp_path), "--lessons", "99"]))


def test_a_picture_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(slides, "slides", lambda lesson: ["# 01\n\n![nothing](explorer:None)"])
    with pytest.raises(ValueError, match=r"explorer:None .*lesson 01.*explorer:RandomizedResponse"):
        slides.page(LESSONS[0])
