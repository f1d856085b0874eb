# Programs of the tool. `xta` has the verbs of the core; every other verb is a program xta-VERB in libexec/xta, which
# its product builds in its tool/.

# xta_verb_program(<verb> SOURCES <files> [LIBRARIES <more>])
function(xta_verb_program verb)
  cmake_parse_arguments(P "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(target xta_verb_${verb})
  add_executable(${target} ${P_SOURCES})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME xta-${verb}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/xta)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE xta_tool_kit ${P_LIBRARIES} xta_flags)
  add_dependencies(xta_tool ${target})
  set_property(GLOBAL APPEND PROPERTY XTA_VERBS ${target})
endfunction()

# xta_tool_library(<name> SOURCES <files> [LIBRARIES <more>] [FOLDERS <of headers>]): code shared by several programs.
function(xta_tool_library name)
  cmake_parse_arguments(P "" "" "SOURCES;LIBRARIES;FOLDERS" ${ARGN})
  add_library(${name} STATIC ${P_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${P_FOLDERS})
  target_link_libraries(${name} PUBLIC ${P_LIBRARIES} PRIVATE xta_flags)
endfunction()
