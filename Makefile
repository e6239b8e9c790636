# Everything sets itself up: the first target that needs it makes a virtual environment.
# VENV=… takes another one, PYTHON=… another interpreter.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin

.PHONY: help demo check format lint types layers test golden docs options guides notebook public bench bench-answers bench-grade bench-exact bench-identities bench-slips bench-page soak clean

help:                ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: $(VENV)/ready  ## the worked solution of cats in latex_out/, as a PDF too where pdflatex is, and one cell here
	$(BIN)/derive cell cats "A[2,0]"
	$(BIN)/derive solution cats

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

guides: $(VENV)/ready  ## write the outputs in the guides of worked/ again
	$(BIN)/python -m worked.guides

notebook: $(VENV)/ready  ## run worked/notebook.ipynb again and store its outputs
	$(BIN)/python worked/make_notebook.py

bench: $(VENV)/ready  ## cells against plain SymPy, mpmath and Arb
	$(BIN)/python -m benchmarks.cell
	$(BIN)/python -m benchmarks.large

public: $(VENV)/ready  ## write worked/public-examples.md again: numbers that others have printed
	$(BIN)/python -m worked.public_examples

bench-answers: $(VENV)/ready  ## marking beside Math-Verify and SymPy equals, on the same answers
	$(BIN)/python -m benchmarks.answers

bench-slips: $(VENV)/ready  ## is every slip named?  a table by slip, over sheets of all bundled models
	$(BIN)/python -m benchmarks.slips

bench-grade: $(VENV)/ready  ## a course of 100,000 answers: time, memory, kills and restarts
	$(BIN)/python -m benchmarks.grade

bench-exact: $(VENV)/ready  ## the kernel against simplify and equals
	$(BIN)/python -m benchmarks.exact

bench-page: $(VENV)/ready  ## bytes and first click of a page; KATEX=folder: against KaTeX
	$(BIN)/python -m benchmarks.page $(KATEX)

bench-identities: $(VENV)/ready  ## the catalogue of identities beside SymPy and tensorgrad
	$(BIN)/python -m benchmarks.identities

soak: $(VENV)/ready  ## what takes minutes: two blocks proved, every cell typeset, a long fuzz run
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.grade --answers 1000000 --students 10000

clean:               ## forget the virtual environment and all caches
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # older ones know no --group
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@
