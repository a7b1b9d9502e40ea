"""``konig flow``: what it prints and writes, and what ``konig verify`` makes of it."""

import json

import numpy as np
import pytest
from cases.data import needs_data, real_networks

import konig
from konig import io
from konig.lab.generators import generate

TRIANGLE = "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 4\n2 3 3\n1 3 2\n"


@pytest.fixture
def network(tmp_path):
    """A file with a network of the Washington family."""
    path = tmp_path / "rlg.max"
    io.write_network(path, generate("washington_rlg", seed=2, width=8, levels=6))
    return path


@pytest.fixture
def value(network):
    net = io.read_network(network)
    return konig.maximum_flow(net.arcs, net.source, net.sink).value


def test_flow_prints_value_and_proof(run, network, value):
    status, out, err = run("flow", network)
    assert status == 0
    assert f"{value:,}" in out
    assert "cut of" in out
    assert err == ""


def test_flow_json_is_the_whole_answer(run, network, value):
    status, out, _ = run("flow", network, "--json", "--method", "fifo-pr", "--set", "gap=no")
    answer = json.loads(out)
    net = io.read_network(network)
    assert status == 0
    assert (answer["kind"], answer["value"], answer["method"]) == ("maximum flow", value, "fifo-pr")
    assert answer["source"] == [net.source]
    flow, side = np.array(answer["flow"]), np.isin(np.arange(net.num_vertices), answer["source_side"])
    assert flow[net.tail == net.source].sum() == value
    assert net.capacity[side[net.tail] & ~side[net.head]].sum() == value
    assert {"read", "solve", "verify"} <= answer["seconds"].keys()


@pytest.mark.parametrize("method", [m.name for m in konig.methods("flow") if "cpu" in m.devices])
def test_every_method_can_be_asked_for(run, network, value, method):
    status, out, err = run("flow", network, "--method", method, "--json")
    assert status == 0, err
    assert json.loads(out)["value"] == value


@needs_data
def test_real_networks_have_their_listed_value(run):
    small = [real for real in real_networks() if real.path.stat().st_size < 30_000]
    assert len(small) >= 5
    for real in small:
        status, out, err = run("flow", real.path, "--json")
        assert status == 0, err
        assert json.loads(out)["value"] == real.answer


def test_the_cut_is_listed_on_request(run, network, value):
    out = run("flow", network, "--cut")[1]
    listed = [line.split() for line in out.partition("# tail head capacity")[2].splitlines()[1:]]
    assert sum(int(capacity) for _, _, capacity in listed) == value
    answer = json.loads(run("flow", network, "--cut", "--json")[1])
    assert sum(answer["cut_capacity"]) == value
    assert [[str(t), str(h)] for t, h in zip(answer["cut_tail"], answer["cut_head"], strict=True)] == [
        arc[:2] for arc in listed
    ]
    assert "cut_arc" not in json.loads(run("flow", network, "--json")[1])


def test_matrices_and_edge_lists_need_terminals(run, complaint, tmp_path):
    market, edges = tmp_path / "a.mtx", tmp_path / "a.txt"
    market.write_text(TRIANGLE)
    edges.write_text("0 1\n1 2\n0 2\n")
    assert json.loads(run("flow", market, "--source", 0, "--sink", 2, "--json")[1])["value"] == 5
    assert json.loads(run("flow", edges, "--source", 0, "--sink", 2, "--json")[1])["value"] == 2
    assert "names no source: add --source" in complaint("flow", market, "--sink", 2)
    assert "names no sink: add --sink" in complaint("flow", market, "--source", 0)


def test_terminals_can_be_several_and_override_the_file(run, tmp_path):
    path = tmp_path / "net.max"
    path.write_text("p max 4 3\nn 1 s\nn 4 t\na 1 3 2\na 2 3 4\na 3 4 9\n")
    assert json.loads(run("flow", path, "--json")[1])["value"] == 2
    answer = json.loads(run("flow", path, "--source", 0, "--source", 1, "--json")[1])
    assert (answer["value"], answer["source"], answer["sink"]) == (6, [0, 1], [3])


def test_edges_can_be_undirected_and_capacities_real(run, tmp_path):
    path = tmp_path / "real.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 3 2\n2 1 0.5\n2 3 0.75\n")
    back = ["flow", path, "--source", 0, "--sink", 2, "--json"]
    assert json.loads(run(*back)[1])["value"] == 0
    out = tmp_path / "answer.json"
    answer = json.loads(run(*back, "--undirected", "--out", out)[1])
    assert (answer["value"], answer["flow"]) == (0.5, [-0.5, 0.5])
    assert run("verify", path, out)[0] == 0


def test_vertices_without_arcs_count(run, tmp_path):
    path, out = tmp_path / "net.max", tmp_path / "answer.npz"
    path.write_text("p max 9 1\nn 1 s\nn 9 t\na 1 2 5\n")
    assert run("flow", path, "--out", out)[0] == 0
    assert "a flow of 0 from 0 to 8 is maximum" in run("verify", path, out)[1]


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_written_answers_are_proved(run, network, value, tmp_path, suffix):
    out = tmp_path / f"answer{suffix}"
    assert run("flow", network, "--out", out)[0] == 0
    status, text, _ = run("verify", network, out)
    assert status == 0
    assert text.startswith(f"proved: a flow of {value:,} from 0 to 49 is maximum")
    assert json.loads(run("verify", network, out, "--json")[1])["value"] == value


def test_the_terminals_are_those_of_the_file_or_of_the_command(run, complaint, tmp_path):
    path, out = tmp_path / "net.max", tmp_path / "answer.json"
    path.write_text("p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n")
    assert run("flow", path, "--source", 1, "--out", out)[0] == 0
    assert "the source of the answer is 1, not 0" in complaint("verify", path, out, status=1)
    assert "from 1 to 2 is maximum" in run("verify", path, out, "--source", 1)[1]
    assert "the sink of the answer is 2, not 0" in complaint(
        "verify", path, out, "--source", 1, "--sink", 0, status=1
    )


def damaged(answer, how):
    answer = json.loads(json.dumps(answer))
    used = next(k for k, amount in enumerate(answer["flow"]) if amount)
    if how == "less flow":
        answer["flow"][used] -= 1
    elif how == "too much flow":
        answer["flow"][used] = 10**9
    elif how == "half a unit":
        answer["flow"][used] -= 0.5
    elif how == "claimed value":
        answer["value"] += 1
    elif how == "other cut":
        answer["source_side"] = answer["source_side"][:1]
    elif how == "cut out of range":
        answer["source_side"].append(10**6)
    elif how == "other network":
        answer["flow"].append(0)
    elif how == "other terminals":
        answer["source"] = [3]
    return answer


@pytest.mark.parametrize(
    "how",
    [
        "less flow",
        "too much flow",
        "half a unit",
        "claimed value",
        "other cut",
        "cut out of range",
        "other network",
        "other terminals",
    ],
)
def test_a_wrong_answer_is_refused(run, complaint, tmp_path, how):
    path, result = tmp_path / "net.max", tmp_path / "wrong.json"
    io.write_network(path, generate("genrmf", seed=1, a=3, b=4))
    answer = json.loads(run("flow", path, "--json")[1])
    if how == "other cut":  # a cut that is not minimum
        answer["source_side"].append(next(v for v in range(35) if v not in answer["source_side"]))
    result.write_text(json.dumps(damaged(answer, how)))
    assert "certificate refused" in complaint("verify", path, result, status=1)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("value", "many"),
        ("value", True),
        ("flow", "abc"),
        ("flow", [[1], [2, 3]]),
        ("source", [0.5]),
        ("sink", None),
        ("source_side", {"a": 1}),
        ("undirected", "no"),
    ],
)
def test_a_result_with_a_wrong_type_is_bad_input(run, complaint, network, tmp_path, key, value):
    answer = json.loads(run("flow", network, "--json")[1])
    result = tmp_path / "typed.json"
    result.write_text(json.dumps(answer | {key: value}))
    assert key in complaint("verify", network, result)


def test_an_answer_without_what_it_needs_is_bad_input(run, complaint, network, tmp_path):
    answer = json.loads(run("flow", network, "--json")[1])
    del answer["source_side"]
    (tmp_path / "cut.json").write_text(json.dumps(answer))
    assert "'source_side' is missing" in complaint("verify", network, tmp_path / "cut.json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["flow", "missing.max"], "missing.max: No such file"),
        (["flow", "{network}", "--method", "hk"], "method='hk' is not a flow method"),
        (["flow", "{network}", "--method", "hl-pr", "--set", "speed=1"], "no knob 'speed'"),
        (["flow", "{network}", "--source", "99"], "source: vertex 99 is out of range"),
        (["flow", "{network}", "--source", "49"], "source and sink must differ"),
        (["flow", "{network}", "--sink", "last"], "--sink"),
        (["flow", "{network}", "--device", "abacus"], "device='abacus'"),
        (["flow", "{network}", "--out", "answer.txt"], ".npz or .json"),
        (["flow", "{network}", "--format", "mtx"], "rlg.max, line 1"),
        (["generate", "genrmf", "--out", "a.mtx"], "must end in .max"),
        (["generate", "sprand", "--out", "a.max"], "must end in .npz"),
        (["generate", "genrmf", "--permute", "both", "--out", "a.max"], "--permute is for matrices"),
        (["generate", "genrmf", "a=0", "--out", "a.max"], "a must be at least 1"),
    ],
)
def test_bad_input_is_one_clear_line(complaint, network, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert message in complaint(*(argument.format(network=network) for argument in arguments))


def test_a_malformed_line_is_named(complaint, tmp_path):
    path = tmp_path / "broken.max"
    path.write_text("p max 2 2\nn 1 s\nn 2 t\na 1 2 3\na 1 2 x\n")
    assert "broken.max, line 5: capacity 'x' is not a whole number" in complaint("flow", path)


def test_negative_capacities_and_overflow_are_bad_input(complaint, tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text(TRIANGLE.replace("2 3 3", "2 3 -3"))
    assert "is negative" in complaint("flow", path, "--source", 0, "--sink", 2)
    huge = tmp_path / "huge.max"
    huge.write_text(f"p max 2 2\nn 1 s\nn 2 t\na 1 2 {2**62}\na 1 2 5\n")
    assert "above 2**62" in complaint("flow", huge)


def test_generate_writes_networks(run, tmp_path):
    path = tmp_path / "made.max.xz"
    status, out, _ = run("generate", "genrmf", "a=4", "b=5", "--seed", 5, "--out", path)
    assert status == 0
    assert "80 vertices" in out
    made, expected = io.read_network(path), generate("genrmf", seed=5, a=4, b=5)
    for ours, theirs in zip(made.arcs, expected.arcs, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    facts = json.loads(run("generate", "genrmf", "--out", path, "--json")[1])
    assert facts["vertices"] == 8 * 8 * 16


def test_families_and_methods_are_listed_with_their_problem(run):
    listed = {family["name"]: family["problem"] for family in json.loads(run("generate", "--json")[1])}
    assert (listed["genrmf"], listed["delaunay"]) == ("flow", "matching")
    assert "washington_rlg" in run("generate")[1]
    methods = json.loads(run("methods", "flow", "--json")[1])
    assert methods[0]["name"] == "auto"
    assert {method["problem"] for method in methods} == {"flow"}


@pytest.mark.parametrize("symmetry", ["symmetric", "general"])
def test_undirected_edges_of_a_symmetric_file_count_once(run, tmp_path, symmetry):
    """Edges 0-1, 1-2 and 0-2; a general file has an arc for each line, whatever its opposite."""
    path, out = tmp_path / "edges.mtx", tmp_path / "answer.json"
    lines = "3 3 3\n2 1 4\n3 2 3\n3 1 2\n"
    path.write_text(f"%%MatrixMarket matrix coordinate integer {symmetry}\n{lines}")
    command = ["flow", path, "--source", 0, "--sink", 2, "--json"]
    answer = json.loads(run(*command, "--undirected", "--out", out)[1])
    assert (answer["value"], answer["arcs"]) == (5, 3)
    assert run("verify", path, out)[0] == 0
    directed = json.loads(run(*command)[1])
    assert directed["value"] == (5 if symmetry == "symmetric" else 0)
    konect = tmp_path / "out.edges"
    konect.write_text(f"% {'sym' if symmetry == 'symmetric' else 'asym'} weighted\n2 1 4\n3 2 3\n3 1 2\n")
    command[1] = konect
    assert json.loads(run(*command, "--undirected")[1])["value"] == 5


def test_a_gap_is_shown(run, tmp_path):
    path, out = tmp_path / "real.mtx", tmp_path / "answer.json"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.1\n1 3 0.2\n2 3 7\n")
    command = ["flow", path, "--source", 0, "--sink", 2]
    answer = json.loads(run(*command, "--json", "--out", out)[1])
    assert (answer["value"], answer["gap"]) == (0.3, 2.0**-55)
    assert "2.7755575615628914e-17" in run(*command)[1]
    status, text, _ = run("verify", path, out)
    assert status == 0
    assert "but for at most 2.7755575615628914e-17" in text
    out.write_text(json.dumps({**answer, "gap": 0}))
    assert run("verify", path, out)[0] == 1
    assert "capacities were rounded" not in run("flow", path, "--source", 1, "--sink", 2)[1]
    out.write_text(json.dumps({**answer, "gap": "none"}))
    assert run("verify", path, out)[0] == 1


def test_a_file_with_more_vertices_than_memory_is_refused(complaint, tmp_path):
    path = tmp_path / "huge.max"
    path.write_text(f"p max {2**34} 1\nn 1 s\nn 2 t\na 1 2 5\n")
    assert "17,179,869,184 vertices" in complaint("flow", path)
