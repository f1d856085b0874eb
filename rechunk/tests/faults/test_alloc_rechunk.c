/* Every n-th allocation fails while a repartitioning is planned and its operations are iterated:
 * the call returns XTA_ENOMEM with a text, or succeeds without the memory, and nothing stays
 * allocated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/rechunk.h>

#include "support/failing_alloc.h"
#include "support/random.h"
#include "support/report.h"

static test_story story;

/* Plan and iterate; returns the number of operations. */
static xta_status plan_and_walk(const xta_rechunk_problem *problem, uint64_t *n, xta_error *err)
{
    xta_rechunk_plan *plan = NULL;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    xta_status status = xta_rechunk_plan_new(problem, &plan, err);

    *n = 0;
    if (status == XTA_OK) {
        const xta_rechunk_facts *facts = xta_rechunk_plan_facts(plan);
        status = xta_rechunk_iterator_new(plan, 0, facts->n_components, &walk, err);
        while (status == XTA_OK && xta_rechunk_iterator_next(walk, &op)) {
            ++*n;
        }
        STORY_CHECK(&story, status != XTA_OK || *n == facts->n_reads + facts->n_writes,
                    "%llu operations", (unsigned long long)*n);
    }
    xta_rechunk_iterator_free(walk);
    xta_rechunk_plan_free(plan);
    return status;
}

/* Make one allocation after the other fail, with `for_good` all later ones too. */
static uint64_t try_all(const xta_rechunk_problem *problem, bool for_good)
{
    int64_t before = failing_alloc_live();
    uint64_t at = for_good ? 1 : 0, tried = 0, refused = 0, n;
    bool happened = true;

    for (at %= test_stride(); happened; at += test_stride()) {
        xta_error err;
        tried++;
        failing_alloc_at(at + 1, for_good);
        failing_alloc_arm(true);
        xta_status status = plan_and_walk(problem, &n, &err);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, failing_alloc_live() == before, "allocation %llu: memory is lost",
                    (unsigned long long)at + 1);
        if (status != XTA_OK) {
            STORY_CHECK(&story, status == XTA_ENOMEM && happened, "allocation %llu: status %d",
                        (unsigned long long)at + 1, status);
            test_story_error(&story, __FILE__, __LINE__, &err, XTA_ENOMEM);
            refused++;
        }
    }
    STORY_CHECK(&story, at > 10 && refused > tried / 2, "only %llu allocations",
                (unsigned long long)at);
    return tried;
}

int main(void)
{
    static const int64_t lo[3] = {-2, 0, 1}, hi[3] = {12, 9, 11};
    static const int64_t from[3] = {4, 3, 5}, to[3] = {3, 0, 2};
    static const int64_t edges[4] = {0, 2, 7, 9};
    uint64_t tried = 0;

    for (int s = XTA_RECHUNK_SWEEP; s <= XTA_RECHUNK_MERGE; s++) {
        for (int k = 1; k < 6; k += 2) {
            xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
            problem.bounds = xta_box_make(3, lo, hi);
            problem.from = xta_partition_regular(3, from, NULL);
            problem.to = xta_partition_regular(3, to, NULL);
            problem.to.axis[1].n_edges = 4;
            problem.to.axis[1].edges = edges;
            problem.cell_bytes = 100;
            problem.strategy = (xta_rechunk_strategy)s;
            problem.account = (xta_rechunk_account)(k > 1);
            // Everything fits; much must be cut.
            problem.memory_bytes = k < 4 ? 1000000 : 11000;
            test_story_begin(&story, "alloc_rechunk", 0, (uint64_t)s);
            test_story_add(&story, "  strategy %d, case %d", s, k);
            tried += try_all(&problem, k / 2 == 1);
            if (s == XTA_RECHUNK_KEEP && k == 5) {
                problem.variants =
                    XTA_VARIANT_ANY_ORDER | XTA_VARIANT_UNEVEN | XTA_VARIANT_MIRRORED;
                tried += try_all(&problem, k / 2 == 1);
            }
            if (s == XTA_RECHUNK_KEEP) {
                problem.buffer = xta_partition_regular(3, from, NULL);
                problem.buffer.axis[1] = problem.to.axis[1];
                problem.memory_bytes = 1000000;
                tried += try_all(&problem, k / 2 == 1);
            }
        }
    }
    printf("alloc_rechunk: %llu allocations failed\n", (unsigned long long)tried);
    return 0;
}
