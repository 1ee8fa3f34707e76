# Everything runs inside .venv, which is made on first use and renewed when the versions change: those that are pinned,
# or that of Python, as in `make test PYTHON=python3.13`.
PYTHON ?= $(firstword $(wildcard .venv/bin/python) python3)
BIN := .venv/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
READY := .venv/.ready-$(VERSION)
WITH_TORCH := .venv/.with-torch
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Pictures need an LLVM library that is new enough. Without it they still come, slowly, so a failure here is only told.
GET_LLVM := { apt-get update -qq && apt-get install -y -qq --no-install-recommends libllvm19 >/dev/null; } \
	|| echo "no LLVM library could be installed: rendering will be slow"

# The explorer is tested in a real browser, and the annotation service on a real PostgreSQL too. Without them those tests
# are skipped, and say so; with CI set they fail.
HAS_BOTH := command -v chromium >/dev/null && ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1
GET_BOTH := { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium postgresql >/dev/null; } \
	|| echo "chromium and postgresql could not be installed: the tests that need them will be skipped"

# The tests start hundreds of processes: where Python may keep no bytecode, each would compile all of mereo anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test types trials bench format clean

help: ## show these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

# The main job, start to end: edit here what `make demo` shows.
define DEMO
rm -rf build/demo
$(BIN)/mereo build clevr build/demo/clevr --scenes 12 --seed 0 --workers 2
$(BIN)/mereo build ptr build/demo/ptr --split train=6,test=6 --seed 0 --workers 2
$(BIN)/mereo build refer build/demo/refer --scenes-from build/demo/ptr
for set in clevr ptr refer; do $(BIN)/mereo audit build/demo/$$set && $(BIN)/mereo show build/demo/$$set --count 2; done
$(BIN)/mereo oracle build/demo/ptr
$(BIN)/mereo oracle build/demo/ptr --noise attributes=0.1,parts=0.1
$(BIN)/mereo report build/demo/ptr
@echo "Look at build/demo/clevr/sheet.png, build/demo/ptr/sheet.png and build/demo/ptr/report.html"
endef

# Scripts that `make bench` runs, in this order. Those of memory and of the explorer take long and are run by hand.
BENCHES := $(addprefix bench/,execution.py points.py shapes.py build.py masks.py refer.py judge.py scenes.py ptr.py physics.py \
	cric_questions.py questions.py annotate_cut.py annotate_frames.py annotate_proposals.py annotate_load.py)

demo: $(READY) ## set up, then run the main job
	$(DEMO)

test: $(READY) $(WITH_TORCH) ## set up, then lint, types and all tests
	@{ $(HAS_BOTH); } || $(GET_BOTH)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(MAKE) --no-print-directory --jobs 2 types trials

# Side by side: checking types keeps one core busy for minutes. Either goes on to its end where the other fails.
types:
	$(BIN)/mypy

# One worker more than there are cores: often one of them waits, for a browser, a server, a process or a disk. Each
# takes whole files, in the order of tests/conftest.py: what a file needs is made once.
trials:
	$(BIN)/python -m pytest --quiet --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder --durations 10

bench: $(READY) ## measure the speed claims (many minutes) and write the tables of bench/README.md
	@set -e; for script in $(BENCHES); do echo "$$script"; $(BIN)/python $$script; done
	$(BIN)/python bench/tables.py

format: $(READY) ## put the code into the house format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean: ## remove the environment and everything made
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend comes first and isolation is off, so that it too is the pinned one.
$(READY): pyproject.toml constraints.txt
	@test -n "$(VERSION)" || { echo "$(PYTHON) cannot be run"; exit 1; }
	test -e $(BIN)/python$(VERSION) || { rm -rf .venv && $(PYTHON) -m venv .venv; }
	$(PIP) hatchling
	$(PIP) --no-build-isolation --editable '.[dev,scenes,explore,ray,annotate,postgres]'
	$(BIN)/python -c "from mereo.scenes.renderer import obstacle; raise SystemExit(obstacle('llvm'))" || $(GET_LLVM)
	@touch $@

# What learns is tested with the extra `train`, whose torch is large and which nothing else needs.
$(WITH_TORCH): $(READY)
	$(PIP) --no-build-isolation --editable '.[train]'
	@touch $@
