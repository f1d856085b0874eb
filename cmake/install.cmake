# What `cmake --install` puts where: libraries, headers, the tool with its pages and completion, the
# pkg-config files and the CMake package. Every public header stands in one list here (checked).
set_target_properties(xta_static PROPERTIES EXPORT_NAME static)
set_target_properties(xta_bridge PROPERTIES EXPORT_NAME bridge)

target_sources(xta PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES
  ${PROJECT_SOURCE_DIR}/include/xta/access.h
  ${PROJECT_SOURCE_DIR}/include/xta/append.h
  ${PROJECT_SOURCE_DIR}/include/xta/array.h
  ${PROJECT_SOURCE_DIR}/include/xta/attribute.h
  ${PROJECT_SOURCE_DIR}/include/xta/box.h
  ${PROJECT_SOURCE_DIR}/include/xta/extract.h
  ${PROJECT_SOURCE_DIR}/include/xta/io_plan.h
  ${PROJECT_SOURCE_DIR}/include/xta/options.h
  ${PROJECT_SOURCE_DIR}/include/xta/rechunk.h
  ${PROJECT_SOURCE_DIR}/include/xta/repartition.h
  ${PROJECT_SOURCE_DIR}/include/xta/status.h
  ${PROJECT_SOURCE_DIR}/include/xta/team.h
  ${PROJECT_SOURCE_DIR}/include/xta/tune.h
  ${PROJECT_SOURCE_DIR}/include/xta/type.h
  ${PROJECT_SOURCE_DIR}/include/xta/wavelength.h
  ${PROJECT_SOURCE_DIR}/include/xta/work.h
  ${PROJECT_SOURCE_DIR}/include/xta/xta.h
  ${PROJECT_SOURCE_DIR}/include/xta/zones.h)
target_sources(xta_bridge PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES
  ${PROJECT_SOURCE_DIR}/include/xta/blocks.h
  ${PROJECT_SOURCE_DIR}/include/xta/bridge.h
  ${PROJECT_SOURCE_DIR}/include/xta/spectra.h)
set(xta_installed xta xta_static xta_bridge xta_tool)
set(xta_pc_files xta xta_bridge)

if(XTA_PICTURE)
  set_target_properties(xta_picture PROPERTIES EXPORT_NAME picture)
  target_sources(xta_picture PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES
    ${PROJECT_SOURCE_DIR}/include/xta/chart.h
    ${PROJECT_SOURCE_DIR}/include/xta/picture.h
    ${PROJECT_SOURCE_DIR}/include/xta/report.h)
  list(APPEND xta_installed xta_picture)
  list(APPEND xta_pc_files xta_picture)
endif()

if(XTA_HYPER)
  set_target_properties(xta_hyper PROPERTIES EXPORT_NAME hyper)
  set_target_properties(xta_hyper_static PROPERTIES EXPORT_NAME hyper_static)
  target_sources(xta_hyper PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES
    ${PROJECT_SOURCE_DIR}/include/xta/amee.h
    ${PROJECT_SOURCE_DIR}/include/xta/classify.h
    ${PROJECT_SOURCE_DIR}/include/xta/endmembers.h
    ${PROJECT_SOURCE_DIR}/include/xta/follow.h
    ${PROJECT_SOURCE_DIR}/include/xta/moments.h
    ${PROJECT_SOURCE_DIR}/include/xta/scene.h
    ${PROJECT_SOURCE_DIR}/include/xta/scene_map.h
    ${PROJECT_SOURCE_DIR}/include/xta/score.h
    ${PROJECT_SOURCE_DIR}/include/xta/synth.h
    ${PROJECT_SOURCE_DIR}/include/xta/unmix.h)
  list(APPEND xta_installed xta_hyper xta_hyper_static)
  list(APPEND xta_pc_files xta_hyper)
endif()

# The parallel layer, for each MPI; its headers need <mpi.h>, so they are installed only with it. The plain
# names, links to the archives of the default MPI, are made by the build (cmake/parallel.cmake).
set(xta_parallel_headers)
foreach(mpi ${XTA_MPIS})
  list(APPEND xta_archives xta_parallel_${mpi})
  list(APPEND xta_installed xta_mpi_tool_${mpi})
  list(APPEND xta_parallel_headers
    ${PROJECT_SOURCE_DIR}/include/xta/drxmp.h
    ${PROJECT_SOURCE_DIR}/include/xta/parallel.h)
endforeach()
foreach(mpi ${XTA_GA_MPIS})
  list(APPEND xta_archives pexta_${mpi} pexta_dra_${mpi})
  list(APPEND xta_parallel_headers ${PROJECT_SOURCE_DIR}/include/xta/pexta.h)
  list(APPEND xta_compat_headers ${PROJECT_SOURCE_DIR}/include/xta/compat/dra.h)
endforeach()

# The tool and the upper libraries find libxta beside themselves, wherever the tree is moved to.
file(RELATIVE_PATH xta_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
foreach(target ${xta_installed})
  if(target MATCHES "^xta_(mpi_)?tool")
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${xta_bin_to_lib}")
  elseif(NOT target MATCHES "_static$")
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endforeach()

install(TARGETS ${xta_installed} ${xta_archives} EXPORT xtaTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(XTA_MPIS)
  list(REMOVE_DUPLICATES xta_parallel_headers)
  list(REMOVE_DUPLICATES xta_compat_headers)
  install(FILES ${xta_parallel_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xta)
  install(FILES ${xta_compat_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/xta/compat)
  install(FILES ${PROJECT_BINARY_DIR}/xta-mpi DESTINATION ${CMAKE_INSTALL_BINDIR})
  foreach(name ${XTA_PLAIN_NAMES})
    install(FILES ${PROJECT_BINARY_DIR}/lib${name}.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endforeach()
endif()

# The commands behind `xta hyper` lie beside the libraries, where the tool looks for them.
if(TARGET xta_tool_hyper)
  set_target_properties(xta_tool_hyper PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS xta_tool_hyper LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# find_package(xta) gives xta::xta, xta::static, xta::bridge, xta::picture, xta::hyper and, for each MPI,
# xta::parallel-<mpi>, xta::pexta-<mpi>, xta::pexta_dra-<mpi>; without an MPI behind it, those of the default one.
set(xta_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xta)
install(EXPORT xtaTargets NAMESPACE xta:: DESTINATION ${xta_cmake_dir})
configure_package_config_file(cmake/xtaConfig.cmake.in ${PROJECT_BINARY_DIR}/xtaConfig.cmake
  INSTALL_DESTINATION ${xta_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xtaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/xtaConfig.cmake ${PROJECT_BINARY_DIR}/xtaConfigVersion.cmake
  DESTINATION ${xta_cmake_dir})
if(XTA_MPIS)
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/find_parallel.cmake RENAME xtaFindParallel.cmake
    DESTINATION ${xta_cmake_dir})
endif()

# The pkg-config files say where they are, not where they were meant to be.
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
xta_pc(xta "${PROJECT_DESCRIPTION}" "" "-lxta" "-lm -pthread")
xta_pc(xta_bridge "XTA: import from and export to other formats" "xta = ${PROJECT_VERSION}"
       "-lxta_bridge" "")
if(XTA_PICTURE)
  xta_pc(xta_picture "XTA: pictures of arrays" "xta = ${PROJECT_VERSION}" "-lxta_picture" "")
endif()
if(XTA_HYPER)
  xta_pc(xta_hyper "XTA: hyperspectral analysis" "xta = ${PROJECT_VERSION}" "-lxta_hyper"
         "-llapacke -lopenblas -lm -pthread")
endif()

# The archives are static only, so what they need stands in Libs, not in Libs.private: nobody has to think of
# `--static`. Where the MPI has no module of its own its flags are written out.
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
  xta_pc(xta_parallel-${mpi} "XTA: arrays of many processes (${mpi})" "${XTA_MPI_MODULE_${mpi}}"
         "-lxta_parallel-${mpi} -lm -pthread ${xta_pc_mpi_libs}" "" "${xta_pc_mpi_cflags}")
  if(NOT mpi IN_LIST XTA_GA_MPIS)
    continue()
  endif()
  set(xta_pc_ga_cflags)
  if(NOT XTA_GA_INCLUDE STREQUAL "/usr/include")
    set(xta_pc_ga_cflags "-I${XTA_GA_INCLUDE}")
  endif()
  xta_pc(pexta-${mpi} "XTA: growing arrays under Global Arrays (${mpi})"
         "xta_parallel-${mpi} = ${PROJECT_VERSION}" "-lpexta-${mpi}${XTA_GA_LIBS_${mpi}}" ""
         "${xta_pc_ga_cflags}")
  xta_pc(pexta_dra-${mpi} "XTA: in the place of Disk Resident Arrays (${mpi})"
         "${XTA_MPI_MODULE_${mpi}}" "-lpexta_dra-${mpi}${XTA_GA_LIBS_${mpi}} -pthread ${xta_pc_mpi_libs}"
         "" "${xta_pc_ga_cflags} ${xta_pc_mpi_cflags}")
endforeach()
foreach(name ${XTA_PLAIN_NAMES})
  file(CREATE_LINK ${name}-${XTA_MPI_DEFAULT}.pc ${PROJECT_BINARY_DIR}/${name}.pc SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Pages, completion, documents.
file(GLOB xta_pages_1 CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
file(GLOB xta_pages_5 CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.5)
file(GLOB xta_documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${xta_pages_1} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${xta_pages_5} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/xta.bash RENAME xta OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${xta_documents} ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
