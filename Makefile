SHELL := /bin/bash
.SHELLFLAGS := -eo pipefail -c

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
PIP := $(RUN)/python -m pip install --quiet
ASKED := $(RUN)/python .ci/requirements.py
SOURCES := pyproject.toml CMakeLists.txt $(shell find native src/konig/include -type f 2>/dev/null)

# The interpreter of a machine with a GPU: it brings numpy, scipy, pytest, cupy, scikit-build-core and nanobind.
GPU_PYTHON ?= python3
# Where the records of the performance page lie, the suite of its CPU tables, and how long a suite of the GPU's
# may go on.
RECORDS ?= docs/performance
SUITE ?= small
BUDGET ?= 120

# make fuzz: minutes to go on (5 if not given), a seed (fresh if not given), and anything else that python -m fuzz --help lists,
# for instance make fuzz MINUTES=600 SEED=7 FUZZ="--problem flow --out findings.jsonl".
MINUTES ?=
SEED ?=
FUZZ ?=

.PHONY: demo test test-long test-lowest wheel sdist test-wheel test-sdist fuzz fuzz-sanitized lint format stub bench wild performance clean install
.PHONY: gpu-install gpu-test gpu-sanitize gpu-bench gpu-study

# The native module is built once, here; what a target needs beside it is installed for that target alone.
install: $(VENV)/.installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tools: pyproject.toml | $(VENV)/bin/python
	$(ASKED) build | $(PIP) -r /dev/stdin cmake ninja
	touch $@

$(VENV)/.installed: $(SOURCES) $(VENV)/.tools
	$(PIP) --no-build-isolation --editable .
	touch $@

# An extra of pyproject.toml: plot, mpi, test, lint or wheel.
$(VENV)/.extra-%: pyproject.toml | $(VENV)/bin/python
	$(ASKED) $* | $(PIP) -r /dev/stdin
	touch $@

# Peers come from many hands: one that does not install here is left out, and the others are timed.
$(VENV)/.peers: pyproject.toml | $(VENV)/bin/python
	$(ASKED) bench | while read -r peer; do $(PIP) "$$peer" < /dev/null || echo "left out: $$peer does not install"; done
	touch $@

demo: install $(VENV)/.extra-plot
	$(RUN)/python examples/demo.py

test: install $(VENV)/.extra-test $(VENV)/.extra-mpi
	$(RUN)/python -m pytest -m "not long and not gpu" -n 2

test-long: install $(VENV)/.extra-test $(VENV)/.extra-mpi test-lowest
	$(RUN)/python -m pytest -m "long and not gpu" --timeout 3600

# The lower bounds of pyproject.toml, in an environment of their own, with the module that is built already.
LOWEST := $(VENV)/lowest
LOWEST_TESTS := tests/cli tests/test_documentation.py tests/matching/test_matching.py tests/matching/test_triangular.py \
  tests/assignment/test_inputs.py tests/flow/test_flow_inputs.py tests/interop/test_lap.py tests/interop/test_scipy_drop_ins.py \
  $(addprefix tests/interop/test_networkx_,backend.py flow.py flow_func.py matching.py) tests/plot

WHEEL_TESTS := $(addprefix tests/assignment/test_,batches.py exact_reals.py points.py small.py) tests/flow/test_real_capacities.py \
  tests/flow/test_small_flow.py tests/gpu/test_carried.py

test-lowest: install
	rm -rf $(LOWEST)
	$(RUN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir $(LOWEST)/wheel .
	$(PYTHON) -m venv $(LOWEST)/venv
	$(ASKED) --lowest dependencies plot test > $(LOWEST)/constraints.txt
	$(LOWEST)/venv/bin/python -m pip install --quiet -r $(LOWEST)/constraints.txt $(LOWEST)/wheel/*.whl
	$(LOWEST)/venv/bin/python examples/demo.py $(LOWEST)/btf.png
	$(LOWEST)/venv/bin/python -m pytest -m "not long and not gpu" $(LOWEST_TESTS)

# Wheels for every Linux since 2018, into dist/: make wheel PYTHONS="python3.11 python3.12". That of 3.12 serves later ones, too.
# They carry the code of GPUs of compute capability 8 and 9, 2 to 3 MB each; CUBINS= leaves it out, and
# CUBINS="sm_80 sm_90 sm_100 sm_120" takes the later ones along.
PYTHONS ?= $(PYTHON)
CUBINS ?= sm_80 sm_90

wheel: $(VENV)/.tools $(VENV)/.extra-wheel
	TOOLS="$(CURDIR)/$(RUN)" CUBINS="$(CUBINS)" .ci/wheel $(PYTHONS)

sdist: $(VENV)/.tools $(VENV)/.extra-wheel
	$(RUN)/python -m build --quiet --no-isolation --sdist --outdir dist .

# The sdist, built and installed where nothing of this checkout is seen; its own tests are run.
SDIST_TESTS := tests/test_requirements.py tests/matching/test_matching.py tests/assignment/test_small.py tests/flow/test_small_flow.py \
  tests/cli/test_output.py

test-sdist: sdist
	.ci/try-sdist $(PYTHON) $(SDIST_TESTS)

# What dist/ has for each interpreter, in an environment of its own.
test-wheel:
	for python in $(PYTHONS); do CUBINS="$(CUBINS)" .ci/try-wheel $$python $(LOWEST_TESTS) $(WHEEL_TESTS) || exit 1; done

fuzz: install $(VENV)/.extra-test
	PYTHONPATH=tests $(RUN)/python -m fuzz $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(FUZZ)

fuzz-sanitized: install $(VENV)/.extra-test
	$(MAKE) fuzz FUZZ="--sanitize address,undefined $(FUZZ)"
	$(MAKE) fuzz FUZZ="--sanitize thread --threads 2,3,5 $(FUZZ)"

lint: install $(VENV)/.extra-lint
	$(RUN)/ruff check src tests examples .ci
	$(RUN)/ruff format --check src tests examples .ci
	$(RUN)/mypy
	find native src/konig/include -name '*.h' -o -name '*.cpp' -o -name '*.cu' | xargs $(RUN)/clang-format --dry-run --Werror

format: $(VENV)/.extra-lint
	$(RUN)/ruff check --fix src tests examples .ci
	$(RUN)/ruff format src tests examples .ci
	find native src/konig/include -name '*.h' -o -name '*.cpp' -o -name '*.cu' | xargs $(RUN)/clang-format -i

stub: install
	$(RUN)/python -m nanobind.stubgen -q -m konig._native -o src/konig/_native.pyi

bench: install $(VENV)/.peers
	for problem in matching assignment flow; do $(RUN)/konig bench $$problem --suite small --peers || exit 1; done

# Draws that nobody has seen, of each problem: make wild MINUTES=10 SEED=7.
wild: install $(VENV)/.peers
	for problem in matching assignment flow; do \
	  $(RUN)/konig bench wild $$problem $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) || exit 1; done

# The documentation in site/; then its links are checked and, if there is a Chromium, its pages and its search. No native module
# is needed.
.PHONY: docs docs-site docs-test
docs: docs-site docs-test

docs-site: $(VENV)/.extra-docs
	NO_MKDOCS_2_WARNING=1 $(RUN)/python -m mkdocs build --strict

docs-test: docs-site
	KONIG_SITE=site $(RUN)/python -m pytest tests/docs/test_site.py

# The performance page, from a run of this checkout on this machine.
performance: install $(VENV)/.peers
	mkdir -p $(RECORDS)
	for problem in matching assignment flow; do \
	  $(RUN)/konig bench wild $$problem $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) \
	    --json $(RECORDS)/wild-$$problem.json --plot $(RECORDS)/wild-$$problem.png || exit 1; done
	for problem in matching assignment flow; do \
	  $(RUN)/konig bench $$problem --suite $(SUITE) --methods auto --peers --json $(RECORDS)/$$problem.json || exit 1; done
	$(RUN)/konig bench relatives $(if $(SEED),--seed $(SEED)) --json $(RECORDS)/relatives.json
	$(RUN)/konig bench page $(RECORDS) --out $(RECORDS).md

gpu-install:
	$(GPU_PYTHON) -m pip install --quiet --no-build-isolation --no-deps .

gpu-test: gpu-install
	$(GPU_PYTHON) -m pytest tests/gpu tests/interop/test_array_inputs.py -m "gpu or not long"

gpu-sanitize: gpu-install
	for tool in memcheck racecheck synccheck; do compute-sanitizer --tool $$tool --error-exitcode 1 $(GPU_PYTHON) tests/gpu/tiny.py || exit 1; done

# A suite of a problem on the GPU: make gpu-bench runs those of ours, make gpu-study those of the papers.
GPU_BENCH := matching/gpu matching/narrow assignment/gpu flow/gpu flow/grids
GPU_STUDY := matching/variants matching/relabelling matching/profiles matching/classes matching/sizes \
  matching/as-flow assignment/paper flow/paper

gpu-bench: $(GPU_BENCH:%=gpu-suite/%)
	$(GPU_PYTHON) -m konig bench page $(RECORDS) --out $(RECORDS).md

gpu-study: $(GPU_STUDY:%=gpu-suite/%)
	$(GPU_PYTHON) -m konig bench page $(RECORDS) --out $(RECORDS).md

gpu-suite/%: gpu-install
	mkdir -p $(RECORDS)
	$(GPU_PYTHON) -m konig bench $(*D) --suite $(*F) --device cuda --timeout 20 --budget $(BUDGET) \
	  --json $(RECORDS)/gpu-$(*D)-$(*F).json

clean:
	rm -rf $(VENV) build site
