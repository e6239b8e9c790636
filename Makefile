# Everything sets itself up: the first target that needs it makes a virtual environment.
# VENV=… takes another one, PYTHON=… another interpreter.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin

.PHONY: help demo check format lint types layers test golden docs options bench bench-exact bench-identities soak clean

help:                ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: $(VENV)/ready  ## derive a cell of cats with all it is made from: as text here, as TeX in latex_out/
	$(BIN)/derive cell cats "H[2,0]" --depth all
	$(BIN)/derive cell cats "H[2,0]" --depth all --to tex -o latex_out/cats.tex

check: lint types test  ## all that must pass; `test` has import order, golden output and documentation in it

lint: $(VENV)/ready  ## format and lint, nothing changed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/ready  ## mypy, strict
	$(BIN)/mypy

test: $(VENV)/ready  ## all tests, doctests included
	$(BIN)/python -m pytest -q -n auto

layers: $(VENV)/ready  ## only: imports point one way
	$(BIN)/python -m pytest -q tests/test_imports.py

docs: $(VENV)/ready  ## only: the documents are true
	$(BIN)/python -m pytest -q README.md CONTRIBUTING.md tests/test_documents.py tests/cli/test_help.py

format: $(VENV)/ready  ## format, and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/ready  ## write the golden output again; look at the difference before you commit it
	$(BIN)/python -m pytest -q tests/test_golden.py --update-golden

options: $(VENV)/ready  ## write the README's table again: which bundled model shows which option
	$(BIN)/python worked/option_table.py

bench: $(VENV)/ready  ## cells against plain SymPy, mpmath and Arb
	$(BIN)/python -m benchmarks.cell

bench-exact: $(VENV)/ready  ## the kernel against simplify and equals
	$(BIN)/python -m benchmarks.exact

bench-identities: $(VENV)/ready  ## the catalogue of identities beside SymPy and tensorgrad
	$(BIN)/python -m benchmarks.identities

soak: $(VENV)/ready  ## what takes minutes: two blocks proved, every cell typeset, a long fuzz run
	$(BIN)/python -m benchmarks.soak

clean:               ## forget the virtual environment and all caches
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # older ones know no --group
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@
