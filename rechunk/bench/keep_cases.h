/* The configurations of [KEEP] Table 3.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_KEEP_CASES_H
#define XTA_BENCH_KEEP_CASES_H

#include <stdint.h>

#include <xta/rechunk.h>

#define GIB     (1024.0 * 1024.0 * 1024.0)
#define N_SMALL 7
#define N_ALL   15

/* [KEEP] Table 3: cubes of cells of two bytes. */
static const struct {
    int64_t cube, in[3], out[3];
} table3[N_ALL] = {
    {3500, {875, 875, 875}, {875, 1750, 875}},      {3500, {875, 875, 875}, {700, 875, 700}},
    {3500, {350, 350, 350}, {500, 500, 500}},       {3500, {350, 350, 350}, {250, 250, 250}},
    {3500, {175, 175, 175}, {250, 250, 250}},       {3500, {350, 875, 350}, {500, 875, 500}},
    {3500, {350, 875, 350}, {350, 500, 350}},       {8000, {2000, 2000, 2000}, {2000, 4000, 2000}},
    {8000, {2000, 2000, 2000}, {1600, 1600, 1600}}, {8000, {800, 800, 800}, {1000, 1000, 1000}},
    {8000, {800, 800, 800}, {500, 500, 500}},       {8000, {200, 200, 200}, {250, 250, 250}},
    {8000, {200, 200, 200}, {160, 160, 160}},       {8000, {400, 400, 400}, {500, 500, 500}},
    {8000, {400, 400, 400}, {250, 250, 250}},
};

/* The problem of a configuration: block files, cells of two bytes. */
static inline xta_rechunk_problem keep_problem(int config, xta_rechunk_strategy strategy,
                                               double gib)
{
    static const int64_t zero[3] = {0, 0, 0};
    xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
    int64_t cube = table3[config].cube;
    int64_t shape[3] = {cube, cube, cube};

    problem.bounds = xta_box_make(3, zero, shape);
    problem.from = xta_partition_regular(3, table3[config].in, NULL);
    problem.to = xta_partition_regular(3, table3[config].out, NULL);
    problem.cell_bytes = 2;
    problem.memory_bytes = (uint64_t)(gib * GIB);
    problem.strategy = strategy;
    return problem;
}

#endif
