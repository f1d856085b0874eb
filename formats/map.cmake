# Mappings of handles of HDF5, NetCDF and FITS, small libraries of their own: a handle belongs to one libhdf5, so there
# is one for each (docs/decisions/0030-mappings.md). The sources are those of libxta_formats, compiled once more with the
# headers of that HDF5. XTA_MAPS lists the flavours, `serial` and the MPIs.
set(XTA_MAPS)

# xta_map_library(<flavour> LIBRARIES <foreign ones> HEADERS <files of include/xta> SOURCES <files of src>)
function(xta_map_library flavour)
  cmake_parse_arguments(T "" "" "LIBRARIES;HEADERS;SOURCES" ${ARGN})
  list(TRANSFORM T_SOURCES PREPEND src/)
  list(APPEND T_SOURCES
    src/common/library_lock.c
    src/description/copy_attributes.c src/description/description.c src/description/listing.c
    src/description/placement.c src/description/spread_attributes.c
    src/hdf5/dataset.c src/hdf5/describe.c src/hdf5/library.c src/hdf5/read_attributes.c src/hdf5/types.c
    src/hdf5/write_attributes.c
    src/map/attributes.c src/map/handle.c src/map/transfer.c
    src/map/hdf5/handle_hdf5.c src/map/hdf5/map_hdf5.c src/map/hdf5/objects_hdf5.c src/map/hdf5/scales.c
    src/transfer/slabs.c)
  set(include ${CMAKE_CURRENT_SOURCE_DIR}/include)
  set(name xta_map_${flavour})
  add_library(${name}_objects OBJECT ${T_SOURCES})
  target_include_directories(${name}_objects PRIVATE ${include} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name}_objects PRIVATE xta_flags xta_util_headers xta ${T_LIBRARIES})

  add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME xta_map-${flavour} EXPORT_NAME map-${flavour}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
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

xta_map_hdf5(serial hdf5-serial hdf5)
if(TARGET xta_hdf5_serial)
  set(libraries xta_hdf5_serial)
  set(headers mapping.h map_hdf5.h)
  set(sources map/hdf5/ranks_serial.c)
  set(XTA_MAP_MODULES_serial ${XTA_MAP_HDF5_MODULE_serial})
  if(XTA_BRIDGE_NETCDF)
    list(APPEND libraries PkgConfig::NETCDF)
    list(APPEND headers map_netcdf.h)
    list(APPEND sources
      netcdf/library.c netcdf/read_attributes.c netcdf/select_variable.c netcdf/variable.c netcdf/write_attributes.c
      map/netcdf/handle_netcdf.c map/netcdf/map_netcdf.c map/netcdf/move_cells.c map/netcdf/neighbours.c map/netcdf/objects_netcdf.c)
    list(APPEND XTA_MAP_MODULES_serial netcdf)
  endif()
  if(XTA_BRIDGE_FITS)
    list(APPEND libraries PkgConfig::CFITSIO)
    list(APPEND headers map_fits.h)
    list(APPEND sources
      fits/cards.c fits/image.c fits/read_header.c fits/select_image.c
      map/fits/map_fits.c map/fits/objects_fits.c)
    list(APPEND XTA_MAP_MODULES_serial cfitsio)
  endif()
  xta_map_library(serial LIBRARIES ${libraries} HEADERS ${headers} SOURCES ${sources})
endif()
if(NOT DEFINED XTA_PARALLEL OR XTA_PARALLEL)
  foreach(mpi openmpi mpich)
    xta_map_hdf5(${mpi} hdf5-${mpi})
    if(TARGET xta_hdf5_${mpi})
      set(XTA_MAP_MODULES_${mpi} ${XTA_MAP_HDF5_MODULE_${mpi}})
      xta_map_library(${mpi} LIBRARIES xta_hdf5_${mpi} HEADERS mapping.h map_hdf5.h SOURCES map/hdf5/ranks_parallel.c)
    endif()
  endforeach()
endif()
message(STATUS "Mappings of handles: ${XTA_MAPS}")
foreach(flavour ${XTA_MAPS})
  set(XTA_MAP_MODULES_${flavour} ${XTA_MAP_MODULES_${flavour}} PARENT_SCOPE)
endforeach()
set(XTA_MAPS ${XTA_MAPS} PARENT_SCOPE)
