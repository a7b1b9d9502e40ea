"""How much memory of the host there is: what would not fit is refused, not killed on the way."""

from __future__ import annotations

from pathlib import Path

# Less than that is not worth asking for.
FEW_BYTES = 1 << 28

_CGROUP = Path("/sys/fs/cgroup")
# The limit, what is taken, and the key of what of it the kernel can take back: version 2, then version 1.
_GROUPS = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    (
        "memory/memory.limit_in_bytes",
        "memory/memory.usage_in_bytes",
        "memory/memory.stat",
        "total_inactive_file",
    ),
)


def require_memory(needed: int, rows: int, cols: int, entries: int, name: str = "A") -> None:
    """Raise a MemoryError that names the matrix, if this many bytes are more than the host has left."""
    if needed >= FEW_BYTES:
        require_bytes(needed, f"a {rows:,} x {cols:,} matrix with {entries:,} entries", name)


def require_bytes(needed: int, what: str, name: str) -> None:
    """The same for anything that takes memory; ``name`` is the argument."""
    if needed < FEW_BYTES:
        return
    free = available_memory()
    if free is not None and needed > free:
        raise MemoryError(
            f"{name}: not enough memory: {needed / 1e9:,.1f} GB needed for {what}, {free / 1e9:,.1f} GB free"
        )


def available_memory() -> int | None:
    """The bytes that this process can take without swapping; None where the system does not say."""
    of_machine = _words(Path("/proc/meminfo")).get("MemAvailable:")
    left = [of_machine, *(_left_in_group(*files) for files in _GROUPS)]
    return min((found for found in left if found is not None), default=None)


def _left_in_group(limit: str, taken: str, statistics: str, reclaimable: str) -> int | None:
    """What a container may still take."""
    try:
        most, now = (int((_CGROUP / name).read_text()) for name in (limit, taken))
    except (OSError, ValueError):  # no such file, or "max"
        return None
    return max(0, most - now + _words(_CGROUP / statistics).get(reclaimable, 0))


def _words(path: Path) -> dict[str, int]:
    """Lines of a name, a number and perhaps kB."""
    try:
        lines = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    kilo = {2: 1, 3: 1024}  # by the number of words
    return {words[0]: int(words[1]) * kilo[len(words)] for words in lines if len(words) in kilo}
