"""Differential fuzzing of all three problems, judged in exact arithmetic (``make fuzz``).

Nothing here knows how a solver works. A case is a function of (problem, seed, number): an input, and several
calls that must all give a right answer for it. Answers are judged by integers and fractions: an independent
algorithm finds the optimum, and the dual that the answer carries is checked number by number.

| file | content |
|---|---|
| `case.py` | what a case, a call and a violation are |
| `exact.py` | floating-point numbers as integers of a common unit |
| `assignment/`, `flow/`, `matching/` | inputs by family, entry points, optimum, judge, corrupted answers |
| `worker.py` | runs cases in a child process, which may die of them |
| `runner.py` | keeps the children busy, counts, and prints a command that repeats each finding |
| `shrink.py` | makes the input of a finding as small as it gets |
"""
