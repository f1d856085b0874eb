/* Being told to stop: long commands end by themselves, taking back what they can.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_INTERRUPT_H
#define XTA_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP are remembered, each once: the second time it ends the
 * process. One that was ignored stays ignored. */
void cli_interrupt_watch(void);

/* Whether one of them has come. What reports progress then answers that it wants no more. */
bool cli_interrupted(void);

/* If one of them has come, end the process by it, as the shell expects; else return. */
void cli_interrupt_pass_on(void);

#endif
