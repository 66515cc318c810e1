# make demo    set up, build, run the paper's synthetic example
# make test    set up, build, run every test
# make build   the program at build/land
# make install PREFIX=$HOME/.local   the program, its completions and its manual page (PREFIX: /usr/local)
# make test-lowest   the Python package with the lowest versions that it declares
# make wheel   the Python package in dist/, to be installed with pip anywhere
# make bench   ratios measured in one run
# make lint    clang-format, clang-tidy and ruff over the whole tree
.PHONY: build install demo test test-lowest wheel bench lint setup clean

build: setup
	@cmake --preset release > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset release

install: build
	@cmake --install build --component program --prefix $(or $(PREFIX),/usr/local)

setup:
	@bash scripts/setup build

demo: build
	@bash scripts/demo

test: build wheel
	ctest --preset release
	@bash scripts/test_python

test-lowest: wheel
	@bash scripts/test_python_lowest

wheel: build
	@bash scripts/wheel

bench: build
	@bash scripts/setup bench
	@python3 benchmarks/run.py

lint: wheel
	@bash scripts/setup lint
	@bash scripts/lint

clean:
	rm -rf dist build build-debug build-asan build-tsan
