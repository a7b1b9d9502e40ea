"""What the checkers share: refuse at the first thing that is wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from konig.errors import CertificateError

Array = np.ndarray


def refuse_if(wrong: np.ndarray, describe: Callable[..., str]) -> None:
    """Refuse, naming the first of the wrong positions, if there is one."""
    if len(wrong):
        raise CertificateError(describe(int(wrong[0])))


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
