/* Computes the tables of docs/REPARTITION.md: Tables 3 and 4 of [KEEP] for all configurations, and
 * the plans of sweep for them. Nothing is measured and no file is touched; it prints Markdown.
 *
 *     cmake --build build-bench --target rechunk_tables && build-bench/rechunk/bench/rechunk_tables
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/rechunk.h>

#include "keep_cases.h"

#define N_LIMITS 5

/* The values of [KEEP] Table 4 for the limits 4.3, 8.6 and 275: the shape read, and GiB. */
static const char *const printed[3][N_SMALL] = {
    {"r̂", "(700,875,875) 1.8", "(500,700,700) 2.1", "(250,350,350) .45", "(250,350,350) .45",
     "(500,875,700) 1.0", "r̂ 1.2"},
    {"r̂", "(700,875,875) 1.8", "(500,700,700) 2.1", "r̂", "r̂", "(500,875,700) 1.0", "r̂ 1.2"},
    {"r̂ 2.8", "r̂ 15.3", "r̂ 12.2", "r̂ 5.5", "r̂ 5.5", "r̂ 11.5", "r̂ 1.2"},
};

static xta_rechunk_facts facts_of(const xta_rechunk_problem *problem)
{
    xta_rechunk_plan *plan;
    xta_rechunk_facts facts;
    xta_error err;

    if (xta_rechunk_plan_new(problem, &plan, &err) != XTA_OK) {
        fprintf(stderr, "rechunk_tables: %s\n", err.text);
        exit(1);
    }
    facts = *xta_rechunk_plan_facts(plan);
    xta_rechunk_plan_free(plan);
    return facts;
}

static unsigned long long seeks(const xta_rechunk_facts *facts)
{
    return facts->read_seeks + facts->write_seeks;
}

static unsigned long long runs(const xta_rechunk_facts *facts)
{
    return facts->read_runs + facts->write_runs;
}

static const char *name_of(int config)
{
    static char name[16];
    int first = config < N_SMALL ? 0 : N_SMALL;

    snprintf(name, sizeof name, "%d: %d", (int)table3[config].cube, config - first);
    return name;
}

static void print_shape(const int64_t shape[])
{
    printf("(%d,%d,%d)", (int)shape[0], (int)shape[1], (int)shape[2]);
}

/* ---- tables ---- */

static void table_3(void)
{
    printf("| cube: configuration | input blocks | output blocks | n_I + n_O | baseline T | "
           "baseline R | baseline GiB |\n|---|---|---|---|---|---|---|\n");
    for (int c = 0; c < N_ALL; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_BASELINE, 300);
        xta_rechunk_facts facts = facts_of(&problem);
        printf("| %s | ", name_of(c));
        print_shape(table3[c].in);
        printf(" | ");
        print_shape(table3[c].out);
        printf(" | %llu | %llu | %llu | %.4g |\n", (unsigned long long)(facts.n_from + facts.n_to),
               seeks(&facts), runs(&facts), (double)facts.peak_live_bytes / GIB);
    }
    printf("\n");
}

static void table_4(void)
{
    static const double limit[3] = {4.3, 8.6, 275};

    for (int l = 0; l < 3; l++) {
        printf("| %g GiB | printed | recomputed | T | R | GiB |\n|---|---|---|---|---|---|\n",
               limit[l]);
        for (int c = 0; c < (l < 2 ? N_SMALL : N_ALL); c++) {
            xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_KEEP, limit[l]);
            xta_rechunk_facts facts = facts_of(&problem);
            printf("| %s | %s | ", name_of(c), c < N_SMALL ? printed[l][c] : "r̂");
            print_shape(facts.read_shape);
            printf(" | %llu | %llu | %.4g |\n", seeks(&facts), runs(&facts),
                   (double)facts.peak_live_bytes / GIB);
        }
        printf("\n");
    }
}

/* The least memory, in GiB, for which a plan reaches the lower bound. */
static double least_memory(int config, xta_rechunk_strategy strategy, xta_rechunk_account account)
{
    double too_small = 0, enough = 1024;

    while (enough - too_small > 2e-4 * enough) {
        double middle = (too_small + enough) / 2;
        xta_rechunk_problem problem = keep_problem(config, strategy, middle);
        xta_rechunk_plan *plan = NULL;
        problem.account = account;
        xta_status status = xta_rechunk_plan_new(&problem, &plan, NULL);
        if (status == XTA_OK && xta_rechunk_plan_facts(plan)->at_lower_bound) {
            enough = middle;
        } else {
            too_small = middle;
        }
        xta_rechunk_plan_free(plan);
    }
    return enough;
}

static void table_memory(void)
{
    printf("| cube: configuration | keep, alive | sweep, alive | sweep, allocated |\n"
           "|---|---|---|---|\n");
    for (int c = 0; c < N_ALL; c++) {
        printf("| %s | %.4g | %.4g | %.4g |\n", name_of(c),
               least_memory(c, XTA_RECHUNK_KEEP, XTA_ACCOUNT_LIVE),
               least_memory(c, XTA_RECHUNK_SWEEP, XTA_ACCOUNT_LIVE),
               least_memory(c, XTA_RECHUNK_SWEEP, XTA_ACCOUNT_ALLOCATED));
    }
    printf("\n");
}

static void table_runs(xta_rechunk_account account)
{
    static const double limit[N_LIMITS] = {4.3, 2, 1, 0.5, 0.25};

    printf("| cube: configuration | n_I + n_O |");
    for (int l = 0; l < N_LIMITS; l++) {
        printf(" %g GiB |", limit[l]);
    }
    printf("\n|---|---|---|---|---|---|---|\n");
    for (int c = 0; c < N_ALL; c++) {
        xta_rechunk_problem problem = keep_problem(c, XTA_RECHUNK_SWEEP, 4.3);
        xta_rechunk_facts facts = facts_of(&problem);
        printf("| %s | %llu |", name_of(c), (unsigned long long)(facts.n_from + facts.n_to));
        for (int l = 0; l < N_LIMITS; l++) {
            problem = keep_problem(c, XTA_RECHUNK_SWEEP, limit[l]);
            problem.account = account;
            facts = facts_of(&problem);
            problem.strategy = XTA_RECHUNK_KEEP;
            xta_rechunk_facts keep = facts_of(&problem);
            printf(" %llu / %llu |", runs(&facts), runs(&keep));
        }
        printf("\n");
    }
    printf("\n");
}

int main(void)
{
    printf("### Table 3, and baseline\n\n");
    table_3();
    printf("### Table 4: keep\n\n");
    table_4();
    printf("### Memory for n_I + n_O, in GiB\n\n");
    table_memory();
    printf("### Runs R within a limit of cells alive: sweep / keep\n\n");
    table_runs(XTA_ACCOUNT_LIVE);
    printf("### Runs R within a limit of bytes allocated: sweep / keep\n\n");
    table_runs(XTA_ACCOUNT_ALLOCATED);
    return 0;
}
