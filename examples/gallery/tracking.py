"""Tracking with a gate: detections of each frame go to tracks, or neither is used.

    python examples/gallery/tracking.py [PICTURE]

Some objects move across the plane. A sensor misses some of them in each frame and reports false alarms. A
track predicts where its object is next; a detection further away than the gate is none of its.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import konig

OBJECTS, FRAMES, GATE = 9, 60, 0.04
MISSED, FALSE_ALARMS, NOISE = 0.1, 6, 0.004


def scene(rng):
    """The detections of each frame, and which object each comes from (-1: a false alarm)."""
    start, heading = rng.random((OBJECTS, 2)), rng.uniform(0, 2 * np.pi, OBJECTS)
    turn, speed = rng.uniform(-0.06, 0.06, OBJECTS), rng.uniform(0.008, 0.013, OBJECTS)
    angle = heading + turn * np.arange(FRAMES)[:, None]
    paths = start + np.cumsum(speed[:, None] * np.stack([np.cos(angle), np.sin(angle)], 2), axis=0)
    for at in paths:
        seen = np.flatnonzero(rng.random(OBJECTS) > MISSED)
        noisy = at[seen] + NOISE * rng.standard_normal((len(seen), 2))
        false = rng.uniform(paths.min((0, 1)), paths.max((0, 1)), (FALSE_ALARMS, 2))
        yield np.vstack([noisy, false]), np.r_[seen, np.full(FALSE_ALARMS, -1)]


class Track:
    def __init__(self, at, frame):
        self.at, self.speed, self.path, self.last = at, np.zeros(2), [at], frame

    def predict(self, frame):
        return self.at + (frame - self.last) * self.speed

    def update(self, at, frame):
        """An alpha-beta filter: a young track learns its speed at once, an old one slowly."""
        error, steps = at - self.predict(frame), frame - self.last
        self.at = at - 0.3 * error
        self.speed = self.speed + max(1 / len(self.path), 0.25) * error / steps
        self.last = frame
        self.path.append(self.at)


def follow(frames):
    """All tracks, those that end as well."""
    tracks, ended = [], []
    for frame, (detections, _) in enumerate(frames):
        predicted = np.reshape([t.predict(frame) for t in tracks], (-1, 2))
        distance = np.linalg.norm(predicted[:, None] - detections[None], axis=2)
        a = konig.linear_assignment(distance, unassigned_cost=GATE)  # no pair is further apart than GATE
        a.verify(distance, unassigned_cost=GATE)
        for i, j in zip(a.row_ind, a.col_ind, strict=True):
            tracks[i].update(detections[j], frame)
        ended += [t for t in tracks if frame - t.last > 3]
        tracks = [t for t in tracks if frame - t.last <= 3]
        tracks += [Track(detections[j], frame) for j in a.unassigned_cols]  # perhaps a new object
    return ended + tracks


def draw(frames, tracks, picture):
    fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.1), sharex=True, sharey=True, layout="constrained")
    points = np.vstack([detections for detections, _ in frames])
    age = np.repeat(np.arange(len(frames)), [len(detections) for detections, _ in frames])
    left.scatter(*points.T, s=9, c=age, cmap="viridis", lw=0)
    left.set_title(f"{len(points)} detections in {FRAMES} frames, dark to light")
    right.scatter(*points.T, s=5, color="0.8", lw=0)
    long = sorted((t for t in tracks if len(t.path) >= 10), key=lambda t: -len(t.path))
    for t, colour in zip(long, plt.colormaps["tab10"].colors * 5, strict=False):
        path = np.array(t.path)
        right.plot(*path.T, color=colour, lw=2.2)
        right.plot(*path[-1], "o", color=colour, ms=7)
    right.set_title(f"{len(long)} tracks of ten detections or more")
    for ax in (left, right):
        ax.set(xticks=[], yticks=[], aspect="equal")
        ax.spines[:].set_color("0.8")
    fig.savefig(picture, dpi=100)


def main(picture="tracking.png"):
    frames = list(scene(np.random.default_rng(1)))
    tracks = follow(frames)
    draw(frames, tracks, picture)
    print(f"{OBJECTS} objects, {sum(len(t.path) >= 10 for t in tracks)} long tracks")


if __name__ == "__main__":
    main(*sys.argv[1:])
