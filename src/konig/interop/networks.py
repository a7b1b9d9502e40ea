"""Networks of other libraries: where they live, and how they come to the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig.interop import arrays

PARTS = ("tail", "head", "capacity")


def is_arcs(capacity: Any) -> bool:
    """Whether a network is given as (tail, head, capacity): arcs are a tuple, a list is a matrix."""
    return isinstance(capacity, tuple) and len(capacity) == 3 and not np.isscalar(capacity[0])


def place_of_network(capacity: Any) -> arrays.Place:
    """Where the arrays of a network live; all of them in one place."""
    if not is_arcs(capacity):
        return arrays.place_of(capacity, "capacity") or arrays.HOST
    places = [arrays.place_of(part, name) or arrays.HOST for part, name in zip(capacity, PARTS, strict=True)]
    arrays.require_one_place(places, "capacity: tail, head and capacity", ("tail is", *PARTS[1:]))
    return next((place for place in places if place.library != "numpy"), places[0])


def network_on_host(capacity: Any) -> Any:
    """The same network in arrays of NumPy and SciPy; copied where it is on a GPU."""
    place = place_of_network(capacity)
    if place == arrays.HOST:
        return capacity
    if is_arcs(capacity):
        return tuple(arrays.to_numpy(part) for part in capacity)
    if place.library == "cupy" and hasattr(capacity, "format"):
        return capacity.get()
    require_dense(capacity)
    return arrays.to_numpy(capacity)


def require_dense(matrix: Any) -> None:
    """An error for sparse matrices whose values are not taken apart here."""
    layout = str(getattr(matrix, "layout", "torch.strided"))
    if "sparse" in layout or arrays.is_jax_sparse(matrix):
        raise TypeError(
            f"capacity: pass arrays (tail, head, capacity) instead of a sparse {type(matrix).__name__}"
        )
