/* 100,000 random steps on about a hundred arrays, each compared with a model cell by cell.
 *
 * Arrays of 1 to 6 axes, of every type, order, policy and access mode, in files and in memory. A
 * second process reads, writes and changes the structure of the same files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "rig.h"

#define STEPS_OF_AN_ARRAY 250

typedef struct weighted_step {
    int weight;
    void (*take)(rig *r);
} weighted_step;

static void compare_all(rig *r)
{
    rig_compare(r, r->array);
    rig_notes_compare(r, r->array);
}

static const weighted_step steps[] = {
    {140, rig_extend},
    {60, rig_shrink},
    {2, rig_add_axis},
    {60, rig_append},
    {180, rig_write},
    {200, rig_read},
    {50, rig_fill},
    {80, rig_get_put},
    {30, rig_outside},
    {40, rig_note_set},
    {15, rig_note_remove},
    {20, compare_all},
    {20, rig_reopen},
    {5, rig_save_load},
    {4, rig_compact},
    {20, rig_as_of},
    {30, rig_peer_inspect},
    {15, rig_peer_write},
    {10, rig_peer_both_write},
    {10, rig_peer_structure},
};
#define N_STEPS (sizeof(steps) / sizeof(steps[0]))

static void take_random_step(rig *r)
{
    int total = 0;
    for (size_t i = 0; i < N_STEPS; i++) {
        total += steps[i].weight;
    }
    int at = (int)test_random_in(&r->random, 0, total - 1);
    size_t i = 0;
    while (at >= steps[i].weight) {
        at -= steps[i++].weight;
    }
    steps[i].take(r);
}

int main(void)
{
    static rig r;
    uint64_t seed = test_seed("test_array_history", 20240301);
    uint64_t n = test_scale(100000);
    const char *only = getenv("XTA_PART");

    test_folder_make_fast(&r.folder);
    peer_start(&r.peer);
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;
    uint64_t done = 0;
    do {
        test_story_begin(&r.story, "test_array_history", seed, part);
        r.random = test_random_make(seed, part);
        rig_begin(&r);
        for (int i = 0; i < STEPS_OF_AN_ARRAY; i++) {
            take_random_step(&r);
            done++;
        }
        rig_end(&r);
        part++;
    } while (only == NULL && done < n);
    peer_stop(&r.peer);
    test_folder_remove(&r.folder);
    printf("test_array_history: %llu steps on %llu arrays agree\n", (unsigned long long)done,
           (unsigned long long)part);
    return 0;
}
