# Many processes: which MPIs are there, and the archives made for each. XTA_MPIS lists the flavours found,
# the default one first; XTA_GA_MPIS those for which Global Arrays is there, too. Without them the folders
# parallel/ and pexta/ are not built, and nothing else changes.
#
# All of it is static: Debian's Global Arrays is not position-independent, and the archives look behind the
# doors of libxta, whose shared form hides what is inside. So the archive of parallel/ holds the core, too.
find_package(PkgConfig QUIET)

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

# xta_find_mpi(<flavour> <pkg-config module>) makes the target xta_mpi_<flavour>, if that MPI is there, and
# tells how to start its programs.
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
  add_library(xta_mpi_${mpi} INTERFACE)
  target_include_directories(xta_mpi_${mpi} SYSTEM INTERFACE ${folders})
  target_link_libraries(xta_mpi_${mpi} INTERFACE ${words})
  set_target_properties(xta_mpi_${mpi} PROPERTIES EXPORT_NAME mpi-${mpi})
  set(XTA_MPIS ${XTA_MPIS} ${mpi} PARENT_SCOPE)
endfunction()

# xta_find_ga(<flavour>) makes xta_ga_<flavour>. Global Arrays is a static archive without a word about what
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
  add_library(xta_ga_${mpi} INTERFACE)
  target_include_directories(xta_ga_${mpi} SYSTEM INTERFACE ${XTA_GA_INCLUDE})
  target_link_libraries(xta_ga_${mpi} INTERFACE ${files} xta_mpi_${mpi} m)
  set_target_properties(xta_ga_${mpi} PROPERTIES EXPORT_NAME ga-${mpi})
  string(REPLACE ";" " " words "${words}")
  set(XTA_GA_LIBS_${mpi} " ${words} -lm" PARENT_SCOPE)
  set(XTA_GA_MPIS ${XTA_GA_MPIS} ${mpi} PARENT_SCOPE)
endfunction()

set(XTA_MPIS)
set(XTA_GA_MPIS)
set(XTA_PLAIN_NAMES)
if(NOT DEFINED XTA_PARALLEL OR XTA_PARALLEL)
  xta_find_mpi(openmpi ompi-c)
  xta_find_mpi(mpich mpich)
  if(XTA_PEXTA)
    foreach(mpi ${XTA_MPIS})
      xta_find_ga(${mpi})
    endforeach()
  endif()
endif()
if(XTA_MPIS)
  set(xta_have_mpi ON)
else()
  set(xta_have_mpi OFF)
endif()
option(XTA_PARALLEL "build the parallel layer for each MPI found" ${xta_have_mpi})
if(XTA_PARALLEL AND NOT XTA_MPIS)
  message(FATAL_ERROR "XTA_PARALLEL is ON, but neither Open MPI nor MPICH was found: install one "
                      "(tools/install-deps), or say -DXTA_PARALLEL=OFF")
endif()
message(STATUS "MPI: ${XTA_MPIS}; with Global Arrays: ${XTA_GA_MPIS}")
if(XTA_MPIS)
  list(GET XTA_MPIS 0 XTA_MPI_DEFAULT)
endif()

# The objects of one folder for one MPI; src/<folder>/CMakeLists.txt lists the files.
function(xta_parallel_objects name)
  add_library(${name} OBJECT)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE xta_flags ${ARGN})
endfunction()

# lib<name>-<mpi>.a of the objects of the targets named, and the plain name for the default flavour.
function(xta_parallel_archive name mpi)
  set(objects ${ARGN})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_library(${name}_${mpi} STATIC ${objects})
  string(REGEX REPLACE "^xta_" "" exported ${name}-${mpi})
  set_target_properties(${name}_${mpi} PROPERTIES OUTPUT_NAME ${name}-${mpi} EXPORT_NAME ${exported})
  target_include_directories(${name}_${mpi}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(mpi STREQUAL XTA_MPI_DEFAULT)
    add_custom_command(TARGET ${name}_${mpi} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink lib${name}-${mpi}.a lib${name}.a
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set(XTA_PLAIN_NAMES ${XTA_PLAIN_NAMES} ${name} PARENT_SCOPE)
  endif()
endfunction()

foreach(mpi ${XTA_MPIS})
  xta_parallel_objects(xta_parallel_objects_${mpi} xta_mpi_${mpi})
  xta_parallel_archive(xta_parallel ${mpi} xta_objects xta_parallel_objects_${mpi})
  target_link_libraries(xta_parallel_${mpi}
    PUBLIC xta_mpi_${mpi} m Threads::Threads)
endforeach()
foreach(mpi ${XTA_GA_MPIS})
  xta_parallel_objects(pexta_objects_${mpi} xta_ga_${mpi})
  xta_parallel_objects(pexta_dra_objects_${mpi} xta_ga_${mpi})
  xta_parallel_archive(pexta ${mpi} pexta_objects_${mpi})
  target_link_libraries(pexta_${mpi} PUBLIC xta_parallel_${mpi} xta_ga_${mpi})
  # One archive with all that is ours, so that it alone before Global Arrays relinks a DRA program.
  xta_parallel_archive(pexta_dra ${mpi} pexta_dra_objects_${mpi} pexta_objects_${mpi}
                       xta_parallel_objects_${mpi} xta_objects)
  target_link_libraries(pexta_dra_${mpi}
    PUBLIC xta_ga_${mpi} m Threads::Threads)
endforeach()

# The tool for many processes. It needs no more than the shared libxta, so what an application needs to link
# against does not matter here.
foreach(mpi ${XTA_MPIS})
  set(tool xta_mpi_tool_${mpi})
  add_executable(${tool})
  set_target_properties(${tool} PROPERTIES OUTPUT_NAME xta-mpi-${mpi})
  target_include_directories(${tool} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${tool} PRIVATE xta xta_mpi_${mpi} xta_flags m ${CMAKE_DL_LIBS})
  target_compile_definitions(${tool} PRIVATE
    XTA_BRIDGE_LIBRARY="libxta_bridge.so.${PROJECT_VERSION_MAJOR}"
    XTA_HYPER_LIBRARY="xta-hyper.so")
  add_dependencies(${tool} xta_bridge)
  if(TARGET xta_tool_hyper)
    add_dependencies(${tool} xta_tool_hyper)
  endif()
  if(XTA_SANITIZE)
    # As for the tool of one process, see cmake/targets.cmake.
    target_link_options(${tool} PRIVATE -Wl,--no-as-needed)
    target_link_libraries(${tool} PRIVATE xta_bridge)
  endif()
  if(mpi STREQUAL XTA_MPI_DEFAULT)
    add_custom_command(TARGET ${tool} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink xta-mpi-${mpi} xta-mpi
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  endif()
endforeach()
