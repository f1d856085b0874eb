# A big-endian machine, by a cross compiler and a user-mode emulator:
#   cmake -S . -B build-s390x -DCMAKE_TOOLCHAIN_FILE=cmake/s390x.cmake -DXTA_MINIMAL=ON
# Debian: gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
set(XTA_CMOCKA_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../tests/emulated)
