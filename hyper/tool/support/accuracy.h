/* Confusion matrices in print.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_ACCURACY_H
#define XTA_CLI_HYPER_ACCURACY_H

#include <xta/score.h>

#include "kit/cli.h"

/* For people: the matrix, accuracies of each class, and of all. `names`: of the classes of the
 * truth, a line for each from class 0, or NULL. */
void cli_accuracy_print(FILE *out, const xta_accuracy *accuracy, const char *names);

/* As one JSON object. */
void cli_accuracy_json(FILE *out, const xta_accuracy *accuracy, const char *names);

#endif
