# Needs only Python 3.11 or newer and make; everything else goes into .venv.
# Other Python: make app PYTHON=/path/to/python3.12.   More test processes: make test WORKERS=4

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest

# What the benchmarks share, and what chose the training's constants once, is no benchmark.
BENCHMARKS := $(filter-out benchmarks/common.py benchmarks/visitor.py benchmarks/fuzz.py benchmarks/tune_%.py,$(wildcard benchmarks/*.py))

INSTALLED := $(VENV)/.installed
INSTALLED_TEST := $(VENV)/.installed-test

.DEFAULT_GOAL := help
.PHONY: help app test quick validity coverage lint types bench clean

help: ## list these commands
	@grep -E '^[a-z]+: .*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/: .*## /\t/' | \
		while IFS="$$(printf '\t')" read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done

app: $(INSTALLED) ## start the app in the browser, on a sample
	@$(BIN)/python -m streamlit run app.py

test: $(INSTALLED_TEST) ## run every test that this machine can run
	@$(PYTEST) -n $(WORKERS)

quick: $(INSTALLED_TEST) ## run the tests that together take under a minute
	@$(PYTEST) -n $(WORKERS) -m "not slow and not browser and not validity"

validity: $(INSTALLED_TEST) ## run the long Monte-Carlo checks of the guarantees
	@DPCP_VALIDITY=long $(PYTEST) -n $(WORKERS) -m validity

# Kept in .venv, so that subprocesses find it wherever they run and `clean` takes it along.
coverage: export COVERAGE_FILE := $(CURDIR)/$(VENV)/.coverage
coverage: $(INSTALLED_TEST) ## run the tests without a browser; print how many of the library's branches they take
	@$(PYTEST) -n $(WORKERS) -m "not browser" --cov --cov-report=json:$(VENV)/coverage.json
	@$(BIN)/python -c 'import json; t = json.load(open("$(VENV)/coverage.json"))["totals"]; \
		print("%.1f %% of %d branches taken" % (100 * t["covered_branches"] / t["num_branches"], t["num_branches"]))'

lint: $(INSTALLED_TEST) ## check style
	@$(BIN)/python -m ruff check .

types: $(INSTALLED_TEST) ## check types
	@$(BIN)/python -m mypy

bench: $(INSTALLED_TEST) ## run the benchmarks; each prints a table
	@status=0; for script in $(BENCHMARKS); do \
		echo "== $$script"; $(BIN)/python "$$script"; code=$$?; \
		if [ $$code = 2 ]; then echo "left out: $$script"; elif [ $$code != 0 ]; then status=1; fi; \
	done; exit $$status

clean: ## remove .venv and everything that the tools left behind
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .hypothesis .pytest_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found: install it, or name it with make PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) could not make a virtual environment: on Debian and Ubuntu install python3-venv, then try again."; rm -rf $(VENV); exit 1; }

# torch first and alone: a build that is on offer locally or already there then decides, not another package's wish.
$(INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt torch
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(INSTALLED_TEST): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt torch
	$(PIP) install -c constraints.txt -e ".[test]"
	@touch $(INSTALLED) $@
