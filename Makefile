# The project's verbs. `make demo` and `make test` set up all they need in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PROGRAM := $(if $(wildcard $(STAMP)),$(STAMP),$(VENV)/.program)

.PHONY: setup demo test quick test-newest test-oldest update unit check lint types imports generate format bench compared mutants fuzz differential inspector release-check docs playground clean

# The lock files hold the exact version of each library, with its hashes: requirements.txt those that the program needs,
# requirements-dev.txt also those of tests and checks. INSTALL is what pip installs before mcpcfg itself.
LOCK := requirements-dev.txt
INSTALL ?= --require-hashes --requirement $(LOCK)
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

# The package mcpcfg, as a folder of links that is never committed: a checkout may have any name.
LINKS := build/typecheck/mcpcfg
$(LINKS)/py.typed:
	@mkdir -p $(@D)
	@for name in __init__.py __main__.py compiler validators schemas templates py.typed; do ln -sfn ../../../$$name $(@D)/$$name; done
# Editors and type checkers follow a path, but not the import hook that pip makes for an editable install. So the file of
# the hook gets the path of the links. The script mcpcfg and the version stay as pip has installed them.
PACKAGES = $(VENV)/lib/python*/site-packages
FOLLOW_LINKS = for file in $(PACKAGES)/__editable__.mcpcfg-*.pth; do echo '$(CURDIR)/build/typecheck' > "$$file"; done; \
  rm -f $(PACKAGES)/__editable___mcpcfg_*_finder.py

$(STAMP): pyproject.toml $(LOCK) | $(LINKS)/py.typed
$(VENV)/.program: pyproject.toml requirements.txt | $(LINKS)/py.typed
$(STAMP):
	$(PYTHON) -m venv $(VENV)
	$(PIP) install $(INSTALL)
	$(PIP) install --no-deps --no-build-isolation --editable .
	@$(FOLLOW_LINKS)
	touch $@
# The demo waits for nothing that it can do without: the pip of PYTHON installs, if there is one.
$(VENV)/.program:
	@echo 'installing mcpcfg into $(VENV)…'
	@if $(PYTHON) -m pip --version >/dev/null 2>&1; \
	then $(PYTHON) -m venv --without-pip $(VENV) && set -- $(PYTHON) -m pip --python $(BIN)/python; \
	else $(PYTHON) -m venv $(VENV) && set -- $(BIN)/python -m pip; fi && \
	set -- "$$@" --quiet --disable-pip-version-check install && \
	"$$@" --no-compile --require-hashes --requirement requirements.txt && \
	"$$@" --no-deps --no-build-isolation --editable .
	@$(FOLLOW_LINKS)
	@touch $@

setup: $(STAMP)  ## make the environment alone

demo: $(PROGRAM)  ## show what mcpcfg is for
	@VENV=$(VENV) docs/demo.sh

# The checks run beside the tests, which keeps all processors busy. What they print comes after the tests.
test: $(STAMP)  ## everything: lint, types, import contract, generated files, tests
	@mkdir -p build
	@($(MAKE) check >build/check.txt 2>&1 || { echo; echo 'make check failed; it says why after the tests'; exit 1; }) & \
	checks=0; tests=0; $(MAKE) unit || tests=$$?; wait $$! || checks=$$?; \
	cat build/check.txt; exit $$((tests | checks))

# worksteal: each worker gets tests of the same modules, so what a module makes once is made once.
PYTEST ?= -n auto --dist worksteal
unit: $(STAMP)
	$(BIN)/python -P -m pytest -q $(PYTEST)

quick: $(STAMP)  ## the tests of what differs from the main branch, on all processors
	$(BIN)/python -P tests/quick.py

# The same tests with other versions of what the program imports: the newest ones of today, and the lowest that
# pyproject.toml allows. Each has an environment of its own, made anew.
test-newest test-oldest: test-%:
	rm -rf .venv-$*
	mkdir -p build && $(PYTHON) .ci/bounds $* > build/$*.txt
	$(MAKE) unit VENV=.venv-$* INSTALL='--requirement build/$*.txt'

UV_COMPILE = build/uv/bin/uv pip compile --quiet --universal --upgrade --generate-hashes --python-version 3.11 \
  --no-annotate --custom-compile-command 'make update' pyproject.toml
update: $(STAMP)  ## renew the lock files, and say what changed
	$(PYTHON) -m venv build/uv && build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(UV_COMPILE) --extra cedar --extra mcp --extra dev --extra release --extra docs --output-file build/all.txt
	$(UV_COMPILE) --extra cedar --extra mcp --extra dev --constraint build/all.txt --output-file $(LOCK)
	$(UV_COMPILE) --extra release --constraint build/all.txt --output-file requirements-release.txt
	$(UV_COMPILE) --extra docs --constraint build/all.txt --output-file requirements-docs.txt
	echo 'setuptools>=77' | $(UV_COMPILE) - --constraint $(LOCK) --output-file requirements.txt
	echo 'setuptools>=77' | $(UV_COMPILE) - --extra mcp --constraint $(LOCK) --output-file requirements-mcp.txt
	@git diff --unified=0 -- 'requirements*.txt' | grep '^[-+][A-Za-z]' || echo 'nothing changed'

release-check:  ## build what a release publishes, and try it: wheel and sdist, twice, on each Python of this machine
	$(PYTHON) -m venv build/release
	build/release/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r requirements-release.txt
	build/release/bin/python -P tests/release/check.py

docs: $(PROGRAM)  ## build the site into build/site/html, and check its links; needs npm
	$(PYTHON) -m venv build/docs
	build/docs/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r requirements-docs.txt
	PYTHONPATH=docs $(BIN)/python -P docs/site_pages.py
	cd build/site && ../docs/bin/zensical build --strict
	$(MAKE) playground
	PYTHONPATH=docs $(BIN)/python -P docs/site_pages.py --check

# The program in the browser. npm brings Pyodide, the editor and a port of RE2, and Node runs the tests.
PLAYGROUND := build/playground
playground: $(PROGRAM)  ## build the playground into build/site/html, and test it; needs npm
	cd editors/playground && npm ci --no-audit --no-fund --ignore-scripts
	rm -rf $(PLAYGROUND) && $(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(PLAYGROUND) .
	PYTHONPATH=docs $(BIN)/python -P editors/playground/pack.py $(PLAYGROUND)
	node editors/playground/build.mjs $(PLAYGROUND) build/site/html/playground
	PYTHONPATH=tests/unit/golang $(BIN)/python -P editors/playground/test/expected.py $(PLAYGROUND)
	PARTS=$(PLAYGROUND) SITE=build/site/html/playground node --test editors/playground/test/

.PHONY: vscode
vscode:  ## package the extension for Visual Studio Code; needs npm
	cd editors/vscode && npm ci --no-audit --no-fund && npm run package

check: lint types imports generated

# Rooms whose docstrings, comments and names are in plain English. A room that is rewritten is added.
PLAIN := $(addprefix compiler/,admission agent check cli diagnostics diff disk editor emit \
  fix generate golang graph kube language models project reading records report simulate \
  toolhive vmcp workspace) templates validators

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -P tests/support/english.py $(PLAIN)

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/python -P -m mcpcfg.compiler.generate.field_names

imports: $(STAMP)
	cd build/typecheck && ../../$(BIN)/lint-imports --config ../../.importlinter --no-cache

.PHONY: generated
generated: $(STAMP)
	$(BIN)/python -P -m mcpcfg.compiler.generate --check

generate: $(STAMP)
	$(BIN)/python -P -m mcpcfg.compiler.generate

# CHART, DATE and PAGE may be left out: then no chart is compared, today is the day, and the page is printed.
.PHONY: release
release: $(STAMP)  ## take in release VERSION of the operator, whose CRDs lie in the folder CRDS
	$(BIN)/python tests/release/take_in.py --release '$(VERSION)' --crds '$(CRDS)' \
	  --chart '$(CHART)' --date '$(DATE)' --page '$(PAGE)'

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Installs peers into build/benchmarks and takes some minutes; SIZES=1,1000,10000,100000 for the capacity of a machine.
# REPOSITORY='../a ../b' measures checkouts instead, and prints a table.
SIZES ?= 1,1000,10000
bench: $(STAMP)  ## compare with peers, and write the table of docs/performance.md
	$(BIN)/python benchmarks/run.py $(if $(REPOSITORY),--repository $(REPOSITORY),--sizes $(SIZES))

# Installs peers into build/compared, with Go and npm. A peer that Go cannot install is taken from the PATH.
compared: $(STAMP)  ## run other programs over fixtures/catches, and write the tables of docs/compared.md
	PYTHONPATH=docs $(BIN)/python benchmarks/compared.py $(COMPARED)

# Takes most of an hour: all tests run once to learn which of them come to which mutant. MUTANTS='--rooms compiler/emit'.
MUTANTS ?= --count 240 --seed 0
mutants: $(STAMP)  ## put small faults into the program, and see whether the tests notice
	$(BIN)/python tests/mutation/measure.py $(MUTANTS)

# An hour by default, and any seed; what it finds stands in tests/fuzz/found. AREAS=readers,reports for some areas alone.
SECONDS ?= 3600
SEED ?= $(shell date +%s)
fuzz: $(STAMP)  ## attack the program with mutated fixtures
	$(BIN)/python -P tests/fuzz/run.py --seconds $(SECONDS) --seed $(SEED) $(if $(AREAS),--areas $(AREAS))

# Needs Go, which has its modules from its cache or the proxy; where there is none, what is left out says so.
OBJECTS ?= 1000
differential: $(STAMP)  ## compare with the code of Kubernetes and Go's libraries; OBJECTS of each kind
	MCPCFG_DIFFERENTIAL=$(OBJECTS) $(BIN)/python -P -m pytest -q -s tests/differential

# Needs Node, and npm, which downloads the Inspector.
inspector: $(STAMP)  ## call the MCP server with the MCP Inspector, a client that nobody here wrote
	MCPCFG_INSPECTOR=@modelcontextprotocol/inspector $(BIN)/python -P -m pytest -q tests/unit/agent/test_session.py

clean:
	rm -rf $(VENV) build out *.egg-info
