"""The GPU study at a size for a test, on the CPU team: every section, its tables, figures and pictures."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import konig
from konig.lab import generators
from konig.lab.device_runs import OutOfTimeError, measure, time_limit
from konig.lab.figures import Row
from konig.lab.gpu_study import instances
from konig.lab.gpu_study.__main__ import SECTIONS, main
from konig.lab.gpu_study.workshop import Workshop
from konig.lab.profiles import speedups

# One thread, because a team of several waits for its slowest, which on a busy machine may be long.
SMALL = ("--device", "cpu", "--scale", "7", "--repeats", "1", "--threads", "1")


def test_all_sections_leave_tables_figures_and_pictures(tmp_path, capsys):
    assert main([str(tmp_path), *SMALL, "--budget", "60"]) == 0
    summary = capsys.readouterr().out
    assert len(summary) < 8000
    facts = json.loads((tmp_path / "facts.json").read_text())
    assert facts["not proved"] == []
    assert facts["failures"] == []
    for name in SECTIONS:
        table = (tmp_path / f"{name}.md").read_text()
        assert table.startswith("# ")
        assert "| --- |" in table
        runs = json.loads((tmp_path / f"{name}.json").read_text())["runs"]
        assert runs
        assert all(run["size"] > 0 for run in runs if run["status"] == "")
    for name in ("relabelling", "levels", "profiles"):
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
    variants = json.loads((tmp_path / "variants.json").read_text())["runs"]
    assert len({run["contender"] for run in variants}) == 8
    assert len({run["instance"] for run in variants}) == 16
    # Every answer of a method on a graph has the same proven size.
    for instance in {run["instance"] for run in variants}:
        assert len({run["size"] for run in variants if run["instance"] == instance}) == 1
    relabelling = json.loads((tmp_path / "relabelling.json").read_text())["picture"]
    assert len(relabelling["strategies"]) == 7
    assert list(relabelling["means"]) == ["g-pr-first", "g-pr-noshr", "g-pr-shr"]
    # Pictures can be drawn again elsewhere.
    (tmp_path / "levels.png").unlink()
    assert main([str(tmp_path), "--draw", "--sections", "levels"]) == 0
    assert (tmp_path / "levels.png").exists()


def test_a_budget_that_is_spent_leaves_pages_that_say_so(tmp_path, capsys):
    began = time.monotonic()
    main([str(tmp_path), "--device", "cpu", "--scale", "14", "--budget", "0.01", "--sections", "variants"])
    assert time.monotonic() - began < 10
    assert "not generated in time" in capsys.readouterr().out
    assert (tmp_path / "variants.md").exists()


def test_a_machine_without_matplotlib_and_rich_leaves_figures_to_draw_elsewhere(tmp_path):
    lines = (
        "import sys",
        "sys.modules |= dict.fromkeys(('matplotlib', 'rich', 'typer', 'igraph', 'networkx'))",
        "from konig.lab.gpu_study.__main__ import main",
        f"sys.exit(main([{str(tmp_path)!r}, *{SMALL}, '--sections', 'levels']))",
    )
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=100
    )
    assert ran.returncode == 0, ran.stderr
    assert "--draw draws it later" in ran.stdout
    assert not (tmp_path / "levels.png").exists()
    assert main([str(tmp_path), "--draw"]) == 0
    assert (tmp_path / "levels.png").exists()


def test_unknown_sections_are_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--sections", "variants,nothing"])
    assert "unknown nothing" in capsys.readouterr().err


def test_a_solve_that_takes_too_long_is_cut_and_the_next_one_works():
    A = generators.sprand(300_000, 300_000, 3.0, seed=1)
    began = time.monotonic()
    measured = measure(A, {"method": "dfs", "device": "cpu"}, 3, 0.3)  # takes ten seconds and more
    assert time.monotonic() - began < 5
    assert (measured.status, measured.search) == ("cut", [])
    small = generators.sprand(100, 100, 3.0, seed=1)
    after = measure(small, {"method": "dfs", "device": "cpu"}, 3, 60.0)
    assert (after.status, len(after.search), len(after.call)) == ("", 3, 3)
    assert after.size == konig.structural_rank(small)
    assert after.deviation >= 0


def test_a_time_limit_gives_an_earlier_timer_back():
    caught = []
    handler = signal.signal(signal.SIGALRM, lambda *_: caught.append(1))
    before = signal.setitimer(signal.ITIMER_REAL, 100.0)
    try:
        with pytest.raises(OutOfTimeError), time_limit(0.01):
            time.sleep(5)
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100
        assert not caught
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def test_a_wrong_answer_is_found_by_the_workshop(tmp_path):
    instance = instances.original_set(9)[0]
    workshop = Workshop(tmp_path, 1)
    try:
        workshop.order([instance])
        ends = time.monotonic() + 60
        A = workshop.take(instance, ends)
        right = konig.maximum_matching(A)
        workshop.prove(instance, right, "right")
        col_of_row, row_of_col = np.array(right.col_of_row), np.array(right.row_of_col)
        row = int(np.flatnonzero(col_of_row >= 0)[0])
        row_of_col[col_of_row[row]] = col_of_row[row] = -1
        smaller = konig.Matching(
            right.size - 1, col_of_row, row_of_col, "", "", {}, right.nonzeros, right.graph
        )
        workshop.prove(instance, smaller, "one pair less")
        proved, problems = workshop.proofs(ends)
    finally:
        workshop.close()
    assert proved == 1
    assert len(problems) == 1
    assert problems[0].startswith("one pair less: ")


def test_speedups_are_over_the_faster_baseline_and_zero_where_a_contender_was_stopped():
    rows = [
        Row("a", "none", "pfp", "method", 4.0),
        Row("a", "none", "hkdw", "method", 2.0),
        Row("a", "none", "gpu", "method", 1.0),
        Row("b", "none", "pfp", "method", 9.0),
        Row("b", "none", "hkdw", "method", 1.0, ">"),
        Row("b", "none", "gpu", "method", 1.0, ">"),
        Row("c", "none", "gpu", "method", 1.0),
    ]
    gains = speedups(rows, ["pfp", "hkdw"])
    assert list(gains) == ["gpu"]
    assert gains["gpu"].tolist() == [2.0, 0.0]
