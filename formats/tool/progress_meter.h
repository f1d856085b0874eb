/* What import and export share: progress on a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_TRANSFER_H
#define XTA_CLI_TRANSFER_H

#include "kit/cli.h"

#include <xta/bridge.h>

typedef struct cli_meter {
    const char *name; // what is under way
    double begin;     // seconds of a steady clock
    double last;      // when the line was written last
    bool terminal;    // standard error is one
    bool shown;
} cli_meter;

/* A progress that writes a line to standard error, and over it again, if that is a terminal, and
 * that stops the call when the user interrupts it. `meter` must live as long as the call. */
xta_progress cli_meter_begin(cli_meter *meter, const char *name);

/* Take the line away. */
void cli_meter_end(cli_meter *meter);

#endif
