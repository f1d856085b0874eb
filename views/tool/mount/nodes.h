/* The inodes of the mount. A file has one for each snapshot that was looked up: after a structural
 * step its name leads to another inode, with another size, and files that are open keep theirs. The
 * page cache of the kernel belongs to the inode.
 *
 * All functions are safe from several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_NODES_H
#define XTA_VIEWS_TOOL_MOUNT_NODES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <xta/flat.h>

#include "mount/names.h"

/* Of snapshots that no one has open, how many are kept open for a program that looks a file up and
 * opens it next. */
enum { MOUNT_SPARE_SNAPSHOTS = 64 };

/* How long a thread that opens a file again gets what it had before. NumPy opens a file twice to
 * map it, once for its header and once for the cells, which must be of one step. */
enum { MOUNT_SAME_MS = 50 };

/* One inode. Only `missing` and `reported` change while others may read it without the lock. */
typedef struct mount_node {
    struct mount_node *next;          /* of the same hash */
    struct mount_node *newer, *older; /* spare snapshots */
    mount_source source;
    uint64_t version;
    uint64_t number;    /* st_ino, never used twice */
    uint64_t n_lookups; /* that the kernel has not forgotten */
    uint64_t n_open;
    uint64_t n_bytes;
    xta_flat *flat; /* NULL: not open; what it was may have changed */
    bool spare;
    atomic_bool missing;                      /* its cells have gone: reads fail */
    atomic_bool reported;                     /* and the report says so */
    struct timespec cached_from, cached_mtim; /* since when the kernel caches cells, which had last
                                                 changed then */
} mount_node;

/* Begin with the root, the folder `path`. Returns 0, or an errno. */
int mount_nodes_begin(const char *path);
void mount_nodes_end(void);
mount_node *mount_nodes_root(void);

/* Find the node of `name` in a folder, opening a snapshot, and count a lookup. Where the array or
 * set cannot be opened, the node has no bytes, and opening it tells why. `thread` asks: one that
 * opened the same file less than MOUNT_SAME_MS before gets the same snapshot. Returns 0, or an
 * errno. */
int mount_node_lookup(const mount_node *folder, const char *name, pid_t thread, mount_node **out);
/* Count `n` lookups less; the node is gone with the last. */
void mount_node_forget(mount_node *node, uint64_t n);

/* Open the snapshot of a node; `*keep_cache`: what the kernel has cached of it is still right.
 * Returns 0, or an errno: ESTALE, the name leads to another snapshot by now. */
int mount_node_open(mount_node *node, pid_t thread, bool append_only, bool *keep_cache);
void mount_node_release(mount_node *node);

void mount_node_stat(mount_node *node, struct stat *out);

#endif
