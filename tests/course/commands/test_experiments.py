"""The command `frapp-lab experiments`: what it writes, and what it leaves alone."""

import os
import stat
import sys

import pandas as pd
import pytest
from helpers import experiments as main
from helpers import require

import frapp_lab as fl
from frapp_lab import scale as ex
from frapp_lab.__main__ import main as frapp_lab
from frapp_lab.mechanisms.registry import forget

OWN_SCHEME = """
import frapp_lab as fl


@fl.scheme("SHY-GD")
class Shy(fl.GammaDiagonal):
    @classmethod
    def for_gamma(cls, schema, gamma):
        return cls(schema, (1 + gamma) / 2)
"""
CENSUS = fl.load_census()


def test_the_command_line_spreads_trials_and_goes_on_after_an_interrupt(
    tmp_path, capsys, monkeypatch
):
    require("distributed")
    (tmp_path / "shy_gd.py").write_text(OWN_SCHEME)
    here, there, kept = (tmp_path / name for name in ("here.csv", "there.csv", "kept.jsonl"))
    trials = ["experiments", "census", "--trials", "30", "--use", str(tmp_path / "shy_gd.py")]
    trials += ["--schemes", "SHY-GD", "MASK", "--every-trial"]

    def stop(done, total):
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr("frapp_lab.course.commands.experiments.bar_or_lines", lambda what: stop)
    assert frapp_lab([*trials, "--resume", str(kept), "--out", str(there)]) == 130
    assert f"goes on from {kept}" in capsys.readouterr().err
    assert not there.exists()
    assert len(kept.read_text().splitlines()) == 1 + 7
    monkeypatch.undo()
    try:
        assert (
            frapp_lab([*trials, "--resume", str(kept), "--workers", "2", "--out", str(there)]) == 0
        )
        assert frapp_lab([*trials, "--out", str(here)]) == 0
    finally:
        forget("SHY-GD")
    assert there.read_bytes() == here.read_bytes()


def test_the_command_line_writes_what_the_notebooks_show(tmp_path, capsys):
    out = tmp_path / "results.csv"
    assert main(["census", "--trials", "3", "--schemes", "DET-GD", "MASK", "--out", str(out)]) == 0
    wanted = ex.summarise(ex.run_trials(CENSUS, ["DET-GD", "MASK"], trials=3))
    pd.testing.assert_frame_equal(pd.read_csv(out), wanted, check_dtype=False, rtol=1e-5)
    said = capsys.readouterr()
    assert "48 rows" in said.out
    assert "trials 6/6" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["census", "--trials", "0"], "trials is 0"),
        (["census", "--schemes", "FOO"], "'FOO' is not known"),
        (["census", "--min-support", "2"], "min_support is 2"),
        (["census", "--gamma", "0.5"], "gamma is 0.5"),
        (["health", "--health-file", "no such file"], "No such file"),
        (["census", "--health-file", "some file"], "goes with the data set health"),
        (["elsewhere"], "invalid choice"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(tmp_path, capsys, arguments, words):
    out = tmp_path / "results.csv"
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--out", str(out)])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("own.py", "import frapp_lab as fl\n1 +\n", ["own.py", "SyntaxError", "line 2"]),
        ("own.py", "nonsense\n", ["own.py", "NameError: name 'nonsense'"]),
        ("own.py", "raise SystemExit(3)\n", ["own.py", "SystemExit: 3"]),
        ("own.py", "import no_such_module\n", ["own.py", "no_such_module"]),
        ("json.py", "", ["json.py", "module json already", "another name"]),
        ("numpy.py", "", ["numpy.py", "module numpy already"]),
        ("this.py", "", ["this.py", "module this already"]),  # Python's own, not yet loaded
    ],
)
def test_a_file_of_schemes_that_cannot_be_used_is_named(tmp_path, capsys, name, text, words):
    path, before = tmp_path / name, dict(sys.modules)
    path.write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["census", "--trials", "1", "--use", str(path), "--out", str(tmp_path / "a.csv")])
    assert stop.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    for word in words:
        assert word in said
    assert sys.modules.get(path.stem) is before.get(path.stem)


def test_a_place_that_cannot_be_written_is_found_before_the_trials(tmp_path, capsys):
    for out, words in ((tmp_path / "nowhere" / "a.csv", "no folder"), (tmp_path, "is a folder")):
        with pytest.raises(SystemExit):
            main(["census", "--out", str(out)])
        assert words in capsys.readouterr().err


def test_an_interrupt_leaves_the_old_file_alone(tmp_path, monkeypatch, capsys):
    out = tmp_path / "results.csv"
    out.write_text("old")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("frapp_lab.course.commands.experiments.run_trials", interrupted)
    assert main(["census", "--out", str(out)]) == 130
    assert "nothing was written" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr(pd.DataFrame, "to_csv", interrupted)
    assert main(["census", "--trials", "1", "--schemes", "DET-GD", "--out", str(out)]) == 130
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


QUICK = ["census", "--trials", "1", "--schemes", "DET-GD", "--out"]


def refused(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert "trials 1/1" not in said
    return said


def test_a_pipe_or_a_device_is_left_alone(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    for out in (pipe, link):
        assert "no plain file" in refused([*QUICK, str(out)], capsys)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert "no plain file" in refused([*QUICK, "/dev/null"], capsys)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "--out is" in refused([*QUICK, str(loop)], capsys)


def test_a_link_stays_and_its_target_is_written(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for target in (folder / "old.csv", folder / "new.csv"):
        if target.name == "old.csv":
            target.write_text("old")
            target.chmod(0o640)
        link = tmp_path / f"to_{target.name}"
        link.symlink_to(target)
        assert main([*QUICK, str(link)]) == 0
        assert link.is_symlink()
        assert target.read_text().startswith("dataset,")
    assert stat.S_IMODE((folder / "old.csv").stat().st_mode) == 0o640
    assert len(list(folder.iterdir())) == 2


def test_a_file_of_ones_own_beside_the_result_stays(tmp_path):
    part = tmp_path / "results.csv.part"
    part.write_text("mine")
    assert main([*QUICK, str(tmp_path / "results.csv")]) == 0
    assert part.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.csv", "results.csv.part"]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder nobody can write in")
def test_a_folder_that_cannot_be_written_is_found_before_the_trials(capsys):
    said = refused([*QUICK, "/proc/results.csv"], capsys)
    assert "cannot be written" in said
    assert "Traceback" not in said


def test_a_disc_that_fills_up_is_told_in_a_sentence(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", full)
    with pytest.raises(SystemExit) as stop:
        main([*QUICK, str(tmp_path / "results.csv")])
    assert stop.value.code == 2
    assert "No space left" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_share_of_alpha_goes_from_0_to_1(tmp_path, capsys):
    out = str(tmp_path / "a.csv")
    said = refused([*QUICK, out, "--alpha-share", "1.5"], capsys)
    assert "alpha_share is 1.5" in said
    assert "from 0 to 1" in said.replace("\n", " ")
    assert main([*QUICK, out, "--alpha-share", "1"]) == 0
