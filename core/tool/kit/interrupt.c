/* Signals that ask a command to stop.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void remember(int number)
{
    came = number;
}

void cli_interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = remember, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            sigaction(numbers[k], &action, NULL);
        }
    }
}

bool cli_interrupted(void)
{
    return came != 0;
}

void cli_interrupt_pass_on(void)
{
    int number = came;

    if (number != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
}
