"""The suites for a GPU at a size for a test, on the CPU team, and what the bench does with a device."""

import sys
import time
import types
from dataclasses import replace

import numpy as np
import pytest

from konig.cli import main
from konig.gpu.compile import headers_digest
from konig.lab.bench import contenders, gpu, page, records, report, runner, suites
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.records import Record, Run
from konig.lab.bench.worker import Worker
from konig.plot import bench as pictures

MATCHING, ASSIGNMENT, FLOW = (PROBLEMS[name] for name in ("matching", "assignment", "flow"))


def ran(problem, suite, settings, methods=None, scale=7, instances=None):
    """The records of a suite on one thread of the CPU team, as if a GPU had solved them."""
    chosen = problem.suites[suite]
    running = contenders.parse_methods(methods or chosen.methods, "cpu", 1, problem.name)
    found = list(runner.run(instances or chosen.instances(scale), running, replace(settings, repeats=1)))
    assert [(r.instance, r.solver, r.message) for r in found if r.status != "ok"] == []
    return [replace(record, device="cuda:0") for record in found]


def titles(problem, found):
    return [table.title for table in report.tables(problem, found)]


def test_eight_variants_on_both_sets_have_times_and_levels(settings):
    found = ran(MATCHING, "variants", settings, scale=6)
    assert len({r.solver for r in found}) == 8
    assert len({r.case for r in found}) == 16
    for case in {r.case for r in found}:
        assert len({r.size for r in found if r.case == case}) == 1
    shown = titles(MATCHING, found)
    for start in ("Milliseconds of the whole call", "Milliseconds of the solve", "On the GPU", "Searches"):
        assert any(title.startswith(start) for title in shown), start


def test_strategies_of_relabelling_are_set_side_by_side(settings):
    instances = MATCHING.suites["relabelling"].instances(7)[:2]
    found = ran(MATCHING, "relabelling", settings, instances=instances)
    table = report.relabelling(found)
    adaptive = [f"adaptive {k}" for k in ("0.3", "0.7", "1", "1.5", "2")]
    assert table.columns[1:] == [*adaptive, "fix 10", "fix 50"]
    assert [row[0] for row in table.rows] == list(suites.PUSH_RELABEL)
    assert all(cell for row in table.rows for cell in row)


def test_profiles_are_over_the_sequential_methods(settings, tmp_path):
    instances = MATCHING.suites["profiles"].instances(7)[:2]
    found = ran(MATCHING, "profiles", settings, instances=instances)
    table = report.speedups(found)
    assert len(table.rows) == 2 * 7, "two orders, and neither pfp nor hkdw among the methods"
    pictures.draw(tmp_path / "profiles.png", found, MATCHING.parts)
    assert (tmp_path / "profiles.png").stat().st_size > 10_000


def test_small_and_narrow_graphs_are_solved_where_they_are_and_on_the_host(settings):
    assert len(MATCHING.suites["sizes"].methods.split(",")) == 2
    found = ran(MATCHING, "narrow", settings, instances=MATCHING.suites["narrow"].instances(6)[-3:])
    assert len({r.solver for r in found}) == 4


@pytest.mark.parametrize("entries", [8000, 210_000])
def test_graphs_have_about_as_many_entries(entries):
    for instance in suites.narrow(entries):
        slack = 0.15 if instance.family not in ("kronecker", "random_geometric") else 0.9
        assert MATCHING.make(instance).nnz == pytest.approx(entries, rel=slack), instance.name


def test_a_rolled_matrix_has_its_last_row_first():
    plain, rolled = (i for i in suites.narrow(8000) if "32 groups" in i.name)
    A, B = MATCHING.make(plain), MATCHING.make(rolled)
    assert (A[-1:] != B[:1]).nnz == 0
    assert (A[:-1] != B[1:]).nnz == 0


def test_the_other_graphs_can_be_solved(settings):
    graphs = [MATCHING.suites[suite].instances(6)[0] for suite in ("gpu", "classes")]
    ran(MATCHING, "as-flow", settings, methods="auto,flow-tlpns-rcsr,g-pr-shr:at=host", instances=graphs)
    assert len(MATCHING.suites["classes"].instances()) == 11


def test_the_suites_are_listed(capsys):
    assert main(["bench", "suites"]) == 0
    shown = capsys.readouterr().out
    assert all(suite in shown for problem in PROBLEMS.values() for suite in problem.suites)


def test_a_gpu_that_is_not_there_is_refused_by_name(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cupy", None)
    for methods in ("auto", "auto:device=cpu:at=device"):
        assert main(["bench", "matching", "--device", "cuda:3", "--methods", methods]) == 2
        assert "device='cuda:3'" in capsys.readouterr().err


def test_sizes_follow_the_scale_where_a_suite_has_one():
    small, full = (MATCHING.suites["gpu"].instances(scale) for scale in (8, None))
    assert (small[0].name, full[0].name) == ("delaunay n8", "delaunay n20")
    with pytest.raises(ValueError, match="scale must be from 6 to 20, not 30"):
        MATCHING.suites["gpu"].instances(30)
    assert main(["bench", "matching", "--suite", "tiny", "--scale", "8"]) == 2


def test_costs_that_a_device_makes_are_solved_and_proved(settings):
    found = ran(ASSIGNMENT, "gpu", settings, methods="auto,core-paths", scale=12)
    assert {r.rows for r in found} == {39, 78}
    assert {r.group for r in found} == {"", *suites.RANGES}
    (table,) = [t for t in report.tables(ASSIGNMENT, found) if t.title.startswith("On the GPU")]
    assert "phases" in table.columns


@pytest.mark.parametrize("kind", [*suites.RANGES, "real", "euclidean"])
def test_costs_are_of_their_kind(kind):
    C = gpu.device_costs(np, kind, 700)
    assert C.shape == (700, 700)
    tops = [70, 700, 7000, 70_000, 1, 2**0.5]
    top = dict(zip((*suites.RANGES, "real", "euclidean"), tops, strict=True))[kind]
    assert 0.9 * top < C.max() <= top
    assert C.dtype == (np.float32 if kind in ("real", "euclidean") else np.int32)


def test_grids_have_the_value_of_their_arcs(settings, tmp_path):
    grid = suites.Instance("grid", "vision_blobs", {"height": 20, "blobs": 4}, ("none",), "flow", "grid")
    arcs = replace(grid, name="arcs", form="")
    found = ran(FLOW, "grids", settings, instances=[grid, arcs])
    assert found[0].size == found[1].size > 0
    assert found[0].nonzeros == found[1].nonzeros
    with_peer = contenders.as_contenders(["scipy"])
    (record,) = runner.run([grid], with_peer, settings)
    assert (record.status, record.message) == ("left out", "takes arcs only")


def test_networks_for_a_gpu_tell_their_stages_and_steps(settings):
    small = [suites.Instance("small", "genrmf", {"a": 3, "b": 4}, ("none",), "flow")]
    found = ran(FLOW, "gpu", settings, methods="sync-pr", instances=small)
    (table,) = [t for t in report.tables(FLOW, found) if t.title.startswith("On the GPU")]
    steps = ["push steps", "search levels", "global relabels", "supersteps"]
    assert table.columns == ["instance", "method", "size", "call", "build", "solve", "extract", *steps]


def fake_cupy(monkeypatch):
    """A CuPy that moves nothing, and whose events are moments of the host."""

    class Event:
        def record(self):
            self.moment = time.perf_counter()

        def synchronize(self):
            pass

    class Device:
        def __init__(self, number):
            self.number = number

        def __enter__(self):
            return self

        def __exit__(self, *raised):
            pass

    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(
        Device=Device, Event=Event, get_elapsed_time=lambda first, last: 1000 * (last.moment - first.moment)
    )
    cupy.asarray = np.asarray
    monkeypatch.setitem(sys.modules, "cupy", cupy)


def test_calls_on_device_data_are_timed_by_events(monkeypatch):
    fake_cupy(monkeypatch)
    for at in ("host", "cuda", "cuda:1"):
        answer, seconds = gpu.timed(lambda: time.sleep(0.01) or 7, at)
        assert answer == 7
        assert 0.01 <= seconds < 1


def test_compilation_is_not_timed():
    class Sleep(type(PROBLEMS["matching"])):
        def solve(self, data, method, options):
            time.sleep(0.05)
            stats = {"seconds": {"compile": 0.04}}
            return types.SimpleNamespace(stats=stats, method=method, device="cuda:0")

    worker = Worker()
    worker.problem = Sleep()
    worker.data = worker.problem.warm_up
    worker.prepare({"label": "auto", "name": "auto", "kind": "method", "options": {}, "at": "host"})
    reply = worker.solve("auto")
    assert 0.009 < reply["seconds"] < 0.04
    assert reply["device"] == "cuda:0"


def test_the_solve_alone_is_that_of_the_kernels_where_they_were_timed():
    record = Record("a", "none", 0, "auto", "method", seconds=9.0)
    assert record.search == 9.0
    record.parts = {"main": 5.0, "kernel": 2.0}
    assert record.search == 2.0
    record.parts = {"main": 5.0, "kernel": 0.0}
    assert record.search == 5.0


def test_data_is_where_a_method_solves_unless_it_says_otherwise(monkeypatch):
    monkeypatch.setattr(contenders, "cupy_or_error", lambda what: None)
    labels = "auto,auto:at=host,auto:device=auto:at=device,auto:device=cpu,auto:device=cpu:at=device"
    found = contenders.parse_methods(labels, "cuda:1")
    assert [c.at for c in found] == ["cuda:1", "host", "cuda:1", "host", "cuda:1"]
    assert [c.options["device"] for c in found] == ["cuda:1", "cuda:1", "auto", "cpu", "cpu"]
    assert [c.at for c in contenders.parse_methods(labels, "cpu")] == ["host"] * 5
    with pytest.raises(ValueError, match="at=moon: expected host or device"):
        contenders.parse_methods("auto:at=moon")


def test_counters_are_off_on_a_gpu_unless_they_are_asked_for(monkeypatch):
    monkeypatch.setattr(contenders, "cupy_or_error", lambda what: None)
    off, on = contenders.parse_methods("g-pr-shr,g-pr-shr:counters=true", "cuda")
    assert (off.options["counters"], on.options["counters"]) == (False, True)
    (cpu,) = contenders.parse_methods("g-pr-shr", "cpu")
    assert "counters" not in cpu.options


def test_nothing_is_begun_after_the_budget(settings):
    instances = MATCHING.suites["tiny"].instances()
    spent = replace(settings, budget=0.0)
    assert list(runner.run(instances[:1], contenders.parse_methods("hk"), spent)) == []


def test_instances_are_made_by_several_workers(tmp_path):
    instances = [suites.Instance(f"m{n}", "delaunay", {"n": n}) for n in (20, 30)]
    unknown = suites.Instance("none", "no_such_family")
    runner.make([*instances, unknown], tmp_path, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(i.file_name() for i in instances)


def peer_run(device="cpu"):
    made = [Record("a", "none", 0, "auto", "method", 5, 5, 9, seconds=0.5, device=device)]
    made.append(Record("a", "none", 0, "scipy", "peer", 5, 5, 9, seconds=1.0))
    return Run("matching", "small", {}, {"cores": 2, "commit": "abc", "date": "2000-01-01"}, made)


def test_the_page_has_a_table_for_each_run_and_links_its_records(tmp_path):
    (tmp_path / "records").mkdir()
    records.write(tmp_path / "records" / "matching.json", peer_run())
    records.write(tmp_path / "records" / "on-gpu.json", peer_run("cuda:0"))
    out = tmp_path / "page.md"
    assert main(["bench", "page", str(tmp_path / "records"), "--out", str(out)]) == 0
    text = out.read_text()
    assert "[matching.json](records/matching.json)" in text
    assert "| a | 0.500 | 1.00 | 2.00 | scipy | **2.00** |" in text
    assert text.count("Milliseconds of the whole call") == 1, "of the GPU's run only"
    assert "| abc | 2000-01-01 |" in text
    assert main(["bench", "page", str(tmp_path), "--out", str(out)]) == 2
    assert "![" not in text
    assert main(["bench", "page", str(tmp_path / "records"), "--out", str(out), "--pictures"]) == 0
    assert "![matching, suite small](records/on-gpu.png)" in out.read_text()
    assert (tmp_path / "records" / "on-gpu.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("device", "code", "told"),
    [("cuda:0", "before", True), ("cuda:0", headers_digest(), False), ("cpu", "before", False)],
)
def test_the_page_says_if_a_gpu_ran_other_device_code(tmp_path, device, code, told):
    run = peer_run(device)
    records.write(tmp_path / "run.json", replace(run, machine=run.machine | {"device code": code}))
    page.write(tmp_path, tmp_path / "page.md")
    assert ("device code before, which has changed since" in (tmp_path / "page.md").read_text()) is told


def test_many_methods_become_the_rows_and_their_instances_the_columns():
    few = [Record("a", "none", 0, f"m{k}", "method", seconds=float(k + 1)) for k in range(3)]
    many = [Record("a", "none", 0, f"m{k}", "method", seconds=float(k + 1)) for k in range(9)]
    assert report.by_instance(few, "t", lambda r: r.time).columns == ["instance", "entries", "m0", "m1", "m2"]
    table = report.by_instance(many, "t", lambda r: r.time)
    assert table.columns == ["method", "geometric mean of 1", "a"]
    assert isinstance(table.rows[0][2], report.Best)


def test_speedups_are_over_the_faster_baseline_and_zero_where_a_contender_was_stopped():
    from konig.lab.bench.figures import speedups

    times = (
        ("a", "pfp:threads=1", 4.0, "ok"),
        ("a", "hkdw", 2.0, "ok"),
        ("a", "gpu", 1.0, "ok"),
        ("b", "pfp:threads=1", 9.0, "ok"),
        ("b", "hkdw", 1.0, "timeout"),
        ("b", "gpu", 1.0, "timeout"),
        ("c", "gpu", 1.0, "ok"),
    )
    rows = [Record(i, "none", 0, name, "method", seconds=s, status=status) for i, name, s, status in times]
    gains = speedups(rows, ["pfp", "hkdw"])
    assert list(gains) == ["gpu"]
    assert gains["gpu"].tolist() == [2.0, 0.0]
