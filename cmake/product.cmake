# How a product makes its libraries, and how they are installed.
#
# A product is a folder with include/, src/, tool/, tests/, bench/ and man/. Its library is compiled once; the shared
# library and the static archive, which gives tests access to internals, are made of the same objects. Everything in
# util/ is compiled once, too, and is hidden inside each library that uses it.
find_package(Threads REQUIRED)

# xta_product_library(<name> HEADERS <files of include/xta> [USES <products below>] SOURCES <files of src>)
#
# <name> is the product's, `core` for libxta itself. Makes xta_<name>_objects, xta_<name>, xta_<name>_static; those of
# the core are xta_objects, xta, xta_static. Only xta_* leaves the shared library.
function(xta_product_library name)
  cmake_parse_arguments(P "" "" "HEADERS;USES;SOURCES" ${ARGN})
  set(library xta_${name})
  if(name STREQUAL "core")
    set(library xta)
  endif()
  set(include ${CMAKE_CURRENT_SOURCE_DIR}/include)
  list(TRANSFORM P_SOURCES PREPEND src/)
  add_library(${library}_objects OBJECT ${P_SOURCES})
  target_include_directories(${library}_objects PUBLIC ${include} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${library}_objects PRIVATE xta_flags xta_util_headers ${P_USES})

  add_library(${library} SHARED $<TARGET_OBJECTS:${library}_objects>)
  target_link_libraries(${library} PUBLIC ${P_USES} PRIVATE $<BUILD_INTERFACE:xta_util> $<BUILD_INTERFACE:xta_flags> m Threads::Threads)
  # The core has a list of its own, with what it exports to the other libraries.
  if(name STREQUAL "core")
    set_target_properties(xta PROPERTIES VERSION ${XTA_LIBRARY_VERSION} SOVERSION ${XTA_ABI})
  else()
    xta_library_abi(${library})
  endif()

  add_library(${library}_static STATIC $<TARGET_OBJECTS:${library}_objects> $<TARGET_OBJECTS:xta_util_objects>)
  set_target_properties(${library}_static PROPERTIES OUTPUT_NAME ${library})
  set(below ${P_USES})
  list(TRANSFORM below APPEND _static)
  target_link_libraries(${library}_static PUBLIC ${below} m Threads::Threads)

  foreach(target ${library} ${library}_static)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${include}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    string(REGEX REPLACE "^xta_" "" exported ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported}
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  endforeach()
  list(TRANSFORM P_HEADERS PREPEND ${include}/xta/)
  target_sources(${library} PUBLIC FILE_SET HEADERS BASE_DIRS ${include} FILES ${P_HEADERS})
  set_property(GLOBAL APPEND PROPERTY XTA_LIBRARIES ${library})
endfunction()

# xta_product_needs(<name> <libraries>): third-party libraries with which a product is linked.
function(xta_product_needs name)
  target_link_libraries(xta_${name}_objects PRIVATE ${ARGN})
  target_link_libraries(xta_${name} PRIVATE ${ARGN})
  target_link_libraries(xta_${name}_static PRIVATE ${ARGN})
endfunction()

# xta_cxx_runtime(<target>): what links the target has the C++ runtime from its start, if there are sanitizers: theirs
# must find it then, or it treats the first exception of a library that is loaded later, such as GDAL, as a failure.
function(xta_cxx_runtime target)
  if(XTA_SANITIZE)
    target_link_libraries(${target} INTERFACE -Wl,--push-state,--no-as-needed -lstdc++ -Wl,--pop-state)
  endif()
endfunction()

# xta_shared_library_name(<variable> <file>): the name under which the dynamic linker finds a shared library.
function(xta_shared_library_name variable file)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers RESULT_VARIABLE failed)
  if(failed OR NOT headers MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${file}: is no shared library with a name of its own; install the shared library")
  endif()
  set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
