# What can be chosen, and what every target of ours is compiled with.
option(XTA_BUILD_TESTS "build tests and examples" ON)
option(XTA_BUILD_BENCH "build the benchmarks (needs HDF5)" OFF)
option(XTA_BUILD_FUZZ "build the fuzzers (needs clang)" OFF)
option(XTA_WERROR "treat warnings as errors" ON)
option(XTA_BRIDGE_NETCDF "build the NetCDF bridge" ON)
option(XTA_BRIDGE_HDF5 "build the HDF5 bridge" ON)
option(XTA_BRIDGE_NIFTI "build the NIfTI bridge" ON)
option(XTA_BRIDGE_GDAL "build the raster bridge" ON)
option(XTA_PICTURE "build the pictures (Cairo)" ON)
set(XTA_SANITIZE "" CACHE STRING "sanitizers, such as address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "kind of build" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(xta_flags INTERFACE)
target_compile_options(xta_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
                                           -Wmissing-prototypes -Wvla)
if(XTA_WERROR)
  target_compile_options(xta_flags INTERFACE -Werror)
endif()
if(XTA_BUILD_FUZZ)
  # The fuzzers see which branches of the libraries an input reaches.
  target_compile_options(xta_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(XTA_SANITIZE)
  target_compile_options(xta_flags INTERFACE -fsanitize=${XTA_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
  target_link_options(xta_flags INTERFACE -fsanitize=${XTA_SANITIZE})
endif()
