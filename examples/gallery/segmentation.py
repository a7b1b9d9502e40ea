"""Segmenting a photograph: the cheapest border between a person and what is behind her.

    python examples/gallery/segmentation.py [PICTURE]

Two ellipses, head and shoulders, are all that is given. Colours inside and outside of them say how likely
each pixel is hers; a border costs little where colours differ. The minimum cut is the best of all
segmentations by these costs. Colours are then counted anew, and the next cut is made (GrabCut: Rother,
Kolmogorov and Blake 2004).
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cbook import get_sample_data
from scipy.ndimage import gaussian_filter

import konig

BINS = 16  # of each colour
SMOOTHNESS = 12.0


def photograph():
    """Rear Admiral Grace Hopper, from matplotlib's sample data, at half its size."""
    with get_sample_data("grace_hopper.jpg") as file:
        image = plt.imread(file) / 255.0
    return image[::2, ::2]


def borders(image):
    """What it costs to cut between a pixel and each neighbour: little across an edge of the image."""
    offsets = konig.grid_offsets(8)
    offsets = offsets[: len(offsets) // 2]  # the same both ways
    shifted = [np.roll(image, (-dy, -dx), axis=(0, 1)) for dy, dx in offsets]
    contrast = np.array([((image - other) ** 2).sum(axis=2) for other in shifted])
    length = np.linalg.norm(offsets, axis=1)[:, None, None]
    return SMOOTHNESS * np.exp(-contrast / (2 * contrast.mean())) / length


def likelihood(image, inside):
    """How likely each pixel's colour is among those inside, by a smoothed histogram."""
    cell = tuple(np.minimum((image * BINS).astype(int), BINS - 1).reshape(-1, 3).T)
    counts = np.zeros((BINS,) * 3)
    np.add.at(counts, cell, inside.ravel())
    counts = gaussian_filter(counts, 0.7) + 1e-3
    return np.log(counts / counts.sum())[cell].reshape(inside.shape)


def guess(shape):
    """Roughly where she is, and a wider region that she does not leave."""
    y, x = np.indices(shape) / np.array(shape)[:, None, None]

    def person(grown):
        head = ((x - 0.52) / (0.17 * grown)) ** 2 + ((y - 0.28) / (0.22 * grown)) ** 2 < 1
        return head | (((x - 0.5) / (0.42 * grown)) ** 2 + ((y - 1.1) / (0.48 * grown)) ** 2 < 1)

    return person(1.0), person(1.32)


def segment(image, person, region, rounds=4):
    """All cuts, each from the colours on both sides of the one before."""
    neighbours, cuts = borders(image), []
    for _ in range(rounds):
        evidence = likelihood(image, person) - likelihood(image, ~person)
        to_person = np.where(region, np.maximum(evidence, 0), 0)
        to_background = np.where(region, np.maximum(-evidence, 0), 1e6)
        c = konig.grid_cut(to_person, to_background, neighbours, connectivity=8)
        c.verify(to_person, to_background, neighbours)
        cuts.append(c)
        person = c.cut
    return cuts


def draw(image, first, cuts, picture):
    person = cuts[-1].cut
    fig, axes = plt.subplots(1, 3, figsize=(10, 4.3), layout="constrained")
    for ax, border in zip(axes, (first, person), strict=False):
        ax.imshow(image)
        ax.contour(border, [0.5], colors="tab:orange", linewidths=2.5)
    axes[2].imshow(np.where(person[..., None], image, 1.0))
    titles = "a first guess", f"minimum cut of {person.size:,} pixels", "the person"
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title)
        ax.axis("off")
    fig.savefig(picture, dpi=80)


def main(picture="segmentation.png"):
    image = photograph()
    first, region = guess(image.shape[:2])
    cuts = segment(image, first, region)
    for c in cuts:
        print(f"cut of {c.value:.1f}, gap {c.gap:.1e}, {c.cut.sum():,} pixels, by {c.method}")
    draw(image, first, cuts, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
