# The libraries. Each folder of src/ adds its own files with target_sources in its CMakeLists.txt.
find_package(Threads REQUIRED)

# libxta: base ... array. Compiled once; the static archive (which tests may look into) and the shared
# library are made of the same objects.
add_library(xta_objects OBJECT)
target_include_directories(xta_objects PUBLIC ${PROJECT_SOURCE_DIR}/include
                                       PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(xta_objects PRIVATE XTA_VERSION_TEXT="${PROJECT_VERSION}")
target_link_libraries(xta_objects PRIVATE xta_flags)

function(xta_library name)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
                                           SOVERSION ${PROJECT_VERSION_MAJOR})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:xta_flags>)
endfunction()

add_library(xta SHARED $<TARGET_OBJECTS:xta_objects>)
xta_library(xta)
target_link_libraries(xta PRIVATE m Threads::Threads)

add_library(xta_static STATIC $<TARGET_OBJECTS:xta_objects>)
set_target_properties(xta_static PROPERTIES OUTPUT_NAME xta)
target_include_directories(xta_static PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(xta_static PUBLIC m Threads::Threads)

# The upper floor sees the public headers only.
add_library(xta_bridge SHARED)
xta_library(xta_bridge)
target_link_libraries(xta_bridge PUBLIC xta)

if(XTA_PICTURE)
  add_library(xta_picture SHARED)
  xta_library(xta_picture)
  target_link_libraries(xta_picture PUBLIC xta)
endif()

# Hyperspectral analysis, compiled once as libxta is: tests and programs of many processes, which hold the
# static core, take the archive.
if(XTA_HYPER)
  find_library(XTA_LAPACKE_LIBRARY NAMES lapacke REQUIRED)
  find_library(XTA_OPENBLAS_LIBRARY NAMES openblas REQUIRED)
  find_path(XTA_LAPACKE_INCLUDE NAMES lapacke.h REQUIRED)
  find_path(XTA_OPENBLAS_INCLUDE NAMES openblas_config.h REQUIRED
            PATH_SUFFIXES openblas openblas-pthread)
  # Installed, by their names: they may lie elsewhere there.
  set(xta_hyper_needs $<BUILD_INTERFACE:${XTA_LAPACKE_LIBRARY}> $<BUILD_INTERFACE:${XTA_OPENBLAS_LIBRARY}>
                      $<INSTALL_INTERFACE:lapacke> $<INSTALL_INTERFACE:openblas> m Threads::Threads)
  add_library(xta_hyper_objects OBJECT)
  target_include_directories(xta_hyper_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                       ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(xta_hyper_objects SYSTEM PRIVATE ${XTA_OPENBLAS_INCLUDE}
                                                              ${XTA_LAPACKE_INCLUDE})
  target_compile_options(xta_hyper_objects PRIVATE -ffp-contract=off)
  target_link_libraries(xta_hyper_objects PRIVATE xta_flags)

  add_library(xta_hyper SHARED $<TARGET_OBJECTS:xta_hyper_objects>)
  xta_library(xta_hyper)
  target_link_libraries(xta_hyper PUBLIC xta PRIVATE ${xta_hyper_needs})
  target_link_options(xta_hyper PRIVATE
                      -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exported.map)
  set_target_properties(xta_hyper PROPERTIES
                        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exported.map)

  add_library(xta_hyper_static STATIC $<TARGET_OBJECTS:xta_hyper_objects>)
  set_target_properties(xta_hyper_static PROPERTIES OUTPUT_NAME xta_hyper)
  target_link_libraries(xta_hyper_static PUBLIC xta_static ${xta_hyper_needs})
endif()

add_executable(xta_tool)
set_target_properties(xta_tool PROPERTIES OUTPUT_NAME xta)
target_link_libraries(xta_tool PRIVATE xta xta_flags m ${CMAKE_DL_LIBS})
# The bridges are loaded when they are first needed: see src/cli/bridge_door.h.
add_dependencies(xta_tool xta_bridge)
if(XTA_SANITIZE)
  # The sanitizers' runtime must find the C++ runtime of GDAL when the program starts, or it takes the first
  # exception there for a failure.
  target_link_options(xta_tool PRIVATE -Wl,--no-as-needed)
  target_link_libraries(xta_tool PRIVATE xta_bridge)
endif()
target_compile_definitions(xta_tool PRIVATE
  XTA_BRIDGE_LIBRARY="libxta_bridge.so.${PROJECT_VERSION_MAJOR}"
  XTA_HYPER_LIBRARY="xta-hyper.so")
if(XTA_PICTURE)
  target_link_libraries(xta_tool PRIVATE xta_picture)
  target_compile_definitions(xta_tool PRIVATE XTA_HAVE_PICTURE)
endif()

# The commands behind `xta hyper` (src/cli/hyper_commands.h): a library that the tool loads by name.
if(XTA_HYPER AND XTA_PICTURE)
  add_library(xta_tool_hyper MODULE)
  set_target_properties(xta_tool_hyper PROPERTIES PREFIX "" OUTPUT_NAME xta-hyper)
  target_link_libraries(xta_tool_hyper PRIVATE xta xta_hyper xta_picture xta_flags m ${CMAKE_DL_LIBS})
  target_compile_definitions(xta_tool_hyper PRIVATE
    XTA_BRIDGE_LIBRARY="libxta_bridge.so.${PROJECT_VERSION_MAJOR}")
  add_dependencies(xta_tool xta_tool_hyper)
endif()
