/* xta_import on arbitrary bytes. The first byte chooses the bridge, the rest is the file. Formats
 * that a foreign library parses are left to that library; tested here are those that we parse
 * ourselves, and ENVI headers, whose texts we get from GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include <xta/bridge.h>

/* A picture of two colour pixels. */
static const uint8_t picture[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7b,
    0x40, 0xe8, 0xdd, 0x00, 0x00, 0x00, 0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60,
    0x60, 0x60, 0xe0, 0xe4, 0x60, 0x07, 0x00, 0x00, 0x39, 0x00, 0x19, 0xc6, 0x99, 0x89, 0x02,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    static const uint8_t cells[4096] = {1};
    int64_t bounds[2] = {3, 5};
    char source[512], target[512], colours[512];
    xta_array *array = NULL;
    xta_box written;
    xta_error err;

    if (size == 0) {
        return 0;
    }
    snprintf(source, sizeof source, "%s/source", fuzz_folder());
    snprintf(target, sizeof target, "%s/imported", fuzz_folder());
    options.memory_bytes = 1 << 20;
    options.format = "npy";
    if (data[0] == 'd') { // the file is F.info, beside an F with some cells
        options.format = "dra";
        fuzz_write_file(source, cells, sizeof cells);
        snprintf(source, sizeof source, "%s/source.info", fuzz_folder());
    }
    if (data[0] == 'i') {
        options.format = "nifti";
    }
    if (data[0] == 'f') {
        options.format = "fits";
    }
    if (data[0] == 'm') {
        options.format = "matlab";
    }
    if (data[0] == 'l') {
        options.format = "labels";
    }
    if (data[0] == 'c') { // the file is a list of colours, for a small picture
        options.format = "labels";
        snprintf(colours, sizeof colours, "%s/colours", fuzz_folder());
        fuzz_write_file(colours, data + 1, size - 1);
        fuzz_write_file(source, picture, sizeof picture);
        options.colours = colours;
    }
    if (data[0] == 'e') { // the file is F.hdr, beside an F with some cells
        options.format = "gdal";
        fuzz_write_file(source, cells, sizeof cells);
        snprintf(source, sizeof source, "%s/source.hdr", fuzz_folder());
    }
    if (data[0] != 'c') {
        fuzz_write_file(source, data + 1, size - 1);
    }
    if (data[0] == 'r') {
        options.format = "raw";
        options.type = (xta_type)(1 + size % 14);
        options.ndim = 2;
        options.bounds = bounds;
    }
    if (xta_import(source, target, &options, &written, &err) == XTA_OK) {
        FUZZ_PROMISE(xta_array_open(target, NULL, &array, &err) == XTA_OK);
        xta_box whole = xta_array_bounds(array);
        FUZZ_PROMISE(xta_box_equal(&whole, &written));
        FUZZ_PROMISE(xta_array_close(array, NULL) == XTA_OK);
        FUZZ_PROMISE(xta_array_delete(target, &err) == XTA_OK);
    } else {
        FUZZ_PROMISE(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        FUZZ_PROMISE(xta_array_open(target, NULL, &array, &err) == XTA_ENOENT);
    }
    return 0;
}
