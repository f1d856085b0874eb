/** @file
 * Arrays, addresses and tuning: all of libxta in one include. The other libraries have headers of
 * their own: repartitioning (<xta/repartition.h>, <xta/rechunk.h>, <xta/blocks.h>), regions
 * (<xta/extract.h>), formats (<xta/bridge.h>, <xta/spectra.h>), pictures (<xta/picture.h>,
 * <xta/chart.h>), hyperspectral analysis (<xta/scene.h> and the headers it includes), and, with
 * MPI, <xta/parallel.h>, <xta/drxmp.h>, <xta/drxmpx.h>, <xta/pexta.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_XTA_H
#define XTA_XTA_H

#include <xta/access.h>
#include <xta/append.h>
#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/block_grid.h>
#include <xta/box.h>
#include <xta/calendar.h>
#include <xta/coordinates.h>
#include <xta/copy.h>
#include <xta/create_like.h>
#include <xta/dataset.h>
#include <xta/dataset_append.h>
#include <xta/io_plan.h>
#include <xta/partition.h>
#include <xta/provenance.h>
#include <xta/replacement.h>
#include <xta/select.h>
#include <xta/status.h>
#include <xta/tune.h>
#include <xta/type.h>
#include <xta/units.h>
#include <xta/work.h>
#include <xta/zones.h>

#endif
