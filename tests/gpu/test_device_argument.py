"""device=: what is asked for runs, or says why it cannot."""

import builtins

import numpy as np
import pytest

import konig
from konig.gpu import device as gpus

A = np.eye(3)


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "", None, 0])
def test_unknown_devices_are_refused(device):
    with pytest.raises(ValueError, match="expected 'auto', 'cpu', 'cuda' or 'cuda:N'"):
        konig.maximum_matching(A, device=device)


def test_a_method_without_cuda_names_those_that_have_it():
    with pytest.raises(ValueError, match=r"'hk' runs on cpu only; methods for cuda: .*apfb-gpubfs-ct"):
        konig.maximum_matching(A, method="hk", device="cuda")


def test_without_cupy_the_error_says_what_to_install(monkeypatch):
    real_import = builtins.__import__

    def without_cupy(name, *rest, **more):
        if name.split(".")[0] == "cupy":
            raise ImportError("No module named 'cupy'")
        return real_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_cupy)
    assert not gpus.available()
    with pytest.raises(RuntimeError, match="pip install"):
        konig.maximum_matching(A, device="cuda")


def test_auto_and_cpu_stay_on_the_cpu():
    for device in ("auto", "cpu"):
        assert konig.maximum_matching(A, method="apfb-gpubfs-ct", device=device).device == "cpu"
