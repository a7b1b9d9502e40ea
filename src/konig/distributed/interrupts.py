"""Ctrl-C while ranks work together.

Python raises KeyboardInterrupt wherever the program is. A rank that is between an agreement and the operation
after it must not leave then: the others are in that operation, and would wait for ever.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Interrupts:
    """Holds an interrupt back in a ``with`` block of this object; the caller's handler gets it at the end.

    A block that ends with an error of its own ends with that error.
    """

    def __init__(self) -> None:
        self._held = self._pending = False
        self._usual: Any = None  # the handler of the caller

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Where interrupts come to this object; elsewhere, and on other threads, they are as usual."""
        usual = signal.getsignal(signal.SIGINT)
        is_main = threading.current_thread() is threading.main_thread()
        if self._usual is not None or not is_main or not callable(usual):
            yield
            return
        self._usual, self._held, self._pending = usual, False, False
        signal.signal(signal.SIGINT, self._hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, usual)
            self._usual = None
        if self._pending:
            self._pending = False
            usual(signal.SIGINT, None)

    def hold(self) -> None:
        """Holds interrupts back until the end of the next block, or of where they are heard."""
        self._held = True

    def release(self) -> None:
        """Ends that; one that was held back goes to the caller's handler here."""
        self._held = False
        self._raise_pending()

    def __enter__(self) -> None:
        self._held = True

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:  # after an error they stay held back: it is on its way to where all agree on it
            self.release()

    def _raise_pending(self) -> None:
        if self._pending:
            self._pending = False
            self._usual(signal.SIGINT, None)

    def _hear(self, number: int, frame: Any) -> None:
        if self._held:
            self._pending = True
        else:
            self._usual(number, frame)
