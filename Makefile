# make run and make test set everything up themselves; see `make help`.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 8 ] && n=8; echo $$n)
STUB := src/mineproof/_core.pyi

.DEFAULT_GOAL := help
.PHONY: help run test check bench stub install dev clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: install ## Reproduce the five reports, quickly, on one page
	@$(BIN)/mineproof reproduce all --quick --out build/reproduction

test: dev ## Run every test
	@left_out=$$($(BIN)/python tools/browser.py) && $(BIN)/python -m pytest -n $(JOBS) $$left_out $(ARGS)

check: dev ## Lint, format, types, layers, stub of the core
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict src $(wildcard examples)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tools/stub.py --check

bench: dev ## Run the benchmarks (ARGS="name ..." for some)
	@$(BIN)/python -m benchmarks $(ARGS)

stub: dev ## Write the stub of the core anew
	@$(BIN)/python tools/stub.py

clean: ## Remove everything that was built, .venv too
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +

install:
	@command -v $(PYTHON) >/dev/null || { echo "mineproof: needs Python 3.11 to 3.13, but there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/install.py

dev:
	@command -v $(PYTHON) >/dev/null || { echo "mineproof: needs Python 3.11 to 3.13, but there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/install.py dev
