/* The lock that says whether a piece of unfinished work is live, and the record that describes it.
 *
 * Whether work is live is not recorded in the file, which outlives its writers, but shown by a lock
 * on one byte far beyond the end of the data file: one byte for each piece of work, chosen by its
 * id. The kernel releases it when the process ends, however it ends. The lock belongs to an open
 * file description of its own, so closing other handles of the file does not lose it, and
 * compaction, which replaces the journal, does not touch it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/work_lock.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

/* A piece of work, with the open file whose lock says that it is live. */
struct xta_work {
    uint8_t id[XTA__UUID_BYTES];
    xta__file lock;
};

/* The byte that is locked for an id: beyond all cells, and spread over 2^61 bytes. The byte after
 * these is that of the advisory lock. */
static uint64_t lock_byte(const uint8_t id[XTA__UUID_BYTES])
{
    return XTA__OFFSET_LIMIT + (xta__get_u64(id) >> 3);
}

const uint8_t *xta_work_id(const xta_work *work)
{
    return work->id;
}

void xta_work_abandon(xta_work *work)
{
    if (work != NULL) {
        xta__file_close(&work->lock);
        free(work);
    }
}

/* A piece of work whose lock is held. XTA_EBUSY if another process has it. */
xta_status xta__work_new(xta__path data, const uint8_t id[XTA__UUID_BYTES], xta_work **out,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    xta_work *work = xta__calloc(1, sizeof *work);
    bool got = false;

    *out = NULL;
    if (work == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", data.name);
    }
    memcpy(work->id, id, sizeof work->id);
    work->lock = (xta__file)XTA__FILE_CLOSED;
    XTA_TRY(xta__file_open_at(data, XTA__FILE_WRITE, &work->lock, err));
    XTA_TRY(xta__file_locks_reach(&work->lock, err));
    XTA_TRY(xta__file_try_lock_byte(&work->lock, lock_byte(id), &got, err));
    if (!got) {
        XTA_TRY(xta__fail(err, XTA_EBUSY, 0,
                          "%s: this work goes on in another process; wait for its end", data.name));
    }
    XTA_TRY(xta__file_prove_lock_byte(&work->lock, lock_byte(id), err));
    *out = work;

done:
    if (status != XTA_OK) {
        xta_work_abandon(work);
    }
    return status;
}

/* The box that one growth adds, or all of the bounds. */
static xta_box default_box(const xta_work_plan *plan, const xta_box *after)
{
    xta_box box = *after;

    if (plan->n_growths == 1) {
        const xta_growth *growth = &plan->growths[0];
        int axis = growth->axis;
        box.lo[axis] = growth->side == XTA_BACK ? after->hi[axis] - growth->by : after->lo[axis];
        box.hi[axis] = box.lo[axis] + growth->by;
    }
    return box;
}

xta_status xta__work_plan_copy(xta_work_plan *plan, const xta_work_plan *given, xta_error *err)
{
    const xta_work_plan defaults = XTA_WORK_PLAN_INIT;

    *plan = defaults;
    xta_status status = xta_options_read(plan, sizeof *plan, given, "xta_work_plan", err);
    plan->verb = plan->verb != 0 ? plan->verb : XTA_WORK_OTHER;
    plan->n_growths = plan->growths != NULL ? plan->n_growths : 0;
    return status;
}

void xta__copy_text(char *to, size_t capacity, const char *from)
{
    size_t n = from != NULL ? strlen(from) : 0;

    if (n >= capacity) {
        n = capacity - 1;
        while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    memcpy(to, from != NULL ? from : "", n);
    to[n] = '\0';
}

void xta__work_describe(const xta_work_plan *plan, bool created, const xta_box *before,
                        const xta_box *after, const uint8_t id[XTA__UUID_BYTES],
                        xta__work_record *record)
{
    memset(record, 0, sizeof *record);
    memcpy(record->id, id, XTA__UUID_BYTES);
    record->verb = (uint32_t)plan->verb;
    record->created = created;
    record->process = xta__process_number();
    record->begun = xta__now();
    record->boot = xta__boot();
    xta__host_name(record->host, sizeof record->host);
    xta__copy_text(record->source, sizeof record->source, plan->source);
    record->box = plan->box != NULL ? *plan->box : default_box(plan, after);
    record->before = *before;
}

xta_status xta__work_of_new_array(xta__path data, const xta__work_record *record, xta_work **out,
                                  xta_error *err)
{
    return xta__work_new(data, record->id, out, err);
}

xta_status xta__work_is_live(const xta__file *data, const uint8_t id[XTA__UUID_BYTES], bool *live,
                             xta_error *err)
{
    return xta__file_byte_is_locked(data, lock_byte(id), live, err);
}

const char *xta__work_verb_name(uint32_t verb)
{
    static const char *const names[] = {"work", "an import", "an append", "a repartition", "work"};

    return names[verb < sizeof names / sizeof names[0] ? verb : 0];
}
