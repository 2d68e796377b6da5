# make run and make test set everything up themselves; see `make help`.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 8 ] && n=8; echo $$n)
CPP = $(shell find cpp -name '*.?pp')
SECONDS ?= 60
# -g1: reports name lines all the same, and compiling takes a quarter less than with -g.
SANITIZED := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
BARE := -O2 -g -DMINEPROOF_NO_INT128 -DMINEPROOF_NO_AVX2 -DMINEPROOF_NO_THREADS -DMINEPROOF_WEAK_KEYS

.DEFAULT_GOAL := help
.PHONY: help run test hostile test-twins test-cpp test-sanitized test-compilers test-wheels fuzz check format bench stub reference site test-site docs js test-js test-wasm install dev wheels clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: install ## Reproduce the five reports, quickly, on one page (ARGS="--worlds FILE --puzzles FILE" adds theirs)
	@$(BIN)/mineproof reproduce all --quick --out build/reproduction $(ARGS)

test: dev ## Run every test of the Python package
	@left_out=$$($(BIN)/python -m tools.browser) && $(BIN)/python -m pytest -n $(JOBS) --ignore=tests/javascript --ignore=tests/site $$left_out $(ARGS)

test-twins: dev ## Run them with the core switched off, but for those that need it or never ask for it
	@MINEPROOF_CORE=off $(BIN)/python -m pytest -n $(JOBS) --again --ignore=tests/browser --ignore=tests/javascript --ignore=tests/site $(ARGS)

hostile: dev ## Let 84 kinds of bad agents play beside honest ones, and say what came of it
	@timeout 1200 $(BIN)/python -m tests.hostile.batch

test-cpp: dev ## Run the core's own tests, in C++, on the core that was compiled for Python
	@$(MAKE) --no-print-directory -C cpp/tests BUILD=../../build/cpp-tests CORE=$(abspath $(shell ls -t build/*/libmineproof_core.a 2>/dev/null | head -1)) -j$(JOBS) check

test-sanitized: ## Run them under the address and undefined-behaviour sanitizers, one case in four
	@ONE_IN=4 $(MAKE) --no-print-directory -C cpp/tests BUILD=../../build/cpp-sanitized CXXFLAGS="$(SANITIZED)" -j$(JOBS) check

test-compilers: ## Try g++, clang++ and zig on the core, whatever they lack; run its tests without what they may lack
	@$(PYTHON) tools/compilers.py $(ARGS)
	@ONE_IN=4 $(MAKE) --no-print-directory -C cpp/tests BUILD=../../build/cpp-bare CXXFLAGS="$(BARE)" -j$(JOBS) check

fuzz: ## Fuzz the core for SECONDS a target (needs clang with libFuzzer)
	@command -v clang++ >/dev/null || { echo "mineproof: fuzzing needs clang++, such as apt's clang" >&2; exit 1; }
	@$(MAKE) --no-print-directory -C cpp/fuzz BUILD=../../build/cpp-fuzz SECONDS=$(SECONDS) -j$(JOBS) run

check: dev ## Lint, format, types, layers and their picture, the core's stub, the reference
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run -Werror $(CPP)
	@$(BIN)/mypy --strict src $(wildcard examples)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python docs/pictures/house.py --check
	@$(BIN)/python tools/stub.py --check
	@$(BIN)/python tools/reference.py --check

format: dev ## Write all of it in one style
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP)

bench: dev ## Run the benchmarks (ARGS="name ..." for some)
	@$(BIN)/python -m benchmarks $(ARGS)

stub: dev ## Write the stub of the core anew
	@$(BIN)/python tools/stub.py

reference: dev ## Write docs/reference.md anew from the docstrings
	@$(BIN)/python tools/reference.py

site: dev ## Build the coach as static files that need no server: build/site/index.html
	@$(BIN)/python -m tools.site $(ARGS)

test-site: dev ## Try it in a browser, and compare its games with those played here
	@$(BIN)/python -m tools.site
	@$(BIN)/python -m tools.browser >/dev/null
	@left_out=$$($(BIN)/python -m tools.browser firefox) && $(BIN)/python -m pytest tests/site $$left_out $(ARGS)

docs: dev ## Build the site: build/docs/site/index.html, to be read offline too
	@$(BIN)/python -m tools.docsite

js: dev ## Build the package for JavaScript: build/js (needs Emscripten)
	@$(BIN)/python -m tools.site.javascript

test-js: js ## Run its tests in node and chromium
	@$(BIN)/python -m tools.browser >/dev/null && $(BIN)/python -m pytest -n $(JOBS) tests/javascript $(ARGS)

test-wasm: dev ## Run the tests of nine packages in Pyodide under node (ARGS="tests/board" for some)
	@$(BIN)/python -m tools.site.parity $(ARGS)

wheels: ## Build what would be uploaded into dist/ (ARGS="x86_64" for some)
	@$(PYTHON) tools/wheels.py $(ARGS)

test-wheels: ## Install the wheels of dist/ on every Python here, without a compiler, and run what the start page prints
	@$(PYTHON) -m tools.trial $(ARGS)

clean: ## Remove everything that was built, .venv too
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +

install:
	@command -v $(PYTHON) >/dev/null || { echo "mineproof: needs Python 3.11 or later, but there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/install.py

dev:
	@command -v $(PYTHON) >/dev/null || { echo "mineproof: needs Python 3.11 or later, but there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/install.py dev
