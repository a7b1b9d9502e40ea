"""How NetworkX finds konig, asks it, and gets on without it."""

import runpy
import subprocess
import sys
import warnings
from importlib.metadata import entry_points
from pathlib import Path

import networkx as nx
import pytest

from konig.interop.networkx import backend, info


@pytest.fixture
def _first():
    """NetworkX asks konig first, and warnings are errors."""
    with nx.config.backend_priority(algos=["konig"]), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def counted(monkeypatch, name):
    calls = []
    function = getattr(backend, name)

    def call(*args, **kwargs):
        calls.append(args)
        return function(*args, **kwargs)

    monkeypatch.setattr(backend, name, call)
    return calls


def test_networkx_finds_the_backend_and_every_function_it_names():
    assert entry_points(group="networkx.backends")["konig"].load() is backend
    assert entry_points(group="networkx.backend_info")["konig"].load() is info.get_info
    assert "konig" in nx.config.backends
    served = info.get_info()["functions"]
    dispatched = nx.utils.backends._registered_algorithms
    assert set(served) == {*info.FLOWS, *info.MATCHINGS}
    for name in served:
        assert name in dispatched
        assert "konig" in dispatched[name].backends
        assert "konig : Bipartite matching" in dispatched[name].__doc__
    offered = {name for name in dispatched if hasattr(backend, name)}
    assert offered == set(served), "the backend has other functions than it says"


def test_what_networkx_imports_at_its_start_is_light():
    code = (
        "import sys, konig.interop.networkx.info as info; info.get_info(); import konig.interop.networkx; "
        "print(*(m for m in sys.modules if m.split('.')[0] in ('numpy', 'scipy', 'networkx')), "
        "*(m for m in sys.modules if m.startswith('konig.') and not m.startswith('konig.interop')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_importing_networkx_does_not_load_the_backend():
    code = "import sys, networkx; print('konig.interop.networkx.info' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


@pytest.mark.usefixtures("_first")
def test_a_graph_is_read_anew_at_every_call(monkeypatch):
    calls = counted(monkeypatch, "maximum_flow_value")
    G = nx.DiGraph()
    G.add_edge(0, 1, capacity=1)
    for capacity in (1, 5, 3):
        G[0][1]["capacity"] = capacity  # which NetworkX does not notice
        assert nx.maximum_flow_value(G, 0, 1) == capacity
    G.add_edge(0, 2, capacity=2)
    G.add_edge(2, 1, capacity=2)
    assert nx.maximum_flow_value(G, 0, 1) == 5
    assert len(calls) == 4
    assert not G.__networkx_cache__.get("backends", {}).get("konig")


@pytest.mark.usefixtures("_first")
def test_functions_that_are_not_served_are_networkxs():
    G = nx.complete_bipartite_graph(3, 4)
    nx.set_edge_attributes(G, 2, "weight")
    assert len(nx.max_weight_matching(G)) == 3
    assert len(nx.min_weight_matching(G)) == 3
    assert len(nx.min_edge_cover(G)) == 4
    assert nx.is_connected(G)
    assert nx.algorithms.flow.dinitz(G, 0, 1, "weight").graph["algorithm"] == "dinitz"
    assert nx.stoer_wagner(G)[0] == 6


@pytest.mark.usefixtures("_first")
def test_networkxs_own_calls_reach_the_backend(monkeypatch):
    G = nx.complete_bipartite_graph(30, 40)
    matchings = counted(monkeypatch, "hopcroft_karp_matching")
    covers = counted(monkeypatch, "to_vertex_cover")
    assert len(nx.bipartite.maximum_matching(G)) == 60
    assert len(nx.min_edge_cover(G, nx.bipartite.hopcroft_karp_matching)) == 2 * 40
    matching = nx.bipartite.hopcroft_karp_matching(G, range(30))
    assert len(nx.bipartite.to_vertex_cover(G, matching, range(30))) == 30
    assert len(matchings) == 3
    assert len(covers) == 1


@pytest.mark.usefixtures("_first")
def test_small_graphs_are_networkxs_unless_konig_is_asked_for_by_name(monkeypatch):
    matchings, cuts = counted(monkeypatch, "hopcroft_karp_matching"), counted(monkeypatch, "minimum_cut")
    G = nx.complete_bipartite_graph(3, 3)
    nx.set_edge_attributes(G, 1, "capacity")
    assert len(nx.bipartite.maximum_matching(G)) == 6
    assert nx.minimum_cut(G, 0, 1)[0] == 3
    assert not matchings
    assert not cuts
    assert len(nx.bipartite.maximum_matching(G, backend="konig")) == 6
    assert nx.minimum_cut(flowG=G, _s=0, _t=1, backend="konig")[0] == 3
    assert len(matchings) == len(cuts) == 1


def test_the_example_times_every_function(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["networkx_backend.py", "30", "60", "--repeat", "1"])
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "networkx_backend.py"), run_name="__main__")
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + len(info.FLOWS) + len(info.MATCHINGS)
    assert all(row.count(" / ") == 2 for row in rows[2:])


def test_without_a_request_networkx_stays_as_it_was(monkeypatch):
    calls = counted(monkeypatch, "hopcroft_karp_matching")
    G = nx.complete_bipartite_graph(30, 40)
    assert len(nx.bipartite.maximum_matching(G)) == 60
    assert not calls
