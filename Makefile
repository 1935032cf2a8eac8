# Roundtable. `make` alone lists what can be asked for.

VENV   := .venv
PYTHON := $(VENV)/bin/python

# Tests and tools start some seventy Pythons: keep what is compiled once, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test check format bench lighthouse soak fuzz wheel words docs lock setup setup-dev

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: setup ## serve the tables on the local network
	@exec $(PYTHON) manage.py play $(if $(PORT),--port $(PORT))

SIDE_BY_SIDE := --numprocesses auto --dist worksteal
# A test that waits for a browser leaves its core idle: use one worker more than there are cores. A browser that others
# slowed down gets a second try, alone; what fails twice has failed.
BROWSERS = --numprocesses $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))') --dist worksteal

# Tests run side by side, each worker with its own database, server and browser.
test: setup-dev ## run the tests (those in a browser need Chromium, some Firefox and WebKit)
ifdef TESTS
	@$(PYTHON) -m pytest $(TESTS)
else
	@$(PYTHON) -m pytest $(SIDE_BY_SIDE) -m "not browser"
	@$(PYTHON) -m pytest $(BROWSERS) -ra -m browser || { test $$? = 1 && echo "Once more, without others beside:" && \
	$(PYTHON) -m pytest -ra -m browser --last-failed --last-failed-no-failures none; }
endif

check: export ROUNDTABLE_TEST = 1
check: setup-dev ## lint, types, migrations, deployment settings
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/djlint --lint --quiet templates games
	$(VENV)/bin/mypy manage.py config games
	$(VENV)/bin/lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run
	ROUNDTABLE_TEST= ROUNDTABLE_HOSTS=roundtable.example DATABASE_URL=sqlite:////tmp/unused \
	ROUNDTABLE_SECRET_KEY=$$($(PYTHON) -c 'import secrets; print(secrets.token_urlsafe(64))') \
	$(PYTHON) manage.py check --deploy --tag security --fail-level WARNING

format: setup-dev ## put code in shape
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: export ROUNDTABLE_TEST = 1
bench: setup-dev ## measure taps, fan-out and page weights
	@for script in tests/bench/bench_*.py; do $(PYTHON) $$script || exit 1; done

lighthouse: setup-dev ## measure the pages with Lighthouse (needs Node and Chromium)
	@$(PYTHON) -m tests.bench.lighthouse

soak: setup-dev ## try at length to lose something (SOAK="--short", or names)
	@$(PYTHON) -m tests.soak $(SOAK)

fuzz: export ROUNDTABLE_TEST = 1
fuzz: setup-dev ## play random games of every system
	@$(PYTHON) manage.py fuzz $(FUZZ)

wheel: setup-dev ## build the package that people install, into dist/
	@$(PYTHON) -m hatchling build -t wheel

words: export ROUNDTABLE_TEST = 1
words: setup-dev ## gather all words for translation
	@$(PYTHON) manage.py words

docs: setup-dev ## build the pages of docs/ as HTML into .docs/
	@$(PYTHON) -m sphinx -q -W --keep-going -n docs .docs

LOCK := uv pip compile --quiet pyproject.toml --universal --python-version 3.11 --generate-hashes --only-binary :all: \
	--no-header --no-annotate --no-emit-index-url

lock: ## write the locked requirements again (needs uv)
	$(LOCK) --output-file requirements.txt
	$(LOCK) --extra dev --output-file requirements-dev.txt

# The virtual environment is made from the hashed lock, and remade when the lock or the Python changes.

setup:
	@.ci/venv requirements.txt

setup-dev:
	@.ci/venv requirements-dev.txt
