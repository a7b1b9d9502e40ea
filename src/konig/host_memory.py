"""How much memory of the host is free, asked before it is taken."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

UNASKED = 1 << 30  # so many bytes are there


def require_memory(needed: int, what: str) -> None:
    """Raise MemoryError if so many bytes are more than the host has free."""
    if needed <= UNASKED:
        return
    free = free_bytes()
    if free is not None and needed > free:
        raise MemoryError(f"{what} need about {needed:,} bytes of memory, and {free:,} are free")


def free_bytes() -> int | None:
    """What the system has free, within the limit of the control group; None where neither is known."""
    found = []
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) * 1024)
    for limit in ("memory.max", "memory/memory.limit_in_bytes"):  # of either version of control groups
        with suppress(OSError, ValueError):
            found.append(int((Path("/sys/fs/cgroup") / limit).read_text()))
    return min(found, default=None)
