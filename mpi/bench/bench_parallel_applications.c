/* The applications of [CXA] 8.5 with growth (Fig. 8.5.4 to 8.5.6): the share of growth in their run
 * time. Reads from standard input the rows that examples/parallel_*.c print with --csv, and prints
 * them in the form of the other benchmarks: for each row, the seconds of growth against those of
 * everything else. There is no peer: a library that cannot grow arrays would have to copy here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "bench.h"

/* A row of an application. */
typedef struct row {
    char application[32];
    char size[64];
    int ranks;
    int growths;
    double growth_s;
    double io_s;
    double compute_s;
} row;

static void print(const row *r)
{
    char name[160];

    snprintf(name, sizeof name, "%s; to %s; growths: %d; ranks: %d", r->application, r->size,
             r->growths, r->ranks);
    bench_print(&(bench_row){.name = name,
                             .metric = "growth",
                             .ours = r->growth_s * 1e3,
                             .peer_name = "its I/O and computing",
                             .peer = (r->io_s + r->compute_s) * 1e3,
                             .unit = "ms",
                             .sense = BENCH_COST});
}

int main(void)
{
    char line[512];
    int n = 0;

    bench_begin("parallel_applications");
    while (fgets(line, sizeof line, stdin) != NULL) {
        row r = {.ranks = 0};
        int got = sscanf(line, "%31[^,],%63[^,],%d,%d,%lf,%lf,%lf", r.application, r.size, &r.ranks,
                         &r.growths, &r.growth_s, &r.io_s, &r.compute_s);
        // The header line of each run has no number in the third column.
        if (got == 2) {
            continue;
        }
        if (got != 7) {
            bench_die("not a row: %s", line);
        }
        n++;
        if (r.growths > 0) {
            print(&r);
        }
    }
    if (n == 0) {
        bench_die("no rows on the standard input");
    }
    return 0;
}
