/* The one-line array grammar: type, bounds and the rest of a new array in one word, for the tool
 * and for benchmarks (see problem.c for the grammar). Needs the public headers only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_PROBLEM_H
#define XTA_CLI_PROBLEM_H

#include <xta/array.h>

typedef struct cli_problem {
    xta_type type;
    size_t cell_bytes;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    bool has_chunk; // false: the library chooses
    int64_t chunk[XTA_MAX_NDIM];
    xta_order order;
    xta_policy policy;
    uint32_t policy_amount;
} cli_problem;

/* Parse a problem.
 * @retval XTA_EARG  the text names the part that is wrong and what would be right */
xta_status cli_problem_parse(const char *text, cli_problem *problem, xta_error *err);

#endif
