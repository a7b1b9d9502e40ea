"""What the checkers share: refuse at the first thing that is wrong."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from konig.errors import CertificateError

Array = np.ndarray

_LARGEST, _LARGEST_WHOLE = sys.float_info.max, 2**53


def refuse_if(wrong: np.ndarray, describe: Callable[..., str]) -> None:
    """Refuse, naming the first of the wrong positions, if there is one."""
    if len(wrong):
        raise CertificateError(describe(int(wrong[0])))


def check_array(name: str, array: Any, kinds: str, shape: tuple[int, ...]) -> None:
    """Refuse what is not an array of this shape, of signed integers ("i"), reals ("f") or booleans ("b").

    Numbers that do not fit into 64 bits, and masked ones, would be others in the proof.
    """
    is_array = isinstance(array, np.ndarray) and not np.ma.is_masked(array)
    if is_array and array.dtype.kind in kinds and array.dtype.itemsize <= 8 and array.shape == shape:
        return
    found = f"{array.dtype} of shape {array.shape}" if is_array else f"a {type(array).__name__}"
    words = " or ".join({"i": "signed integers", "f": "float64", "b": "booleans"}[kind] for kind in kinds)
    raise CertificateError(f"{name} is {found}, not an array of {words} of shape {shape}")


def check_number(name: str, value: Any, whole: bool = False) -> None:
    """Refuse what an answer claims unless it is a number, an integer if it must be ``whole``."""
    kind, wanted = (numbers.Integral, "an integer") if whole else (numbers.Real, "a float64 number")
    is_number = isinstance(value, kind) and not isinstance(value, bool)
    if not is_number or (not whole and _LARGEST < abs(value) < math.inf):
        raise CertificateError(f"the answer claims {name} {value!r}, which is not {wanted}")


def in_float64(name: str, numbers: Array) -> Array:
    """Checked numbers as float64, refused if that would round one: the proof would be about others."""
    if numbers.dtype.kind == "i":
        wrong = np.flatnonzero((numbers > _LARGEST_WHOLE) | (numbers < -_LARGEST_WHOLE))
        refuse_if(wrong, lambda k: f"{name}[{k}] = {numbers[k]} takes more digits than float64 has")
    return numbers.astype(np.float64)


def check_indices(name: str, array: np.ndarray) -> None:
    if not (hasattr(array, "__array_function__") and hasattr(array, "dtype")):  # NumPy's, or CuPy's
        raise CertificateError(f"{name}: a {type(array).__name__} is no array of indices")
    if array.ndim != 1 or array.dtype.kind != "i":
        raise CertificateError(f"{name}: {array.dtype} of shape {array.shape} are no indices")


def checked_mask(name: str, chosen: np.ndarray, extent: int) -> np.ndarray:
    """The mask of chosen indices, each of which may occur once."""
    check_indices(name, chosen)
    if len(chosen) and (chosen.min() < 0 or chosen.max() >= extent):
        raise CertificateError(f"{name} leave [0, {extent})")
    mask = np.zeros(extent, bool)
    mask[chosen] = True
    if np.count_nonzero(mask) != len(chosen):
        raise CertificateError(f"{name} repeat")
    return mask


def check_permutation(name: str, perm: np.ndarray, extent: int) -> None:
    check_indices(name, perm)
    if len(perm) != extent:
        raise CertificateError(f"{name}: {len(perm)} indices, not {extent}")
    wrong = np.flatnonzero((perm < 0) | (perm >= extent))
    refuse_if(wrong, lambda i: f"{name}: index {perm[i]} is not in [0, {extent})")
    wrong = np.flatnonzero(np.bincount(perm, minlength=extent) != 1)
    refuse_if(wrong, lambda i: f"{name}: {i} does not occur exactly once")
