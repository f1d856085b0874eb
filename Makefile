# The few words one types. CMake does the work; this file only remembers how it is called.
#
#   make            build the libraries and the tool (Release) in build/
#   make demo       install what is missing, build, and do the main job: pictures in demo-out/
#   make check      install what is missing, build three ways, run every test
#   make bench      measure against HDF5 and plain system calls: tables in bench-out/ (BENCH=--small)
#   make bench-parallel  the same for many processes, against MPI-IO, DRA, HDF5 and PnetCDF
#   make bench-rechunk  other chunk shapes under a memory limit, against nccopy, h5repack, dask and zarr
#   make bench-hyper    hyperspectral analysis, against Spectral Python and NumPy
#   make install    DESTDIR and prefix (/usr/local) are honoured
#   make format     give every C file the house's format
#   make clean      remove what the above made

prefix ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE ?= cmake
COMPILER ?= gcc

# $(call configure,FOLDER,OPTIONS): Ninja where there is one; a folder keeps the generator it began with.
configure = $(CMAKE) -S . -B $(1) -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$(COMPILER) \
    $(shell [ -e $(1)/CMakeCache.txt ] || { command -v ninja >/dev/null 2>&1 && echo -G Ninja; }) $(2)

.PHONY: all deps demo check bench bench-parallel bench-rechunk bench-hyper install format clean help

all:
	@command -v $(CMAKE) >/dev/null || \
	    { echo "make: cmake is not installed; tools/install-deps installs all that is needed" >&2; exit 1; }
	$(call configure,build)
	$(CMAKE) --build build -j $(JOBS)

deps:
	tools/install-deps

# What tools/install-deps brings (ninja, say) must be seen, so the build is a make of its own.
demo: deps
	$(MAKE) all
	XTA_TOOL="$(CURDIR)/build/xta" OUT="$${OUT:-$(CURDIR)/demo-out}" tools/demo

check: deps
	JOBS=$(JOBS) tools/check

bench: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	bench/run.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-parallel: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	bench/run_parallel.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-rechunk: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	bench/run_rechunk.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-hyper: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	bench/run_hyper.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

install:
	$(call configure,build,-DCMAKE_INSTALL_PREFIX="$(prefix)")
	$(CMAKE) --build build -j $(JOBS)
	DESTDIR="$(DESTDIR)" $(CMAKE) --install build

# clang-format leaves comments alone, and breaks declarations to make room for a long one behind them: so
# tools/wrap_comments sets the long ones first.
format:
	find src include tests examples bench fuzz -name '*.[ch]' -exec tools/wrap_comments {} +
	find src include tests examples bench fuzz -name '*.[ch]' -exec clang-format-14 -i {} +
	find src include tests examples bench fuzz -name '*.[ch]' -exec tools/wrap_comments {} +
	find src include tests examples bench fuzz -name '*.[ch]' -exec clang-format-14 -i {} +

clean:
	rm -rf build build-asan build-tsan build-bench build-fuzz demo-out bench-out

help:
	@sed -n 's/^#   //p' Makefile
