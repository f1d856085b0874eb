/* An open dataset of an HDF5 file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_DATASET_H
#define XTA_FORMATS_HDF5_DATASET_H

#include <hdf5.h>
#include <stdbool.h>

#include <xta/array.h>

#include "hdf5/raw/raw_chunks.h"

typedef struct hdf5_file {
    hid_t file;
    hid_t dataset;
    hid_t space;
    hid_t memory_type;
    hid_t properties; /* of the dataset's creation */
    char *path;
    int ndim; /* 0: a scalar */
    hsize_t bounds[XTA_MAX_NDIM];
    hsize_t chunk[XTA_MAX_NDIM]; /* chunk[0] == 0: none */
    char *shared[XTA_MAX_NDIM];  /* scales that an existing file has already; NULL: none */
    bool filtered;
    bool same_type;  /* cells lie in the file as they do in memory */
    bool trust;      /* other files that it names may be opened */
    raw_chunks *raw; /* of a source; NULL until `looked`, and if HDF5 has to read them */
    bool looked;
} hdf5_file;

/* Fill in shape, storage and types of an open dataset. Under the lock. */
xta_status xta__hdf5_read_storage(hdf5_file *f, xta_error *err);
void xta__hdf5_close(void *state);
xta_status xta__hdf5_read(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__hdf5_write_box(void *state, const xta_box *box, const void *cells, xta_error *err);

#endif
