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
# Where make gpu-study puts its tables and pictures.
STUDY ?= gpu-study

# make fuzz: minutes to go on, a seed (fresh if not given), and anything else that python -m fuzz --help lists,
# for instance make fuzz MINUTES=600 SEED=7 FUZZ="--problem flow --out findings.jsonl".
MINUTES ?= 5
SEED ?=
FUZZ ?=

.PHONY: demo test test-long test-lowest fuzz fuzz-sanitized lint format stub bench clean install
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

# An extra of pyproject.toml: plot, test or lint.
$(VENV)/.extra-%: pyproject.toml | $(VENV)/bin/python
	$(ASKED) $* | $(PIP) -r /dev/stdin
	touch $@

# Peers come from many hands: one that does not install here is left out, and the others are timed.
$(VENV)/.peers: pyproject.toml | $(VENV)/bin/python
	$(ASKED) bench | while read -r peer; do $(PIP) "$$peer" < /dev/null || echo "left out: $$peer does not install"; done
	touch $@

demo: install $(VENV)/.extra-plot
	$(RUN)/python examples/demo.py

test: install $(VENV)/.extra-test
	$(RUN)/python -m pytest -m "not long and not gpu" -n 2

test-long: install $(VENV)/.extra-test test-lowest
	$(RUN)/python -m pytest -m "long and not gpu" --timeout 3600

# The lower bounds of pyproject.toml, in an environment of their own, with the module that is built already.
LOWEST := $(VENV)/lowest
LOWEST_TESTS := tests/cli tests/test_documentation.py tests/matching/test_matching.py tests/matching/test_triangular.py \
  tests/assignment/test_inputs.py tests/flow/test_flow_inputs.py tests/interop/test_lap.py tests/interop/test_scipy_drop_ins.py \
  tests/plot

test-lowest: install
	rm -rf $(LOWEST)
	$(RUN)/python -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir $(LOWEST)/wheel .
	$(PYTHON) -m venv $(LOWEST)/venv
	$(ASKED) --lowest dependencies plot test > $(LOWEST)/constraints.txt
	$(LOWEST)/venv/bin/python -m pip install --quiet -r $(LOWEST)/constraints.txt $(LOWEST)/wheel/*.whl
	$(LOWEST)/venv/bin/python examples/demo.py $(LOWEST)/btf.png
	$(LOWEST)/venv/bin/python -m pytest -m "not long and not gpu" $(LOWEST_TESTS)

fuzz: install $(VENV)/.extra-test
	PYTHONPATH=tests $(RUN)/python -m fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(FUZZ)

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
	$(RUN)/konig bench matching --suite small --peers
	$(RUN)/konig bench flow --suite small --peers

gpu-install:
	$(GPU_PYTHON) -m pip install --quiet --no-build-isolation --no-deps .

gpu-test: gpu-install
	$(GPU_PYTHON) -m pytest tests/gpu tests/interop/test_array_inputs.py -m "gpu or not long"

gpu-sanitize: gpu-install
	for tool in memcheck racecheck synccheck; do compute-sanitizer --tool $$tool --error-exitcode 1 $(GPU_PYTHON) tests/gpu/tiny.py || exit 1; done

gpu-bench: gpu-install
	$(GPU_PYTHON) -m konig.lab.gpu_bench
	$(GPU_PYTHON) -m konig.lab.gpu_narrow
	$(GPU_PYTHON) -m konig.lab.gpu_flow_bench
	$(GPU_PYTHON) -m konig.lab.gpu_flow_tasks
	$(GPU_PYTHON) -m konig.lab.gpu_assignment

gpu-study: gpu-install
	$(GPU_PYTHON) -m konig.lab.gpu_study $(STUDY)

clean:
	rm -rf $(VENV) build
