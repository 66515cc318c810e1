# make demo    the program, and with it the paper's synthetic example
# make build   the program at build/land
# make test    build and run every test, those of the Python package included
# make install PREFIX=$HOME/.local DESTDIR=...   program, completions, manual page, library (PREFIX: /usr/local)
# make wheel   the Python package in dist/, to be installed with pip anywhere
# make bench   ratios measured in one run
# make experiments NAME=all   the paper's experiments: figures, tables and findings in results/ (data: LAND_DATA)
# make style   the style of the whole tree, in seconds: clang-format and ruff
# make lint    the same, and clang-tidy over the whole tree
# make check   the long hunts, hours of two cores: sanitizers (check-asan, check-tsan), clang (check-clang), lint
# make test-lowest   the Python package with the lowest versions that it declares
# make test-cluster  clusters that are started here, and lose workers: Spark 4 and 3.5, HDFS, S3, Dask, MPI, Slurm
# Each first installs what it needs and the machine lacks (scripts/setup).
.PHONY: build demo test install wheel bench experiments style lint check check-asan check-tsan check-clang test-lowest test-cluster clean

PREFIX ?= /usr/local

configure = cmake --preset $(1) > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }; rm -f build-configure.log

build:
	@bash scripts/setup build
	@$(call configure,program)
	@cmake --build --preset program

demo: build
	@bash scripts/demo

test:
	@bash scripts/setup test
	@$(call configure,release)
	@cmake --build --preset release
	@bash scripts/wheel
	ctest --preset release
	@bash scripts/test_python

install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --component program --prefix "$(PREFIX)"
	@DESTDIR="$(DESTDIR)" cmake --install build --component library --prefix "$(PREFIX)"

wheel: build
	@bash scripts/setup python
	@bash scripts/wheel

bench:
	@bash scripts/setup bench
	@$(call configure,release)
	@cmake --build --preset release --target land land_bench
	@python3 benchmarks/run.py

experiments: wheel
	@bash scripts/experiments $(or $(NAME),all)

style:
	@bash scripts/setup style
	@bash scripts/check_style

lint: wheel
	@bash scripts/setup lint
	@$(call configure,release)
	@bash scripts/lint

check: check-asan check-tsan check-clang lint

check-asan check-tsan check-clang: check-%:
	@bash scripts/setup check
	@$(call configure,$*)
	@cmake --build --preset $*
	ctest --preset $*

test-lowest: wheel
	@bash scripts/test_python_lowest

test-cluster: wheel
	@bash scripts/test_cluster

clean:
	rm -rf dist build build-debug build-asan build-tsan build-clang
