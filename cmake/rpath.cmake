# Programs and upper libraries find libxta relative to themselves, so the tree can be moved; in a folder of the system,
# where the linker searches anyway, they need not be told. What is loaded by name and is no library for others lies in
# lib/xta.
set(xta_module_dir ${CMAKE_INSTALL_LIBDIR}/xta)
list(TRANSFORM CMAKE_C_IMPLICIT_LINK_DIRECTORIES REPLACE "/$" "" OUTPUT_VARIABLE xta_system_folders)
if(CMAKE_INSTALL_FULL_LIBDIR IN_LIST xta_system_folders)
  set(xta_search FALSE)
else()
  set(xta_search TRUE)
endif()
# xta_installed_rpath(<folder> <targets>): what is installed in a folder finds the libraries.
function(xta_installed_rpath folder)
  file(RELATIVE_PATH to_lib ${folder} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(path)
  if(xta_search AND to_lib)
    set(path "$ORIGIN/${to_lib}")
  elseif(xta_search)
    set(path "$ORIGIN")
  endif()
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH "${path}")
endfunction()
# xta_finds_modules(<folder> <target>): a program that is installed in a folder finds modules as well.
function(xta_finds_modules folder target)
  file(RELATIVE_PATH to_modules ${folder} ${CMAKE_INSTALL_FULL_LIBDIR}/xta)
  set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN/${to_modules}")
endfunction()
