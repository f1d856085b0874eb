# The bytes of a file as the initialiser of an array in C: cmake -D from=FILE -D to=FILE -P bytes_of.cmake
file(READ ${from} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
file(WRITE ${to} "${bytes}\n")
