# What `cmake --install` installs: libraries, headers, the tool with its pages and completion, the
# pkg-config files and the CMake package. Each product lists its public headers (checked).
get_property(xta_installed GLOBAL PROPERTY XTA_LIBRARIES)
set(xta_pc_files ${xta_installed})
list(APPEND xta_installed xta_static xta_rechunk_static)
if(XTA_HYPER)
  list(APPEND xta_installed xta_hyper_static)
endif()

# The parallel layer, for each MPI; its headers need <mpi.h>, so they are installed only with it. The plain
# names, links to the libraries of the default MPI, are made by the build (mpi/CMakeLists.txt).
set(xta_parallel_headers)
set(xta_installed_mpi)
set(xta_programs xta_tool)
foreach(mpi ${XTA_MPIS})
  list(APPEND xta_installed_mpi xta_parallel_${mpi})
  list(APPEND xta_programs xta_mpi_tool_${mpi})
  list(APPEND xta_parallel_headers
    ${PROJECT_SOURCE_DIR}/mpi/include/xta/drxmp.h
    ${PROJECT_SOURCE_DIR}/mpi/include/xta/drxmpx.h
    ${PROJECT_SOURCE_DIR}/mpi/include/xta/parallel.h)
endforeach()
foreach(mpi ${XTA_GA_MPIS})
  list(APPEND xta_archives pexta_${mpi} pexta_dra_${mpi})
  list(APPEND xta_parallel_headers ${PROJECT_SOURCE_DIR}/mpi/include/xta/pexta.h)
  list(APPEND xta_compat_headers ${PROJECT_SOURCE_DIR}/mpi/include/xta/compat/dra.h)
endforeach()

# Mappings of open files, one library for each HDF5. Those of an MPI go with it.
foreach(flavour ${XTA_MAPS})
  if(flavour STREQUAL "serial")
    list(APPEND xta_installed xta_map_serial)
  else()
    list(APPEND xta_installed_mpi xta_map_${flavour})
  endif()
endforeach()

# For C++, on top of the headers in C.
install(FILES ${PROJECT_SOURCE_DIR}/core/include/xta.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

xta_installed_rpath(${CMAKE_INSTALL_FULL_BINDIR} ${xta_programs})
foreach(target ${xta_installed} ${xta_installed_mpi})
  if(NOT target MATCHES "_static$")
    xta_installed_rpath(${CMAKE_INSTALL_FULL_LIBDIR} ${target})
  endif()
endforeach()

install(TARGETS ${xta_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${xta_installed} EXPORT xtaTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The libraries of MPI are a set of their own, which may be left out where the rest is installed.
if(XTA_MPIS)
  install(TARGETS ${xta_installed_mpi} ${xta_archives} EXPORT xtaMpiTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT xtaMpiTargets NAMESPACE xta:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/xta)
endif()

if(XTA_MPIS)
  list(REMOVE_DUPLICATES xta_parallel_headers)
  list(REMOVE_DUPLICATES xta_compat_headers)
  install(FILES ${xta_parallel_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xta)
  install(FILES ${xta_compat_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xta/compat)
  install(FILES ${PROJECT_BINARY_DIR}/xta-mpi DESTINATION ${CMAKE_INSTALL_BINDIR})
  get_property(xta_plain_libraries GLOBAL PROPERTY XTA_PLAIN_LIBRARIES)
  foreach(library ${xta_plain_libraries})
    install(FILES ${PROJECT_BINARY_DIR}/${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
endif()

# Verbs that are programs are installed in libexec/xta, where the tool searches for them.
get_property(xta_verbs GLOBAL PROPERTY XTA_VERBS)
xta_installed_rpath(${CMAKE_INSTALL_FULL_LIBEXECDIR}/xta ${xta_verbs})
install(TARGETS ${xta_verbs} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/xta)

# The verbs behind `xta hyper` are a module, which that program and xta-mpi search for relative to themselves.
if(TARGET xta_tool_hyper)
  xta_installed_rpath(${CMAKE_INSTALL_FULL_LIBDIR}/xta xta_tool_hyper)
  install(TARGETS xta_tool_hyper LIBRARY DESTINATION ${xta_module_dir})
  foreach(mpi ${XTA_MPIS})
    xta_finds_modules(${CMAKE_INSTALL_FULL_BINDIR} xta_mpi_tool_${mpi})
  endforeach()
  xta_finds_modules(${CMAKE_INSTALL_FULL_LIBEXECDIR}/xta xta_verb_hyper)
endif()

# find_package(xta) gives xta::xta, xta::static, xta::formats, xta::rechunk, xta::rechunk_static, xta::reduce,
# xta::picture, xta::views, xta::hyper, for each HDF5 xta::map-<hdf5>, and, for each MPI, xta::parallel-<mpi>, xta::pexta-<mpi>, xta::pexta_dra-<mpi>; without an
# MPI in the name, those of the default one.
set(xta_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xta)
install(EXPORT xtaTargets NAMESPACE xta:: DESTINATION ${xta_cmake_dir})
configure_package_config_file(cmake/xtaConfig.cmake.in ${PROJECT_BINARY_DIR}/xtaConfig.cmake
  INSTALL_DESTINATION ${xta_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xtaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/xtaConfig.cmake ${PROJECT_BINARY_DIR}/xtaConfigVersion.cmake
  DESTINATION ${xta_cmake_dir})
if(XTA_MPIS)
  install(FILES ${PROJECT_SOURCE_DIR}/mpi/cmake/find_parallel.cmake RENAME xtaFindParallel.cmake
    DESTINATION ${xta_cmake_dir})
endif()

# The pkg-config files use paths relative to themselves, so the tree can be moved.
file(RELATIVE_PATH xta_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" xta_pc_prefix "${xta_pc_prefix}")
function(xta_pc name description requires libs private)
  set(PC_NAME ${name})
  set(PC_DESCRIPTION ${description})
  set(PC_REQUIRES ${requires})
  set(PC_LIBS ${libs})
  set(PC_LIBS_PRIVATE ${private})
  set(PC_CFLAGS ${ARGN})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/xta.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(xta_pc_private "-lm -pthread")
xta_pc(xta "${PROJECT_DESCRIPTION}" "" "-lxta" "${xta_pc_private}")
xta_pc(xta_formats "XTA: import from and export to other formats" "xta = ${PROJECT_VERSION}"
       "-lxta_formats" "")
xta_pc(xta_rechunk "XTA: arrays from blocks of one shape to blocks of another" "xta = ${PROJECT_VERSION}"
       "-lxta_rechunk" "")
xta_pc(xta_reduce "XTA: statistics over axes, statistics and cells of regions" "xta = ${PROJECT_VERSION}" "-lxta_reduce" "")
if(XTA_PICTURE)
  xta_pc(xta_picture "XTA: pictures of arrays" "xta_rechunk = ${PROJECT_VERSION}" "-lxta_picture" "")
endif()
if(XTA_VIEWS)
  xta_pc(xta_views "XTA: arrays as Zarr stores, and a server of them" "xta_formats = ${PROJECT_VERSION}" "-lxta_views" "")
endif()
if(XTA_HYPER)
  xta_pc(xta_hyper "XTA: hyperspectral analysis" "xta = ${PROJECT_VERSION}" "-lxta_hyper"
         "-llapacke -lopenblas -lm -pthread")
endif()

foreach(flavour ${XTA_MAPS})
  list(JOIN XTA_MAP_MODULES_${flavour} " " modules)
  xta_pc(xta_map-${flavour} "XTA: datasets of open files as arrays (${flavour} HDF5)" "xta = ${PROJECT_VERSION} ${modules}"
         "-lxta_map-${flavour}" "")
endforeach()

# libpexta and libpexta_dra are static only, so their dependencies are in Libs, not in Libs.private, and `--static` is
# not needed. If the MPI has no pkg-config module its flags are written out.
foreach(mpi ${XTA_MPIS})
  set(xta_pc_mpi_cflags)
  set(xta_pc_mpi_libs)
  if(NOT XTA_MPI_MODULE_${mpi})
    get_target_property(xta_pc_mpi_cflags xta_mpi_${mpi} INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM xta_pc_mpi_cflags PREPEND "-I")
    list(JOIN xta_pc_mpi_cflags " " xta_pc_mpi_cflags)
    get_target_property(xta_pc_mpi_libs xta_mpi_${mpi} INTERFACE_LINK_LIBRARIES)
    list(JOIN xta_pc_mpi_libs " " xta_pc_mpi_libs)
  endif()
  xta_pc(xta_parallel-${mpi} "XTA: arrays of many processes (${mpi})" "xta = ${PROJECT_VERSION} ${XTA_MPI_MODULE_${mpi}}"
         "-lxta_parallel-${mpi} ${xta_pc_mpi_libs}" "" "${xta_pc_mpi_cflags}")
  if(NOT mpi IN_LIST XTA_GA_MPIS)
    continue()
  endif()
  set(xta_pc_ga_cflags)
  if(NOT XTA_GA_INCLUDE STREQUAL "/usr/include")
    set(xta_pc_ga_cflags "-I${XTA_GA_INCLUDE}")
  endif()
  xta_pc(pexta-${mpi} "XTA: growing arrays under Global Arrays (${mpi})"
         "xta_parallel-${mpi} = ${PROJECT_VERSION}" "-lpexta-${mpi}${XTA_GA_LIBS_${mpi}} -pthread" ""
         "${xta_pc_ga_cflags}")
  xta_pc(pexta_dra-${mpi} "XTA: in the place of Disk Resident Arrays (${mpi})"
         "xta_parallel-${mpi} = ${PROJECT_VERSION}" "-lpexta_dra-${mpi}${XTA_GA_LIBS_${mpi}} -pthread" ""
         "${xta_pc_ga_cflags}")
endforeach()
get_property(xta_plain_names GLOBAL PROPERTY XTA_PLAIN_NAMES)
foreach(name ${xta_plain_names})
  file(CREATE_LINK ${name}-${XTA_MPI_DEFAULT}.pc ${PROJECT_BINARY_DIR}/${name}.pc SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Pages, completion, documents.
file(GLOB xta_pages_1 CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*/man/*.1)
file(GLOB xta_pages_5 CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*/man/*.5)
file(GLOB xta_documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
# Section 3 is written from the headers; headers that are not installed have no pages.
find_program(XTA_PYTHON_PROGRAM NAMES python3)
mark_as_advanced(XTA_PYTHON_PROGRAM)
if(XTA_MAN3 AND XTA_PYTHON_PROGRAM AND NOT XTA_SANITIZE)
  set(maker ${PROJECT_SOURCE_DIR}/tools/make_man3)
  set(pages ${PROJECT_BINARY_DIR}/man3)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*/include/xta/*.h)
  add_custom_command(OUTPUT ${pages}/stamp
    COMMAND ${XTA_PYTHON_PROGRAM} ${maker} --root ${PROJECT_SOURCE_DIR} --out ${pages}
    COMMAND ${CMAKE_COMMAND} -E touch ${pages}/stamp
    DEPENDS ${maker} ${PROJECT_SOURCE_DIR}/tools/c_headers.py ${headers} VERBATIM)
  add_custom_target(xta_man3 ALL DEPENDS ${pages}/stamp)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 FILES_MATCHING PATTERN "*.3")
endif()
install(FILES ${xta_pages_1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${xta_pages_5} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/xta.bash RENAME xta OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
# Those of zsh and fish are written from the tables of the tool and of the completion for bash.
if(XTA_PYTHON_PROGRAM AND NOT CMAKE_CROSSCOMPILING AND NOT XTA_SANITIZE)
  set(maker ${PROJECT_SOURCE_DIR}/tools/make_completion)
  set(completions ${PROJECT_BINARY_DIR}/completion)
  set(XTA_ZSH_FOLDER ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "where zsh finds completions")
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/completion/*)
  add_custom_command(OUTPUT ${completions}/_xta ${completions}/xta.fish
    COMMAND ${XTA_PYTHON_PROGRAM} ${maker} --tool $<TARGET_FILE:xta_tool> --out ${completions}
    DEPENDS ${maker} ${parts} xta_tool ${xta_verbs} VERBATIM)
  add_custom_target(xta_completion ALL DEPENDS ${completions}/_xta ${completions}/xta.fish)
  install(FILES ${completions}/_xta DESTINATION ${XTA_ZSH_FOLDER})
  install(FILES ${completions}/xta.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES ${xta_documents} ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
