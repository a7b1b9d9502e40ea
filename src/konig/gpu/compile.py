"""Device code on a GPU: from cubins that were made ahead of time, else compiled through CuPy on first use."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

INCLUDE = Path(__file__).resolve().parent.parent / "include"
CARRIED = (
    Path(__file__).resolve().parent / "cubins"
)  # of a wheel (.ci/carry-cubins); a build from source has none
STANDARD = "-std=c++17"
FOLDERS = "KONIG_CUBINS"  # the environment's further folders

_modules: dict[tuple[int, Unit], Future[Any]] = {}
_modules_lock = threading.Lock()


@cache
def headers_digest() -> str:
    """A digest of all device code: CuPy's kernel cache looks at options but not into included headers."""
    digest = hashlib.sha256()
    for path in sorted(p for p in INCLUDE.rglob("*") if p.suffix in (".h", ".cu")):
        digest.update(path.relative_to(INCLUDE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def options(*more: str) -> tuple[str, ...]:
    """What NVRTC is told, apart from the architecture."""
    return (STANDARD, f"-I{INCLUDE}", f"-DKONIG_HEADERS_DIGEST=0x{headers_digest()}", *more)


class Unit(NamedTuple):
    """A translation unit of device code: its source, and what NVRTC is told of it alone."""

    name: str
    code: str
    more_options: tuple[str, ...] = ()
    cooperative: bool = True  # launch all blocks at once or fail

    @property
    def options(self) -> tuple[str, ...]:
        """All that NVRTC is told, apart from the architecture."""
        return options(*self.more_options)

    @property
    def file(self) -> str:
        """What its cubin is called: another for every change of the code or of what NVRTC is told."""
        told = "\n".join([self.code, *(option for option in self.options if not option.startswith("-I"))])
        return f"{self.name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.cubin"


@cache
def kernel_unit(name: str, more_options: tuple[str, ...]) -> Unit:
    """A translation unit of ``konig/kernels``."""
    code = (INCLUDE / "konig" / "kernels" / f"{name}.cu").read_text(encoding="utf-8")
    return Unit(name, code, more_options, cooperative=False)


def ahead_of_time(unit: Unit, capability: str) -> Iterator[Path]:
    """Cubins of a unit that a device of this compute capability runs, the closest first.

    A device runs what was made for it or for an earlier one of the same major number.
    """
    major, minor = divmod(int(capability), 10)
    folders = [Path(named) for named in os.environ.get(FOLDERS, "").split(os.pathsep) if named]
    for folder in (*folders, CARRIED):
        for made_for in range(minor, -1, -1):
            path = folder / f"sm_{major}{made_for}" / unit.file
            if path.is_file():
                yield path


def carried() -> list[str]:
    """The architectures, such as sm_90, for which this installation carries cubins."""
    folders = {path.parent.name for path in CARRIED.glob("sm_*/*.cubin")}
    return sorted(folders, key=lambda name: int(name[3:]))


def compiled(cupy: Any, unit: Unit) -> Any:
    """A unit on the current device, kept for the life of the process.

    A thread that asks for what another one compiles waits for it.
    """
    key = cupy.cuda.runtime.getDevice(), unit
    module, first = _claimed(key)
    if first:
        _settle(key, module, partial(load_or_compile, cupy, unit))
    return module.result()


def begin(cupy: Any, *units: Unit) -> None:
    """Compile units that will be asked for on the current device, each on a thread of its own."""
    number = cupy.cuda.runtime.getDevice()

    def work(unit: Unit) -> Any:
        with cupy.cuda.Device(number):
            return load_or_compile(cupy, unit)

    for unit in units:
        key = number, unit
        module, first = _claimed(key)
        if first:
            settle = partial(_settle, key, module, partial(work, unit))
            try:
                threading.Thread(target=settle).start()
            except RuntimeError:  # the system has no more threads to give
                settle()


def _claimed(key: tuple[int, Unit]) -> tuple[Future[Any], bool]:
    """Where a unit of a device will be, and whether the caller is the first to ask for it and so makes it."""
    with _modules_lock:
        first = key not in _modules
        return _modules.setdefault(key, Future()), first


def _settle(key: tuple[int, Unit], module: Future[Any], make: Callable[[], Any]) -> None:
    """Make a unit for all who wait for it. If that fails they are told, and the next to ask tries again."""
    try:
        module.set_result(make())
    except BaseException as failed:
        with _modules_lock:
            del _modules[key]
        module.set_exception(failed)


def load_or_compile(cupy: Any, unit: Unit) -> Any:
    """A unit on the current device: compiled ahead of time, else found in CuPy's cache, else compiled now."""
    return _loaded(cupy, unit) or _compiled(cupy, unit)


def _loaded(cupy: Any, unit: Unit) -> Any:
    """A unit that was compiled ahead of time, if there is one that the driver takes."""
    for path in ahead_of_time(unit, cupy.cuda.Device().compute_capability):
        module = cupy.RawModule(path=str(path), enable_cooperative_groups=unit.cooperative)
        try:
            module.compile()
        except cupy.cuda.driver.CUDADriverError:  # of a newer CUDA than the driver's, or damaged
            continue
        return module
    return None


def _compiled(cupy: Any, unit: Unit) -> Any:
    module = cupy.RawModule(
        code=unit.code,
        options=unit.options,
        backend="nvrtc",
        enable_cooperative_groups=unit.cooperative,
    )
    module.compile()
    return module


@contextmanager
def timed(seconds: dict[str, float]) -> Iterator[None]:
    """Adds what the block takes to ``seconds["compile"]``."""
    began = perf_counter()
    yield
    seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began
