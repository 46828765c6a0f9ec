# OpenBench and other tools build with `make EXE=name`; people may prefer cargo.
EXE ?= adoube
# Empty on a released version's tag.
COMMIT := $(shell git describe --exact-match --tags >/dev/null 2>&1 || git describe --always --dirty --exclude '*' 2>/dev/null)
# Where cargo builds. It is told each time, for its configuration may name another folder, and what lies here would be old.
TARGET := $(or $(CARGO_TARGET_DIR),$(CARGO_BUILD_TARGET_DIR),target)
IN_TARGET = --target-dir "$(TARGET)"
# What is built for another kind of machine would lie elsewhere again, and could not be run here.
unexport CARGO_BUILD_TARGET
# `make NATIVE=1` builds for this machine's processor alone.
ifdef NATIVE
export RUSTFLAGS += -C target-cpu=native
endif
# Older workers of OpenBench name cargo as the C compiler (`make EXE=name CC=cargo`), which the libraries in C would ask for.
ifneq ($(filter cargo rustc,$(notdir $(CC))),)
unexport CC
endif
# `make EVALFILE=path` puts another network into the program; an empty file means none.
ifdef EVALFILE
ifneq ($(words $(EVALFILE)),1)
$(error EVALFILE=$(EVALFILE): expected a path without blanks)
endif
export ADOUBE_EVALFILE := $(abspath $(EVALFILE))
endif
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all pgo test bench clean
all:
	rm -f "$(TARGET)/release/adoube$(SUFFIX)"
	ADOUBE_COMMIT=$(COMMIT) cargo build --release --locked $(IN_TARGET)
	cp "$(TARGET)/release/adoube$(SUFFIX)" "$(EXE)$(SUFFIX)"

# `make pgo` builds twice, the second time by what the first one shows of the hot paths of search and training
# (profile-guided optimisation, https://doc.rust-lang.org/rustc/profile-guided-optimization.html): without training in the
# profile it was half as fast as in the usual build. Wants `rustup component add llvm-tools`.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
PROFDATA = $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata))
PGO := $(abspath $(TARGET))/pgo
PGO_ADOUBE = $(PGO)/$(HOST)/release/adoube$(SUFFIX)
PGO_BUILD = ADOUBE_COMMIT=$(COMMIT) cargo build --release --locked --target $(HOST) --target-dir $(PGO)
pgo:
	@test -n "$(PROFDATA)" || { echo "llvm-profdata is not there: rustup component add llvm-tools" >&2; exit 1; }
	@test $(words $(PGO)) = 1 || { echo "make pgo: $(PGO): expected a folder without blanks in its path" >&2; exit 1; }
	rm -rf $(PGO)
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-generate=$(PGO)/raw" $(PGO_BUILD)
	$(PGO_ADOUBE) bench
	$(PGO_ADOUBE) selfplay $(PGO)/games --games 400 --nodes 100
	$(PGO_ADOUBE) train $(PGO)/games --out $(PGO)/learnt.nnue --inputs exposure --deep --epochs 20
	$(PROFDATA) merge -o $(PGO)/merged.profdata $(PGO)/raw
	RUSTFLAGS="$(RUSTFLAGS) -Cprofile-use=$(PGO)/merged.profdata" $(PGO_BUILD)
	cp $(PGO_ADOUBE) $(EXE)$(SUFFIX)

test:
	cargo test --release --locked $(IN_TARGET)

bench: all
	./$(EXE)$(SUFFIX) bench

clean:
	cargo clean $(IN_TARGET)
	rm -f $(EXE)$(SUFFIX)
