/* The readers of whole files: source.h declares the calls that select one, readers.c has them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_READERS_H
#define XTA_FORMATS_SETS_READERS_H

#include "sets/source.h"

#endif
