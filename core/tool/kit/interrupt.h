/* Signals that ask a command to stop: long commands end by themselves and undo what they can.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_INTERRUPT_H
#define XTA_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP are recorded, each once: a second one ends the process. A
 * signal that was ignored stays ignored. */
void cli_interrupt_watch(void);

/* Whether one of these signals has arrived. Progress callbacks then return that the call should
 * stop. */
bool cli_interrupted(void);

/* If one of these signals has arrived, end the process with it, as the shell expects; otherwise
 * return. */
void cli_interrupt_pass_on(void);

#endif
