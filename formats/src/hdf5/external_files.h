/* Data of a dataset in files other than the one that was opened. All functions are called under the
 * lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_EXTERNAL_FILES_H
#define XTA_FORMATS_HDF5_EXTERNAL_FILES_H

#include "hdf5/dataset.h"

#define HDF5_EXTERNAL_BYTES 200

/* Another file in which data lie. */
typedef struct hdf5_external {
    bool any;
    char file[HDF5_EXTERNAL_BYTES];
} hdf5_external;

/* Note in `found` that data lie in `file`. */
void xta__hdf5_note_external(hdf5_external *found, const char *file);
/* Under the lock. Whether a dataset's cells lie in other files; does not open them. */
void xta__hdf5_find_external(hid_t dataset, hdf5_external *found);
/* Under the lock. Make look-ups with these properties fail at links to other files, and record them
 * in `found`, which must live as long as the properties. */
void xta__hdf5_follow_no_links(hid_t access, hdf5_external *found);
/* Under the lock. XTA_EACCESS, naming the other file. */
xta_status xta__hdf5_refuse_external(const char *path, const char *name, const hdf5_external *found,
                                     xta_error *err);
/* Under the lock. Refuse a dataset whose axes have scales that lie in other files. */
xta_status xta__hdf5_check_scales(const hdf5_file *f, xta_error *err);

#endif
