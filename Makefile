# Everything a person or CI runs. `make serve` and `make test` need only Python 3.11+, make and this checkout.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do command -v $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
NPM := scripts/npm.sh
WEB := clients/web
WEB_SOURCES := $(shell find $(WEB)/src $(WEB)/messages $(WEB)/public -type f -not -path '*/paraglide/*' 2>/dev/null) \
	$(wildcard $(WEB)/*.html $(WEB)/*.ts $(WEB)/*.js $(WEB)/*.json)
TEST_PROCESSES ?= 3
PYTHON_ROOMS := compiled rummy tricks fairness wallet server clients migrations tests bench

.DEFAULT_GOAL := help
.PHONY: help serve test check client screenshots verifier schema bench bench-players clean

help: ## list what can be run
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

serve: $(VENV)/.serve client ## set up, migrate, build the client and serve with practice bots
	@$(BIN)/python -m server serve

test: $(VENV)/.test client check ## set up what tests need, Chromium included, and run them all
	cd $(WEB) && ../../$(NPM) test
	RUMMY_CHROMIUM="$$(scripts/chromium.sh)" $(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile

check: $(VENV)/.test $(WEB)/node_modules/.installed ## lint, types, layer contracts, generated files up to date
	$(BIN)/ruff check $(PYTHON_ROOMS)
	$(BIN)/ruff format --check $(PYTHON_ROOMS)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m server.protocol.schema --check
	cd $(WEB) && ../../$(NPM) run check

client: $(WEB)/dist/index.html ## build the web client

screenshots: $(VENV)/.test client ## pictures of every page at every size, from a real house with bots, into screenshots/
	RUMMY_CHROMIUM="$$(scripts/chromium.sh)" $(BIN)/python -m tests.clients.screenshots

verifier: $(WEB)/node_modules/.installed ## build the verifier as one HTML file that works from disk
	cd $(WEB) && ../../$(NPM) run build:verifier

schema: $(VENV)/.test $(WEB)/node_modules/.installed ## regenerate schemas and TypeScript types from the models
	$(BIN)/python -m server.protocol.schema

bench: $(VENV)/.bench ## measure, as ratios against peers in the same run
	$(BIN)/python -m bench

bench-players: $(VENV)/.bench ## measure the computer players of the trick games against those that follow the tips
	$(BIN)/python -m bench.trick_players

clean: ## remove what was built and installed; keeps data/
	rm -rf $(VENV) build *.egg-info $(WEB)/node_modules $(WEB)/dist $(WEB)/dist-verifier

$(VENV)/bin/python:
	@scripts/venv.sh "$(PYTHON)" $(VENV)

$(VENV)/.serve: pyproject.toml $(wildcard setup.py) | $(VENV)/bin/python
	@scripts/install.sh $(BIN)/python '.' && touch $@

$(VENV)/.test: pyproject.toml $(wildcard setup.py) | $(VENV)/bin/python
	@scripts/install.sh $(BIN)/python '.[dev]' && touch $@ $(VENV)/.serve

$(VENV)/.bench: pyproject.toml $(wildcard setup.py) | $(VENV)/bin/python
	@scripts/install.sh $(BIN)/python '.[dev,bench]' && touch $@ $(VENV)/.test $(VENV)/.serve

$(WEB)/node_modules/.installed: $(WEB)/package.json $(WEB)/package-lock.json | $(VENV)/bin/python
	@echo "web client: installing its build tools"
	@# Not `npm ci`: it refuses a lock without the optional packages of platforms that a registry does not carry.
	@cd $(WEB) && ../../$(NPM) install --no-save --no-audit --no-fund --loglevel=error --silent && touch node_modules/.installed

$(WEB)/dist/index.html: $(WEB)/node_modules/.installed $(WEB_SOURCES)
	@echo "web client: building"
	@cd $(WEB) && ../../$(NPM) run --silent build && touch dist/index.html
