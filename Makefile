# OpenBench and other tools build with `make EXE=name`; people may prefer cargo.
EXE ?= adoube
COMMIT := $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
# `make NATIVE=1` builds for this machine's processor alone.
ifdef NATIVE
export RUSTFLAGS += -C target-cpu=native
endif
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all test bench clean
all:
	ADOUBE_COMMIT=$(COMMIT) cargo build --release --locked
	cp target/release/adoube$(SUFFIX) $(EXE)$(SUFFIX)

test:
	cargo test --release --locked

bench: all
	./$(EXE)$(SUFFIX) bench

clean:
	cargo clean
