"""Device code on a GPU: cubins that were made ahead of time or for an earlier call, else made by NVRTC now.

NVRTC takes a third to a half of the time if it may leave out most optimizations, and that code runs 10 to 25
times slower. So a unit that is found nowhere is compiled twice: quickly for the call that waits for it, and
in full by a background thread, which writes it to the cache and makes no call to CUDA. The next call that
asks for the unit loads that one; a solve that has begun does so before its next launch. One thread makes all
full versions, one after the other, and the interpreter's exit waits for them, so that the next process finds
them. Only full versions are kept on disk.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from konig.gpu.commands import Kernel, kernel_of
from konig.gpu.nvrtc import CupyNvrtc

INCLUDE = Path(__file__).resolve().parent.parent / "include"
CARRIED = (
    Path(__file__).resolve().parent / "cubins"
)  # of a wheel (.ci/carry-cubins); a build from source has none
STANDARD = "-std=c++17"
FOLDERS = "KONIG_CUBINS"  # the environment's further folders
CACHE, IN_MEMORY = "CUPY_CACHE_DIR", "CUPY_CACHE_IN_MEMORY"  # as CuPy reads them
# On all cores, too: more than half of it is the assembler's work, which NVRTC shares out from 12.9 on. On an
# H200 with 16 cores first calls of auto took 0.5 to 0.7 of the time so.
QUICKLY = ("--Ofast-compile=max", "--split-compile=0")
KNOWS_QUICKLY = 12, 8  # the first whose manual has it; 12.6 takes it, too
NICE = 5  # a third of the share of a thread that a call waits for

TYPES = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}  # NumPy's in C++

quick_first = True  # a bench turns it off: what it times is compiled in full
generation = 0  # grows when a full version takes the place of a quick one

_versions: dict[tuple[int, Unit], Future[Version]] = {}
_versions_lock = threading.Lock()
_functions: dict[tuple[Any, ...], Any] = {}  # of each generation, for the life of the process
_own_folders: list[Path] = []


def _one_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "konig-compile", _step_back)


def _step_back() -> None:
    """Leave the cores to others where there are few: on Linux a thread has a priority of its own."""
    with suppress(OSError, AttributeError):
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, max(NICE, os.getpriority(os.PRIO_PROCESS, thread)))


_background = _one_thread()


def _after_fork() -> None:
    """A child has none of its parent's threads, and cannot use what its parent loaded."""
    global _versions_lock, _background
    _versions.clear()
    _functions.clear()
    _versions_lock, _background = threading.Lock(), _one_thread()


os.register_at_fork(after_in_child=_after_fork)


@cache
def headers_digest() -> str:
    """A digest of all device code: a cubin's name depends on options, but on no text that is included."""
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


class Version(NamedTuple):
    """A unit on a device."""

    module: Any
    quick: bool = False


def compiled(cupy: Any, unit: Unit) -> Any:
    """The module of a unit on the current device, of whichever version comes first."""
    return version_of(cupy, unit).module


def function(cupy: Any, unit: Unit, name: str) -> Any:
    """A kernel of a unit on the current device, of whichever version comes first."""
    key = generation, cupy, cupy.cuda.runtime.getDevice(), unit, name
    kernel = _functions.get(key)
    if kernel is None:
        kernel = _functions[key] = compiled(cupy, unit).get_function(name)
    return kernel


def kernel(cupy: Any, unit: Unit, name: str) -> Kernel:
    """The same as commands name it."""
    key = generation, cupy, cupy.cuda.runtime.getDevice(), unit, name, "kernel"
    found: Kernel | None = _functions.get(key)
    if found is None:
        found = _functions[key] = kernel_of(function(cupy, unit, name))
    return found


def version_of(cupy: Any, unit: Unit, hurry: bool = True) -> Version:
    """A unit on the current device, kept for the life of the process.

    The quick version until there is a full one, or without ``hurry`` the full one, however long it takes. A
    thread that asks for what another one compiles waits for it.
    """
    key = cupy.cuda.runtime.getDevice(), unit
    version, first = _claimed(key)
    if first:
        _settle(key, version, partial(load_or_hurry if hurry else load_or_compile, cupy, unit))
    if hurry or not version.result().quick:
        return version.result()
    wait_for_full()
    return version_of(cupy, unit)  # the quick one again if there can be no full one


def begin(cupy: Any, *units: Unit, hurry: bool = True) -> None:
    """Compile units that will be asked for on the current device, each on a thread of its own."""
    number = cupy.cuda.runtime.getDevice()

    def work(unit: Unit) -> Version:
        with cupy.cuda.Device(number):
            return load_or_hurry(cupy, unit) if hurry else load_or_compile(cupy, unit)

    for unit in units:
        key = number, unit
        version, first = _claimed(key)
        if first:
            settle = partial(_settle, key, version, partial(work, unit))
            try:
                threading.Thread(target=settle).start()
            except RuntimeError:  # the system has no more threads to give
                settle()


def _claimed(key: tuple[int, Unit]) -> tuple[Future[Version], bool]:
    """Where a unit of a device will be, and whether the caller is the first to ask for it and so makes it."""
    with _versions_lock:
        version = _versions.get(key)
        if version is not None:
            return version, False
        version = _versions[key] = Future()
        return version, True


def _settle(key: tuple[int, Unit], version: Future[Version], make: Callable[[], Version]) -> None:
    """Make a unit for all who wait for it. If that fails they are told, and the next to ask tries again."""
    try:
        version.set_result(make())
    except BaseException as failed:
        _forget(key, version)
        version.set_exception(failed)


def _forget(key: tuple[int, Unit], version: Future[Version]) -> None:
    """Let the next to ask make a unit anew, unless that has begun."""
    with _versions_lock:
        if _versions.get(key) is version:
            del _versions[key]


def wait_for_full() -> None:
    """Return when all units that have been asked for are there in full, or have failed."""
    _background.submit(lambda: None).result()  # it takes its turn behind them


def load_or_compile(cupy: Any, unit: Unit) -> Version:
    """A unit in full on the current device: loaded from a cubin, else compiled now."""
    module = _loaded(cupy, unit)
    if module is None:
        architecture, cubin = _cubin(CupyNvrtc(cupy), unit, cupy.cuda.Device().compute_capability)
        module = _module(cupy, unit, _keep(unit, architecture, cubin))
    return Version(module)


def load_or_hurry(cupy: Any, unit: Unit) -> Version:
    """The same, but a quick version where it would have to be compiled; the full one follows."""
    module = _loaded(cupy, unit)
    if module is not None:
        return Version(module)
    nvrtc = CupyNvrtc(cupy)
    if not quick_first or nvrtc.version < KNOWS_QUICKLY:
        return load_or_compile(cupy, unit)
    number, capability = cupy.cuda.runtime.getDevice(), cupy.cuda.Device().compute_capability
    try:
        _background.submit(_follow, nvrtc, (number, unit), capability)
    except RuntimeError:  # the system has no more threads to give, or the interpreter exits
        return load_or_compile(cupy, unit)
    _, cubin = _cubin(nvrtc, unit, capability, QUICKLY)
    with tempfile.TemporaryDirectory() as folder:
        return Version(_module(cupy, unit, _write(Path(folder), unit, cubin)), quick=True)


def _follow(nvrtc: CupyNvrtc, key: tuple[int, Unit], capability: str) -> None:
    """Make the full version of a unit whose quick one is in use or on its way.

    If that fails the quick one stays in use: it computes the same.
    """
    global generation
    unit = key[1]
    architecture, cubin = _cubin(nvrtc, unit, capability)
    _keep(unit, architecture, cubin)
    version = _versions.get(key)
    if version is not None and version.exception() is None:  # the quick one is there
        _forget(key, version)
        generation += 1


def _cubin(nvrtc: CupyNvrtc, unit: Unit, capability: str, more: tuple[str, ...] = ()) -> tuple[str, bytes]:
    architecture = nvrtc.architecture_for(capability)
    return architecture, nvrtc.cubin(unit.name, unit.code, (*unit.options, *more), architecture)


def _loaded(cupy: Any, unit: Unit) -> Any:
    """A unit of which there is a cubin that the driver takes, or None."""
    for path in ahead_of_time(unit, cupy.cuda.Device().compute_capability):
        try:
            return _module(cupy, unit, path)
        except cupy.cuda.driver.CUDADriverError:  # of a newer CUDA than the driver's, or damaged
            continue
    return None


def ahead_of_time(unit: Unit, capability: str) -> Iterator[Path]:
    """Cubins of a unit that a device of this compute capability runs, the closest first.

    A device runs what was made for it or for an earlier one of the same major number.
    """
    major, minor = divmod(int(capability), 10)
    folders = [Path(named) for named in os.environ.get(FOLDERS, "").split(os.pathsep) if named]
    for folder in (*folders, CARRIED, *cache_folders()):
        for made_for in range(minor, -1, -1):
            path = folder / f"sm_{major}{made_for}" / unit.file
            if os.path.isfile(path):  # where a folder may not be entered, there is none
                yield path


def cache_folders() -> list[Path]:
    """Where full versions are kept: beside CuPy's own, or for this process alone where that is refused."""
    folder = Path(os.environ.get(CACHE) or os.path.expanduser("~/.cupy/kernel_cache")) / "konig"
    return [*([] if os.environ.get(IN_MEMORY) == "1" else [folder]), *_own_folders]


def _module(cupy: Any, unit: Unit, path: Path) -> Any:
    module = cupy.RawModule(path=str(path), enable_cooperative_groups=unit.cooperative)
    module.compile()  # reads the file, which CuPy does once for a device
    return module


def _keep(unit: Unit, architecture: str, cubin: bytes) -> Path:
    """Write the full version of a unit to the cache."""
    for folder in cache_folders():
        try:
            return _write(folder / architecture, unit, cubin)
        except OSError:  # a home that is read-only, full or missing
            continue
    own = Path(tempfile.mkdtemp(prefix="konig-"))
    _own_folders.append(own)
    atexit.register(_remove, own, os.getpid())
    return _write(own / architecture, unit, cubin)


def _remove(own: Path, owner: int) -> None:
    if os.getpid() == owner:  # and not a child of its
        shutil.rmtree(own, ignore_errors=True)


def _write(folder: Path, unit: Unit, cubin: bytes) -> Path:
    """Write a cubin to a file, which is there as a whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / unit.file
    handle, part = tempfile.mkstemp(".part", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(cubin)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
    return path


def carried() -> list[str]:
    """The architectures, such as sm_90, for which this installation carries cubins."""
    folders = {path.parent.name for path in CARRIED.glob("sm_*/*.cubin")}
    return sorted(folders, key=lambda name: int(name[3:]))


@contextmanager
def timed(seconds: dict[str, float]) -> Iterator[None]:
    """Adds what the block takes to ``seconds["compile"]``."""
    began = perf_counter()
    yield
    seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began
