"""Compiles device code with NVRTC through CuPy, on first use and for the types at hand."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

INCLUDE = Path(__file__).resolve().parent.parent / "include"

_modules: dict[tuple[Any, ...], Any] = {}
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
    return ("-std=c++17", f"-I{INCLUDE}", f"-DKONIG_HEADERS_DIGEST=0x{headers_digest()}", *more)


def unit_source(unit: str) -> str:
    """A translation unit of ``konig/kernels``."""
    return (INCLUDE / "konig" / "kernels" / f"{unit}.cu").read_text(encoding="utf-8")


def compiled(cupy: Any, code: str, more_options: tuple[str, ...] = (), cooperative: bool = True) -> Any:
    """Compiled code on the current device, kept for the life of the process."""
    key = (cupy.cuda.runtime.getDevice(), code, more_options, cooperative)
    with _modules_lock:
        if key not in _modules:
            module = cupy.RawModule(
                code=code,
                options=options(*more_options),
                backend="nvrtc",
                enable_cooperative_groups=cooperative,  # launch all blocks at once or fail
            )
            module.compile()
            _modules[key] = module
        return _modules[key]


@contextmanager
def timed(seconds: dict[str, float]) -> Iterator[None]:
    """Adds what the block takes to ``seconds["compile"]``."""
    began = perf_counter()
    yield
    seconds["compile"] = seconds.get("compile", 0.0) + perf_counter() - began
