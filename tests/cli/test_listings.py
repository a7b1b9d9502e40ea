"""``konig methods``, ``generate``, ``info`` and ``--version``."""

import json

import numpy as np

import konig
from konig import io
from konig.cli.listing import USUAL
from konig.lab.generators import generate


def test_methods_lists_every_method(run):
    names = [method.name for method in konig.methods()]
    status, out, _ = run("methods", "--all")
    assert status == 0
    assert all(name in out for name in names)
    listed = json.loads(run("methods", "matching", "--json")[1])
    assert [entry["name"] for entry in listed] == [method.name for method in konig.methods("matching")]
    assert listed[0]["name"] == "auto"


def test_methods_shows_the_usual_ones_and_says_how_to_see_the_rest(run):
    status, out, _ = run("methods", "flow")
    assert status == 0
    assert "hl-pr" in out
    assert "tlpns-bcsr" not in out
    others = sum(method.name not in USUAL for method in konig.methods("flow"))
    assert f"{others} more: konig methods flow --all" in out


def test_methods_says_what_auto_does(run):
    assert "the default: greedy" in " ".join(run("methods")[1].replace("│", " ").split())
    assert json.loads(run("methods", "--json")[1])[0]["summary"].startswith("the default: greedy")


def test_generate_writes_what_the_generator_makes(run, tmp_path):
    path = tmp_path / "made.mtx.gz"
    status, out, _ = run("generate", "delaunay", "n=100", "--seed", 5, "--permute", "rows", "--out", path)
    assert status == 0
    assert "100 x 100" in out
    expected = generate("delaunay", seed=5, permute="rows", n=100)
    assert (io.read(path).tocsr() != expected).nnz == 0


def test_generate_lists_the_families(run):
    assert "delaunay" in run("generate")[1]
    assert "delaunay" in {family["name"] for family in json.loads(run("generate", "--json")[1])}


def test_generate_shows_defaults_as_they_are_written(run, tmp_path):
    table = run("generate")[1]
    assert "block_sizes=8,5,1,1,3" in table
    assert "relabel=true" in table
    out = tmp_path / "made.mtx"
    assert run("generate", "planted_btf", "block_sizes=8,5,1,1,3", "shuffle=true", "--out", out)[0] == 0


def test_info_tells_versions_and_what_to_install(run):
    status, out, _ = run("info")
    assert status == 0
    assert konig.__version__ in out
    found = json.loads(run("info", "--json")[1])
    assert found["numpy"] == np.__version__
    assert found["gpu"]


def test_version_and_help(run):
    assert run("--version")[:2] == (0, f"konig {konig.__version__}\n")
    status, out, _ = run("match", "--help")
    assert status == 0
    assert "--drop-zeros" in out
