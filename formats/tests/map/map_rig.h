/* What a test needs of a format to try mappings on it: files made, read and judged by the foreign
 * library alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TESTS_MAP_MAP_RIG_H
#define XTA_FORMATS_TESTS_MAP_MAP_RIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <xta/mapping.h>

#define RIG_CHUNK 3

/* A call of a foreign library that has to succeed. */
#define MUST(condition)                                                             \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* A file with one dataset, made for a test, and what a rig keeps of it while it is open. */
typedef struct rig_file {
    char path[512];
    xta_type type;
    int ndim;
    unsigned char fill[16]; /* one cell */
    int variant;            /* of the format: byte order, model */
    bool companion;         /* NetCDF: another variable of the same dimensions, i32 */
    int64_t handle[3];      /* of the foreign library */
    void *pointer;
} rig_file;

/* One format. All functions end the program where the foreign library fails. */
typedef struct map_rig {
    const char *name;
    const xta_type *types;
    int n_types;
    int n_types_of_1; /* how many of them variant 1 has; 0: all */
    int n_variants;
    bool scales; /* axis 0 has coordinates, f64, which begin as 0, 1, 2, ... */
    /* How many axes, from the first, may grow. */
    int (*n_growing)(const rig_file *file);
    void (*create)(rig_file *file, const int64_t bounds[], const void *cells);
    void (*open)(rig_file *file);
    void (*close)(rig_file *file);
    xta_mapping *(*map)(rig_file *file, const xta_mapping_options *options, xta_error *err);
    xta_status (*write)(rig_file *file, xta_mapping *map);
    /* Bounds, and cells if `cells` is not NULL. */
    void (*read)(rig_file *file, int64_t bounds[], void *cells);
    void (*read_scale)(rig_file *file, int64_t n, double *values);
    void (*read_companion)(rig_file *file, int32_t *cells);
    /* Coordinates of the first cell, as the file says. */
    void (*read_origin)(rig_file *file, int64_t origin[]);
    /* Chunks, filters and the attribute `title` are those that `create` set. */
    bool (*storage_kept)(rig_file *file);
    double scale_fill;
    int32_t companion_fill;
} map_rig;

extern const map_rig rig_hdf5, rig_netcdf, rig_fits;

#endif
