"""Answers whose parts are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

_Answer = TypeVar("_Answer", bound="Packed")


class Packed:
    """A frozen dataclass that can be made from what a native call packed up.

    On small problems taking an answer apart takes longer than finding it, and most callers look at one or two
    parts.
    """

    __slots__ = ("_packed",)  # a dictionary is made when the first part is unpacked
    _packed: tuple[Any, ...]

    @classmethod
    def from_packed(
        cls: type[_Answer], unpack: Callable[..., dict[str, Any]], packed: tuple[Any, ...]
    ) -> _Answer:
        """An answer of which ``unpack(name, *packed)`` makes the field ``name``, and others along with it."""
        answer = object.__new__(cls)
        object.__setattr__(answer, "_packed", (unpack, *packed))
        return answer

    def __getattr__(self, name: str) -> Any:
        # Called for what is not there: nothing is missing but what has not been unpacked yet.
        if name == "_packed" or name not in self.__dataclass_fields__:  # type: ignore[attr-defined]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        packed = self._packed
        self.__dict__.update(packed[0](name, *packed[1:]))
        return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {part.name: getattr(self, part.name) for part in fields(self)}  # type: ignore[arg-type]
