"""The bench of wild draws: races on real draws, and the tables of records made up here."""

import json
import sys
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from lab_worker import InThisProcess

from konig.cli import bench, main
from konig.io import Network
from konig.lab.bench import contenders, records, wild, wild_report
from konig.lab.bench.problems.flow import FLOW
from konig.lab.bench.records import Record
from konig.lab.bench.worker import Child, Worker
from konig.lab.wild import FAMILIES, Request, draw
from konig.lab.wild.assignment import Maximised
from konig.lab.wild.networks import Undirected

SMALL = wild.Settings(seed=4, entries=(1000, 3000), minutes=None)


def race(problem, peers, numbers=(0,), methods="auto", settings=SMALL):
    ours = contenders.parse_methods(methods, "cpu", 1, problem)
    found = wild.run(problem, ours, contenders.as_contenders(peers), settings, numbers)
    return [record for records_of_a_draw in found for record in records_of_a_draw]


@pytest.mark.parametrize(("peer", "package"), [("pymaxflow", "maxflow"), ("ortools", "ortools")])
def test_whole_calls_of_flow_are_timed_with_the_graph_and_the_answer(peer, package):
    pytest.importorskip(package)
    ours, theirs = race("flow", [peer], [3])
    assert ours.status == theirs.status == "ok"
    assert theirs.whole_seconds > theirs.seconds
    assert ours.whole_seconds > 0


def of_flow(peer, seconds, whole=None, build=0.0, status="ok"):
    about = {"whole_seconds": whole, "build_seconds": build, "status": status, "nonzeros": 5000}
    return Record("grid 0", "none", 0, peer, "peer", seconds=seconds, **about)


OURS = Record("grid 0", "none", 0, "auto", "method", seconds=1.0, whole_seconds=5.0, nonzeros=5000)


def test_a_peer_whose_graph_is_used_up_counts_with_its_whole_call_and_others_with_their_solves():
    pymaxflow, ortools = of_flow("pymaxflow", 0.5, whole=4.0), of_flow("ortools", 3.0, whole=9.0)
    (counted,), (alone,) = wild_report.against_peers([OURS, pymaxflow, ortools], "flow")
    assert (counted.ratio.value, counted.peer.solver) == (3.0, "ortools")
    assert (alone.ratio.value, alone.peer.solver) == (0.5, "pymaxflow")
    (counted,), _ = wild_report.against_peers([OURS, pymaxflow], "flow")
    assert counted.ratio.value == 4.0
    first, second, *_ = wild_report.tables([counted], SMALL, "flow", [alone])
    assert (first.below[0][2], second.below[0][2]) == ("4.00", "0.500")
    assert "solve alone" in second.title


def test_a_whole_call_that_was_not_repeated_counts_as_graph_and_solve():
    (counted,), _ = wild_report.against_peers([OURS, of_flow("pymaxflow", 0.5, build=2.0)], "flow")
    assert counted.ratio.value == 2.5
    stopped = of_flow("pymaxflow", 0.5, build=2.0, status="timeout")
    (counted,), alone = wild_report.against_peers([OURS, stopped], "flow")
    assert (counted.ratio.value, counted.ratio.bound, alone) == (0.5, ">", [])


def test_solves_alone_have_a_table_only_where_peers_are_charged_more():
    assert wild_report.against_peers([OURS, of_flow("ortools", 3.0)], "flow")[1] == []


def test_a_peer_that_counts_is_repeated_though_another_ones_solve_alone_is_much_faster(monkeypatch):
    found = [replace(OURS), of_flow("ortools", 3.0), of_flow("pymaxflow", 0.5, build=9.0)]
    asked = []

    class Worker:
        alive = True

        def ask(self, request, timeout=None):
            asked.append(request)
            return dict.fromkeys(request.get("labels", ()), 0.25)

    monkeypatch.setattr(wild, "LONGEST_ROUND", 100.0)
    race = wild.Race("flow", SMALL, 0, Worker(), ready={record.solver for record in found})
    race._repeat(found, {name: contenders.Contender(name, "peer", name) for name in race.ready})
    assert asked[0]["labels"] == ["auto", "ortools", "pymaxflow"]
    assert [record.seconds for record in found] == [0.25, 0.25, 0.25]


def test_our_whole_call_of_flow_reads_the_flow(monkeypatch):
    read = []
    monkeypatch.setattr(type(FLOW), "read", lambda _, answer: read.append(answer.flow))
    worker = Worker()
    worker.draw({"problem": "flow", "seed": 1, "number": 0, "least": 1000, "most": 2000, "family": ""})
    worker.prepare({"label": "auto", "kind": "method", "name": "auto", "options": {}, "at": "host"})
    worker.wholes(["auto"], 2)
    assert len(read) == 2


@pytest.mark.parametrize(
    ("problem", "peers"),
    [
        ("matching", ["scipy"]),
        ("assignment", ["scipy"]),
        ("flow", ["scipy"]),
    ],
)
def test_ours_and_the_peers_are_timed_and_checked_on_every_draw(problem, peers):
    found = race(problem, peers, range(4))
    assert [record.draw for record in found if record.kind == "method"] == [0, 1, 2, 3]
    assert all(record.status == "ok" for record in found if record.kind == "method")
    for record in found:
        names = FAMILIES[problem].by_name
        assert record.group in names
        assert record.instance == f"{record.group} {record.draw}"
        if record.status == "ok":
            assert record.seconds > 0
            assert record.repeats > 1
    assert "entries=" in found[0].told


def test_other_methods_of_ours_race_as_well():
    found = race("matching", [], methods="auto,hk,bfs")
    assert [(record.solver, record.kind) for record in found] == [
        ("auto", "method"),
        ("hk", "method"),
        ("bfs", "method"),
    ]
    assert len({record.size for record in found}) == 1


def test_a_method_that_is_slower_than_ours_ends_itself_and_not_its_process():
    data = {"problem": "matching", "seed": 1, "number": 0, "least": 2_000_000, "most": 2_000_000}
    with Child() as child:
        child.ask({"do": "draw", "request": data | {"family": "planted"}})
        (method,) = contenders.parse_methods("dfs", "cpu", 1)
        child.ask({"do": "prepare", "contender": method.__dict__})
        assert child.ask({"do": "solve", "label": "dfs", "limit": 0.02}, 20)["stopped"]
        assert child.alive


def test_a_wrong_answer_of_ours_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(wild, "Child", InThisProcess)
    problem = type(wild.RACED["matching"])

    def one_too_few(self, data, method, options):
        answer = solve(self, data, method, options)
        row = int(np.flatnonzero(np.asarray(answer.col_of_row) >= 0)[0])
        cols, rows = np.array(answer.col_of_row), np.array(answer.row_of_col)
        rows[cols[row]], cols[row] = -1, -1
        return replaced(answer, col_of_row=cols, row_of_col=rows)

    solve = problem.solve
    monkeypatch.setattr(problem, "solve", one_too_few)
    (record, *others) = race("matching", ["scipy"])
    assert (record.status, others) == ("wrong", [])
    assert main(["bench", "wild", "matching", "--seed", "4", "--entries", "1000,3000", "--draw", "0"]) == 1
    assert "konig bench wild matching --seed 4 --entries 1000,3000 --draw 0" in capsys.readouterr().err


def replaced(answer, **fields):
    from copy import copy

    other = copy(answer)
    for name, value in fields.items():
        object.__setattr__(other, name, value)
    return other


def test_a_wrong_answer_of_a_peer_is_refused_and_does_not_count(monkeypatch):
    monkeypatch.setattr(wild, "Child", InThisProcess)
    lab = wild.RACED["matching"]
    empty = contenders.Peer("scipy", lambda A: (lambda: np.full(A.shape[0], -1), np.asarray))
    monkeypatch.setattr(lab, "peers", {"scipy": empty})
    ours, peer = race("matching", ["scipy"])
    assert (ours.status, peer.status) == ("ok", "wrong")
    assert wild_report.outcomes([ours, peer]) == []
    assert wild_report.left_out([ours, peer])[0].startswith("scipy: wrong on 1 draws")
    assert wild_report.failures([ours, peer], SMALL, "matching") == []


HANGING = """
import time
from dataclasses import replace
from konig.lab.bench import worker
problem = worker.PROBLEMS["matching"]
build = lambda A: (lambda: time.sleep(30 if A.shape[0] > 3 else 0), None)
slow = replace(problem.peers["scipy"], build=build)
problem.peers = {"slow": slow, "scipy": problem.peers["scipy"]}
worker.serve()
"""


def test_a_peer_that_hangs_is_stopped_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(Child, "command", [sys.executable, "-c", HANGING])
    monkeypatch.setattr(wild, "PATIENCE", 0.5)
    ours, slow, scipy = race("matching", ["slow", "scipy"])
    assert (ours.status, slow.status, scipy.status) == ("ok", "timeout", "ok")
    assert slow.seconds == 0.5
    alone = wild_report.outcomes([ours, slow])
    assert (alone[0].ratio.bound, alone[0].ratio.value) == (">", 0.5 / ours.seconds)
    assert wild_report.outcomes([ours, slow, scipy])[0].peer is scipy


def made_up(draw, ours, *peers, family="grid", own=None, nonzeros=5000):
    name = f"{family} {draw}"
    about = {"nonzeros": nonzeros, "group": family}
    found = [Record(name, "none", draw, "auto", "method", seconds=ours, **about)]
    if own is not None:
        found.append(Record(name, "none", draw, "pfp", "method", seconds=own, **about))
    for k, (seconds, status) in enumerate(peers):
        found.append(Record(name, "none", draw, f"peer {k}", "peer", seconds=seconds, status=status, **about))
    return found


def test_the_numbers_of_a_report():
    found = [
        *made_up(0, 1.0, (2.0, "ok"), (8.0, "ok")),
        *made_up(1, 1.0, (0.5, "ok"), (9.0, "timeout"), own=0.25, nonzeros=50_000),
        *made_up(2, 1.0, (8.0, "timeout"), family="tree"),
        *made_up(3, 1.0, (1.0, "wrong"), family="tree"),
    ]
    outcomes = wild_report.outcomes(found)
    assert [outcome.ratio.value for outcome in outcomes] == [2.0, 0.5, 8.0]
    assert [outcome.own_ratio for outcome in outcomes] == [1.0, 4.0, 1.0]
    summary = wild_report.summary(outcomes)
    assert (summary.draws, summary.worst) == (3, 0.5)
    assert summary.slower == pytest.approx(1 / 3)
    assert (summary.geometric_mean.value, summary.geometric_mean.bound) == (pytest.approx(2.0), ">")
    # A twentieth of the way through three values: a tenth of the way from the first to the second.
    assert summary.low == pytest.approx(0.5 * 4**0.1)
    sizes, families, worst = wild_report.tables(outcomes, SMALL, "flow")
    assert [row[0] for row in sizes.rows] == ["1,000 to 10,000", "10,000 to 100,000"]
    assert sizes.below[0][:3] == ["all", "3", ">2.00"]
    assert [row[0] for row in families.rows] == ["grid", "tree"]
    assert [row[0] for row in worst.rows] == ["1", "0", "2"]
    assert worst.rows[0][worst.columns.index("own best")] == "pfp"
    assert worst.note == "konig bench wild flow --seed 4 --entries 1000,3000 --draw K repeats draw K"


def test_a_call_of_ours_that_was_stopped_counts_with_its_seconds():
    found = [*made_up(0, 60.0, (0.6, "ok")), *made_up(1, 1.0, (100.0, "timeout"))]
    found[0].status = "timeout"
    outcomes = wild_report.outcomes(found)
    assert [outcome.ratio.bound for outcome in outcomes] == ["<", ">"]
    mean = wild_report.summary(outcomes).geometric_mean
    assert (mean.value, mean.bound) == (pytest.approx(1.0), "~")
    sizes, *_ = wild_report.tables(outcomes, SMALL, "flow")
    assert sizes.note.count(";") == 1


def test_draws_where_our_own_method_is_much_faster_stand_beside_the_worst():
    found = [record for k in range(30) for record in made_up(k, 1.0, (2.0, "ok"))]
    found += made_up(30, 1.0, (50.0, "ok"), own=0.1)
    shown = wild_report.worst_draws(wild_report.outcomes(found))
    assert len(shown) == 21
    assert shown[-1].ours.draw == 30


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (wild.Settings(5, (10**3, 10**7)), "--seed 5 --draw 9"),
        (
            wild.Settings(5, (10**3, 10**4), family="tree"),
            "--seed 5 --family tree --entries 1000,10000 --draw 9",
        ),
        (wild.Settings(5, (10**3, 10**7), device="cuda"), "--seed 5 --device cuda --draw 9"),
    ],
)
def test_the_command_of_a_draw_says_all_that_it_depends_on(settings, words):
    assert settings.command("flow", 9) == f"konig bench wild flow {words}"


def test_no_draw_begins_after_the_last_minute():
    settings = wild.Settings(4, (1000, 2000), minutes=0.0)
    assert race("matching", [], count(), settings=settings) == []


def test_the_command_prints_its_seed_repeats_its_draws_and_goes_on(tmp_path, capsys):
    file, plot = tmp_path / "wild.json", tmp_path / "wild.png"
    words = ["bench", "wild", "matching", "--entries", "1000,2000", "--json", str(file)]
    assert main([*words, "--draw", "0", "--draw", "2", "--plot", str(plot)]) == 0
    shown = capsys.readouterr().out
    first = records.read(file)
    seed = first.settings["seed"]
    assert shown.startswith(f"seed {seed}\n")
    assert f"konig bench wild matching --seed {seed} --entries 1000,2000 --draw 2" in shown
    assert plot.stat().st_size > 0
    drawn = draw(Request("matching", seed, 2, 1000, 2000))
    assert next(r for r in first.records if r.draw == 2).told == drawn.described()
    assert main([*words, "--resume", "--minutes", "0.01"]) == 0
    after = records.read(file)
    assert after.settings["seed"] == seed
    assert {r.draw for r in after.records} >= {0, 2, 3}
    assert [r.instance for r in after.records][: len(first.records)] == [r.instance for r in first.records]


def test_records_go_to_stdout_alone(capsys):
    words = ["bench", "wild", "matching", "--entries", "1000,2000", "--seed", "5", "--draw", "1"]
    assert main([*words, "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["problem"], document["settings"]["seed"]) == ("matching", 5)
    assert {record["draw"] for record in document["records"]} == {1}


@pytest.mark.parametrize("words", [[], ["--json", "-"]])
def test_only_a_file_can_be_gone_on_with(words, capsys):
    assert main(["bench", "wild", "matching", "--resume", *words]) != 0
    assert "--json FILE" in capsys.readouterr().err


def test_wild_draws_come_first_on_the_page(tmp_path):
    run = records.Run(
        "flow", wild.SUITE, wild.Settings(4, (1000, 3000)).__dict__, {}, made_up(0, 1.0, (2.0, "ok"))
    )
    records.write(tmp_path / "z.json", run)
    other = records.Run("matching", "small", {}, {}, made_up(0, 1.0, (2.0, "ok")))
    records.write(tmp_path / "a.json", other)
    assert main(["bench", "page", str(tmp_path), "--out", str(tmp_path / "page.md"), "--pictures"]) == 0
    text = (tmp_path / "page.md").read_text()
    assert text.index("## Flow: wild draws") < text.index("## Matching: suite small")
    assert "seed 4" in text
    assert (tmp_path / "z.png").stat().st_size > 0


def test_on_a_gpu_the_peer_is_our_own_call_on_the_host(monkeypatch):
    monkeypatch.setattr(contenders, "cupy_or_error", lambda what: None)
    ours, peers = bench._wild_contenders("flow", None, "cuda", 1)
    assert [(one.label, one.at, one.options["device"]) for one in ours] == [("auto", "cuda", "cuda")]
    assert peers == (wild.host_auto(),)
    assert wild.Settings(1, (10, 20), device="cuda:1").request("flow", 0).device


def test_our_call_on_the_host_is_proved_and_counts_as_a_peer():
    ours = contenders.parse_methods("auto", "cpu", 1)
    (found,) = wild.run("matching", ours, (wild.host_auto(),), SMALL, [0])
    assert [(record.kind, record.status) for record in found] == [("method", "ok"), ("peer", "ok")]
    assert len(wild_report.outcomes(found)) == 1


def test_others_minimise_what_is_to_be_maximised():
    number = next(k for k in range(200) if isinstance(_drawn("assignment", "uniform", k), Maximised))
    settings = wild.Settings(4, (1000, 1000), None, "uniform")
    ours, peer = race("assignment", ["scipy"], [number], settings=settings)
    assert (ours.status, peer.status) == ("ok", "ok")
    assert ours.size == peer.size > 0


def test_others_get_both_directions_of_an_undirected_network():
    number = next(k for k in range(200) if isinstance(_drawn("flow", "supply_grid", k), Undirected))
    settings = wild.Settings(4, (1000, 1000), None, "supply_grid")
    ours, peer = race("flow", ["scipy"], [number], settings=settings)
    assert (ours.status, peer.status) == ("ok", "ok")
    assert 0 < ours.size == pytest.approx(peer.size, rel=1e-4)
    doubled, _ = wild.RACED["flow"].for_peers(_drawn("flow", "supply_grid", number))
    assert type(doubled) is Network
    assert doubled.num_arcs == 2 * _drawn("flow", "supply_grid", number).num_arcs


def _drawn(problem, family, number):
    return draw(Request(problem, 4, number, 1000, 1000, family)).data


def test_others_get_real_and_infinite_capacities_as_integers():
    flow = wild.RACED["flow"]
    net = Network(np.array([0, 1]), np.array([1, 2]), np.array([np.inf, 0.3]), 3, 0, 2)
    rounded, unit = flow.for_peers(net)
    assert rounded.capacity.dtype == np.int64
    assert rounded.capacity[1] * unit == pytest.approx(0.3, rel=1e-5)
    assert rounded.capacity[0] > rounded.capacity[1]
    assert flow.objection(float(rounded.capacity[1] * unit), 0.3) is None
    assert flow.objection(0.301, 0.3) is not None
    whole = Network(net.tail, net.head, np.array([np.inf, 3.0]), 3, 0, 2)
    assert (flow.for_peers(whole)[0].capacity[1], flow.for_peers(whole)[1]) == (3, 1.0)


def test_parallel_arcs_of_narrow_capacities_add_up_for_others():
    flow = wild.RACED["flow"]
    net = Network(np.array([0, 0]), np.array([1, 1]), np.full(2, 2**31 - 1, np.int32), 2, 0, 1)
    assert flow.for_peers(net)[0].matrix().tocsr().sum() == 2**32 - 2


def test_peers_are_checked_on_real_capacities():
    number = next(k for k in range(200) if _drawn("flow", "grid_corners", k).capacity.max() % 1)
    settings = wild.Settings(4, (1000, 1000), None, "grid_corners")
    ours, peer = race("flow", ["scipy"], [number], settings=settings)
    assert (ours.status, peer.status) == ("ok", "ok")
