# Mappings of handles of HDF5, NetCDF and FITS, small libraries of their own: a handle belongs to one libhdf5, so there
# is one for each (docs/decisions/0030-mappings.md). The sources are those of libxta_formats, compiled once more with the
# headers of that HDF5; CMakeLists.txt lists them. XTA_MAPS lists the flavours, `serial` and the MPIs.

# xta_map_library(<flavour> LIBRARIES <foreign ones> HEADERS <files of include/xta> SOURCES <files of src>)
function(xta_map_library flavour)
  cmake_parse_arguments(T "" "" "LIBRARIES;HEADERS;SOURCES" ${ARGN})
  list(TRANSFORM T_SOURCES PREPEND src/)
  set(include ${CMAKE_CURRENT_SOURCE_DIR}/include)
  set(name xta_map_${flavour})
  add_library(${name}_objects OBJECT ${T_SOURCES})
  target_include_directories(${name}_objects PRIVATE ${include} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name}_objects PRIVATE xta_flags xta_util_headers xta ${T_LIBRARIES})

  add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME xta_map-${flavour} EXPORT_NAME map-${flavour}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  xta_library_abi(${name} NAMES xtaHDF* xtaNetCDF* xtaFITS*)
  set(users)
  foreach(library ${T_LIBRARIES})
    list(APPEND users $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_libraries(${name}
    PUBLIC xta ${users} $<INSTALL_INTERFACE:xta::map-needs-${flavour}>
    PRIVATE $<BUILD_INTERFACE:xta_util> $<BUILD_INTERFACE:xta_flags> m Threads::Threads)
  if(NOT XTA_SANITIZE AND NOT XTA_BUILD_FUZZ)
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  # For tests, which look inside and make its allocations fail. Not installed.
  add_library(${name}_static STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}_objects>)
  target_link_libraries(${name}_static PUBLIC xta_static ${T_LIBRARIES} m Threads::Threads)
  foreach(target ${name} ${name}_static)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${include}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
  list(TRANSFORM T_HEADERS PREPEND ${include}/xta/)
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${include} FILES ${T_HEADERS})
  set(XTA_MAPS ${XTA_MAPS} ${flavour} PARENT_SCOPE)
endfunction()

# xta_map_hdf5(<flavour> <pkg-config modules>): the target xta_hdf5_<flavour>, with the functions for scales, which
# pkg-config does not know.
function(xta_map_hdf5 flavour)
  pkg_search_module(HDF5_${flavour} QUIET IMPORTED_TARGET ${ARGN})
  find_library(XTA_HDF5_HL_${flavour} NAMES hdf5_hl HINTS ${HDF5_${flavour}_LIBRARY_DIRS} NO_DEFAULT_PATH)
  if(flavour STREQUAL "serial")
    set(XTA_HDF5_HL_serial ${XTA_HDF5_HL})
  endif()
  if(HDF5_${flavour}_FOUND AND XTA_HDF5_HL_${flavour})
    add_library(xta_hdf5_${flavour} INTERFACE)
    target_link_libraries(xta_hdf5_${flavour} INTERFACE ${XTA_HDF5_HL_${flavour}} PkgConfig::HDF5_${flavour})
    set(XTA_MAP_HDF5_MODULE_${flavour} ${HDF5_${flavour}_MODULE_NAME} PARENT_SCOPE)
  endif()
endfunction()
