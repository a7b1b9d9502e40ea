"""Small accidents that befall files."""

from __future__ import annotations

import random
from collections.abc import Sequence


def mutated(content: bytes, draw: random.Random, tokens: Sequence[bytes]) -> bytes:
    """The content with one to four small changes of the kinds that accidents and editors make."""
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(content) + 1)
        end = min(len(content), start + draw.choice((0, 1, 1, 2, 5, 20)))
        content = content[:start] + _changed(content[start:end], draw, tokens) + content[end:]
    return content[: draw.randrange(len(content) + 1)] if draw.random() < 0.1 else content


def _changed(piece: bytes, draw: random.Random, tokens: Sequence[bytes]) -> bytes:
    changes = (
        lambda: draw.randbytes(len(piece)),
        lambda: b"",
        lambda: piece * 2,
        lambda: piece[::-1],
        lambda: bytes(byte ^ (1 << draw.randrange(8)) for byte in piece),
        lambda: draw.choice(tokens),
        lambda: b" " + draw.choice(tokens) + b" ",
    )
    return draw.choice(changes)()
