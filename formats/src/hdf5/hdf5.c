/* HDF5: files of groups and datasets, read and written by the HDF5 library. This file contains the
 * table of the format; reading begins in open_dataset.c, writing in create.c and add_dataset.c.
 *
 * One array holds one dataset. What maps to what:
 *
 *   attribute of the dataset       attribute of the array, of the same name
 *   attribute of the root group    attribute `global/NAME`
 *   scale of an axis               attribute `values` of the axis
 *   label of an axis               name of the axis
 *   fill value                     fill value
 *   chunks, filters, type          attributes `hdf5/...`
 *
 * Lost: references, compounds and other attributes that none of ours can hold. Refused: datasets
 * whose cells have no fixed length, compounds other than complex numbers. The library is not
 * thread-safe, and NetCDF's uses it too: both share one lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "hdf5/hdf5.h"

#include <string.h>
#include <strings.h>

#include "description/description.h"
#include "description/format.h"
#include "hdf5/add_dataset.h"
#include "hdf5/base/library.h"
#include "hdf5/create.h"
#include "hdf5/dataset.h"
#include "hdf5/open_dataset.h"

static const char *const suffixes[] = {"h5", "hdf5", "he5", "hdf", NULL};
static const char *const coordinates[] = {"values", NULL};

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

static bool hdf5_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    /* A user block of 512 bytes may precede the file proper, as in MATLAB's files. */
    return (n_bytes >= sizeof signature && memcmp(head, signature, sizeof signature) == 0) ||
           (n_bytes >= 512 + sizeof signature &&
            memcmp(head + 512, signature, sizeof signature) == 0);
}

static xta_status hdf5_open(const char *path, const xta_import_options *options,
                            const bridge_target *target, bridge_description *what, void **state,
                            xta_error *err)
{
    hdf5_file *f = NULL;
    (void)target;
    xta_status status =
        xta__hdf5_open(path, options->variable, true, options->trust, what, &f, err);
    *state = f;
    return status;
}

/* Read compressed chunks by several threads; false: HDF5 has to read them. */
static bool read_chunks(hdf5_file *f, const xta_box *box, void *cells)
{
    if (f->filtered && !f->looked) {
        xta__hdf5_enter();
        size_t cell_bytes = H5Tget_size(f->memory_type);
        xta__hdf5_leave();
        f->looked = true;
        f->raw = xta__raw_chunks_open(f->dataset, ".", f->ndim, cell_bytes);
    }
    return f->raw != NULL && xta__raw_chunks_read_by_threads(f->raw, box, cells);
}

static xta_status hdf5_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta_box_empty(box) || read_chunks(state, box, cells)
               ? XTA_OK
               : xta__hdf5_read(state, box, cells, err);
}

static void hdf5_close(void *state)
{
    hdf5_file *f = state;

    xta__raw_chunks_close(f->raw);
    xta__hdf5_close(f);
}

static bool hdf5_accepts(const char *format, const char *suffix)
{
    (void)suffix;
    return format != NULL && strcasecmp(format, "hdf") == 0;
}

static xta_status hdf5_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    hdf5_file *f = NULL;
    (void)options;
    xta_status status = xta__hdf5_create(path, what, false, &f, err);
    *state = f;
    return status;
}

const bridge_format xta__bridge_hdf5 = {
    .name = "hdf5",
    .summary = "hdf5: HDF5 datasets (.h5, .hdf5, .he5), import and export",
    .suffixes = suffixes,
    .origin = BRIDGE_ORIGIN_LIST,
    .coordinates = coordinates,
    .sniff = hdf5_sniff,
    .accepts = hdf5_accepts,
    .open = hdf5_open,
    .read = hdf5_read,
    .close = hdf5_close,
    .create = hdf5_create,
    .add = xta__hdf5_add,
    .write = xta__hdf5_write_box,
    .read_back = xta__hdf5_read,
    .finish = xta__hdf5_finish,
    .abandon = xta__hdf5_close,
};
