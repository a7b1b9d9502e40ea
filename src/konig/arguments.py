"""Arguments that every solver takes, checked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

MOST_THREADS = 1024  # more would only wait for each other
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_flag(name: str, text: str) -> bool:
    """The flag that a text says, or an error that names the argument."""
    if text.lower() not in _WORDS:
        raise ValueError(f"{name} must be true or false, not {text!r}")
    return _WORDS[text.lower()]


def checked_flag(name: str, value: Any) -> bool:
    """The value as a bool, or an error that names the argument: the word "no" is true in Python."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def checked_count(name: str, value: Any, least: int = 1, most: int | None = None) -> int | None:
    """The value as an int, None if it is None, or an error that names the argument."""
    if value is None:
        return None
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if count < least:
        raise ValueError(f"{name} must be at least {least}, got {count}")
    if most is not None and count > most:
        raise ValueError(f"{name} must be at most {most}, got {count}")
    return count
