/* `xta hyper`: the names of its verbs, and the library that holds them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_HYPER_VERB_LOADER_H
#define XTA_TOOL_HYPER_VERB_LOADER_H

#include "kit/cli.h"

/* xta hyper, which xta-mpi contains as well. */
extern const cli_command cli_hyper;

#endif
