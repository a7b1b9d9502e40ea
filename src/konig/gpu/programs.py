"""Constants of the programs that still have an entry of their own in ``konig/kernels``."""

from konig.gpu.program import BLOCK_THREADS

__all__ = ["BLOCK_THREADS", "MAXIMUM", "RUNNING", "SERIES"]

SERIES = 1024  # KONIG_SERIES of konig/bsp/limits.h
RUNNING, MAXIMUM = 0, 1  # every algorithm's enum Status
