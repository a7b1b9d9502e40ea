"""Pictures of matrices and of benchmarks, for which matplotlib is needed: ``pip install 'konig[plot]'``."""

from konig.plot.patterns import plot_block_triangular_form, plot_matching, spy

__all__ = ["plot_block_triangular_form", "plot_matching", "spy"]
