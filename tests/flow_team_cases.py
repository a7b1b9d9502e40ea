"""What the tests of the flow methods on a team share, on CPU teams and on a GPU."""

LAYOUTS = ("csr", "rcsr", "bcsr")
LOCK_FREE = [f"lock-free-{layout}" for layout in LAYOUTS]
TLPNS = [f"tlpns-{layout}" for layout in LAYOUTS]
METHODS = LOCK_FREE + TLPNS


# For seconds_to_stop, with the name of a method.
INTERRUPTED_ON_A_GPU = """
import time
import numpy as np, konig
n = 200_000
arcs = np.arange(n), np.arange(1, n + 1), np.full(n, 5)
konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="{method}", device="cuda")
print("ready", flush=True)
try:
    while True:
        konig.maximum_flow(arcs, 0, n, method="{method}", device="cuda")
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
    f = konig.maximum_flow(([0, 1], [1, 2], [4, 3]), 0, 2, method="{method}", device="cuda")
    print("usable" if f.value == 3 else f.value, flush=True)
"""
