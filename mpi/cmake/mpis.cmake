# Many processes: which MPIs are there, and the archives made for each. XTA_MPIS lists the flavours found,
# the default one first; XTA_GA_MPIS those for which Global Arrays is there, too. Without them the folders
# parallel/ and pexta/ are not built, and nothing else changes.
#
# All of it is static: Debian's Global Arrays is not position-independent, and the archives look behind the
# doors of libxta, whose shared form hides what is inside. So the archive of parallel/ holds the core, too.
include(${CMAKE_CURRENT_LIST_DIR}/find_parallel.cmake)

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

# The objects of one folder for one MPI; mpi/CMakeLists.txt lists the files.
function(xta_parallel_objects name)
  add_library(${name} OBJECT)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/core/include ${PROJECT_SOURCE_DIR}/core/src
                                             ${PROJECT_SOURCE_DIR}/mpi/include ${PROJECT_SOURCE_DIR}/mpi/src)
  target_link_libraries(${name} PRIVATE xta_flags xta_util_headers ${ARGN})
endfunction()

# lib<name>-<mpi>.a of the objects of the targets named, and the plain name for the default flavour.
function(xta_parallel_archive name mpi)
  set(objects ${ARGN})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_library(${name}_${mpi} STATIC ${objects})
  string(REGEX REPLACE "^xta_" "" exported ${name}-${mpi})
  set_target_properties(${name}_${mpi} PROPERTIES OUTPUT_NAME ${name}-${mpi} EXPORT_NAME ${exported})
  target_include_directories(${name}_${mpi}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include>
           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/mpi/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(mpi STREQUAL XTA_MPI_DEFAULT)
    add_custom_command(TARGET ${name}_${mpi} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink lib${name}-${mpi}.a lib${name}.a
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set(XTA_PLAIN_NAMES ${XTA_PLAIN_NAMES} ${name} PARENT_SCOPE)
  endif()
endfunction()

# Where an MPI is, is a matter of the machine: who uses what is installed finds it there (xtaConfig.cmake).
foreach(mpi ${XTA_MPIS})
  foreach(what mpi ga)
    set(xta_uses_${what}_${mpi} $<BUILD_INTERFACE:xta_${what}_${mpi}> $<INSTALL_INTERFACE:xta::${what}-${mpi}>)
  endforeach()
endforeach()

foreach(mpi ${XTA_MPIS})
  xta_parallel_objects(xta_parallel_objects_${mpi} xta_mpi_${mpi})
  xta_parallel_archive(xta_parallel ${mpi} xta_objects xta_util_objects xta_parallel_objects_${mpi})
  target_link_libraries(xta_parallel_${mpi}
    PUBLIC ${xta_uses_mpi_${mpi}} m Threads::Threads)
endforeach()
foreach(mpi ${XTA_GA_MPIS})
  xta_parallel_objects(pexta_objects_${mpi} xta_ga_${mpi})
  xta_parallel_objects(pexta_dra_objects_${mpi} xta_ga_${mpi})
  xta_parallel_archive(pexta ${mpi} pexta_objects_${mpi})
  target_link_libraries(pexta_${mpi} PUBLIC xta_parallel_${mpi} ${xta_uses_ga_${mpi}})
  # One archive with all that is ours, so that it alone before Global Arrays relinks a DRA program.
  xta_parallel_archive(pexta_dra ${mpi} pexta_dra_objects_${mpi} pexta_objects_${mpi}
                       xta_parallel_objects_${mpi} xta_objects xta_util_objects)
  target_link_libraries(pexta_dra_${mpi}
    PUBLIC ${xta_uses_ga_${mpi}} m Threads::Threads)
endforeach()
