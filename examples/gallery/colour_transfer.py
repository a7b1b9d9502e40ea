"""Colour transfer: a photograph gets the colours of an evening, by assigning points to points.

    python examples/gallery/colour_transfer.py [PICTURE]

Pixels are points in the space of colours. Some thousand of the photograph are assigned to as many of the
other picture so that squared distances sum up to as little as possible: optimal transport between two
palettes. Each pixel then moves as the samples near its colour do.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cbook import get_sample_data
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

import konig

SAMPLES = 3000


def photograph():
    """Rear Admiral Grace Hopper, from matplotlib's sample data, at half its size."""
    with get_sample_data("grace_hopper.jpg") as file:
        return plt.imread(file)[::2, ::2] / 255.0


def evening(rng, height=300, width=256):
    """The sun above the sea, drawn by NumPy."""
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    sky = [[0.05, 0.04, 0.18], [0.35, 0.1, 0.35], [0.85, 0.3, 0.25], [1.0, 0.65, 0.3], [1.0, 0.85, 0.55]]
    image = np.stack([np.interp(y / 0.62, np.linspace(0, 1, 5), c) for c in np.transpose(sky)], axis=2)
    sun = np.exp(-((x - 0.6) ** 2 + (y - 0.5) ** 2) / 0.006)[..., None]
    clouds = gaussian_filter(rng.standard_normal(y.shape), (3, 25))[..., None]
    image = image * (1 + 2.5 * clouds * (y < 0.62)[..., None]) * (1 - sun) + sun * [1.0, 0.97, 0.8]
    waves = gaussian_filter(rng.standard_normal(y.shape), (0.7, 8))
    glitter = np.exp(-((x - 0.6) ** 2) / (0.004 + 0.05 * np.maximum(y - 0.62, 0))) * (0.5 + 3 * waves)
    sea = np.array([0.1, 0.06, 0.2]) + np.maximum(glitter, 0)[..., None] * [1.0, 0.6, 0.3]
    return np.clip(np.where((y < 0.62)[..., None], image, sea + 0.1 * waves[..., None]), 0, 1)


def transferred(image, palette, rng):
    """The image in the colours of the other one, and the assignment behind it."""
    X, Y = (rng.choice(p.reshape(-1, 3), SAMPLES, replace=False) for p in (image, palette))
    a = konig.point_assignment(X, Y, "sqeuclidean")
    a.verify(X, Y)
    move = Y[a.col_ind] - X[a.row_ind]
    pixels = image.reshape(-1, 3)
    distance, near = cKDTree(X).query(pixels, k=80)  # the mean of the nearest samples' moves
    weight = 1 / (distance + 0.02)
    weight /= weight.sum(axis=1, keepdims=True)
    moved = pixels + (weight[..., None] * move[near]).sum(axis=1)
    return np.clip(moved, 0, 1).reshape(image.shape), X, Y, a


def draw(pictures, X, Y, a, picture):
    fig = plt.figure(figsize=(11, 3.9), layout="constrained")
    grid = fig.add_gridspec(1, 4, width_ratios=[1, 1, 1, 1.35])
    titles = "a photograph", "an evening", "the photograph in its colours"
    for k, (image, title) in enumerate(zip(pictures, titles, strict=True)):
        ax = fig.add_subplot(grid[k])
        ax.imshow(image)
        ax.set_title(title, fontsize=11)
        ax.axis("off")
    ax = fig.add_subplot(grid[3], projection="3d")
    shown = slice(0, SAMPLES, 12)
    for i, j in zip(a.row_ind[shown], a.col_ind[shown], strict=True):
        ax.plot(*np.stack([X[i], Y[j]]).T, color="0.75", lw=0.5, zorder=0)
    ax.scatter(*X[a.row_ind[shown]].T, c=X[a.row_ind[shown]], s=10, marker="o", depthshade=False)
    ax.scatter(*Y[a.col_ind[shown]].T, c=Y[a.col_ind[shown]], s=14, marker="^", depthshade=False)
    ax.set(xlabel="red", ylabel="green", zlabel="blue", xticks=[], yticks=[], zticks=[])
    ax.set_box_aspect((1, 1, 1), zoom=0.75)
    ax.set_title(f"{SAMPLES:,} colours assigned", fontsize=11)
    fig.savefig(picture, dpi=80)


def main(picture="colour_transfer.png"):
    rng = np.random.default_rng(0)
    image, palette = photograph(), evening(rng)
    result, X, Y, a = transferred(image, palette, rng)
    print(f"{SAMPLES} points, mean squared distance {a.cost / SAMPLES:.4f}, gap {a.gap:.1e}")
    draw((image, palette, result), X, Y, a, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
