/* [CXA] 8.5.4 to 8.5.6: applications on Global Arrays whose arrays on disk grow while they compute.
 *
 *     mpiexec -n P paper_applications matmul|lennard_jones|cavity SESSIONS STEPS SIZE...
 *
 * prints `size,library;io|compute|growth,milliseconds,ms`, each the sum over the sessions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "application.h"

static const struct {
    const char *name;
    void (*run)(application_run *r);
} applications[] = {
    {"matmul", application_matmul},
    {"lennard_jones", application_lennard_jones},
    {"cavity", application_cavity},
};
enum { APPLICATIONS = sizeof applications / sizeof applications[0] };

void application_lap(application_run *r, clock_part part)
{
    r->seconds[part] += ranks_seconds(r->since);
    r->since = ranks_now();
}

int64_t application_growth(const application_run *r, int session)
{
    uint64_t state = (uint64_t)session + 1;

    return session + 1 < r->sessions ? 1 + bench_below(&state, 100) : 0;
}

static void run(int which, application_run r)
{
    static const char *const parts[PARTS] = {"io", "compute", "growth"};
    char name[32], series[64];

    r.store->begin(-1);
    applications[which].run(&r);
    r.store->end();
    snprintf(name, sizeof name, "%lld", (long long)r.size);
    for (int part = 0; part < PARTS; part++) {
        snprintf(series, sizeof series, "%s;%s", r.store->name, parts[part]);
        ranks_print(name, series, r.seconds[part] * 1e3, "ms");
    }
}

int main(int argc, char **argv)
{
    int which = 0;

    ranks_begin(&argc, &argv);
    while (argc > 4 && which < APPLICATIONS && strcmp(argv[1], applications[which].name) != 0) {
        which++;
    }
    if (argc < 5 || which == APPLICATIONS) {
        bench_die("usage: paper_applications matmul|lennard_jones|cavity SESSIONS STEPS SIZE...");
    }
    for (int k = 4; k < argc; k++) {
        for (int s = 0; s < STORES; s++) {
            run(which, (application_run){.store = stores[s],
                                         .size = strtoll(argv[k], NULL, 10),
                                         .sessions = atoi(argv[2]),
                                         .steps = atoi(argv[3])});
        }
    }
    ranks_end();
    return 0;
}
