/* HDF4 files whose cells lie in other files.
 *
 * An object of an HDF4 file can be "external": it holds the name of another file, which the library
 * opens. Every object has an entry in the file's chain of descriptors: tag, reference, offset and
 * length. Bit 0x4000 of a tag says that the object is special; its bytes then begin with a code,
 * which for external objects is 2, followed by length of the data (4 bytes), offset in the other
 * file (4), length of its name (4), the name. All numbers are big-endian.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _FILE_OFFSET_BITS 64
#include "gdal/hdf4_external_files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MOST_BLOCKS    100000
#define ENTRY_BYTES    12
#define SPECIAL_BIT    0x4000
#define EXTENDED_BIT   0x8000
#define EXTERNAL_CODE  2
#define EXTERNAL_BYTES 14
#define NAME_BYTES     200

static unsigned long big_endian(const unsigned char *bytes, int n)
{
    unsigned long value = 0;
    for (int k = 0; k < n; k++) {
        value = value << 8 | bytes[k];
    }
    return value;
}

static bool read_at(FILE *file, unsigned long offset, void *bytes, size_t n)
{
    return fseek(file, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, n, file) == n;
}

/* Whether an object is external; if so, `name` is the name of the other file. */
static bool is_external(FILE *file, const unsigned char *entry, char name[NAME_BYTES])
{
    unsigned char head[EXTERNAL_BYTES];
    unsigned long tag = big_endian(entry, 2);
    unsigned long offset = big_endian(entry + 4, 4);
    if ((tag & EXTENDED_BIT) != 0 || (tag & SPECIAL_BIT) == 0 ||
        !read_at(file, offset, head, sizeof head) || big_endian(head, 2) != EXTERNAL_CODE) {
        return false;
    }
    size_t n = big_endian(head + 10, 4);
    n = n < NAME_BYTES ? n : NAME_BYTES - 1;
    n = fread(name, 1, n, file);
    name[n] = '\0';
    for (char *c = name; *c != '\0'; c++) {
        *c = *c >= 32 && *c < 127 ? *c : '?';
    }
    return true;
}

/* Read one block of descriptors; false: an external object was found. `*next` is the next block. */
static bool read_block(FILE *file, unsigned long *next, char name[NAME_BYTES])
{
    unsigned char head[6];
    unsigned char entry[ENTRY_BYTES];
    unsigned long at = *next;
    *next = 0;
    if (!read_at(file, at, head, sizeof head)) {
        return true;
    }
    unsigned long n = big_endian(head, 2);
    for (unsigned long k = 0; k < n; k++) {
        if (!read_at(file, at + sizeof head + k * ENTRY_BYTES, entry, sizeof entry)) {
            return true;
        }
        if (is_external(file, entry, name)) {
            return false;
        }
    }
    *next = big_endian(head + 2, 4);
    return true;
}

xta_status xta__hdf4_check_self_contained(const char *path, xta_error *err)
{
    static const unsigned char magic[4] = {0x0e, 0x03, 0x13, 0x01};
    unsigned char head[4];
    char name[NAME_BYTES];
    xta_status status = XTA_OK;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return XTA_OK; // a folder, or a file that GDAL will report as missing
    }
    if (read_at(file, 0, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0) {
        unsigned long next = sizeof magic;
        for (int k = 0; next != 0 && status == XTA_OK; k++) {
            if (k == MOST_BLOCKS) {
                status = xta_error_set(err, XTA_EFORMAT, 0,
                                       "%s: its chain of descriptors has no end", path);
            } else if (!read_block(file, &next, name)) {
                status = xta_error_set(err, XTA_EACCESS, 0,
                                       "%s: some of its cells are in another file, %s; if you "
                                       "trust that, say so (--trust)",
                                       path, name);
            }
        }
    }
    fclose(file);
    return status;
}
