"""Units that are compiled on threads before they are asked for."""

import threading

import pytest

from konig.gpu import compile
from konig.gpu.compile import Unit, Version

FIRST, SECOND = Unit("first", "first"), Unit("second", "second")


class Cupy:
    """A device whose compiler says when it begins, and goes on when it may."""

    class Device:
        def __init__(self, number):
            pass

        def __enter__(self):
            pass

        def __exit__(self, *raised):
            pass

    def __init__(self):
        self.cuda = self
        self.runtime = self
        self.begun, self.may_end = threading.Semaphore(0), threading.Event()
        self.names, self.refuses = [], False

    def getDevice(self):  # noqa: N802
        return 0

    def load_or_hurry(self, unit):
        self.names.append(unit.name)
        self.begun.release()
        assert self.may_end.wait(10)
        if self.refuses:
            raise RuntimeError(f"{unit.name} is refused")
        return Version(f"the code of {unit.name}")


@pytest.fixture
def cupy(monkeypatch):
    monkeypatch.setattr(compile, "_versions", {})
    monkeypatch.setattr(compile, "load_or_hurry", lambda cupy, unit: cupy.load_or_hurry(unit))
    return Cupy()


def test_units_are_compiled_at_the_same_time_and_once(cupy):
    compile.begin(cupy, FIRST, SECOND)
    compile.begin(cupy, SECOND)
    for _ in range(2):
        assert cupy.begun.acquire(timeout=10)  # both have begun, and none has ended
    cupy.may_end.set()
    assert compile.compiled(cupy, SECOND) == "the code of second"
    assert compile.compiled(cupy, FIRST) == "the code of first"
    assert sorted(cupy.names) == ["first", "second"]


def test_what_was_not_begun_is_compiled_when_it_is_asked_for(cupy):
    cupy.may_end.set()
    assert compile.compiled(cupy, FIRST) == compile.compiled(cupy, FIRST) == "the code of first"
    assert cupy.names == ["first"]


def test_a_refusal_reaches_who_asks_and_the_next_try_may_do(cupy):
    cupy.refuses = True
    compile.begin(cupy, FIRST)
    assert cupy.begun.acquire(timeout=10)
    threading.Timer(0.1, cupy.may_end.set).start()
    with pytest.raises(RuntimeError, match="first is refused"):
        compile.compiled(cupy, FIRST)
    assert cupy.names == ["first"]  # it waited for the thread that had begun
    cupy.refuses = False
    assert compile.compiled(cupy, FIRST) == "the code of first"


def test_without_a_thread_to_spare_it_is_compiled_at_once(cupy, monkeypatch):
    def refused(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    cupy.may_end.set()
    compile.begin(cupy, FIRST)
    assert compile.compiled(cupy, FIRST) == "the code of first"
    assert cupy.names == ["first"]
