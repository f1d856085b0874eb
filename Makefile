# Short commands. CMake does the work; this file only has the command lines.
#
#   make            build the libraries and the tool (Release) in build/
#   make tool       the tool and what it needs alone, without tests and the libraries of many processes
#   make minimal    the same without third-party libraries: libxta, and the tool with NumPy and raw files
#   make demo       install what is missing, build, and run the demo: pictures in demo-out/
#   make check      install what is missing, build in each configuration, run every test
#   make bench      measure against HDF5 and plain system calls: tables in bench-out/ (BENCH=--small)
#   make bench-parallel  the same for many processes, against MPI-IO, DRA, HDF5 and PnetCDF
#   make bench-rechunk  other chunk shapes under a memory limit, against nccopy, h5repack, dask and zarr
#   make bench-hyper    hyperspectral analysis, against Spectral Python and NumPy
#   make ways-in    twelve other programs open a data set while it grows (installs QGIS, rasterio and more)
#   make papers     the experiments of the papers, repeated: figures in papers-out/, docs/EXPERIMENTS.md (PAPERS_SCALE=4)
#   make docs       tutorial and reference of the API as pages for a browser: build-docs/index.html
#   make deb        packages of Debian in build-deb/, checked by lintian
#   make deb-check  install them on an empty machine, use and remove them (minutes; as root)
#   make install    DESTDIR and prefix (/usr/local) are honoured
#   make format     give every C and C++ file the house's format
#   make clean      remove the results of the above

prefix ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE ?= cmake
COMPILER ?= gcc

# $(call configure,FOLDER,OPTIONS): Ninja if installed; a folder keeps its first generator. Where ccache is installed,
# another clone or build folder finds the objects: their paths are relative to the clone.
export CCACHE_BASEDIR ?= $(CURDIR)
configure = $(CMAKE) -S . -B $(1) -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$(COMPILER) \
    $(shell [ -e $(1)/CMakeCache.txt ] || { command -v ninja >/dev/null 2>&1 && echo -G Ninja; }) \
    $(shell ccache -s >/dev/null 2>&1 && echo -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache) $(2)

# Compilers and linkers take their memory in huge pages where the kernel offers them.
build = GLIBC_TUNABLES=glibc.malloc.hugetlb=1 $(CMAKE) --build

.PHONY: all tool minimal tools_are_there deps demo check bench bench-parallel bench-rechunk bench-hyper ways-in papers docs deb deb-check install format clean help

# cmake/needs.cmake reports everything else that is missing, also in one message.
all: tools_are_there
	$(call configure,build)
	$(build) build -j $(JOBS)

# The tool and what it needs, without tests, examples and the libraries of many processes.
tool: tools_are_there
	$(call configure,build)
	$(build) build -j $(JOBS) --target xta_tool

minimal: tools_are_there
	$(call configure,build,-DXTA_MINIMAL=ON -DXTA_BUILD_TESTS=OFF)
	$(build) build -j $(JOBS)

tools_are_there:
	@missing=; for tool in $(CMAKE) $(COMPILER); do \
	    command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	if [ -n "$$missing" ]; then { echo "make: not installed:$$missing"; \
	    echo "tools/install-deps installs all that building, testing and the demo need"; \
	    echo "(missing of it: $$(tools/install-deps --check 2>&1 | tr '\n' ' '))"; \
	    echo "libxta and the tool with NumPy and raw files need no more than this, and 'make minimal':"; \
	    echo "  apt-get install gcc libc6-dev make cmake"; } >&2; exit 1; fi

deps:
	tools/install-deps

# Programs installed by tools/install-deps (ninja, for example) must be found, so the build is a separate make.
demo: deps
	$(MAKE) tool
	XTA_TOOL="$(CURDIR)/build/xta" OUT="$${OUT:-$(CURDIR)/demo-out}" tools/demo

check: deps
	JOBS=$(JOBS) tools/check

bench: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	core/bench/run.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-parallel: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	mpi/bench/run.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-rechunk: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	rechunk/bench/run.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

bench-hyper: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	hyper/bench/run.sh --build "$(CURDIR)/build-bench" --out "$${OUT:-$(CURDIR)/bench-out}" $(BENCH)

# Programs that only this needs are not in tools/install-deps.
ways-in: deps
	tests/ways_in/install-programs
	$(MAKE) all
	/usr/bin/python3 tests/ways_in/run.py --build "$(CURDIR)/build" $(WAYS)

papers: deps
	$(call configure,build-bench,-DXTA_BUILD_BENCH=ON -DXTA_BUILD_TESTS=OFF)
	$(build) build-bench -j $(JOBS)
	XTA_DATA="$${XTA_DATA:-$(CURDIR)/../shared/data}" /usr/bin/python3 bench/papers/run --build "$(CURDIR)/build-bench" \
	    --out "$${OUT:-$(CURDIR)/papers-out}" --document docs/EXPERIMENTS.md $(PAPERS)

docs:
	tools/make_docs --out "$${OUT:-$(CURDIR)/build-docs}"

deb:
	JOBS=$(JOBS) tools/make_deb --out "$${OUT:-$(CURDIR)/build-deb}"

deb-check:
	tools/try_packages "$${OUT:-$(CURDIR)/build-deb}"

install: tools_are_there
	$(call configure,build,-DCMAKE_INSTALL_PREFIX="$(prefix)")
	$(build) build -j $(JOBS)
	DESTDIR="$(DESTDIR)" $(CMAKE) --install build

SOURCES = util core formats rechunk reduce picture gdal netcdf views mpi hyper fortran python tests examples bench fuzz

# clang-format does not change comments, and breaks declarations to fit a long comment after them, so
# tools/wrap_comments wraps the long ones first.
format:
	find $(SOURCES) \( -name '*.[ch]' -o -name '*.cpp' \) -exec tools/wrap_comments {} +
	find $(SOURCES) \( -name '*.[ch]' -o -name '*.cpp' \) -exec clang-format-14 -i {} +
	find $(SOURCES) \( -name '*.[ch]' -o -name '*.cpp' \) -exec tools/wrap_comments {} +
	find $(SOURCES) \( -name '*.[ch]' -o -name '*.cpp' \) -exec clang-format-14 -i {} +

clean:
	rm -rf build build-asan build-tsan build-s390x build-without build-bench build-fuzz build-deb build-docs demo-out bench-out papers-out

help:
	@sed -n 's/^#   //p' Makefile
