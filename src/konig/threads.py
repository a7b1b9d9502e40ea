"""How many threads work on something."""

from __future__ import annotations

from konig import _native

ENTRIES_PER_THREAD = 1 << 16  # below which a thread costs more than it saves, when lists are made


def available_cores() -> int:
    """How many cores this process may use, by its affinity and by the quota of its control groups."""
    return _native.available_cores()


def chosen_threads(threads: int | None) -> int:
    """As many as the caller said, or as many as there are cores that no other thread uses."""
    return threads or _native.idle_cores()


def worth_sharing(items: int, threads: int | None, items_each: int = ENTRIES_PER_THREAD) -> int:
    """How many of the threads to use on so many items; of all idle cores where ``threads`` is None."""
    most = items // items_each
    return min(chosen_threads(threads), most) if most > 1 else 1
