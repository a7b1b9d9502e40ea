"""The one catalogue of inputs that are hard for someone; all tests and the fuzzer draw from it.

| file | content |
|---|---|
| `matrices.py`, `costs.py`, `networks.py` | awkward inputs by name, and what makes more of their kind |
| `data.py` | the real instances, where the data folder exists |
"""
