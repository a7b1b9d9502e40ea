"""``konig warmup``."""

import json

import pytest


def test_a_folder_for_an_architecture(run, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("konig.warmup.into_folder", lambda *told: made.append(told[:3]))
    status, out, _ = run("warmup", "flow", "--into", tmp_path, "--architecture", "sm_80", "--json")
    assert status == 0
    ((folder, architectures, wanted),) = made
    assert (folder, architectures) == (tmp_path, ["sm_80"])
    assert json.loads(out)["units"] == len(wanted) > 0
    assert {unit.name for unit in wanted} == {
        "profile",
        "units",
        "build",
        "sync_pr",
        "async_pr",
        "cycles",
        "whole_sum",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sudoku"], "sudoku: no such problem; there are matching, assignment, flow"),
        (["--into", "here"], "--into and --architecture go together"),
        (["--architecture", "sm_90"], "--into and --architecture go together"),
        (["--into", "here", "--architecture", "hopper"], "--architecture hopper: not of the form sm_90"),
    ],
)
def test_bad_arguments(complaint, arguments, said):
    assert said in complaint("warmup", *arguments)


def test_an_architecture_that_nvrtc_does_not_know(complaint, tmp_path):
    from konig.gpu.nvrtc import Nvrtc

    try:
        Nvrtc.found()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    assert "sm_10" in complaint("warmup", "matching", "--into", tmp_path, "--architecture", "sm_10")
    assert not list(tmp_path.rglob("*.cubin"))
