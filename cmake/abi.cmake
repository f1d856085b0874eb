# The ABI of the shared libraries (docs/decisions/0049-abi.md). XTA_ABI is their SOVERSION, the number in the names of
# Debian's packages, and that of the symbol versions XTA_<n>. It moves when a program that was linked before could
# fail with the new libraries, whatever VERSION does; all libraries of the tree move together.
set(XTA_ABI 1)
set(XTA_LIBRARY_VERSION ${XTA_ABI}.${PROJECT_VERSION})

# xta_library_abi(<target> [NAMES <patterns>]): a shared library that exports xta_* and what matches the patterns, all
# under the version XTA_<n>.
function(xta_library_abi target)
  cmake_parse_arguments(A "" "" "NAMES" ${ARGN})
  set(XTA_EXPORTED_NAMES)
  foreach(name xta_[a-z]* ${A_NAMES})
    string(APPEND XTA_EXPORTED_NAMES "    ${name};\n")
  endforeach()
  set(map ${PROJECT_BINARY_DIR}/cmake/${target}.map)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/exported.map.in ${map} @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_target_properties(${target} PROPERTIES VERSION ${XTA_LIBRARY_VERSION} SOVERSION ${XTA_ABI} LINK_DEPENDS ${map})
endfunction()
