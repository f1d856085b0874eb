/* Data of a dataset that lie in other files than the one that was opened. Under the lock, all of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_EXTERNAL_FILES_H
#define XTA_FORMATS_HDF5_EXTERNAL_FILES_H

#include "hdf5/dataset.h"

#define HDF5_FOREIGN_BYTES 200

/* Another file that data lie in. */
typedef struct hdf5_foreign {
    bool any;
    char file[HDF5_FOREIGN_BYTES];
} hdf5_foreign;

/* Note in `found` that data lie in `file`. */
void xta__hdf5_note_external(hdf5_foreign *found, const char *file);
/* Under the lock. Whether a dataset's cells lie in other files; opens none. */
void xta__hdf5_look_elsewhere(hid_t dataset, hdf5_foreign *found);
/* Under the lock. Let look-ups by these properties fail at links to other files, and note them in
 * `found`, which must live as long. */
void xta__hdf5_follow_no_links(hid_t access, hdf5_foreign *found);
/* Under the lock. XTA_EACCESS, naming the other file. */
xta_status xta__hdf5_refuse(const char *path, const char *name, const hdf5_foreign *found,
                            xta_error *err);
/* Under the lock. Refuse a dataset whose axes have scales that lie in other files. */
xta_status xta__hdf5_scales_inside(const hdf5_file *f, xta_error *err);

#endif
