"""The bench of relatives: races of one that is made up here, its tables, and the families of all."""

import json

import numpy as np
import pytest
from lab_worker import InThisProcess

from konig.cli import bench, main
from konig.errors import CertificateError
from konig.lab.bench import contenders, records, relatives_race, relatives_report
from konig.lab.bench.contenders import Peer
from konig.lab.bench.problems import RACED
from konig.lab.bench.records import Record
from konig.lab.bench.relative import Relative
from konig.lab.bench.relatives import RELATIVES
from konig.lab.wild.drawing import Request


def checked(costs, place):
    if not 0 <= place < costs.size:
        raise CertificateError(f"there is no entry {place}")
    return int(costs.ravel()[place])


def least_entry(solve=np.argmin):
    """A relative: the place of the least entry of a matrix."""
    relative = Relative(
        "least",
        "the least entry",
        sizes=(10, 20),
        solve=lambda costs: int(solve(costs)),
        verify=checked,
        peers={
            "max of negated": Peer("numpy", lambda costs: (lambda: int(np.argmax(-costs)), lambda x: x)),
            "absent": Peer("no_such_package", lambda costs: None),
        },
        check=checked,
    )

    @relative
    def ranks(size, c):
        return 1 + c.draws().permutation(size * size).reshape(size, size)

    @relative
    def few(size, c):
        return c.draws().integers(c.whole("costs", 2, 9), size * size).reshape(size, size)

    return relative


@pytest.fixture
def planted(monkeypatch):
    def plant(relative):
        for table in (RELATIVES, RACED):
            monkeypatch.setitem(table, relative.name, relative)
        monkeypatch.setattr(relatives_race, "Child", InThisProcess)
        monkeypatch.setattr(bench.screen, "warn", lambda *_: None)
        return relative

    return plant


def race(relative, **plan):
    running = contenders.installed(relative.peers, lambda *_: None)
    found = relatives_race.Bench(relatives_race.Plan(7, **plan)).run(relative, running)
    return [record for records_of_a_draw in found for record in records_of_a_draw]


def test_ours_and_the_peers_are_timed_and_checked_on_every_family_and_size(planted):
    found = race(planted(least_entry()))
    assert [record.instance for record in found if record.kind == "method"] == [
        "least: ranks 10",
        "least: few 10",
        "least: ranks 20",
        "least: few 20",
    ]
    assert {record.solver for record in found} == {"konig", "max of negated"}
    for record in found:
        assert record.status == "ok"
        assert record.seconds > 0
        assert record.repeats > 1
        assert record.size == 1 or "few" in record.instance
    assert found[2].rows == 10
    assert "costs=" in found[2].told


def test_draws_families_and_sizes_are_as_asked_for_and_repeat(planted):
    relative = planted(least_entry())
    found = race(relative, families=("few",), sizes=(5,), draws=3)
    ours = [record for record in found if record.kind == "method"]
    assert [record.instance for record in ours] == ["least: few 5", "least: few 5 #1", "least: few 5 #2"]
    again = race(relative, families=("few",), sizes=(5,), draws=3)
    assert [record.told for record in again] == [record.told for record in found]
    assert race(relative, minutes=0.0) == []


def test_a_wrong_answer_of_ours_ends_the_command_with_status_1(planted, capsys):
    planted(least_entry(solve=lambda costs: -1))
    assert main(["bench", "relatives", "least", "--size", "4"]) == 1
    assert "least: ranks 4: wrong: there is no entry -1" in capsys.readouterr().err


def test_a_worse_answer_of_a_peer_does_not_count(planted):
    found = race(planted(least_entry(solve=np.argmin)), sizes=(4,), families=("ranks",))
    relative = planted(least_entry())
    relative.peers["max of negated"] = Peer("numpy", lambda costs: (lambda: int(np.argmax(costs)), int))
    ours, peer = race(relative, sizes=(4,), families=("ranks",))
    assert [record.status for record in found] == ["ok", "ok"]
    assert (ours.status, peer.status) == ("ok", "wrong")
    assert "max of negated: wrong on 1 instances" in relatives_report.left_out([ours, peer])[0]


def test_the_command_prints_the_seed_and_a_line_for_each_instance(planted, capsys, tmp_path):
    planted(least_entry())
    file = tmp_path / "run.json"
    assert main(["bench", "relatives", "least", "--size", "6", "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    run = records.read(file)
    assert f"seed {run.settings['seed']}" in shown
    for words in ("ranks 6", "few 6", "max of negated", "how many times faster"):
        assert words in shown
    assert [record.solver for record in run.records] == ["konig", "max of negated"] * 2
    assert main(["bench", "relatives", "least", "--size", "6", "--seed", "3", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["seed"] == 3
    assert main(["bench", "page", str(tmp_path), "--out", str(tmp_path / "page.md"), "--pictures"]) == 0
    assert "least: milliseconds of ours and of the best peer" in (tmp_path / "page.md").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greatest"], "relative 'greatest' is not one of"),
        (["--family", "none"], "family 'none' is not one of"),
    ],
)
def test_what_is_not_known_is_refused(words, message, capsys):
    assert main(["bench", "relatives", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_ratio_is_that_of_the_best_peer():
    def made(instance, solver, seconds, status="ok"):
        kind = "method" if solver == "konig" else "peer"
        return Record(instance, "none", 0, solver, kind, status=status, seconds=seconds)

    found = [
        made("a: x 1", "konig", 0.1),
        made("a: x 1", "slow", 0.4),
        made("a: x 1", "fast", 0.2),
        made("a: y 1", "konig", 0.1),
        made("a: y 1", "fast", 0.8, "timeout"),
        made("b: z 1", "konig", 0.1),
    ]
    instances, alone, summed_up = relatives_report.tables(found, 5)
    ratio = instances.columns.index("ratio")
    assert [row[ratio] for row in instances.rows] == ["2.00", ">8.00"]
    assert "ratio" not in alone.columns
    assert summed_up.rows == [["a", "2", ">4.00", "2.00", "0"]]


@pytest.mark.parametrize(
    ("relative", "family"), [(r.name, family) for r in RELATIVES.values() for family in r.families.by_name]
)
def test_every_family_is_the_same_for_the_same_seed_and_can_warm_up(relative, family):
    chosen = RELATIVES[relative]
    assert chosen.warm_up is not None
    extents = [chosen.extent(chosen.draw(Request(relative, 3, 0, 16, 16, family)).data) for _ in range(2)]
    assert extents[0] == extents[1]
    assert extents[0]["nonzeros"] >= 0
