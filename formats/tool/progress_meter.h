/* Progress of import and export on a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_TRANSFER_H
#define XTA_CLI_TRANSFER_H

#include "kit/cli.h"

#include <xta/bridge.h>

typedef struct cli_meter {
    const char *name; // what is running
    double begin;     // seconds of a monotonic clock
    double last;      // when the line was written last
    bool terminal;    // standard error is a terminal
    bool shown;
} cli_meter;

/* A progress callback that writes a line to standard error and overwrites it, if standard error is
 * a terminal, and that stops the call when the user interrupts it. `meter` must live as long as the
 * call. */
xta_progress cli_meter_begin(cli_meter *meter, const char *name);

/* Erase the progress line. */
void cli_meter_end(cli_meter *meter);

#endif
