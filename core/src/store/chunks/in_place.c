/* Where stores into a mapped file are safe, and where they are worthwhile.
 *
 * Whether a unit has all its blocks is queried from the file system once, or ensured by reserving
 * them. It remains true: other handles free no blocks while this one is open
 * (xta__data_file_empty), and this one discards its knowledge of a unit before it frees blocks.
 *
 * The unit at the end of the file is reserved completely, beyond that end: otherwise others could
 * lengthen the file, and a folio read later could extend into a hole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "store/chunks/in_place.h"

#include <string.h>

#define N_RECENT ((size_t)4096)
#define PAGE     ((uint64_t)4096)

void xta__in_place_init(xta__in_place *in_place)
{
    pthread_rwlockattr_t kind;

    memset(in_place, 0, sizeof *in_place);
    pthread_rwlockattr_init(&kind);
    // A store never locks it twice, so discards may have priority.
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&in_place->discarding, &kind);
    pthread_rwlockattr_destroy(&kind);
    pthread_mutex_init(&in_place->lock, NULL);
}

void xta__in_place_clear(xta__in_place *in_place)
{
    if (in_place->recent != NULL) {
        xta__memory_drop(in_place->recent, N_RECENT * sizeof in_place->recent[0]);
    }
    pthread_mutex_destroy(&in_place->lock);
    pthread_rwlock_destroy(&in_place->discarding);
}

/* Rows of one operation may share pages. An operation counts once, and as repeated if all its pages
 * had been written before it began. */
static void note_in_unit(xta__recent_unit *unit, uint64_t operation, uint64_t begin, uint64_t end)
{
    bool first = unit->operation != operation, all = true;

    for (uint64_t page = begin / PAGE; page <= (end - 1) / PAGE; page++) {
        uint64_t bit = (uint64_t)1 << page % 64, *word = &unit->pages[page / 64];
        all = all && (*word & bit) != 0;
        *word |= bit;
    }
    if (first) {
        unit->operation = operation;
        unit->operations++;
        unit->again += all;
        unit->repeated = all;
    } else if (!all && unit->repeated) {
        unit->again--;
        unit->repeated = false;
    }
}

static xta__recent_unit *recent_unit(const xta__in_place *in_place, uint64_t number)
{
    return &in_place->recent[number % N_RECENT];
}

/* Whether the record is of unit `number`, and not from before the last sync. */
static bool is_recent(const xta__in_place *in_place, const xta__recent_unit *unit, uint64_t number)
{
    return unit->number == number + 1 && unit->operation > in_place->forgotten;
}

void xta__in_place_note(xta__in_place *in_place, uint64_t at, uint64_t n)
{
    pthread_mutex_lock(&in_place->lock);
    if (in_place->recent == NULL) {
        // Pages of it that are never accessed cost nothing.
        in_place->recent = xta__memory_reserve(N_RECENT * sizeof in_place->recent[0]);
    }
    for (uint64_t end = at + n; in_place->recent != NULL && at < end;) {
        uint64_t number = at / XTA__HUGE_BYTES, first = number * XTA__HUGE_BYTES;
        uint64_t stop = first + XTA__HUGE_BYTES < end ? first + XTA__HUGE_BYTES : end;
        xta__recent_unit *unit = recent_unit(in_place, number);
        if (!is_recent(in_place, unit, number)) {
            *unit = (xta__recent_unit){.number = number + 1};
        }
        note_in_unit(unit, in_place->operation, at - first, stop - first);
        at = stop;
    }
    pthread_mutex_unlock(&in_place->lock);
}

void xta__in_place_recall(xta__in_place *in_place, uint64_t at, uint64_t n, xta__range_facts *facts)
{
    uint64_t first = at / XTA__HUGE_BYTES, last = (at + n - 1) / XTA__HUGE_BYTES;

    pthread_mutex_lock(&in_place->lock);
    in_place->operation++;
    for (uint64_t number = first; number <= last; number++) {
        static const xta__recent_unit unknown;
        const xta__recent_unit *unit =
            in_place->recent != NULL ? recent_unit(in_place, number) : &unknown;
        unit = is_recent(in_place, unit, number) ? unit : &unknown;
        if (number == first || unit->operations < facts->operations) {
            facts->operations = unit->operations;
            facts->again = unit->again;
        }
    }
    pthread_mutex_unlock(&in_place->lock);
}

void xta__in_place_forget(xta__in_place *in_place)
{
    pthread_mutex_lock(&in_place->lock);
    in_place->forgotten = in_place->operation;
    pthread_mutex_unlock(&in_place->lock);
}

bool xta__in_place_own(xta__in_place *in_place, xta__data_file *data, uint64_t number, bool reserve)
{
    // A unit may begin before the first slot, in the header.
    xta__file whole = data->file;
    uint64_t at = number * XTA__HUGE_BYTES, length = 0, missing = 0;
    bool done = false;
    xta_error ignored = {0};

    if (!in_place->announced) {
        in_place->announced = true;
        // A copy-on-write file system needs space for each store.
        if (xta__file_rewrites_in_place(&data->file)) {
            in_place->checked = xta__file_may_share_blocks(&data->file);
            (void)!xta__data_file_store_in_place(data, &ignored);
        }
    }
    if (!data->stores_in_place) {
        return false;
    }
    whole.origin = 0;
    xta__file_space space = xta__file_space_of(&whole, at, XTA__HUGE_BYTES, &missing);
    if (space == XTA__SPACE_OWN || space == XTA__SPACE_SHARED) {
        return space == XTA__SPACE_OWN;
    }
    if (space == XTA__SPACE_HOLES && !reserve) {
        return false;
    }
    // The remaining space may be needed by calls for other places, and a failed reservation keeps
    // the space it has allocated.
    if (missing > xta__file_free_bytes(&whole) / 2 ||
        xta__file_reserve(&whole, at, XTA__HUGE_BYTES, &done, &ignored) != XTA_OK || !done) {
        return false;
    }
    data->reserved_behind = data->reserved_behind ||
                            xta__file_sizes(&whole, &length, NULL, &ignored) != XTA_OK ||
                            length < at + XTA__HUGE_BYTES;
    return true;
}
