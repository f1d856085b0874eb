/* Printing confusion matrices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_ACCURACY_H
#define XTA_CLI_HYPER_ACCURACY_H

#include <xta/score.h>

#include "kit/cli.h"

/* Print as text the matrix, the accuracies of each class, and the overall ones. `names`: of the
 * classes of the truth, one line for each from class 0, or NULL. */
void cli_accuracy_print(FILE *out, const xta_accuracy *accuracy, const char *names);

/* Print as one JSON object. */
void cli_accuracy_json(FILE *out, const xta_accuracy *accuracy, const char *names);

#endif
