/* The progress of import and export: a line on a terminal, and stopping on a signal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "progress_meter.h"

#include <time.h>
#include <unistd.h>

#include "kit/interrupt.h"

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int report(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    cli_meter *meter = user;
    double time = now();
    double mebi = 1.0 / (1 << 20);

    if (cli_interrupted()) {
        return 1;
    }
    if (!meter->terminal || time - meter->last < 0.1) {
        return 0;
    }
    meter->last = time;
    meter->shown = true;
    fprintf(stderr, "\r%s: %.1f of %.1f MiB", meter->name, (double)done_bytes * mebi,
            (double)total_bytes * mebi);
    if (total_bytes > 0) {
        fprintf(stderr, " (%.0f %%)", 100 * (double)done_bytes / (double)total_bytes);
    }
    fprintf(stderr, ", %.1f MiB/s\x1b[K", (double)done_bytes * mebi / (time - meter->begin));
    fflush(stderr);
    return 0;
}

xta_progress cli_meter_begin(cli_meter *meter, const char *name)
{
    double time = now();

    cli_interrupt_watch();
    *meter = (cli_meter){
        .name = name, .begin = time, .last = time, .terminal = isatty(STDERR_FILENO) != 0};
    return (xta_progress){report, meter};
}

void cli_meter_end(cli_meter *meter)
{
    if (meter->shown) {
        fprintf(stderr, "\r\x1b[K");
        fflush(stderr);
        meter->shown = false;
    }
}
