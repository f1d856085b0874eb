# Finds MPI and Global Arrays, for the build and, installed, for xtaConfig.cmake: what was there where XTA was
# built need not be in the same place where it is used.
#
# The targets are xta_mpi_<flavour> and xta_ga_<flavour> in the build; with XTA_FIND_IMPORTED set, as it is for
# others, xta::mpi-<flavour> and xta::ga-<flavour>.
find_package(PkgConfig QUIET)

# xta_found_target(<mpi or ga> <flavour> <variable>): makes one, and says what it is called.
function(xta_found_target what mpi variable)
  if(XTA_FIND_IMPORTED)
    set(target xta::${what}-${mpi})
    add_library(${target} INTERFACE IMPORTED)
  else()
    set(target xta_${what}_${mpi})
    add_library(${target} INTERFACE)
  endif()
  set(${variable} ${target} PARENT_SCOPE)
endfunction()

# xta_mpi_flags(<flavour> <pkg-config module> <variable>): what to compile and link with, by pkg-config, else
# by asking a compiler wrapper; empty if there is neither. Of a wrapper named mpicc only Open MPI's knows
# --showme; those of MPICH and its descendants do not.
function(xta_mpi_flags mpi module variable)
  set(line)
  find_program(XTA_MPICC_${mpi} NAMES mpicc.${mpi} mpicc)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(XTA_PC_${mpi} QUIET ${module})
  endif()
  if(XTA_PC_${mpi}_FOUND)
    set(line ${XTA_PC_${mpi}_CFLAGS} ${XTA_PC_${mpi}_LINK_LIBRARIES})
    set(XTA_MPI_MODULE_${mpi} ${module} PARENT_SCOPE)
  elseif(XTA_MPICC_${mpi})
    execute_process(COMMAND ${XTA_MPICC_${mpi}} --showme:version RESULT_VARIABLE unknown
                    OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND ${XTA_MPICC_${mpi}} -show OUTPUT_VARIABLE text RESULT_VARIABLE code
                    ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if((mpi STREQUAL "openmpi" AND unknown) OR (mpi STREQUAL "mpich" AND NOT unknown))
      set(code 1)
    endif()
    if(code EQUAL 0)
      separate_arguments(line UNIX_COMMAND "${text}")
      list(POP_FRONT line)
    endif()
  endif()
  set(${variable} ${line} PARENT_SCOPE)
endfunction()

# xta_find_mpi(<flavour> <pkg-config module>) makes the target, if that MPI is there, and tells how to start
# its programs.
function(xta_find_mpi mpi module)
  xta_mpi_flags(${mpi} ${module} words)
  set(XTA_MPI_MODULE_${mpi} ${XTA_MPI_MODULE_${mpi}} PARENT_SCOPE)
  set(folders ${words})
  list(FILTER folders INCLUDE REGEX "^-I")
  list(TRANSFORM folders REPLACE "^-I" "")
  list(FILTER words EXCLUDE REGEX "^-I")
  if(NOT words)
    return()
  endif()
  find_program(XTA_MPIRUN_${mpi} NAMES mpirun.${mpi} mpiexec.${mpi} mpirun mpiexec)
  xta_found_target(mpi ${mpi} target)
  target_include_directories(${target} SYSTEM INTERFACE ${folders})
  target_link_libraries(${target} INTERFACE ${words})
  set(XTA_MPIS ${XTA_MPIS} ${mpi} PARENT_SCOPE)
endfunction()

# xta_find_ga(<flavour>) makes the target. Global Arrays is a static archive without a word about what
# it needs, so that is listed here, by Debian's names. One that was built otherwise is given by its folder,
# -DXTA_GA_INCLUDE=..., and its link line, -DXTA_GA_LINK_<flavour>="...".
function(xta_find_ga mpi)
  find_path(XTA_GA_INCLUDE NAMES ga.h)
  set(files)
  set(words)
  if(XTA_GA_LINK_${mpi})
    separate_arguments(words UNIX_COMMAND "${XTA_GA_LINK_${mpi}}")
    set(files ${words})
  else()
    foreach(name ga-${mpi} scalapack-${mpi} lapack blas armci-${mpi} gfortran)
      find_library(XTA_LIB_${name} NAMES ${name} HINTS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
      if(NOT XTA_LIB_${name})
        return()
      endif()
      list(APPEND files ${XTA_LIB_${name}})
      list(APPEND words -l${name})
    endforeach()
  endif()
  if(NOT XTA_GA_INCLUDE)
    return()
  endif()
  xta_found_target(ga ${mpi} target)
  string(REGEX REPLACE "ga([_-]${mpi})$" "mpi\\1" under ${target})
  target_include_directories(${target} SYSTEM INTERFACE ${XTA_GA_INCLUDE})
  target_link_libraries(${target} INTERFACE ${files} ${under} m)
  string(REPLACE ";" " " words "${words}")
  set(XTA_GA_LIBS_${mpi} " ${words} -lm" PARENT_SCOPE)
  set(XTA_GA_MPIS ${XTA_GA_MPIS} ${mpi} PARENT_SCOPE)
endfunction()
