/* For tests of a follower: a scene whose cells are a function of their coordinates, swaths appended
 * to it, and two folders of results compared byte by byte and cell by cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FOLLOW_RIG_H
#define XTA_TESTS_FOLLOW_RIG_H

#include <xta/follow.h>

#include "support/folder.h"
#include "support/report.h"

/* A scene file of lines, samples, bands. */
typedef struct rig_scene {
    char path[TEST_PATH_BYTES];
    uint64_t seed;
    xta_type type;
    int64_t n_samples, n_bands;
    size_t n_materials;
    bool holes; /* no-data, zero and, in floating types, NaN cells */
} rig_scene;

/* Make the file, with `lines` lines, each chunk `chunk` cells. */
void rig_scene_make(const rig_scene *scene, int64_t lines, const int64_t chunk[3],
                    const test_story *story);
/* Append lines with their cells, as one step. */
void rig_scene_append(const rig_scene *scene, int64_t lines, xta_side side,
                      const test_story *story);
/* Append bands with their cells. */
void rig_scene_append_bands(rig_scene *scene, int64_t n, const test_story *story);

/* How a follower runs. */
typedef struct rig_run {
    const char *scene, *out;
    const xta_follow_options *options;
    int n_members; /* 0: without a communicator */
    int n_threads;
    uint64_t memory_bytes; /* 0: the default */
    int n_updates;         /* in one run; 0: 1 */
} rig_run;

/* Run it: open, update, close. The status is that of all members, which must agree. */
xta_status rig_follow(const rig_run *run, xta_follow_report *report, xta_error *err);

/* Fail unless two folders hold the same results: the same names, equal bytes of small files, and
 * arrays of equal type, bounds and cells. Locks are not compared. */
void rig_compare(const char *a, const char *b, const test_story *story);

/* Whether a folder has an entry of this name. */
bool rig_has(const char *folder, const char *name);

#endif
