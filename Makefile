# The main commands are `make lint`, `make check` and `make test`. Each installs missing packages, and works without
# network access if nothing is missing. `make` lists the commands: the targets with a description after two number signs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# No target is a file.
.PHONY: $(shell sed -n 's/^\([a-z -]*\):\( .*\)*$$/\1/p' $(firstword $(MAKEFILE_LIST)))

# With all parts of the package. Every command has the same traits: with others, everything is compiled again.
BUILD := scripts/swift build --traits Tools
# A single binary that runs without Swift. It has a build folder of its own, because its flags differ from those of the
# tests.
#
# BoringSSL's messages contain the paths of its sources. They are shortened, so that a release has no path of the machine.
RELEASE := --scratch-path .build-release -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib) \
	-Xcc -ffile-prefix-map=$(CURDIR)/= -Xcxx -ffile-prefix-map=$(CURDIR)/=
TOOLS := .build-release/release
LINTER := $(TOOLS)/sandboxlint
SAMPLE := .build/sample
SHARE := .build-release/share

help:
	@awk '/^[a-z -]+:.* ## / { i = index($$0, " ## "); text = substr($$0, i + 4); sub(/:.*/, ""); name = $$0; \
	while (match(text, /^\[[^]]*\] /)) { name = name " " substr(text, 1, RLENGTH - 1); text = substr(text, RLENGTH + 1) } \
	printf "make %-45s %s\n", name, text }' $(MAKEFILE_LIST)

install-needs:
	@scripts/install-needs
install-test-needs:
	@scripts/install-needs --tests
	@scripts/install-python-needs
	@scripts/install-python-needs Examples/fleet/requirements.txt .build-fleet
install-release-needs:
	@scripts/install-needs --release

ifdef CONTAINER
lint: build
	@$(LINTER) lint "$(CONTAINER)"
else
lint: build ## [CONTAINER=path] build, and lint the container of the demo or your own
	@rm -rf $(SAMPLE) && mkdir -p $(dir $(SAMPLE)) && $(LINTER) demo $(SAMPLE) >/dev/null
	@code=0; $(LINTER) lint $(SAMPLE) || code=$$?; \
	echo "sandboxlint exited with code $$code: the app of the demo has known problems."; [ $$code -eq 1 ]
endif
demo: build ## [DIR=path] build, and lint the small container of a made-up app
	@$(LINTER) demo $(if $(DIR),"$(DIR)")
pictures: install-test-needs build sandboxfm ## make the pictures in README.md again (Linux)
	@scripts/pictures $(TOOLS)

# Files count as changed if they differ from BASE: by default, the merge base with origin/main.
check: install-needs ## [BASE=ref] check the format, build, and run the tests of changed targets (two minutes)
	@scripts/check $(if $(BASE),--base $(BASE))

test: ## check the format, build, run all tests, compile for macOS and iOS, and fuzz for a minute
	@scripts/install-needs --tests
	@scripts/test-jobs

stress: ## [NAME=name] [COUNT=n] list the stress tests, or run one: more cases than the tests run
	@scripts/stress $(NAME) $(COUNT)

# A package that uses each library product, with strict concurrency and every warning an error. The manifest cache is
# disabled, because with it SwiftPM misses new files in the package that this one depends on. Then the plugins from that
# package, and an app with AppContainer alone, which must get nothing else.
consumer: install-needs ## build and test packages that use the libraries, the plugins, and AppContainer alone
	scripts/swift test --package-path Examples/Consumer --scratch-path .build-consumer --disable-build-manifest-caching
	@scripts/quietly "building the sample app" $(BUILD) --product HackerBooks
	@scripts/test-plugin Examples/Consumer .build-consumer
	@scripts/check-consumer
sample-plugin: install-needs ## run the command plugins with the debug build of sandboxlint
	@for tool in sandboxlint HackerBooks; do scripts/quietly "building $$tool" $(BUILD) --product $$tool; done
	@scripts/test-plugin

build: install-needs
	@scripts/quietly "building sandboxlint (the first time takes a few minutes)" $(BUILD) $(RELEASE) --product sandboxlint
sandboxbackup sandboxfm: install-needs ## build the backup tool, the file manager
	@scripts/quietly "building $@" $(BUILD) $(RELEASE) --product $@
	@echo "the tool is $(TOOLS)/$@"
tools: build sandboxbackup sandboxfm

# The layout is that of /usr/local/share, where shells and man search.
completions: tools ## write completion scripts for bash, zsh and fish into .build-release/share
	@for tool in sandboxlint sandboxbackup sandboxfm; do scripts/write-completions $(TOOLS)/$$tool $(SHARE); done
man: tools ## write manual pages into .build-release/share
	@for tool in sandboxlint sandboxbackup sandboxfm; do scripts/write-manual $(TOOLS)/$$tool $(SHARE)/man/man1; done

# The tools use the libraries of this system. `make dist` builds one that needs none of them.
PREFIX ?= /usr/local
install: tools ## [PREFIX=/usr/local] [DESTDIR=folder] build and install the three tools with manual pages and completions
	@scripts/install-needs --install
	@scripts/quietly "linking the three tools as one file" scripts/link-tools $(TOOLS) .build-release/tools
	@scripts/quietly "writing manual pages, completions and documentation" \
		scripts/stage-release .build-release/tools .build-release/stage
	@scripts/install-files install --destdir "$(DESTDIR)" .build-release/stage "$(PREFIX)"
uninstall: ## [PREFIX=/usr/local] [DESTDIR=folder] remove what make install installed
	@scripts/install-files uninstall --destdir "$(DESTDIR)" "$(PREFIX)"
DIST ?= archive deb image
dist: install-release-needs tools ## [DIST='archive deb image'] write release files into .build-release/dist (Linux; the image needs root)
	@scripts/dist $(TOOLS) .build-release/dist $(DIST)
binary-size: install-release-needs tools ## list the size of the release binary by library (Linux)
	@scripts/binary-size $(TOOLS)

docs: install-needs ## render the documentation as HTML, with links checked
	@scripts/install-python-needs scripts/docs-requirements.txt .build-docs/python
	@scripts/quietly "building the libraries" $(BUILD)
	@.build-docs/python/bin/python3 scripts/build-docs .build/debug .build-docs/site

# Fails if the examples detect fewer than nine in ten removals.
mutate-rules: build ## remove each condition of each rule, and list the removals that no example detects
	@$(LINTER) rules test --mutants
rules-docs: build ## write rules/README.md and rules/docs from the rules
	@$(LINTER) rules docs rules
precision: install-test-needs ## write the figures of the regression corpus to rules/PRECISION.md
	$(BUILD) --build-tests
	WRITE_PRECISION=1 scripts/run-tests --filter CorpusTests
# The labelled layouts of real apps are not part of this repository.
REAL ?= ../shared/real
learn: ## [APPS="folder ..."] fit the weights of the evidence to layouts of apps, and measure them
	@scripts/learn $(APPS)

# Apple's C headers are those of a Python package; the repository contains none. The first time takes a few minutes: the Swift
# library is compiled for Apple's systems.
check-darwin: install-needs ## compile for macOS and iOS, link the C files for macOS, and test with small stacks (Linux)
	@scripts/install-python-needs
	$(BUILD) --build-tests
	scripts/check-darwin-c
	scripts/check-darwin-calls
	scripts/check-darwin-scripts
	scripts/check-darwin-swift --self-test
	scripts/check-stacks

format: ## format the sources
	swift format --in-place --parallel --recursive Package.swift Sources Tests Plugins rules Examples

FILES ?= 1000000
bench: ## [ONLY=part] [FILES=n] compare the linter, the saves and the backups with other programs (Linux, half an hour)
	@scripts/install-needs --bench
	@scripts/install-python-needs Benchmarks/requirements.txt .build-bench/python
	Benchmarks/bench $(if $(ONLY),--only $(ONLY)) --files $(FILES) --output

clean: ## remove all builds
	rm -rf .build .build-*
