"""What the results of all problems share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import scipy.sparse as sp

from konig.index_arrays import is_sparse
from konig.interop import arrays


class Result:
    """Base of the frozen results: the fields in ``PLACED`` may be on a GPU.

    Of a small problem, fields that few callers read are made on first use. They are those in ``LATER``, each
    with what makes it of the result, which keeps in ``found`` what the native call for small problems left.
    The other fields are written into ``__dict__``: a frozen dataclass sets one guarded field after the other,
    which takes longer than a problem of ten rows.
    """

    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    PLACED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """A result with these fields; others have their defaults, or are made on first use."""
        made = object.__new__(cls)
        made.__dict__.update(fields)
        return made

    def on_host(self) -> Self:
        """The same answer in arrays of NumPy and SciPy; what is on a GPU is copied."""
        return self if self.place == arrays.HOST else self._host

    @cached_property
    def _host(self) -> Self:
        with self.place.entered():
            there = {name: _on_host(getattr(self, name)) for name in self.PLACED}
        return replace(self, place=arrays.HOST, **there)  # type: ignore[type-var]

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there.
        if name not in self.LATER or "found" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__[name] = made = self.LATER[name](self)
        return made


class Pairs:
    """A result that unpacks into its pairs, ``rows, cols = result``, as SciPy's functions return them."""

    row_ind: Any
    col_ind: Any

    def __iter__(self) -> Iterator[Any]:
        return iter((self.row_ind, self.col_ind))


def _on_host(value: Any) -> Any:
    if value is None or hasattr(value, "on_host"):
        return None if value is None else value.on_host()
    if is_sparse(value):
        return sp.csr_array(value if sp.issparse(value) else value.get())
    return arrays.to_numpy(value)


def statistics(counts: tuple[Any, ...], **seconds: float) -> dict[str, Any]:
    """The ``stats`` of a small problem: what was counted, and the seconds of parts, some of them counted."""
    stats: dict[str, Any] = {}
    for name, number in zip(counts[::2], counts[1::2], strict=True):
        part = name.removesuffix("_seconds")
        (stats if part == name else seconds)[part] = number
    return stats | {"seconds": seconds}


def added_stats(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Counts, lists and seconds of two solves together; workers and words are those of each."""
    both = dict(second)
    for key, value in first.items():
        if key not in both or isinstance(value, str):
            both[key] = value
        elif key in ("workers", "handed_over"):
            both[key] = max(value, both[key])
        elif isinstance(value, dict):
            both[key] = added_stats(value, both[key])
        else:
            both[key] = value + both[key]
    return both
