# Two commands matter: `make run` starts Tandem, `make test` proves it. Works with GNU make 3.81 and newer.
PYTHON_OF_VENV := .venv/bin/python
COMPILE := $(PYTHON_OF_VENV) -m uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-emit-index-url

.DEFAULT_GOAL := help
.PHONY: help run setup test check lock clean

help:
	@echo "make run    start Tandem with its demo tournaments (PORT=8000, DATABASE_URL=... are honoured)"
	@echo "make run-production   the whole of it from installed PostgreSQL and Redis, without demo (docs/production.md)"
	@echo "make backup, make restore FILE=...   the whole database as one file, and back into an empty one"
	@echo "make demo-day   a day that the clock runs alone, a minute a second (SPEED, TEAMS, ROUNDS, CUT, PORT)"
	@echo "make setup  the first half of it: .venv, packages, database, demo"
	@echo "make test   install what the tests need, run the gate and every test (PYTEST_ARGS=... is honoured)"
	@echo "make check  the gate alone: style, types, layers, migrations, API document"
	@echo "make bench  one table of ratios: pairing, standings, a whole next round (minutes, on a quiet machine)"
	@echo "make load   a hall of 2,000 phones against run-production, on data of its own (PHONES=100 is honoured)"
	@echo "make messages   gather the texts of the players' pages for translators, and compile their work"
	@echo "make fuzz   ask the API with schemathesis, with each scope (EXAMPLES=100, SEED, CALLERS are honoured)"
	@echo "make lock   remake requirements.txt and requirements-dev.txt from the .in files"
	@echo "make clean  remove .venv, var/ (with the demo's database) and every cache"

run:
	@python=$$(scripts/find-python) && $$python -m scripts.port
	@$(MAKE) --no-print-directory setup
	@exec $(PYTHON_OF_VENV) manage.py rundemo

# OF=production takes the database of make run-production instead of DATABASE_URL's.
MANAGE := $(PYTHON_OF_VENV) $(if $(filter production,$(OF)),-m scripts.production manage,manage.py)
.PHONY: backup restore
backup:
	@scripts/venv requirements.txt
	@$(MANAGE) backup

restore:
	@test -n "$(FILE)" || { echo "Say which: make restore FILE=var/backups/tandem-....sqlite3" >&2; exit 1; }
	@scripts/venv requirements.txt
	@$(MANAGE) restore $(if $(REPLACE),--replace) "$(FILE)"

.PHONY: load
load:
	@scripts/venv requirements.txt
	@exec $(PYTHON_OF_VENV) -m scripts.load

.PHONY: run-production
run-production:
	@scripts/venv requirements.txt
	@exec $(PYTHON_OF_VENV) -m scripts.production

.PHONY: demo-day
demo-day:
	@python=$$(scripts/find-python) && $$python -m scripts.port
	@scripts/venv requirements.txt
	@exec $(PYTHON_OF_VENV) -m scripts.demo_day

.PHONY: fuzz
fuzz:
	@scripts/venv requirements-dev.txt
	@exec $(PYTHON_OF_VENV) -m tests.api.fuzz

setup:
	@scripts/venv requirements.txt
	@$(PYTHON_OF_VENV) -m scripts.prepare

test:
	@scripts/venv requirements-dev.txt
	@exec $(PYTHON_OF_VENV) -m scripts.test

check:
	@scripts/venv requirements-dev.txt
	@exec $(PYTHON_OF_VENV) -m scripts.check

# Texts of the players' pages: gathered into locale/*.po, and what was translated compiled (needs gettext).
.PHONY: messages
messages:
	@scripts/venv requirements.txt
	@$(PYTHON_OF_VENV) -m scripts.messages

lock:
	@scripts/venv requirements-dev.txt
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in --constraint requirements.txt -o requirements-dev.txt

.PHONY: bench
bench:
	@scripts/venv requirements-dev.txt
	@exec $(PYTHON_OF_VENV) -m bench

ifneq ($(wildcard scripts/screens.py),)
.PHONY: screens
screens:
	@# docs/{desk,phone,public,print}.png are desk-running, me-choice, public-pairings and print-slips, cut and copied by hand.
	@scripts/venv requirements-dev.txt
	@$(PYTHON_OF_VENV) -m scripts.screens
endif

clean:
	@scripts/services down
	rm -rf .venv var .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
