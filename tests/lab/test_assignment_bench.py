"""``konig bench assignment``: real runs against every peer, and the paper's tables from made up records."""

import json
import sys
import types

import numpy as np
import pytest
from scipy import sparse

import konig
from konig import io
from konig.cli import main
from konig.errors import CertificateError
from konig.lab.bench import contenders, report, runner
from konig.lab.bench.figures import averaged
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.records import Record
from konig.lab.bench.suites import Instance
from konig.lab.generators import generate

ASSIGNMENT = PROBLEMS["assignment"]


def test_every_peer_gives_the_proven_cost_on_every_family(settings):
    running = contenders.parse_methods("auto", problem="assignment")
    running += contenders.installed(ASSIGNMENT.peers, print)
    assert "scipy" in [contender.name for contender in running]
    instances = ASSIGNMENT.suites["tiny"].instances()
    records = list(runner.run(instances, running, settings))
    assert [(r.instance, r.solver, r.message) for r in records if r.status not in ("ok", "left out")] == []
    assert len(records) == len(running) * len(instances)
    assert all(r.status == "ok" for r in records if r.solver in ("auto", "scipy"))
    for instance in instances:
        costs = [r.size for r in records if r.instance == instance.name and r.status == "ok"]
        assert np.allclose(costs, costs[0], rtol=1e-9, atol=0)
    assert {r.group for r in records} == {"", "[0, n/10]", "[0, n]", "[0, 10n]", "[0, 100n]"}


def test_every_method_solves_the_tiny_suite(settings):
    running = contenders.parse_methods("all", device="cpu", problem="assignment")
    records = list(runner.run(ASSIGNMENT.suites["tiny"].instances(), running, settings))
    assert [(r.instance, r.solver, r.message) for r in records if r.status not in ("ok", "left out")] == []
    assert all(r.nonzeros < r.rows * r.cols for r in records if r.status == "left out"), (
        "of sparse costs only"
    )


def test_parts_that_some_runs_lack_count_as_nothing(settings, monkeypatch):
    replies = iter([{"convert": 1.0, "main": 2.0}, {"main": 4.0, "search": 1.0}])

    def ask(self, request, timeout=None):
        answers = {"load": {"rows": 1, "cols": 1, "nonzeros": 1, "group": ""}, "prepare": {"seconds": 0.0}}
        solved = {"seconds": 5.0, "memory": None}
        if request["do"] == "solve":
            return solved | {"parts": next(replies), "counts": {}, "ran": "jv"}
        return answers.get(request["do"], {"size": 3, "problem": None})

    monkeypatch.setattr(runner.Child, "ask", ask)
    instances = [Instance("a", "machol_wien", {"rows": 1}, ("none",), "assignment")]
    (record,) = runner.run(instances, contenders.parse_methods("jv", problem="assignment"), settings)
    assert record.parts == {"convert": 0.5, "main": 3.0, "search": 0.5}


def test_the_small_suite_holds_the_rows_to_be_compared():
    names = [instance.name for instance in ASSIGNMENT.suites["small"].instances()]
    ranges = ("[0, n/10]", "[0, n]", "[0, 10n]")
    assert names == [
        *(f"{n} {label}" for n in (1000, 2000, 5000) for label in ranges),
        "10000 [0, n]",
        "euclidean 1000",
        "euclidean 2000",
        "machol-wien 1000",
        "machol-wien 2000",
        "sparse 100k d=10",
        "sparse 1M d=10",
    ]


DENSE = np.array([[4, 1, 3], [2, 0, 5]])
SPARSE = sparse.csr_array(([4, 1, 2, 0], [0, 1, 0, 2], [0, 2, 4]), shape=(2, 3))


def test_answers_of_peers_are_summed_up():
    assert ASSIGNMENT.check(DENSE, np.array([1, 0])) == 3
    assert ASSIGNMENT.check(DENSE.T, np.array([1, 0, -1])) == 3
    assert ASSIGNMENT.check(SPARSE, np.array([1, 2])) == 1
    assert ASSIGNMENT.check(DENSE.astype(float) / 10, np.array([2, 1])) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("costs", "answer", "message"),
    [
        (DENSE, [1, 1], "column 1 is assigned twice"),
        (DENSE, [1, -1], "1 rows of 2"),
        (DENSE, [1, 3], r"not in \[0, 3\)"),
        (np.array([[np.inf, 1.0], [1.0, np.inf]]), [0, 1], r"the entry \(0, 0\) is forbidden"),
        (SPARSE, [2, 0], r"the entry \(0, 2\) is forbidden"),
        (sparse.csr_array((1, 1)), [0], r"the entry \(0, 0\) is forbidden"),
    ],
)
def test_wrong_answers_of_peers_are_refused(costs, answer, message):
    with pytest.raises(CertificateError, match=message):
        ASSIGNMENT.check(costs, np.array(answer))


@pytest.mark.parametrize(
    ("size", "proven", "wrong"),
    [(7, 7, False), (8, 7, True), (7.0 + 1e-12, 7.0, False), (7.001, 7.0, True), (8, 7.0, True)],
)
def test_dearer_answers_than_the_proven_one_are_wrong(size, proven, wrong):
    record = Record("a", "none", 0, "peer", "peer", seconds=1.0, size=size)
    assert runner.compared(record, proven, ASSIGNMENT) == proven
    assert (record.status == "wrong") == wrong
    assert not wrong or record.message == f"costs {size}, but {proven} is proved optimal"


def test_costs_are_cached(tmp_path):
    for family in ("uniform_costs", "sparse_costs"):
        instance = Instance(family, family, {"rows": 30}, ("none",), "assignment")
        path = ASSIGNMENT.cached(instance, tmp_path)
        loaded, made = ASSIGNMENT.load(path), ASSIGNMENT.make(instance)
        assert loaded.dtype == made.dtype
        assert not (loaded != made).sum()
        with pytest.raises(ValueError, match="as they come"):
            ASSIGNMENT.load(path, "both")


def test_files_of_every_format_are_instances(tmp_path):
    costs = generate("uniform_costs", rows=8)
    for name in ("a.npy", "b.npz", "c.mtx", "d.asn.gz"):
        io.write_costs(tmp_path / name, costs)
    (tmp_path / "e.txt").write_text("2\n1 2\n3 4\n")
    instances = ASSIGNMENT.files(tmp_path)
    assert [instance.name for instance in instances] == ["a", "b", "c", "d", "e"]
    made = [ASSIGNMENT.make(instance) for instance in instances]
    assert [konig.linear_assignment(C).cost for C in made[:4]] == [konig.linear_assignment(costs).cost] * 4


def test_threads_and_devices_belong_to_a_contender():
    one, two = contenders.parse_methods("jv:threads=1,jv:device=cpu", problem="assignment")
    assert (one.label, one.options) == ("jv:threads=1", {"device": "auto", "threads": 1})
    assert two.options == {"device": "cpu", "threads": None}
    with pytest.raises(ValueError, match="threads must be an integer, not 'many'"):
        contenders.parse_methods("jv:threads=many", problem="assignment")


def test_the_command_writes_records_and_prints_tables(tmp_path, capsys):
    out = tmp_path / "bench.json"
    io.write_costs(tmp_path / "small.npy", generate("uniform_costs", rows=30))
    arguments = ["--suite", "none", "--data", tmp_path, "--methods", "auto,jv", "--peers", "--repeats", 1]
    arguments += ["--json", out, "--cache", tmp_path / "cache"]
    assert main(["bench", "assignment", *map(str, arguments)]) == 0
    text = capsys.readouterr().out
    assert "auto against peers" in text
    written = json.loads(out.read_text())
    assert written["problem"] == "assignment"
    assert {"auto", "jv", "scipy"} <= {record["solver"] for record in written["records"]}


def test_costs_for_a_gpu_are_moved_there_before_the_clock_starts(monkeypatch):
    class Device:
        def __init__(self, number):
            self.number = number

        def __enter__(self):
            Device.current = self.number

        def __exit__(self, *raised):
            Device.current = None

    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(Device=Device)
    cupy.asarray = lambda costs: (Device.current, costs)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert ASSIGNMENT.placed(DENSE, "cuda:1") == (1, DENSE)
    assert ASSIGNMENT.placed(SPARSE, "cuda") is SPARSE
    assert ASSIGNMENT.placed(DENSE, "host") is DENSE


def made_up():
    """Both variants on two sizes and two ranges, the last of them stopped."""

    def record(n, group, solver, seconds, parts, gained=(), status="ok"):
        counts = {"greedy_assignments": n - sum(gained), "initial_assignments": n - sum(gained) + 1}
        return Record(
            f"{n} {group}",
            "none",
            0,
            solver,
            "method",
            rows=n,
            cols=n,
            group=group,
            seconds=seconds,
            status=status,
            size=n + 160 if status == "ok" else None,
            parts=dict(zip(("compression", "forward_pass", "dual_update"), parts, strict=True)),
            counts=counts if status == "ok" else {},
            series={"assignments": list(gained)} if status == "ok" else {},
        )

    tree, classical = "hungarian-tree:threads=1", "hungarian-classical"
    return [
        record(2000, "[0, n]", tree, 2.5, (0.0, 1.25, 0.5), (30, 20, 10, 5, 5, 4, 3)),
        record(1000, "[0, n]", tree, 1.5, (0.0, 0.75, 0.25), (40, 9)),
        record(1000, "[0, n]", classical, 1.75, (0.125, 1.0, 0.5), (49,)),
        record(1000, "[0, 10n]", tree, 3.5, (0.0, 2.25, 0.75), (60, 40)),
        record(1000, "[0, 10n]", classical, 20.0, (0, 0, 0), status="timeout"),
        Record("1000 [0, n]", "none", 0, "jv", "method", rows=1000, group="[0, n]", seconds=9.0, size=1160),
    ]


def test_the_paper_tables_are_filled():
    one, two, three, wide = map(report.Table.markdown, report.hungarian_tables(made_up()))
    assert "Table 1" in one
    assert "jv" not in one
    lines = [line.replace("|", " ").split() for line in one.splitlines()]
    assert ["1,000", "1,160", "1.50", "1.75"] in lines
    assert ["2,000", "2,160", "2.50"] in lines
    lines = [line.replace("|", " ").split() for line in two.splitlines()]
    assert ["1,000", "951", "952", "49"] in lines
    assert ["2,000", "1,923", "1,924", "70", "7"] in lines
    assert "costs in [0, n]" in three
    lines = [line.replace("|", " ").split() for line in three.splitlines()]
    assert ["1,000", "1,160", "952", "0.750", "0.250", "1.50", "0.125", "1.00", "0.500", "1.75"] in lines
    assert "costs in [0, 10n]" in wide
    assert "> 20.0 |" in wide


def test_the_paper_methods_fill_the_paper_tables(settings):
    running = contenders.parse_methods("paper", "cpu", None, "assignment", ASSIGNMENT.paper)
    hungarian = [c for c in running if c.name.startswith("hungarian") and c.options["device"] != "cuda"]
    assert len(hungarian) >= 2
    instances = [Instance("300 [0, n]", "uniform_costs", {"rows": 300}, ("none",), "assignment")]
    records = list(runner.run(instances, hungarian, settings))
    assert {record.status for record in records} == {"ok"}
    tables = list(report.hungarian_tables(records))
    assert len(tables) == 3
    for record in records:
        assert record.counts["greedy_assignments"] + sum(record.series["assignments"]) == 300
        assert record.parts["forward_pass"] > 0


def test_many_peers_share_a_table():
    records = [Record("a", "none", 0, "auto", "method", seconds=1.0, size=1)]
    records += [Record("a", "none", 0, f"p{k}", "peer", seconds=float(k), size=1) for k in range(2, 8)]
    table = next(report.against_peers(averaged(records))).markdown()
    assert table.count("ratio") == 2, "in the title of one column and of the row of means"
    assert "2.00" in table
