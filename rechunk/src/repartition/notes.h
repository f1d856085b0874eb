/* A room of repartition/: the resume file, notes of the output blocks that are finished.
 *
 * Lines of text, each with a checksum over what stands before it:
 *
 *   xta repartition 1 FINGERPRINT BOOT CRC     the first, and again when a run goes on
 *   block NUMBER CRC                           the cells of a block were handed to the system
 *   synced CRC                                 all noted so far has reached the disk
 *
 * After a kill all whole lines hold. After a loss of power (the system's boot number has changed)
 * only blocks before the last `synced` do. A line that is cut or damaged ends the reading.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REPARTITION_NOTES_H
#define XTA_REPARTITION_NOTES_H

#include "base/base.h"
#include "util/os.h"

/* A set of block numbers, or a map from them to counts of cells. */
typedef struct xta__block_map {
    uint64_t *keys; /* number + 1; 0: empty */
    uint64_t *values;
    size_t n, room;
} xta__block_map;

/* Where the value of a block is; with `add` it is put in (0) if it is not there. NULL: not there,
 * or no memory. */
uint64_t *xta__block_map_at(xta__block_map *map, uint64_t block, bool add);
bool xta__block_map_has(const xta__block_map *map, uint64_t block);
void xta__block_map_remove(xta__block_map *map, uint64_t block);
void xta__block_map_clear(xta__block_map *map);

typedef struct xta__notes {
    xta__file file;
    uint64_t end;
    bool dirty; /* lines since the last `synced` */
} xta__notes;

/* Begin a resume file at `path`, or with `resume` go on with the one there: `finished` then holds
 * the blocks below n_blocks that it names. XTA_EEXIST: there is one and it is not to be gone on
 * with; XTA_ESTATE: it belongs to another repartition. */
xta_status xta__notes_open(xta__notes *notes, const char *path, uint32_t fingerprint, bool resume,
                           uint64_t n_blocks, xta__block_map *finished, xta_error *err);
xta_status xta__notes_add(xta__notes *notes, uint64_t block, xta_error *err);

/* The target has been made durable: say so, durably. */
xta_status xta__notes_synced(xta__notes *notes, xta_error *err);

/* Close; with `remove` the file goes. */
xta_status xta__notes_close(xta__notes *notes, bool remove, xta_error *err);

#endif
