/* Plans for the configurations of [KEEP] at their full sizes, as lines `case,series,value,unit`.
 * The case is CUBE:CONFIGURATION/LIMIT/PLAN. Nothing is measured and no file is touched.
 *
 *     baseline   each input block is read and written at once
 *     longest    keep, reads of r̂
 *     text       keep, all candidates of the text
 *     program    keep, the candidates of the authors' program, which stops early
 *     pass 0     the same, with remainders not kept on axis 0
 *     printed    keep, the shape that Table 4 has
 *     the rest   variants of 4.1, and sweep
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include <xta/rechunk.h>

#include "keep_cases.h"

/* [KEEP] 3.2.7: the search stops after so many tries without improvement. */
#define PATIENCE 10

static const double limits[3] = {4.3, 8.6, 275};

/* The shapes that Table 4 has for the limits; zeros: r̂. */
static const int64_t printed[3][N_SMALL][3] = {
    {{0}, {700, 875, 875}, {500, 700, 700}, {250, 350, 350}, {250, 350, 350}, {500, 875, 700}, {0}},
    {{0}, {700, 875, 875}, {500, 700, 700}, {0}, {0}, {500, 875, 700}, {0}},
    {{0}, {0}, {0}, {0}, {0}, {0}, {0}},
};

static void longest_shape(int config, int64_t shape[3])
{
    for (int d = 0; d < 3; d++) {
        int64_t in = table3[config].in[d], out = table3[config].out[d];
        shape[d] = (out + in - 1) / in * in;
    }
}

static bool facts_of(const xta_rechunk_problem *problem, xta_rechunk_facts *facts)
{
    xta_rechunk_plan *plan = NULL;
    xta_error err;
    xta_status status = xta_rechunk_plan_new(problem, &plan, &err);

    if (status != XTA_OK && status != XTA_ENOMEM) {
        fprintf(stderr, "keep_plans: %s\n", err.text);
        exit(1);
    }
    if (status == XTA_OK) {
        *facts = *xta_rechunk_plan_facts(plan);
    }
    xta_rechunk_plan_free(plan);
    return status == XTA_OK;
}

static void print_value(const char *name, const char *series, uint64_t value, const char *unit)
{
    printf("%s,%s,%llu,%s\n", name, series, (unsigned long long)value, unit);
}

/* The lines of a plan; none if there is none within the limit. */
static void print_plan(int config, double limit, const char *plan,
                       const xta_rechunk_problem *problem)
{
    static const char *const axis[3] = {"shape 0", "shape 1", "shape 2"};
    static const char *const order[3] = {"order 0", "order 1", "order 2"};
    xta_rechunk_facts facts;
    char name[64];
    int first = config < N_SMALL ? 0 : N_SMALL;

    if (!facts_of(problem, &facts)) {
        return;
    }
    snprintf(name, sizeof name, "%d:%d/%g/%s", (int)table3[config].cube, config - first, limit,
             plan);
    print_value(name, "blocks", facts.n_from + facts.n_to, "blocks");
    print_value(name, "read seeks", facts.read_seeks, "T");
    print_value(name, "write seeks", facts.write_seeks, "T");
    print_value(name, "read runs", facts.read_runs, "R");
    print_value(name, "write runs", facts.write_runs, "R");
    print_value(name, "bytes", facts.bytes_read, "bytes");
    print_value(name, "peak", facts.peak_live_bytes, "bytes");
    for (int d = 0; d < 3; d++) {
        print_value(name, axis[d], (uint64_t)facts.read_shape[d], "cells");
        print_value(name, order[d], (uint64_t)facts.buffer_order[d], "axis");
    }
    print_value(name, "uneven", facts.uneven_axes, "axes");
    print_value(name, "mirrored", facts.mirrored_axes, "axes");
}

/* Keep with one read shape. */
static xta_rechunk_problem with_shape(int config, double limit, const int64_t shape[3],
                                      unsigned pass_axes)
{
    xta_rechunk_problem problem = keep_problem(config, XTA_RECHUNK_KEEP, limit);

    problem.buffer = xta_partition_regular(3, shape, NULL);
    problem.pass_axes = pass_axes;
    return problem;
}

/* The best of the shapes so far, and for how many tries it has been. */
typedef struct program_search {
    int config;
    double limit;
    unsigned pass_axes;
    bool found;
    uint64_t seeks;
    int64_t best[3];
    int stale;
} program_search;

/* Try a candidate; false once the search has to stop. */
static bool try_shape(program_search *s, const int64_t shape[3])
{
    xta_rechunk_problem problem = with_shape(s->config, s->limit, shape, s->pass_axes);
    xta_rechunk_facts facts;

    if (!facts_of(&problem, &facts)) {
        return true;
    }
    uint64_t seeks = facts.read_seeks + facts.write_seeks;
    s->stale++;
    if (!s->found || seeks < s->seeks) {
        s->found = true;
        s->seeks = seeks;
        s->stale = 0;
        for (int d = 0; d < 3; d++) {
            s->best[d] = shape[d];
        }
    }
    return s->stale < PATIENCE;
}

/* The authors' program: r̂ if it fits; else (C0, r̂1, r̂2) with C0 falling, then (1, C1, r̂2). */
static void plan_of_program(int config, double limit, unsigned pass_axes, const char *name)
{
    program_search s = {.config = config, .limit = limit, .pass_axes = pass_axes};
    int64_t cube = table3[config].cube, longest[3];
    bool more = true;

    longest_shape(config, longest);
    more = try_shape(&s, longest) && !s.found;
    for (int64_t c = longest[0] - 1; c >= 1 && more; c--) {
        int64_t shape[3] = {c, longest[1], longest[2]};
        more = cube % c != 0 || try_shape(&s, shape);
    }
    for (int64_t c = longest[1] - 1; c >= 1 && more; c--) {
        int64_t shape[3] = {1, c, longest[2]};
        more = cube % c != 0 || try_shape(&s, shape);
    }
    if (s.found) {
        xta_rechunk_problem problem = with_shape(config, limit, s.best, pass_axes);
        print_plan(config, limit, name, &problem);
    }
}

static void plans_of_variants(int config, double limit)
{
    static const struct {
        const char *name;
        unsigned variants;
    } each[] = {
        {"any order", XTA_VARIANT_ANY_ORDER},
        {"uneven", XTA_VARIANT_UNEVEN},
        {"mirrored", XTA_VARIANT_MIRRORED},
        {"all variants", XTA_VARIANT_ANY_ORDER | XTA_VARIANT_UNEVEN | XTA_VARIANT_MIRRORED},
        {"whole reads", XTA_VARIANT_WHOLE_READS},
        {"whole reads all variants", XTA_VARIANT_WHOLE_READS | XTA_VARIANT_ANY_ORDER |
                                         XTA_VARIANT_UNEVEN | XTA_VARIANT_MIRRORED},
    };

    for (size_t k = 0; k < sizeof each / sizeof each[0]; k++) {
        xta_rechunk_problem problem = keep_problem(config, XTA_RECHUNK_KEEP, limit);
        problem.variants = each[k].variants;
        print_plan(config, limit, each[k].name, &problem);
    }
}

/* All plans of a configuration within limit number `l`. */
static void plans_of(int config, int l)
{
    double limit = limits[l];
    int64_t longest[3];
    xta_rechunk_problem problem;
    const int64_t *shape =
        config < N_SMALL && printed[l][config][0] > 0 ? printed[l][config] : longest;

    longest_shape(config, longest);
    problem = keep_problem(config, XTA_RECHUNK_BASELINE, limit);
    if (problem.memory_bytes < (uint64_t)(20 * GIB) && config >= N_SMALL) {
        return; // the large array was not run with less
    }
    print_plan(config, limit, "baseline", &problem);
    problem = with_shape(config, limit, longest, 0);
    print_plan(config, limit, "longest", &problem);
    problem = keep_problem(config, XTA_RECHUNK_KEEP, limit);
    print_plan(config, limit, "text", &problem);
    plan_of_program(config, limit, 0, "program");
    plan_of_program(config, limit, 1, "pass 0");
    problem = with_shape(config, limit, shape, 0);
    print_plan(config, limit, "printed", &problem);
    problem = keep_problem(config, XTA_RECHUNK_SWEEP, limit);
    print_plan(config, limit, "sweep", &problem);
    plans_of_variants(config, limit);
}

int main(void)
{
    for (int l = 0; l < 3; l++) {
        for (int c = 0; c < N_ALL; c++) {
            plans_of(c, l);
        }
    }
    // With less memory than the authors had, the variants differ more.
    for (int c = 0; c < N_ALL; c++) {
        double less = c < N_SMALL ? 0.5 : 8;
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_KEEP, less);
        print_plan(c, less, "text", &problem);
        problem.strategy = XTA_RECHUNK_SWEEP;
        print_plan(c, less, "sweep", &problem);
        plans_of_variants(c, less);
    }
    return 0;
}
