/* The applications of [CXA] 8.5 on Global Arrays, in sessions: each reads its arrays from disk,
 * computes while another program extends them, and writes the result; the next one computes with
 * the larger arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_APPLICATION_H
#define XTA_BENCH_APPLICATION_H

#include "store.h"

/* Where the time goes. The other program runs while a session computes; growth is what is left to
 * do, or to wait for, after that. */
typedef enum clock_part { IO = 0, COMPUTE = 1, GROWTH = 2, PARTS = 3 } clock_part;

typedef struct application_run {
    const store *store;
    int64_t size;          // the length of the growing axes in the first session
    int sessions, steps;   // steps of a session, for simulations
    double seconds[PARTS]; // results, of the slowest process
    double since;          // when the part under way began
} application_run;

/* Add the time since the last call to a part; collective. */
void application_lap(application_run *r, clock_part part);

/* By how much the axes grow after a session: 1 to 100 cells, the same for every library. 0 after
 * the last. */
int64_t application_growth(const application_run *r, int session);

/* Each runs all sessions and compares the result with a reference; a difference ends the program.
 * Collective. */
void application_matmul(application_run *r);
void application_lennard_jones(application_run *r);
void application_cavity(application_run *r);

#endif
