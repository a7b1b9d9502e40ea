"""Arrays by name in one piece of memory."""

import numpy as np
from host_memory import HostCupy, host_driver

from konig.gpu import commands
from konig.parts import Parts

EXTENTS = {"ids": (np.int32, 3), "numbers": (np.float64, 5), "bytes": (np.uint8, 7), "none": (np.int64, 0)}


def test_parts_lie_one_after_the_other_and_do_not_overlap(monkeypatch):
    monkeypatch.setattr(commands, "driver", host_driver)
    for xp in (np, HostCupy):
        parts = Parts(xp, EXTENTS)
        parts.fill(0)
        for number, (name, (dtype, items)) in enumerate(EXTENTS.items(), 1):
            parts.write(name, np.full(items, number, dtype))
        for number, (name, (dtype, items)) in enumerate(EXTENTS.items(), 1):
            assert parts[name].dtype == dtype
            assert parts[name].tolist() == [number] * items


def test_an_address_is_that_of_its_array():
    parts = Parts(np, EXTENTS)
    for name, address in parts.addresses().items():
        assert address % 8 == 0
        assert not len(parts[name]) or address == parts[name].ctypes.data
    assert list(parts.addresses("numbers")) == ["numbers"]


def test_some_parts_are_filled():
    parts = Parts(np, EXTENTS)
    parts.fill(0)
    parts.fill(255, first="numbers", end="bytes")
    assert parts["ids"].tolist() == [0, 0, 0]
    assert np.isnan(parts["numbers"]).all()
    assert not parts["bytes"].any()


def test_a_copy_on_the_host_is_another_memory(monkeypatch):
    monkeypatch.setattr(commands, "driver", host_driver)
    there = Parts(HostCupy, EXTENTS)
    there.write("ids", np.array([4, 5, 6]))
    here = there.on_host()
    assert here["ids"].tolist() == [4, 5, 6]
    assert isinstance(here.memory, np.ndarray)
