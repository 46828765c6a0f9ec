# OpenBench and other tools build with `make EXE=name`; people may prefer cargo.
EXE ?= adoube
# Empty on a released version's tag.
COMMIT := $(shell git describe --exact-match --tags >/dev/null 2>&1 || git describe --always --dirty --exclude '*' 2>/dev/null)
TARGET := $(or $(CARGO_TARGET_DIR),target)
# `make NATIVE=1` builds for this machine's processor alone.
ifdef NATIVE
export RUSTFLAGS += -C target-cpu=native
endif
# `make EVALFILE=path` puts another network into the program; an empty file means none.
ifdef EVALFILE
export ADOUBE_EVALFILE := $(abspath $(EVALFILE))
endif
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all test bench clean
all:
	ADOUBE_COMMIT=$(COMMIT) cargo build --release --locked
	cp $(TARGET)/release/adoube$(SUFFIX) $(EXE)$(SUFFIX)

test:
	cargo test --release --locked

bench: all
	./$(EXE)$(SUFFIX) bench

clean:
	cargo clean
