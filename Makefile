PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
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

.PHONY: demo test test-long fuzz fuzz-sanitized lint format stub bench clean install gpu-install gpu-test gpu-sanitize gpu-bench gpu-study

install: $(VENV)/.installed

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --upgrade pip

$(VENV)/.tools: pyproject.toml | $(VENV)/bin/python
	$(RUN)/python -m pip install --quiet "scikit-build-core>=0.10" "nanobind>=2.4" "numpy>=2" cmake ninja
	touch $@

$(VENV)/.installed: $(SOURCES) $(VENV)/.tools
	$(RUN)/python -m pip install --quiet --no-build-isolation --editable ".[test,lint,plot,bench]"
	touch $@

demo: install
	$(RUN)/python examples/demo.py

test: install
	$(RUN)/python -m pytest -m "not long and not gpu" -n 2

test-long: install
	$(RUN)/python -m pytest -m "long and not gpu" --timeout 3600

fuzz: install
	PYTHONPATH=tests $(RUN)/python -m fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(FUZZ)

fuzz-sanitized: install
	$(MAKE) fuzz FUZZ="--sanitize address,undefined $(FUZZ)"
	$(MAKE) fuzz FUZZ="--sanitize thread --threads 2,3,5 $(FUZZ)"

lint: install
	$(RUN)/ruff check src tests examples
	$(RUN)/ruff format --check src tests examples
	$(RUN)/mypy
	find native src/konig/include -name '*.h' -o -name '*.cpp' -o -name '*.cu' | xargs $(RUN)/clang-format --dry-run --Werror

format: install
	$(RUN)/ruff check --fix src tests examples
	$(RUN)/ruff format src tests examples
	find native src/konig/include -name '*.h' -o -name '*.cpp' -o -name '*.cu' | xargs $(RUN)/clang-format -i

stub: install
	$(RUN)/python -m nanobind.stubgen -q -m konig._native -o src/konig/_native.pyi

bench: install
	$(RUN)/konig bench matching --suite small --peers
	$(RUN)/konig bench flow --suite small --peers

gpu-install:
	$(GPU_PYTHON) -m pip install --quiet --no-build-isolation --no-deps .

gpu-test: gpu-install
	$(GPU_PYTHON) -m pytest tests/cuda tests/test_array_inputs.py -m "gpu or not long"

gpu-sanitize: gpu-install
	for tool in memcheck racecheck synccheck; do compute-sanitizer --tool $$tool --error-exitcode 1 $(GPU_PYTHON) tests/cuda/tiny.py || exit 1; done

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
