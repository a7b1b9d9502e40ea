"""``konig bench flow``: real runs against every peer, and the papers' tables from records made up here."""

import json

import numpy as np
import pytest
from scipy import sparse

from konig import io
from konig.cli import main
from konig.errors import CertificateError
from konig.lab.bench import contenders, report, runner
from konig.lab.bench.problems import PROBLEMS
from konig.lab.bench.problems.flow import PeerFlow
from konig.lab.bench.records import Record
from konig.lab.bench.suites import Instance
from konig.lab.generators import generate, sprand

FLOW = PROBLEMS["flow"]


def test_every_peer_gives_the_proven_value_on_every_family(settings):
    running = contenders.parse_methods("auto,dinic", problem="flow")
    running += contenders.installed(FLOW.peers, print)
    assert "scipy" in [contender.name for contender in running]
    records = list(runner.run(FLOW.suites["tiny"].instances(), running, settings))
    assert [(r.instance, r.solver, r.message) for r in records if r.status != "ok"] == []
    assert len(records) == len(running) * len(FLOW.suites["tiny"].instances())
    for instance in FLOW.suites["tiny"].instances():
        assert len({r.size for r in records if r.instance == instance.name}) == 1
    assert all(record.repeats == 2 and record.seconds > 0 for record in records)
    assert all(r.parts["total"] <= 1.5 * r.seconds + 1e-3 for r in records if r.kind == "method")
    assert {r.instance for r in records if r.group == "bipartite"} == {"matching 200 d=4", "rmat matching 8"}


def test_the_small_suite_holds_the_rows_to_be_compared():
    assert [instance.name for instance in FLOW.suites["small"].instances()] == [
        "genrmf a=16 b=256",
        "genrmf a=24 b=128",
        "genrmf a=32 b=64",
        "rlg long 64 x 2048",
        "rlg wide 2048 x 64",
        "vision 512, random",
        "vision 512, blobs",
        "rmat 17",
        "rmat matching 17",
    ]


def small_network():
    """Two ways from 0 to 3, an arc back, and parallel arcs."""
    tail, head = np.array([0, 0, 1, 2, 2, 1]), np.array([1, 2, 3, 3, 3, 0])
    return io.Network(tail, head, np.array([2, 3, 4, 1, 1, 9]), 4, 0, 3)


def flow_matrix(*entries):
    tail, head, amount = (np.array(column) for column in zip(*entries, strict=True))
    return sparse.csr_array((amount, (tail, head)), shape=(4, 4))


RIGHT = flow_matrix((0, 1, 3), (1, 0, 1), (0, 2, 2), (1, 3, 2), (2, 3, 2))
CUT = np.array([True, False, True, False])


@pytest.mark.parametrize("flow", [None, RIGHT])
@pytest.mark.parametrize("cut", [None, CUT])
def test_right_answers_of_peers_pass(flow, cut):
    assert FLOW.check(small_network(), PeerFlow(4, flow, cut)) == 4


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (PeerFlow(5, RIGHT), "brings 4, not 5"),
        (PeerFlow(5, cut=CUT), "capacity 4, but the value is 5"),
        (PeerFlow(4, cut=np.array([True, True, True, True])), "sink 3"),
        (PeerFlow(5, flow_matrix((0, 1, 3), (1, 3, 3), (0, 2, 2), (2, 3, 2))), "carries 3"),
        (PeerFlow(4, flow_matrix((0, 1, 2), (1, 3, 2), (0, 2, 2), (2, 3, 1))), "vertex 2"),
        (PeerFlow(2, flow_matrix((0, 3, 2))), "no arc connects"),
    ],
)
def test_wrong_answers_of_peers_are_refused(answer, message):
    with pytest.raises(CertificateError, match=message):
        FLOW.check(small_network(), answer)


def test_a_value_below_the_proven_one_is_wrong():
    record = Record("a", "none", 0, "peer", "peer", seconds=1.0, size=6)
    runner.compared(record, 7, FLOW)
    assert (record.status, record.message) == ("wrong", "6 units, but 7 are proved maximum")


def test_files_become_networks_as_in_the_paper(tmp_path):
    io.write_network(tmp_path / "a.max.gz", generate("genrmf", seed=1, a=3, b=3))
    io.write(tmp_path / "b.mtx", generate("road_grid", seed=1, nx=12, keep=0.8))
    io.write(tmp_path / "c.mtx.xz", sprand(30, 20, 2.0, seed=1))
    (tmp_path / "readme.md").write_text("not an instance")
    instances = FLOW.files(tmp_path)
    assert [instance.name for instance in instances] == ["a", "b", "c"]
    made = [FLOW.make(instance) for instance in instances]
    assert [net.num_vertices for net in made] == [27, 12 * 12 + 2, 52]
    extents = [FLOW.extent(net) for net in made]
    assert [extent["group"] for extent in extents] == ["", "", "bipartite"]
    assert (extents[2]["rows"], extents[2]["cols"]) == (30, 20)


def test_networks_are_cached(tmp_path):
    instance = Instance("net", "genrmf", {"a": 3, "b": 4}, ("none",), "flow")
    net = FLOW.load(FLOW.cached(instance, tmp_path))
    made = FLOW.make(instance)
    for ours, theirs in zip(net.arcs, made.arcs, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (net.num_vertices, net.source, net.sink) == (36, 0, 35)
    with pytest.raises(ValueError, match="as they come"):
        FLOW.load(FLOW.cached(instance, tmp_path), "both")


def made_up():
    """The paper's configurations on a network and on a bipartite graph; one of them was stopped."""
    times = {
        "lock-free-csr": 0.9,
        "lock-free-rcsr": 0.4,
        "tlpns-rcsr": 0.1,
        "lock-free-bcsr": 0.3,
        "tlpns-bcsr": 0.6,
    }
    records = []
    for graph, group, factor in (("net", "", 1.0), ("pairs", "bipartite", 2.0)):
        for solver, seconds in times.items():
            status = "timeout" if solver == "lock-free-csr" else "ok"
            records.append(
                Record(
                    *(graph, "none", 0, solver, "method", 50, 40, 1234, group, status),
                    seconds=factor * seconds + 5,
                    parts={"main": seconds * (factor if solver.startswith("lock") else 1.0)},
                    size=77 if status == "ok" else None,
                )
            )
    return records


def test_tables_one_and_three_of_the_paper():
    tables = {table.title: table.markdown() for table in report.tables(FLOW, made_up())}
    (one,) = [text for title, text in tables.items() if title.startswith("Table I:")]
    (three,) = [text for title, text in tables.items() if title.startswith("Table III:")]
    (row,) = [line for line in one.splitlines() if "net" in line]
    cells = [cell.strip(" *") for cell in row.split("|")[1:-1]]
    assert cells == ["net", "50", "1,234", "TO", "", "400.00", "100.00", "300.00", "600.00", "4.00x", "0.50x"]
    (row,) = [line for line in three.splitlines() if "pairs" in line]
    cells = [cell.strip(" *") for cell in row.split("|")[1:-1]]
    assert cells[:5] == ["pairs", "50", "40", "1,234", "77"]
    assert cells[-2:] == ["8.00x", "1.00x"]
    assert "stopped at the timeout" in one
    assert "pairs" not in one


def test_auto_stands_beside_the_paper_and_what_csr_refuses_is_marked():
    records = [
        *made_up(),
        Record("net", "none", 0, "tlpns-csr", "method", 50, 40, 1234, "", "error", message="too many arcs"),
        Record("net", "none", 0, "auto", "method", 50, 40, 1234, seconds=1.0, parts={"main": 0.002}, size=77),
        Record("net", "none", 0, "ortools", "peer", 50, 40, 1234, seconds=1.0, size=77),
    ]
    (one,) = [
        table.markdown() for table in report.tables(FLOW, records) if table.title.startswith("Table I:")
    ]
    (row,) = [line for line in one.splitlines() if "net" in line]
    cells = [cell.strip(" *") for cell in row.split("|")[1:-1]]
    assert cells[3:5] == ["TO", "-"]
    assert cells[-3:] == ["4.00x", "0.50x", "2.00"]
    assert "auto" in one
    assert "ortools" not in one
    assert "refused" in one


def test_without_the_papers_methods_there_are_no_such_tables():
    records = [Record("net", "none", 0, "auto", "method", 5, 5, 9, seconds=1.0, parts={"solve": 0.5})]
    titles = [table.title for table in report.tables(FLOW, records)]
    assert not any(title.startswith("Table") for title in titles)
    assert list(report.tables(FLOW, [])) == []


def test_konig_bench_flow_from_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    io.write_network(tmp_path / "data" / "mine.max", generate("genrmf", seed=1, a=3, b=4))
    common = ["bench", "flow", "--suite", "none", "--data", "data", "--repeats", "1"]
    assert (
        main([*common, "--methods", "auto,hl-pr", "--peers", "--json", "out.json", "--plot", "out.png"]) == 0
    )
    out = capsys.readouterr().out
    assert "Running times" in out
    assert "geometric mean" in out
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["problem"] == "flow"
    assert {record["status"] for record in content["records"]} == {"ok"}
    assert main([*common, "--methods", "auto", "--json", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["records"]) == 1
    assert main(["bench", "compare", "out.json", "out.json"]) == 0
    assert main([*common, "--methods", "hk"]) == 2
    assert "method='hk' is not a flow method" in capsys.readouterr().err
    assert main(["bench", "flow", "--suite", "huge"]) == 2
