/** @file
 * Everything of libxta in one include. The bridges and pictures, which are libraries of their own,
 * have <xta/bridge.h> and <xta/picture.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_XTA_H
#define XTA_XTA_H

#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/box.h>
#include <xta/status.h>
#include <xta/type.h>

#endif
