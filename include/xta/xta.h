/** @file
 * Everything of libxta in one include. The libraries beside it have headers of their own:
 * <xta/bridge.h>, <xta/picture.h>, and, with MPI, <xta/parallel.h>, <xta/drxmp.h>, <xta/pexta.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_XTA_H
#define XTA_XTA_H

#include <xta/access.h>
#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/box.h>
#include <xta/extract.h>
#include <xta/status.h>
#include <xta/tune.h>
#include <xta/type.h>
#include <xta/zones.h>

#endif
