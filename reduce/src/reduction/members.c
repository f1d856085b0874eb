/* Comparing the plans of all members.
 *
 * Members whose plans differ would compute some items by one plan and some by another, or wait in
 * different calls for ever. Each aspect of a plan has a hash of its own, so that the error can say
 * which option differs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/members.h"

#include <stdlib.h>

#include "reduction/plan.h"
#include "util/checked.h"
#include "util/hash.h"
#include "util/try.h"

/* What members may differ in; each text ends "member 1 and member 0 have different ...". */
typedef enum aspect {
    ARRAYS,
    BOXES,
    AXES,
    GROUPS,
    MISSING,
    NAN_RULES,
    MIN_COUNTS,
    DDOFS,
    STATISTICS,
    BUDGETS,
    N_ASPECTS
} aspect;

static const char *const aspect_texts[N_ASPECTS] = {
    [ARRAYS] = "arrays, or structural steps of it; open the same array, and refresh it",
    [BOXES] = "boxes; give all members the same box, or none",
    [AXES] = "axes to reduce; give all members the same axes",
    [GROUPS] = "groups; give all members the same group axis, and the same labels or group_length",
    [MISSING] = "missing values; give all members the same value, or none",
    [NAN_RULES] = "rules for NaN; set propagate_nan in all members or in none",
    [MIN_COUNTS] = "minimum counts; give all members the same min_count",
    [DDOFS] = "divisors of the variance; give all members the same ddof",
    [STATISTICS] = "statistics; give all members the same ones in the same order",
    [BUDGETS] = "tiles of the result; give all members the same memory_bytes"};

xta_status xta__members_agree(const xta__reduction *r, xta_status status, xta_error *err)
{
    const xta_communicator *c = r->options.communicator;

    return c != NULL ? c->agree(c->context, status, err) : status;
}

static void add(uint64_t *hash, const void *bytes, size_t n)
{
    *hash = xta__hash_bytes(*hash, bytes, n);
}

static void add_number(uint64_t *hash, int64_t number)
{
    add(hash, &number, sizeof number);
}

/* Fields one by one: bytes between them may have any value. */
static void hash_array(const xta__reduction *r, uint64_t *hash)
{
    const xta_array_info *info = &r->info;
    const xta_box bounds = xta_array_bounds(r->array);

    add(hash, info->uuid, sizeof info->uuid);
    add_number(hash, (int64_t)info->n_steps);
    add_number(hash, (int64_t)info->type);
    for (int axis = 0; axis < info->ndim; axis++) {
        add_number(hash, bounds.lo[axis]);
        add_number(hash, bounds.hi[axis]);
        add_number(hash, info->chunk[axis]);
    }
}

/* The bounds of a reduction are its box, if it has one. */
static void hash_box(const xta__reduction *r, uint64_t *hash)
{
    const xta_box *box = &r->info.bounds;

    for (int axis = 0; axis < box->ndim; axis++) {
        add_number(hash, box->lo[axis]);
        add_number(hash, box->hi[axis]);
    }
}

static void hash_groups(const xta__reduction *r, uint64_t *hash)
{
    const xta_reduce_options *o = &r->options;

    add_number(hash, r->grouped);
    if (r->grouped >= 0) {
        add_number(hash, o->group_length);
        add_number(hash, o->labels != NULL ? o->n_labels : -1);
        add(hash, o->labels, o->labels != NULL ? (size_t)o->n_labels * sizeof o->labels[0] : 0);
    }
}

static void hash_plan(const xta__reduction *r, uint64_t tile_pieces, const xta__results *results,
                      uint64_t hashes[N_ASPECTS])
{
    for (int k = 0; k < N_ASPECTS; k++) {
        hashes[k] = XTA__HASH_OF_NOTHING;
    }
    hash_array(r, &hashes[ARRAYS]);
    hash_box(r, &hashes[BOXES]);
    for (int k = 0; k < r->n_reduced; k++) {
        add_number(&hashes[AXES], r->reduced[k].axis);
    }
    hash_groups(r, &hashes[GROUPS]);
    if (r->missing_at != NULL) {
        add(&hashes[MISSING], r->missing_at, xta_type_bytes(r->kernels->type));
    }
    add_number(&hashes[NAN_RULES], r->options.propagate_nan);
    add_number(&hashes[MIN_COUNTS], (int64_t)r->options.min_count);
    add_number(&hashes[DDOFS], (int64_t)r->options.ddof);
    for (int s = 0; s < results->n; s++) {
        add_number(&hashes[STATISTICS], (int64_t)results->statistics[s]);
    }
    add_number(&hashes[BUDGETS], (int64_t)tile_pieces);
}

xta_status xta__members_compare(const xta__reduction *r, uint64_t tile_pieces,
                                const xta__results *results, xta_error *err)
{
    const xta_communicator *c = r->options.communicator;
    uint64_t mine[N_ASPECTS];
    xta_status status = XTA_OK;

    if (c == NULL || c->size == 1) {
        return XTA_OK;
    }
    hash_plan(r, tile_pieces, results, mine);
    uint64_t *all = xta__calloc((size_t)c->size, sizeof mine);
    status =
        all != NULL ? XTA_OK : xta__fail(err, XTA_ENOMEM, 0, "no memory for %d members", c->size);
    status = xta__members_agree(r, status, err);
    if (status == XTA_OK) {
        status = c->gather(c->context, mine, sizeof mine, all, err);
    }
    // Aspect by aspect: tiles differ as well if anything before them does.
    for (int k = 0; status == XTA_OK && k < N_ASPECTS * c->size; k++) {
        int member = k % c->size, of = k / c->size;
        if (all[member * N_ASPECTS + of] != all[of]) {
            status = xta__fail(err, XTA_EARG, 0, "%s: member %d and member 0 have different %s",
                               xta__reduction_name(r), member, aspect_texts[of]);
        }
    }
    free(all);
    return xta__members_agree(r, status, err);
}
