# make demo    set up, build, run the paper's synthetic example
# make test    set up, build, run every test
# make build   the program at build/land
# make bench   ratios measured in one run
# make lint    clang-format and clang-tidy over the whole tree
.PHONY: build demo test bench lint setup clean

build: setup
	@cmake --preset release > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset release

setup:
	@bash scripts/setup build

demo: build
	@bash scripts/demo

test: build
	ctest --preset release

bench: build
	@bash scripts/setup bench
	@python3 benchmarks/run.py

lint:
	@bash scripts/setup lint
	@bash scripts/lint

clean:
	rm -rf build build-debug build-asan build-tsan
