/* The kit that verbs are built from. A verb is a constant cli_command; the program that contains it
 * prints errors and chooses the exit code (kit/program.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_CLI_H
#define XTA_CLI_CLI_H

#include "kit/command.h"
#include "kit/errors.h"
#include "kit/open.h"
#include "kit/options.h"
#include "kit/parse.h"
#include "kit/value.h"

#endif
