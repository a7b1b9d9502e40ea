"""The benchmark lab: records of real runs, and the tables computed from records made up here."""

import json
import math
import subprocess
import threading
from contextlib import nullcontext
from dataclasses import replace

import pytest

from konig import io
from konig.cli import main
from konig.lab.bench import contenders, figures, records, report, runner, suites
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.records import Record, Run
from konig.lab.bench.runner import busy_cores
from konig.lab.bench.worker import Child, SolverError
from konig.plot.bench import draw

MATCHING = PROBLEMS["matching"]


def test_the_tiny_suite_runs_with_two_methods_and_scipy(settings):
    running = contenders.parse_methods("hk,hkdw:init=ksm") + contenders.as_contenders(["scipy"])
    seen = []
    found = list(
        runner.run(MATCHING.suites["tiny"].instances(), running, settings, lambda *where: seen.append(where))
    )
    problems = {(record.instance, record.order) for record in found}
    assert len(found) == 3 * len(problems)
    assert {record.status for record in found} == {"ok"}
    assert all(record.seconds > 0 and record.repeats == 2 for record in found)
    for problem in problems:
        assert len({r.size for r in found if (r.instance, r.order) == problem}) == 1
    ours = [record for record in found if record.kind == "method"]
    assert all({"transpose", "start", "main", "total"} <= record.parts.keys() for record in ours)
    assert all(record.counts["start_arc_scans"] > 0 for record in ours)
    assert all(record.parts["total"] <= record.seconds * 1.5 + 1e-3 for record in ours)
    assert seen[-1][:2] == (len(found), len(found))


def test_every_peer_gives_the_proven_size(settings):
    instances = [suites.Instance("rectangle", "sprand", {"rows": 300, "cols": 200, "degree": 2.0})]
    running = contenders.parse_methods("auto") + contenders.installed(MATCHING.peers, print)
    found = list(runner.run(instances, running, settings))
    assert {record.status for record in found} == {"ok"}
    assert len({(record.order, record.size) for record in found}) == 2


def test_a_peer_that_cannot_be_imported_is_left_out_with_a_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "broken_peer.py").write_text("raise RuntimeError('built for another machine')")
    monkeypatch.syspath_prepend(tmp_path)
    scipy = MATCHING.peers["scipy"]
    three = {"scipy": scipy, "broken": replace(scipy, package="broken_peer")}
    monkeypatch.setattr(MATCHING, "peers", three | {"absent": replace(scipy, package="no_such_peer")})
    assert [peer.name for peer in contenders.installed(MATCHING.peers, [].append)] == ["scipy"]
    words = ["bench", "matching", "--methods", "auto", "--peers", "--repeats", "1", "--permutations", "0"]
    assert main([*words, "--cache", str(tmp_path), "--json", "-"]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        "konig: broken is left out: RuntimeError: built for another machine",
        "konig: absent is left out: ModuleNotFoundError: No module named 'no_such_peer'",
    ]
    solvers = {record["solver"] for record in json.loads(captured.out)["records"]}
    assert solvers == {"auto", "scipy"}


def test_on_busy_cores_auto_is_set_against_itself_on_one_thread(tmp_path, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(runner, "busy_cores", lambda loops: started.append(loops) or nullcontext())
    words = ["bench", "matching", "--busy", "2", "--repeats", "1", "--permutations", "0"]
    assert main([*words, "--cache", str(tmp_path)]) == 0
    assert started == [2]
    shown = capsys.readouterr().out
    assert "auto against auto:threads=1" in shown
    assert "worst" in shown


def test_cores_are_busy_as_long_as_they_should_be(monkeypatch):
    started = []
    start = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **k: started.append(start(*a, **k)) or started[-1])
    with busy_cores(2):
        assert [process.poll() for process in started] == [None, None]
    assert all(process.poll() is not None for process in started)


def test_a_solve_that_takes_too_long_is_stopped_and_reported(tmp_path):
    # Ten seconds and more for dfs, some hundredths for auto: the timeout is far from both.
    instances = [suites.Instance("slow", "sprand", {"rows": 300_000, "degree": 3.0}, ("none", "both"))]
    running = contenders.parse_methods("dfs,auto")
    settings = runner.Settings(draws=3, repeats=1, timeout=1.0, cache=tmp_path)
    found = list(runner.run(instances, running, settings))
    stopped = [record for record in found if record.solver == "dfs"]
    assert [record.status for record in stopped] == ["timeout"] * 2, "further draws are not tried"
    assert all(record.seconds == 1.0 for record in stopped)
    finished = [record for record in found if record.solver == "auto"]
    assert [record.status for record in finished] == ["ok"] * 4


def test_instances_too_large_for_a_peer_are_left_out(settings):
    instances = [suites.Instance("large", "sprand", {"rows": 70_000, "degree": 3.0}, ("none",))]
    (record,) = runner.run(instances, contenders.as_contenders(["networkx"]), settings)
    assert (record.status, record.seconds) == ("left out", None)


def test_a_worker_that_raises_is_reported(tmp_path):
    with Child() as child, pytest.raises(SolverError, match="FileNotFoundError") as raised:
        child.ask({"do": "load", "path": str(tmp_path / "none.npz"), "order": "none", "seed": 0})
    assert raised.value.status == "error"


def test_a_worker_that_dies_is_reported_and_started_again(tmp_path):
    path = MATCHING.cached(suites.Instance("mesh", "delaunay", {"n": 50}), tmp_path)
    load = {"do": "load", "path": str(path), "order": "none", "seed": 0}
    with Child() as child:
        child._running()
        threading.Timer(0.02, child._process.kill).start()
        with pytest.raises(SolverError, match="status -9") as raised:
            child.ask(load)
        assert raised.value.status == "crashed"
        assert not child.alive
        assert child.ask(load)["rows"] == 50


def test_a_smaller_answer_than_the_proven_one_is_wrong():
    record = Record("a", "none", 0, "peer", "peer", seconds=1.0, size=6)
    assert runner.compared(record, 7, MATCHING) == 7
    assert record.status == "wrong"
    assert report.failures([record]) == ["peer on a, no perm: wrong: 6 pairs, but 7 are proved maximum"]


def test_instances_are_cached_and_permuted_on_demand(tmp_path, monkeypatch):
    instance = suites.Instance("mesh", "delaunay", {"n": 50})
    path = MATCHING.cached(instance, tmp_path)
    monkeypatch.setattr("konig.lab.bench.problems.matching.generate", None)
    assert MATCHING.cached(instance, tmp_path) == path
    plain, both = MATCHING.load(path), MATCHING.load(path, "both", seed=1)
    assert (plain.shape, plain.nnz) == (both.shape, both.nnz)
    assert (plain != both).nnz > 0


def test_the_small_suite_holds_the_rows_to_be_compared():
    rows = {(i.name, len(i.orders)) for i in MATCHING.suites["small"].instances()}
    assert rows == {
        ("random 1M d=3", 1),
        ("random 1M d=5", 1),
        ("random 1M d=8", 1),
        ("delaunay n18", 2),
        ("delaunay n20", 2),
        ("kronecker 18", 2),
        ("road grid 1000", 2),
    }


@pytest.mark.parametrize(("problem", "suite"), [(p, suite) for p in PROBLEMS for suite in PROBLEMS[p].suites])
def test_suites_name_their_instances_once_and_with_valid_parameters(problem, suite):
    from konig.lab.generators import FAMILIES

    instances = PROBLEMS[problem].suites[suite].instances()
    assert len({instance.name for instance in instances}) == len(instances)
    for instance in (instance for instance in instances if instance.family != "device"):
        assert set(instance.params) <= {p.name for p in FAMILIES[instance.family].parameters}
        assert instance.problem == problem == FAMILIES[instance.family].problem
        assert set(instance.orders) <= set(suites.ORDERS)


def test_method_lists_are_parsed_and_refused():
    labels = [c.label for c in contenders.parse_methods("auto, hk:init=ksm,hk,hk")]
    assert labels == ["auto", "hk:init=ksm", "hk"]
    assert "hk" in [c.name for c in contenders.parse_methods("all")]
    with pytest.raises(ValueError, match="simplex"):
        contenders.parse_methods("simplex")
    with pytest.raises(ValueError, match="no knob 'speed'"):
        contenders.parse_methods("hk:speed=1")


def row(solver, kind, seconds, status="ok"):
    return Record("a", "none", 0, solver, kind, seconds=seconds, status=status)


def made_up():
    """Two methods and a peer on three instances, one of them in two random orders."""

    def record(instance, order, draw, solver, seconds, status="ok", kind="method", scans=1e6, pushes=2e6):
        parts = {"transpose": seconds / 4, "start": seconds / 4, "main": seconds / 4, "total": seconds}
        counts = {"start_arc_scans": 5e5, "search_arc_scans": scans, "double_pushes": pushes}
        size = {"rows": 10, "cols": 10, "nonzeros": 500_000, "memory": 2_000_000 + 44 + 400}
        extra = {"parts": parts, "counts": counts} if kind == "method" else {}
        return Record(instance, order, draw, solver, kind, status=status, seconds=seconds, **size, **extra)

    return [
        record("a", "none", 0, "x", 1.0),
        record("b", "none", 0, "x", 2.0, scans=3e6),
        record("c", "none", 0, "x", 6.0, scans=5e6),
        record("a", "both", 0, "x", 1.0),
        record("a", "both", 1, "x", 3.0),
        record("a", "none", 0, "y", 2.0),
        record("b", "none", 0, "y", 1.0),
        record("c", "none", 0, "y", 60.0, "timeout"),
        record("a", "none", 0, "peer", 4.0, kind="peer"),
        record("b", "none", 0, "peer", 60.0, "timeout", kind="peer"),
        record("c", "none", 0, "peer", 3.0, kind="peer"),
        record("c", "none", 0, "broken", 3.0, "crashed", kind="peer"),
    ]


def test_random_orders_are_averaged_first():
    rows = {(row.solver, *row.case): row for row in figures.averaged(made_up())}
    assert rows["x", "a", "both"].seconds == 2.0
    assert rows["y", "c", "none"].stopped
    assert ("broken", "c", "none") not in rows


def test_table_one_has_averages_medians_and_their_mean_over_orders():
    table = figures.running_times(figures.averaged(made_up()))
    assert table["x"]["none"] == (3.0, 2.0)
    assert table["x"]["both"] == (2.0, 2.0)
    assert table["x"]["average"] == (2.5, 2.0)
    assert table["y"]["none"] == (21.0, 2.0)
    shown = report.running_times(figures.averaged(made_up()))
    cells = {row[0]: row[1:] for row in shown.rows}
    assert cells["x"] == ["3.00", "2.00", "2.00", "2.00", "2.50", "2.00", "1.25"]
    assert cells["y"][:4] == ["> 21.0", "2.00", "", ""]
    assert [isinstance(cell, report.Best) for cell in cells["x"][:4:2]] == [True, True]


def test_parts_have_average_seconds_and_median_percentages():
    parts = figures.parts_of_time(figures.averaged(made_up()), "x", MATCHING.parts)
    seconds, percentage = parts["main"]
    assert seconds == pytest.approx((1.0 + 2.0 + 6.0 + 2.0) / 16)
    assert percentage == pytest.approx(25.0)
    assert sum(share for _, share in parts.values()) == pytest.approx(100.0)


def test_table_two_counts_in_millions_without_the_start():
    table = figures.operation_counts(figures.averaged(made_up()))
    assert table["x"]["none"] == pytest.approx((3.0, 2.0))
    assert table["x"]["average"] == pytest.approx((2.0, 2.0))
    row = figures.averaged(made_up())[0]
    assert figures.arc_scans(row) == 1.5e6


def test_the_slowest_come_first():
    worst = figures.slowest(figures.averaged(made_up()), most=2)
    assert [row.seconds for row in worst["x"]] == [6.0, 2.0]


def test_ratios_to_peers_are_bounds_where_one_was_stopped():
    cases = list(figures.by_case(figures.averaged(made_up())).items())[:3]
    best = {
        name: figures.best(row for row in case.values() if row.kind == "peer") for (name, _), case in cases
    }
    ratios = {name: figures.ratio(case["x"], best[name]) for (name, _), case in cases}
    assert ratios["a"] == figures.Ratio(4.0)
    assert ratios["b"] == figures.Ratio(30.0, ">")
    assert ratios["c"] == figures.Ratio(0.5)
    mean = figures.geometric_mean(ratios.values())
    assert mean.value == pytest.approx(math.cbrt(4 * 30 * 0.5))
    assert mean.bound == ">"
    both_stopped = figures.ratio(row("y", "method", 9, "timeout"), row("z", "peer", 9, "timeout"))
    assert figures.geometric_mean([both_stopped]) is None


def test_a_peer_that_finished_is_better_than_one_that_was_stopped():
    finished, stopped = row("p", "peer", 9.0), row("q", "peer", 5.0, "timeout")
    assert figures.best([stopped, finished]) is finished


def test_performance_profile_is_the_fraction_within_a_factor():
    rows = [row for row in figures.averaged(made_up()) if row.kind == "method" and row.order == "none"]
    ratios = figures.performance_ratios(rows)
    assert ratios["x"].tolist() == [1.0, 1.0, 2.0]
    assert ratios["y"].tolist() == [1.0, 2.0, math.inf]
    assert figures.fraction_within(ratios["x"], 1.0) == pytest.approx(2 / 3)
    assert figures.fraction_within(ratios["y"], 1e9) == pytest.approx(2 / 3)


def test_reports_and_pictures_can_be_made_of_any_records(tmp_path):
    titles = [table.title for table in report.tables(MATCHING, made_up())]
    assert len(titles) == 6
    assert list(report.tables(MATCHING, [])) == []
    for found in (made_up(), made_up()[:1], []):
        draw(tmp_path / "profile.png", found, MATCHING.parts)
        assert (tmp_path / "profile.png").stat().st_size > 1000


def test_benchmark_files_are_read_back(tmp_path):
    path = tmp_path / "bench.json"
    run = Run("matching", "tiny", {"repeats": 3}, {"cores": 2}, made_up())
    records.write(path, run)
    assert records.read(path) == run
    assert report.compare(made_up(), records.read(path).records).rows
    head = '"kind": "konig benchmark", "problem": "flow", "suite": "", "settings": {}, "machine": {}'
    for content in (
        "{",
        "[]",
        '{"kind": "konig benchmark"}',
        f'{{{head}, "records": [{{"instance": "a"}}]}}',
    ):
        path.write_text(content)
        with pytest.raises(ValueError, match=r"bench\.json"):
            records.read(path)


def test_konig_bench_from_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    io.write(tmp_path / "data" / "mine.mtx", [[1, 1, 0], [1, 0, 0], [0, 0, 1]])
    common = [
        "bench",
        "matching",
        "--suite",
        "none",
        "--data",
        "data",
        "--methods",
        "auto,hk",
        "--repeats",
        "1",
    ]
    assert main([*common, "--permutations", "1", "--peers", "--json", "out.json", "--plot", "out.png"]) == 0
    out = capsys.readouterr().out
    assert "Running times" in out
    assert "geometric mean" in out
    found = json.loads((tmp_path / "out.json").read_text())["records"]
    assert {record["order"] for record in found} == set(suites.ORDERS)
    assert main([*common, "--permutations", "0", "--json", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["records"]) == 2
    assert main(["bench", "compare", "out.json", "out.json"]) == 0


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_timeout_may_be_infinite():
    with Child() as child, pytest.raises(SolverError, match="no attribute 'rest'"):
        child.ask({"do": "rest"}, math.inf)
