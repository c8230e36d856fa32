# The main commands are `make lint`, `make check` and `make test`. Each installs missing packages, and works without
# network access if nothing is missing.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help lint check test consumer docs precision mutate-rules rules-docs check-darwin check-darwin-built faults preference-changes agenda-occurrences fix-kills backup-kills backup-torn store-damage backup-damage power-cuts fuzz build-fuzz format build sandboxbackup sandboxfm sample sample-plugin completions man install uninstall tools stage dist binary-size bench bench-explore bench-saves bench-preferences bench-archives bench-backup bench-inputs learn install-learn-needs install-needs install-test-needs install-docs-needs install-release-needs install-bench-needs clean

# SwiftPM rebuilds everything if a variable of its environment has changed. Variables that differ between calls of make
# are removed.
SWIFT := env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u CONTAINER -u CHANGES -u FILES -u SECONDS -u KILLS -u TRIES -u ROUNDS -u EXAMPLES -u SEED -u REAL -u BASE -u PREFIX -u DESTDIR -u DIST -u SOURCE_DATE_EPOCH -u OLDPWD -u SHLVL -u _ swift
# With all parts of the package. Every command has the same traits: with others, everything is compiled again.
BUILD := $(SWIFT) build --traits Tools
TEST := $(SWIFT) test --traits Tools

# A single binary that runs without Swift. It has a build folder of its own, because its flags differ from those of the
# tests.
#
# BoringSSL's messages contain the paths of its sources. They are shortened, so that a release has no path of the machine.
RELEASE := --scratch-path .build-release -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib) \
	-Xcc -ffile-prefix-map=$(CURDIR)/= -Xcxx -ffile-prefix-map=$(CURDIR)/=
LINTER := .build-release/release/sandboxlint
SAMPLE := .build/sample
SHARE := .build-release/share

help:
	@echo "make lint                  build, and lint a sample container"
	@echo "make lint CONTAINER=path   build, and lint your own container"
	@echo "make check [BASE=ref]      check the format, build, and run the tests of changed targets (two minutes)"
	@echo "make test                  check the format, build, run all tests, compile for macOS and iOS, and fuzz for a minute"
	@echo "make docs                  render the documentation as HTML, with links checked"
	@echo "make sandboxbackup         build the backup tool"
	@echo "make sandboxfm             build the file manager"
	@echo "make install [PREFIX=/usr/local] [DESTDIR=folder]  build and install the three tools with manual pages and completions"
	@echo "make uninstall [PREFIX=/usr/local] [DESTDIR=folder]  remove what make install installed"
	@echo "make dist [DIST='archive deb image']  write release files into .build-release/dist (Linux; the image needs root)"
	@echo "make binary-size           list the size of the release binary by library (Linux)"
	@echo "make completions           write completion scripts for bash, zsh and fish into $(SHARE)"
	@echo "make man                   write manual pages into $(SHARE)"
	@echo "make mutate-rules          remove each condition of each rule, and list the removals that no example detects"
	@echo "make rules-docs            write rules/README.md and rules/docs from the rules"
	@echo "make check-darwin          compile for macOS and iOS against declarations of their calls, and test with small stacks (Linux)"
	@echo "make faults                make every system call of every operation fail (Linux, about ten minutes)"
	@echo "make backup-kills [KILLS=n]  kill backups, prunes and restores at random moments, and verify the repository"
	@echo "make backup-torn [TRIES=n]  back up databases that are being written, in each journal mode, and compare with restic and tar"
	@echo "make store-damage [ROUNDS=n]  damage repositories at random positions in each of 22 ways, and count the detected damage"
	@echo "make preference-changes [CHANGES=n]  change one preference from two processes, 10,000 times each"
	@echo "make agenda-occurrences [EXAMPLES=n]  compare the occurrences of generated recurrence rules with independent readers"
	@echo "make fix-kills [KILLS=n]   kill fixes and undos at random system calls, and check the container (Linux, ten minutes)"
	@echo "make backup-damage [ROUNDS=100]  damage device backups in many ways, and check that each damage is reported"
	@echo "make power-cuts [CUTS=n]   simulate power losses during saves (Linux, root)"
	@echo "make fuzz [SECONDS=600]    fuzz the readers of untrusted files"
	@echo "make bench [FILES=n]       compare the linter, the saves and the backups with other programs (Linux, half an hour)"
	@echo "make bench-explore         measure the index of the file manager alone"
	@echo "make bench-inputs          measure archives and device backups as inputs alone"
	@echo "make bench-saves           measure the saves alone"
	@echo "make bench-preferences     measure the reads of preferences alone"
	@echo "make bench-archives        measure the archives of @AutoArchived alone"
	@echo "make learn [REAL=folder]   fit the weights of the evidence to layouts of real apps, and measure them"
	@echo "make consumer              build and test a package that uses each library product, and an app that uses AppContainer alone"
	@echo "make format                format the sources"

install-needs:
	@scripts/install-needs

install-test-needs:
	@scripts/install-needs --tests
	@scripts/install-python-needs
	@scripts/install-python-needs Examples/fleet/requirements.txt .build-fleet

build: install-needs
	@scripts/quietly "building (the first time takes a few minutes)" $(BUILD) $(RELEASE) --product sandboxlint

sandboxbackup: install-needs
	@scripts/quietly "building (the first time takes a few minutes)" $(BUILD) $(RELEASE) --product sandboxbackup
	@echo "the tool is $(dir $(LINTER))sandboxbackup"

sandboxfm: install-needs
	@scripts/quietly "building (the first time takes a few minutes)" $(BUILD) $(RELEASE) --product sandboxfm
	@echo "the tool is $(dir $(LINTER))sandboxfm"

# Built like the linter, so that they share the libraries, unless SAMPLE_TOOL names one that is built already.
ifdef SAMPLE_TOOL
sample: install-needs
else
SAMPLE_TOOL := $(dir $(LINTER))HackerBooks
sample: install-needs
	@scripts/quietly "building the sample app" $(BUILD) $(RELEASE) --product HackerBooks
endif
	@rm -rf $(SAMPLE)
	@mkdir -p $(dir $(SAMPLE))
	@$(SAMPLE_TOOL) $(SAMPLE)

# Runs the command plugin from a package that depends on this one.
sample-plugin: sample
	@scripts/test-plugin Examples/Consumer .build-consumer $(SAMPLE)

# A package that uses each library product, with strict concurrency and every warning an error. The manifest cache is
# disabled, because with it SwiftPM misses new files in the package that this one depends on. Then an app with AppContainer
# alone, which must get nothing else.
consumer: install-needs
	$(SWIFT) test --package-path Examples/Consumer --scratch-path .build-consumer --disable-build-manifest-caching
	@scripts/check-consumer

ifdef CONTAINER
lint: build
	@$(LINTER) lint "$(CONTAINER)"; exit $$?
else
lint: build sample
	@code=0; $(LINTER) lint $(SAMPLE) || code=$$?; \
	echo "sandboxlint exited with code $$code: the sample app has known problems."; \
	[ $$code -eq 1 ]
endif

tools: build sandboxbackup sandboxfm

# The layout is that of /usr/local/share, where shells and man search.
completions: tools
	@for tool in sandboxlint sandboxbackup sandboxfm; do scripts/write-completions $(dir $(LINTER))$$tool $(SHARE); done
man: tools
	@for tool in sandboxlint sandboxbackup sandboxfm; do scripts/write-manual $(dir $(LINTER))$$tool $(SHARE)/man/man1; done

install-release-needs:
	@scripts/install-needs --release

# The tools use the libraries of this system. `make dist` builds one that needs none of them.
PREFIX ?= /usr/local
STAGE := .build-release/stage
stage: tools
	@scripts/install-needs --install
	@scripts/link-tools $(dir $(LINTER)) .build-release/tools
	@scripts/stage-release .build-release/tools $(STAGE)
install: stage
	@scripts/install-files install --destdir "$(DESTDIR)" $(STAGE) "$(PREFIX)"
uninstall:
	@scripts/install-files uninstall --destdir "$(DESTDIR)" "$(PREFIX)"

DIST ?= archive deb image
dist: install-release-needs tools
	@scripts/dist $(dir $(LINTER)) .build-release/dist $(DIST)

binary-size: install-release-needs tools
	@scripts/binary-size $(dir $(LINTER))

test: install-test-needs
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Plugins rules Examples
	$(BUILD) --build-tests
ifeq ($(shell uname -s),Linux)
	@$(MAKE) --no-print-directory check-darwin-built
endif
	scripts/in-memory scripts/failures-last $(TEST) --skip-build
	@$(MAKE) --no-print-directory sample-plugin SAMPLE_TOOL=.build/debug/HackerBooks
ifeq ($(shell uname -s),Linux)
	@$(MAKE) --no-print-directory build-fuzz
	@Tests/Fuzz/run $(FUZZER) 60
endif

# Files count as changed if they differ from BASE: by default, the merge base with origin/main.
check: install-needs
	@scripts/check $(if $(BASE),--base $(BASE))

install-docs-needs: install-needs
	@scripts/install-python-needs scripts/docs-requirements.txt .build-docs/python

docs: install-docs-needs
	@scripts/quietly "building the libraries" $(BUILD)
	@.build-docs/python/bin/python3 scripts/build-docs .build/debug .build-docs/site

# Swift on macOS has no libFuzzer. The build has a folder of its own, because all targets are built with libFuzzer's flags.
SECONDS ?= 600
FUZZER := $(CURDIR)/.build-fuzz/release/fuzz
build-fuzz: install-needs
	@scripts/quietly "building the fuzzer" env FUZZ=1 $(BUILD) --scratch-path .build-fuzz -c release --sanitize fuzzer --product fuzz
fuzz: build-fuzz
	@Tests/Fuzz/run $(FUZZER) $(SECONDS) $(CURDIR)/.build-fuzz/corpus

# Fails if the examples detect fewer than nine in ten removals.
mutate-rules: build
	@$(LINTER) rules test --mutants

rules-docs: build
	@$(LINTER) rules docs rules

# Contains no header or interface of Apple's. The first time takes a few minutes: the Swift library is compiled for Apple's
# systems.
check-darwin: install-test-needs
	$(BUILD) --build-tests
	@$(MAKE) --no-print-directory check-darwin-built
check-darwin-built:
	scripts/check-darwin-c
	scripts/check-darwin-swift --self-test
	scripts/check-stacks

# The tests run a part of the following; these targets run all of it.
faults: install-test-needs
	$(BUILD) --build-tests
	FAULTS=all scripts/failures-last $(TEST) --skip-build --filter 'FaultMatrixTests|InjectedFaultTests'

CUTS ?= 300
power-cuts: install-test-needs
	@scripts/quietly "building power-cuts" $(BUILD) --product power-cuts
	@.build/debug/power-cuts --cuts $(CUTS)
	@.build/debug/power-cuts --cuts 30 --self-test

CHANGES ?= 10000
preference-changes: install-test-needs
	$(BUILD) --build-tests
	PREFERENCE_CHANGES=$(CHANGES) $(TEST) --skip-build --filter 'PreferencesObservationTests/twoProcesses'

# Prints the seed. A run is repeated with SEED=n.
EXAMPLES ?= 20000
agenda-occurrences: install-test-needs
	$(BUILD) --product Agenda
	.build-python/bin/python3 Tests/agenda-occurrences .build/debug/Agenda $(EXAMPLES) $(SEED)

KILLS ?= 200
fix-kills: install-test-needs
	$(BUILD) --build-tests
	FIX_KILLS=$(KILLS) $(TEST) --skip-build --filter FixKillTests

backup-kills: install-test-needs
	$(BUILD) --build-tests
	BACKUP_KILLS=$(KILLS) $(TEST) --skip-build --filter RepositoryFailureTests

TRIES ?= 100
backup-torn: install-test-needs
	$(BUILD) --product sandboxbackup
	Tests/torn-stores .build/debug/sandboxbackup $(TRIES)

store-damage: install-test-needs
	$(BUILD) --product sandboxbackup
	Tests/damage-stores .build/debug/sandboxbackup $(ROUNDS)

ROUNDS ?= 100
backup-damage: install-test-needs
	$(BUILD) --build-tests
	BACKUP_DAMAGE=$(ROUNDS) $(TEST) --skip-build --filter BackupDamageTests

# Writes the figures of the regression corpus to rules/PRECISION.md.
precision: install-test-needs
	$(BUILD) --build-tests
	WRITE_PRECISION=1 $(TEST) --skip-build --filter CorpusTests

# The labelled layouts of real apps are not part of this repository.
REAL ?= ../shared/real
install-learn-needs:
	@scripts/install-needs
	@scripts/install-python-needs scripts/learn-requirements.txt .build-learn

# Fits the weights of the evidence, measures them, and writes the tables.
learn: install-learn-needs
	@for file in layouts.json.xz labels.json score; do [ -e "$(REAL)/$$file" ] || { \
	echo "make learn: $(REAL)/$$file is missing; give the folder of layouts and labels as REAL=path"; exit 1; }; done
	.build-learn/bin/python3 scripts/learn-evidence --self-test
	@scripts/quietly "building evidence-trial" $(BUILD) --product evidence-trial
	.build-learn/bin/python3 scripts/learn-evidence .build/debug/evidence-trial "$(REAL)" --quick --write
	@scripts/quietly "building with the new weights" $(BUILD) --product evidence-trial
	@scripts/quietly "building with the new weights" $(BUILD) --product sandboxlint
	.build-learn/bin/python3 scripts/learn-evidence .build/debug/evidence-trial "$(REAL)" --pages

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Plugins rules Examples

FILES ?= 1000000
install-bench-needs:
	@scripts/install-needs --bench
	@scripts/install-python-needs Benchmarks/requirements.txt .build-bench/python
bench: build sandboxbackup sandboxfm install-bench-needs
	Benchmarks/bench --sandboxlint $(LINTER) --files $(FILES) --sandboxbackup $(dir $(LINTER))sandboxbackup --sandboxfm $(dir $(LINTER))sandboxfm --output
bench-explore: sandboxfm install-bench-needs
	Benchmarks/bench --only explore --sandboxfm $(dir $(LINTER))sandboxfm --output
bench-inputs: build sandboxbackup install-bench-needs
	Benchmarks/bench --only inputs --rounds 3 --sandboxlint $(LINTER) --sandboxbackup $(dir $(LINTER))sandboxbackup --output
bench-backup: sandboxbackup install-bench-needs
	Benchmarks/bench --only backup --sandboxbackup $(dir $(LINTER))sandboxbackup --backup-files 20000 200000 --output
bench-preferences: install-bench-needs
	Benchmarks/bench --only preferences --output
bench-archives: install-bench-needs
	Benchmarks/bench --only archives --output
bench-saves: install-bench-needs
	Benchmarks/bench --only saves --output

clean:
	rm -rf .build .build-*
