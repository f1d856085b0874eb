/* The interface that every format implements.
 *
 * A format is one struct of functions. It uses its foreign library and a description, and does not
 * depend on arrays in files, on slabs or on where temporary files are. transfer/import.c and
 * transfer/export.c move slabs between an array and a format, and depend on no particular format.
 * To add a format, start from dense/template.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_FORMAT_H
#define XTA_FORMATS_DESCRIPTION_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/bridge.h>

#include "description/description.h"
#include "description/origin.h"

/* Memory for buffers, unless the caller sets a limit. */
#define BRIDGE_MEMORY_BYTES ((uint64_t)64 << 20)

/* What an import needs to know about the array that receives the cells; zeros if a new one is
 * created. */
typedef struct bridge_target {
    const xta_array_info *info; /* NULL: a new array */
    int append_axis;            /* -1: not appending */
} bridge_target;

/* One format. Boxes are in the foreign array's own coordinates, from 0. */
typedef struct bridge_format {
    const char *name;
    const char *summary;
    const char *const *suffixes; /* without the dot; the list ends with NULL */
    const char *const
        *sides;   /* suffixes of files beside the main one that an export invalidates; NULL: none */
    bool several; /* a file may hold more than one array */
    bridge_origin_kind origin;
    /* axis attributes that an export writes with the cells and that every cell must have; NULL:
     * none */
    const char *const *coordinates;
    bool (*sniff)(const char *path, const unsigned char *head, size_t n_bytes);
    bool (*accepts)(const char *format,
                    const char *suffix); /* export: name of a driver, or a suffix */
    xta_status (*open)(const char *path, const xta_import_options *options,
                       const bridge_target *target, bridge_description *what, void **state,
                       xta_error *err);
    xta_status (*read)(void *state, const xta_box *box, void *cells, xta_error *err);
    void (*close)(void *state);
    /* May set order, slow and chunk of `what`. */
    xta_status (*create)(const char *path, const xta_export_options *options,
                         bridge_description *what, void **state, xta_error *err);
    /* Open an existing file and add the variable to it; NULL: a file of this format holds one
     * array. A variable of that name is replaced only if `options->overwrite` says so. Called on a
     * copy, which is discarded if anything fails. */
    xta_status (*add)(const char *path, const xta_export_options *options, bridge_description *what,
                      void **state, xta_error *err);
    xta_status (*write)(void *state, const xta_box *box, const void *cells, xta_error *err);
    /* Read back what was written, before `finish`; NULL: not possible. */
    xta_status (*read_back)(void *state, const xta_box *box, void *cells, xta_error *err);
    xta_status (*finish)(void *state, xta_error *err); /* closes and frees, even if it fails */
    void (*abandon)(void *state);
} bridge_format;

#endif
