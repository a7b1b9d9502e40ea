"""What the pages say is so: examples run, commands print what is shown, every statistic is described."""

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import typer

import konig
from konig.cli import main
from konig.cli.app import assembled

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
METHOD_PAGES = {page.name: page.read_text() for page in sorted((ROOT / "docs" / "methods").glob("*.md"))}


def blocks(page, language):
    """The examples of a page; those that say how something was measured take too long."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text().split("## Measured")[0], re.M | re.S)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name
)
def test_the_examples_in_python_run(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    if page.name == "distributed.md":
        pytest.importorskip("mpi4py")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names = {"A": sp.random_array((200, 200), density=0.02, rng=0, format="csr")}
    for block in blocks(page, "python"):
        without_gpu = [line for line in block.splitlines() if 'device="cuda"' not in line]
        exec(compile("\n".join(without_gpu), page.name, "exec"), names)


def test_the_commands_print_what_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    entries = "".join(f"{i} {i}\n" for i in range(1, 55))
    banner = "%%MatrixMarket matrix coordinate pattern general\n99 99 99\n"
    (tmp_path / "broken.mtx").write_text(f"{banner}{entries}55 x\n")
    ran = 0
    for block in blocks(ROOT / "docs" / "command-line.md", "console"):
        for command, shown in re.findall(r"^\$ konig (.*)\n((?:[^$].*\n)*)", block, re.M):
            main(shlex.split(command))
            captured = capsys.readouterr()
            printed = captured.out + captured.err
            for line in shown.splitlines():
                words = [word for word in re.split(r"[│┌┐└┘─┬┴]+|\.\.\.", line) if word.strip()]
                assert all(word.strip() in printed for word in words), f"{command}: {line}"
            ran += 1
    assert ran >= 4


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "console")], ids=lambda page: page.name
)
def test_the_commands_are_understood(page):
    """Every command of a page has the arguments that it is shown with, if it were run."""
    for block in blocks(page, "console"):
        for line in re.findall(r"^\$ (?:python -m )?konig (.*)$", block, re.M):
            words = shlex.split(line, comments=True)
            command, context = typer.main.get_command(assembled()), None
            while hasattr(command, "resolve_command"):
                context = command.make_context("konig", [], parent=context, resilient_parsing=True)
                _, command, words = command.resolve_command(context, words)
            command.make_context("konig", words, parent=context).close()


@pytest.mark.parametrize("method", [method.name for method in konig.methods("matching")])
def test_every_statistic_is_described_on_the_page_of_its_method(method):
    family = method.split("-")[0]
    pages = [text for text in METHOD_PAGES.values() if f"`{method}`" in text or f"`{family}" in text]
    assert pages, f"no page describes {method}"
    A = sp.random_array((400, 400), density=0.008, rng=1, format="csr")
    starts = [{}] if method == "auto" else [{"init": start} for start in ("none", "sgm", "ksm")]
    if any(known.name == method and "team" in known.settings({}) for known in konig.methods("matching")):
        starts.append({"init": "ksm", "_team": "shuffled"})
    pages.append(METHOD_PAGES["starts.md"])
    keys = {key for start in starts for key in konig.maximum_matching(A, method=method, **start).stats}
    assert keys >= {"seconds"}
    assert [key for key in sorted(keys) if not any(f"`{key}`" in text for text in pages)] == []


@pytest.mark.parametrize(
    "method", [method.name for method in konig.methods("assignment") if "cpu" in method.devices]
)
def test_every_statistic_of_an_assignment_is_described_on_the_page_of_its_method(method):
    family = method.split("-")[0]
    pages = [text for text in METHOD_PAGES.values() if f"`{method}`" in text or f"`{family}" in text]
    assert pages, f"no page describes {method}"
    rng = np.random.default_rng(0)
    costs = rng.integers(0, 50, (60, 60)), rng.random((60, 90)), rng.random((60, 60), np.float32)
    keys = {key for C in costs for key in konig.linear_assignment(C, method=method).stats}
    assert keys >= {"seconds"}
    assert [key for key in sorted(keys) if not any(f"`{key}`" in text for text in pages)] == []


@pytest.mark.parametrize("method", [method.name for method in konig.methods("flow")])
def test_every_statistic_of_a_flow_is_described(method):
    page = "".join(text for text in METHOD_PAGES.values() if f"`{method}`" in text)
    assert page
    A = sp.random_array((60, 60), density=0.1, rng=1, format="csr")
    A.data = (A.data * 100).astype(int)
    f = konig.maximum_flow(A, 0, 59, method=method)
    keys = {*f.stats, *f.stats["seconds"]}
    if method.startswith(("lock-free", "tlpns")):
        keys |= konig.maximum_flow(A, 0, 59, method=method, profile=True).stats["profile"].keys()
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []


@pytest.mark.parametrize("method", sorted({method.name for method in konig.methods()} - {"auto"}))
def test_every_knob_is_described_on_the_page_of_its_method(method):
    family = method.split("-")[0]
    pages = [text for text in METHOD_PAGES.values() if f"`{method}`" in text or f"`{family}" in text]
    (chosen,) = [known for known in konig.methods() if known.name == method]
    assert [knob.name for knob in chosen.options if not any(f"`{knob.name}`" in t for t in pages)] == []


def test_every_public_name_is_in_the_reference():
    pages = "".join(page.read_text() for page in (ROOT / "docs" / "api").glob("*.md"))
    listed = re.findall(r"^::: konig\.(\w+)$", pages, re.M)
    assert sorted(listed) == sorted(konig.__all__)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)\)", page.read_text())
    assert [t for t in targets if "://" not in t and not (page.parent / t).exists()] == []
