# Everything works in a virtual environment of its own, made on first use from hashed lock files.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BENCH  := $(VENV)/.bench
LOCK    = uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
          --generate-hashes --no-emit-index-url --no-header

.DEFAULT_GOAL := help
.PHONY: help setup play run check test lint format golden soak bench ladder lock clean

help:           ## say what there is
	@sed -n 's/^\([a-z]*\): .*## /make \1\t/p' Makefile | expand -t 16

setup: $(READY) ## make the virtual environment

$(READY): requirements/dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name yours: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(BENCH): requirements/bench.lock $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

play: $(READY)  ## try it: a local page with several people, no token needed
	$(BIN)/python -m bot sandbox

run: $(READY)   ## connect to Discord with the settings in .env
	$(BIN)/python -m bot run

check: $(READY) ## say what is wrong with the settings or the database
	$(BIN)/python -m bot check

test: $(READY)  ## run the tests on all cores
	$(BIN)/python -m pytest -q -n auto --dist worksteal

lint: $(READY)  ## style, types (twice) and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	PYTHONPATH=. $(BIN)/lint-imports

format: $(READY) ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(READY) ## write the golden playthroughs anew; read the diff
	$(BIN)/python -m tests.golden --write

soak: $(READY)  ## the long runs: many games, many restarts
	HYPOTHESIS_PROFILE=search SOAK=1 $(BIN)/python -m pytest -q -n auto --dist worksteal tests

bench: $(BENCH) ## speed of engines, durable moves and computer players, as ratios in one run
	$(BIN)/python -m tools.bench

ladder: $(READY) ## how strong the computer players are, as a table; takes its time
	$(BIN)/python -m tools.ladder

lock: $(READY)  ## choose newer versions of what we depend on
	$(BIN)/$(LOCK) -o requirements/run.lock
	$(BIN)/$(LOCK) -c requirements/run.lock --extra dev -o requirements/dev.lock
	$(BIN)/$(LOCK) -c requirements/dev.lock --extra bench -o requirements/bench.lock

clean:          ## remove what was made
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
