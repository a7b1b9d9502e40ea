"""The GPU papers' experiments on generated graphs: ``python -m konig.lab.gpu_study OUT_DIR``.

M. Deveci, K. Kaya, B. Uçar, Ü. V. Çatalyürek: GPU accelerated maximum cardinality matching algorithms for
bipartite graphs, Euro-Par 2013 (Table 1, Figures 2 to 4); A push-relabel-based maximum cardinality bipartite
matching algorithm on GPUs, ICPP 2013 (Figures 1 to 3, Table I).
"""
