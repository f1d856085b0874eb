/** @file
 * Arrays, addresses, tuning and regions of libxta in one include. Repartitioning has headers of its
 * own (<xta/repartition.h>, <xta/rechunk.h>, <xta/blocks.h>), and so have the libraries beside
 * libxta: formats (<xta/bridge.h>, <xta/spectra.h>), pictures (<xta/picture.h>, <xta/chart.h>),
 * hyperspectral analysis (<xta/scene.h> and those that it leads to), and, with MPI,
 * <xta/parallel.h>, <xta/drxmp.h>, <xta/pexta.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_XTA_H
#define XTA_XTA_H

#include <xta/access.h>
#include <xta/append.h>
#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/box.h>
#include <xta/extract.h>
#include <xta/io_plan.h>
#include <xta/status.h>
#include <xta/tune.h>
#include <xta/type.h>
#include <xta/work.h>
#include <xta/zones.h>

#endif
