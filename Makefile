# Two commands matter: `make lint` and `make test`. Each installs what is missing, and works without network
# when nothing is.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help lint test consumer precision mutate-rules rules-docs faults preference-changes fix-kills backup-kills backup-torn store-damage backup-damage power-cuts fuzz build-fuzz format build sandboxbackup sample sample-plugin completions man bench bench-preferences bench-saves bench-backup learn install-learn-needs install-needs install-test-needs install-bench-needs clean

# SwiftPM builds anew when any variable of its environment has changed, so those that change from one call of make
# to the next stay out of it.
SWIFT := env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u CONTAINER -u CHANGES -u FILES -u SECONDS -u KILLS -u TRIES -u ROUNDS -u REAL -u OLDPWD -u SHLVL -u _ swift

# One binary that needs no Swift on the machine it runs on.
# A folder of its own, since the flags differ from those of the tests.
RELEASE := --scratch-path .build-release -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
LINTER := .build-release/release/sandboxlint
SAMPLE := .build/sample
SHARE := .build-release/share

help:
	@echo "make lint                  build, and lint a sample container"
	@echo "make lint CONTAINER=path   build, and lint your own"
	@echo "make test                  check the format, build, run every test, fuzz for a minute"
	@echo "make sandboxbackup         build the backup tool"
	@echo "make completions           write completion scripts for bash, zsh and fish into $(SHARE)"
	@echo "make man                   write manual pages into $(SHARE)"
	@echo "make mutate-rules          take each condition out of each rule, and tell which of that no example notices"
	@echo "make rules-docs            write rules/README.md and rules/docs from the rules"
	@echo "make faults                fail every call of every operation in every way (Linux, about ten minutes)"
	@echo "make backup-kills [KILLS=n]  end backups, prunings and restorations at random moments, and verify what is left"
	@echo "make backup-torn [TRIES=n]  back stores up while they are written to, in each journal mode, beside restic and tar"
	@echo "make store-damage [ROUNDS=n]  damage stores at random places in each of 22 ways, and count what is named"
	@echo "make preference-changes [CHANGES=n]  have two processes change one preference, 10,000 times each"
	@echo "make fix-kills [KILLS=n]   kill fixes and undos at random calls, and look at what is left (Linux, ten minutes)"
	@echo "make backup-damage [ROUNDS=100]  damage that many backups in each of many ways, and look whether each is named"
	@echo "make power-cuts [CUTS=n]   cut the power of file systems during saves (Linux, root)"
	@echo "make fuzz [SECONDS=600]    throw bytes at what reads files from outside"
	@echo "make bench [FILES=n]       measure the linter and the saves against other programs (Linux, half an hour)"
	@echo "make bench-saves           measure the saves alone"
	@echo "make bench-preferences     measure the reads of preferences alone"
	@echo "make learn [REAL=folder]   fit the weights of the evidence on layouts of real apps, and measure them"
	@echo "make consumer              build and test a package that uses each library product"
	@echo "make format                put the sources into their format"

install-needs:
	@scripts/install-needs

install-test-needs:
	@scripts/install-needs --tests
	@scripts/install-python-needs

build: install-needs
	@scripts/quietly "building (the first time takes a few minutes)" $(SWIFT) build $(RELEASE) --product sandboxlint

sandboxbackup: install-needs
	@scripts/quietly "building (the first time takes a few minutes)" $(SWIFT) build $(RELEASE) --product sandboxbackup
	@echo "the tool is $(dir $(LINTER))sandboxbackup"

# Without its cache, SwiftPM sees that the package the sample leans on has got new files.
sample: install-needs
	@scripts/quietly "building the sample app" $(SWIFT) build --package-path Examples --scratch-path .build-examples --disable-build-manifest-caching
	@rm -rf $(SAMPLE)
	@mkdir -p $(dir $(SAMPLE))
	@.build-examples/debug/HackerBooks $(SAMPLE)

# The command plugin, as a package that depends on this one runs it.
sample-plugin: sample
	@scripts/test-plugin Examples .build-examples $(SAMPLE)

# A package that uses each library product, with strict concurrency and every warning an error.
consumer: install-needs
	$(SWIFT) test --package-path Examples --scratch-path .build-examples --disable-build-manifest-caching

ifdef CONTAINER
lint: build
	@$(LINTER) lint "$(CONTAINER)"; exit $$?
else
lint: build sample
	@code=0; $(LINTER) lint $(SAMPLE) || code=$$?; \
	echo "sandboxlint ended with exit code $$code: the sample is the books app as it should not be written."; \
	[ $$code -eq 1 ]
endif

# Laid out as below /usr/local/share, where the shells and man look.
completions: build
	@scripts/write-completions $(LINTER) $(SHARE)
man: build
	@scripts/write-manual $(LINTER) $(SHARE)/man/man1

test: install-test-needs
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Plugins rules Examples/Sources Examples/Tests Examples/Package.swift
	$(SWIFT) build --build-tests
	scripts/failures-last $(SWIFT) test --skip-build
	@$(MAKE) --no-print-directory sample-plugin
ifeq ($(shell uname -s),Linux)
	@$(MAKE) --no-print-directory build-fuzz
	@Tests/Fuzz/run $(FUZZER) 60
endif

# Not on macOS, whose Swift comes without libFuzzer. In a folder of its own, since every target is built with libFuzzer's flags.
SECONDS ?= 600
FUZZER := $(CURDIR)/.build-fuzz/release/fuzz
build-fuzz: install-needs
	@scripts/quietly "building the fuzzer" env FUZZ=1 $(SWIFT) build --scratch-path .build-fuzz -c release --sanitize fuzzer --product fuzz
fuzz: build-fuzz
	@Tests/Fuzz/run $(FUZZER) $(SECONDS) $(CURDIR)/.build-fuzz/corpus

# Fails where the examples notice fewer than nine in ten.
mutate-rules: build
	@$(LINTER) rules test --mutants

rules-docs: build
	@$(LINTER) rules docs rules

# The full forms of what the tests try a part of.
faults: install-test-needs
	$(SWIFT) build --build-tests
	FAULTS=all scripts/failures-last $(SWIFT) test --skip-build --filter 'FaultMatrixTests|InjectedFaultTests'

# The full form of what the tests run; so it can be longer than they may take.
CUTS ?= 300
power-cuts: install-test-needs
	@scripts/quietly "building power-cuts" $(SWIFT) build --product power-cuts
	@.build/debug/power-cuts --cuts $(CUTS)
	@.build/debug/power-cuts --cuts 30 --self-test

# The full form of what the tests try a part of.
CHANGES ?= 10000
preference-changes: install-test-needs
	$(SWIFT) build --build-tests
	PREFERENCE_CHANGES=$(CHANGES) $(SWIFT) test --skip-build --filter 'PreferencesObservationTests/twoProcesses'

# The full form of what the tests try a part of.
KILLS ?= 200
fix-kills: install-test-needs
	$(SWIFT) build --build-tests
	FIX_KILLS=$(KILLS) $(SWIFT) test --skip-build --filter FixKillTests

# The full form of what the tests try a part of.
backup-kills: install-test-needs
	$(SWIFT) build --build-tests
	BACKUP_KILLS=$(KILLS) $(SWIFT) test --skip-build --filter RepositoryFailureTests

TRIES ?= 100
backup-torn: install-test-needs
	$(SWIFT) build --product sandboxbackup
	Tests/torn-stores .build/debug/sandboxbackup $(TRIES)

store-damage: install-test-needs
	$(SWIFT) build --product sandboxbackup
	Tests/damage-stores .build/debug/sandboxbackup $(ROUNDS)

ROUNDS ?= 100
backup-damage: install-test-needs
	$(SWIFT) build --build-tests
	BACKUP_DAMAGE=$(ROUNDS) $(SWIFT) test --skip-build --filter BackupDamageTests

# The figures of the regression corpus in rules/PRECISION.md.
precision: install-test-needs
	$(SWIFT) build --build-tests
	WRITE_PRECISION=1 $(SWIFT) test --skip-build --filter CorpusTests

# The layouts of real apps with their labels, which are not part of this repository.
REAL ?= ../shared/real
install-learn-needs:
	@scripts/install-needs
	@scripts/install-python-needs scripts/learn-requirements.txt .build-learn

# Fits the weights of the evidence, then measures with the new weights and writes the tables.
learn: install-learn-needs
	@for file in layouts.json.xz labels.json score; do [ -e "$(REAL)/$$file" ] || { \
	echo "make learn: $(REAL)/$$file is missing; give the folder of layouts and labels as REAL=path"; exit 1; }; done
	.build-learn/bin/python3 scripts/learn-evidence --self-test
	@scripts/quietly "building evidence-trial" $(SWIFT) build --product evidence-trial
	.build-learn/bin/python3 scripts/learn-evidence .build/debug/evidence-trial "$(REAL)" --quick --write
	@scripts/quietly "building with the new weights" $(SWIFT) build --product evidence-trial
	@scripts/quietly "building with the new weights" $(SWIFT) build --product sandboxlint
	.build-learn/bin/python3 scripts/learn-evidence .build/debug/evidence-trial "$(REAL)" --pages

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Plugins rules Examples/Sources Examples/Tests Examples/Package.swift

FILES ?= 1000000
install-bench-needs:
	@scripts/install-needs --bench
	@scripts/install-python-needs Benchmarks/requirements.txt .build-bench/python
bench: build sandboxbackup install-bench-needs
	Benchmarks/bench --sandboxlint $(LINTER) --files $(FILES) --sandboxbackup $(dir $(LINTER))sandboxbackup --output
bench-backup: sandboxbackup install-bench-needs
	Benchmarks/bench --only backup --sandboxbackup $(dir $(LINTER))sandboxbackup --backup-files 20000 200000 --output
bench-preferences: install-bench-needs
	Benchmarks/bench --only preferences --output
bench-saves: install-bench-needs
	Benchmarks/bench --only saves --output

clean:
	rm -rf .build .build-*
