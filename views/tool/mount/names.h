/* What the names in a folder of the mount stand for: views of arrays, of data sets, and folders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_NAMES_H
#define XTA_VIEWS_TOOL_MOUNT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <xta/flat.h>

/* What a name stands for. */
typedef enum mount_kind {
    MOUNT_NOTHING,
    MOUNT_FOLDER,
    MOUNT_ARRAY, /* a flat file of an array */
    MOUNT_SET    /* the NetCDF file of a data set */
} mount_kind;

typedef struct mount_source {
    mount_kind kind;
    xta_flat_kind flat; /* of MOUNT_ARRAY */
    char *path;         /* of the folder, the set, or the array, without suffix; owned */
    struct stat files;  /* owner, and identity of the folder or the journal; st_mtim: the last
                           change of the journal or of cells */
} mount_source;

/* Leave out the mount itself, wherever the folder that it shows leads to it. Called once, before
 * the first request is answered. */
void mount_names_hide(const char *mountpoint);

/* Find what `name` in `folder` stands for. Returns 0, or an errno; ENOENT: nothing. */
int mount_source_find(const char *folder, const char *name, mount_source *out);
/* Bring the times of `source` up to date. Returns 0, or an errno. */
int mount_source_stat(mount_source *source);
void mount_source_clear(mount_source *source);

/* The names in a folder, in no order, each once. */
typedef struct mount_name {
    char *name;
    bool folder;
} mount_name;

typedef struct mount_names {
    mount_name *items;
    size_t n, capacity;
} mount_names;

/* Returns 0, or an errno. Cleared by mount_names_clear, also after a failure. */
int mount_names_list(const char *folder, mount_names *names);
void mount_names_clear(mount_names *names);

#endif
