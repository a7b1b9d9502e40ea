"""Networks of image segmentation: a vertex for each pixel, tied to its neighbours and to the terminals.

A pixel's arc from the source says how much it looks like the object, its arc to the sink how much it looks
like the background; the arcs between neighbours say what it costs to part them. The minimum cut is the best
segmentation. The source and the sink are the last vertices. Only sums, products and quotients are used, which
are the same on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from konig.io.entries import Network
from konig.lab.generators.draws import Draws
from konig.lab.generators.family import SAME, Parameter, family
from konig.lab.generators.lattices import neighbours
from konig.lab.generators.pattern import network

Image = NDArray[np.float64]
STEPS = {4: [(0, 1), (1, 0)], 8: [(0, 1), (1, 0), (1, 1), (1, -1)]}
# How much brighter the object is than the background; pixels lie between 0 and 1.
CONTRAST = 0.4
# What half of the largest cost between neighbours takes, as a difference in brightness.
EDGE = 0.2
PIXELS: dict[str, Any] = {
    "height": Parameter("Rows of pixels.", 1),
    "width": Parameter("Columns of pixels; as many as rows if not given.", 1, like="height"),
}
NEIGHBOURS: dict[str, Any] = {
    "strength": Parameter(
        "Largest capacity between neighbours; that of a terminal's arc is 100.", most=2**30
    ),
    "connectivity": "Neighbours of a pixel: 4 or 8.",
}


@family(
    "Boykov and Kolmogorov, An experimental comparison of min-cut/max-flow algorithms for energy "
    "minimization in vision, IEEE Transactions on Pattern Analysis and Machine Intelligence 26, 2004.",
    **PIXELS,
    **NEIGHBOURS,
)
def vision_random(
    height: int = 32, width: int = SAME, strength: int = 20, connectivity: int = 4, seed: int = 0
) -> Network:
    """Segmentation of pure noise: every pixel leans to one side at random, neighbours hold together.

    >>> vision_random(20, 30).num_vertices
    602
    """
    draws = Draws(seed)
    lean = draws.integers(201, height * width).reshape(height, width) - 100
    tail, head = _neighbours(height, width, connectivity)
    between = 1 + draws.integers(strength, len(tail)) if strength else np.zeros(len(tail), np.int64)
    return _segmentation(lean, tail, head, between)


@family(
    "Boykov and Jolly, Interactive graph cuts for optimal boundary and region segmentation of "
    "objects in N-D images, International Conference on Computer Vision, 2001.",
    **PIXELS,
    blobs=Parameter("Number of blobs, at least 1.", 1),
    noise=Parameter("Width of the noise on each pixel, as a part of the brightness range.", most=10.0),
    **NEIGHBOURS,
)
def vision_blobs(
    height: int = 32,
    width: int = SAME,
    blobs: int = 20,
    noise: float = 0.8,
    strength: int = 100,
    connectivity: int = 4,
    seed: int = 0,
) -> Network:
    """Segmentation of a noisy image of bright blobs on a dark ground.

    The blobs are soft discs of random places and sizes. A pixel's arc to a terminal grows with its distance
    from middle grey; neighbours hold together the less the more they differ, as in Boykov and Jolly's
    interactive segmentation.

    >>> vision_blobs(20, 30, blobs=3).num_vertices
    602
    """
    draws = Draws(seed)
    image = 0.5 - CONTRAST / 2 + CONTRAST * _soft_discs(draws, height, width, blobs)
    # Four uniform variables add up to something close enough to Gaussian noise.
    grain = draws.uniform(4 * height * width).reshape(4, height, width)
    image += noise * (grain[0] + grain[1] + grain[2] + grain[3] - 2.0) / 2.0
    lean = np.rint(200.0 * np.clip(image - 0.5, -0.5, 0.5)).astype(np.int64)
    tail, head = _neighbours(height, width, connectivity)
    step = (image.ravel()[tail] - image.ravel()[head]) / EDGE
    between = np.rint(strength / (1.0 + step * step)).astype(np.int64)
    return _segmentation(lean, tail, head, np.maximum(between, min(strength, 1)))


def _soft_discs(draws: Draws, height: int, width: int, blobs: int) -> Image:
    """Brightness from 0 to 1: one in the middle of a disc, zero outside of all."""
    places = draws.uniform(3 * blobs).reshape(3, blobs)
    y, x = np.arange(height)[:, None], np.arange(width)[None, :]
    # As many discs as asked for cover about half of the picture.
    typical = (height * width / (6.0 * blobs)) ** 0.5
    bright: Image = np.zeros((height, width))
    for at_y, at_x, size in places.T:
        radius = max(typical * (0.5 + size), 1.0)
        top, bottom = _window(at_y * height, radius, height)
        left, right = _window(at_x * width, radius, width)
        dy, dx = y[top:bottom] - at_y * height, x[:, left:right] - at_x * width
        inside = np.clip(1.5 * (1.0 - (dy * dy + dx * dx) / (radius * radius)), 0.0, 1.0)
        part = bright[top:bottom, left:right]
        np.maximum(part, inside, out=part)
    return bright


def _window(middle: float, radius: float, size: int) -> tuple[int, int]:
    return max(int(middle - radius), 0), min(int(middle + radius) + 2, size)


def _neighbours(height: int, width: int, connectivity: int) -> tuple[np.ndarray, np.ndarray]:
    """Each pair of neighbouring pixels once."""
    if connectivity not in STEPS:
        raise ValueError(f"connectivity must be 4 or 8, not {connectivity!r}")
    return neighbours((height, width), STEPS[connectivity])[1:]


def _segmentation(lean: np.ndarray, tail: np.ndarray, head: np.ndarray, between: np.ndarray) -> Network:
    """Arcs both ways between neighbours; one to the terminal that a pixel leans to, by as much as it does."""
    lean = lean.ravel()
    source, sink = len(lean), len(lean) + 1
    bright, dark = np.flatnonzero(lean > 0), np.flatnonzero(lean < 0)
    neighbours = (tail, head, between), (head, tail, between)
    arcs = (source, bright, lean[bright]), *neighbours, (dark, sink, -lean[dark])
    return network(arcs, len(lean) + 2, source, sink)
