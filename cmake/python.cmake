# Whether the Python package is built: where the headers of Python 3.11 or later and NumPy are found; not for a
# sanitizer, whose library a foreign program would have to load first, and not by XTA_MINIMAL.
if(XTA_MINIMAL OR XTA_SANITIZE OR XTA_BUILD_FUZZ OR CMAKE_CROSSCOMPILING)
  set(XTA_PYTHON OFF CACHE BOOL "off: needs a plain build" FORCE)
endif()
if(NOT DEFINED XTA_PYTHON OR XTA_PYTHON)
  # That of the system before others in PATH: it is the one for which Debian has NumPy.
  set(XTA_PYTHON_PROGRAM /usr/bin/python3 CACHE FILEPATH "the Python that the package is built for and tested with")
  set(xta_python_question "import sys, sysconfig, numpy\nassert sys.version_info >= (3, 11)\n"
    "print(sysconfig.get_path('include'), end='')")
  list(JOIN xta_python_question "" xta_python_question)
  execute_process(COMMAND ${XTA_PYTHON_PROGRAM} -c "${xta_python_question}" RESULT_VARIABLE xta_python_result
    OUTPUT_VARIABLE XTA_PYTHON_INCLUDE ERROR_QUIET)
  if(xta_python_result EQUAL 0 AND EXISTS ${XTA_PYTHON_INCLUDE}/Python.h)
    set(xta_python_found ON)
  elseif(XTA_PYTHON)
    message(FATAL_ERROR "These packages (by their names in Debian) are missing:\n  python3-dev python3-numpy\n"
      "or do without the Python package:\n  cmake -S . -B build -DXTA_PYTHON=OFF")
  else()
    set(xta_python_found OFF)
    message(STATUS "Without python3-dev (3.11) and python3-numpy there is no Python package")
  endif()
endif()
option(XTA_PYTHON "build the Python package (python3-dev, python3-numpy)" ${xta_python_found})
