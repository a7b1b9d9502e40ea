"""What is common to the calls of all problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """What the judge insists on, and which entry points are drawn."""

    gap_required: bool = False
    per_entry: bool = False
    # Mostly 1: all cores are busy with cases, and a team that shares them waits at each of its barriers.
    threads: tuple[int | None, ...] = (1,) * 9 + (None, 2, 3)
    command_line: bool = True


def shown_call(name: str, how: dict[str, Any]) -> str:
    """A call in words, without what is too long to show."""
    return " ".join([name, *(f"{key}={value}" for key, value in how.items() if key != "initial")])
