/** @file
 * The array: create, open, grow in every direction, read and write boxes and cells.
 *
 * An array is either a pair of files (`path.xmd`, the journal, and `path.xta`, the cells) or lies
 * in memory (xta_array_new); every function here works on both unless it says otherwise.
 * Coordinates are signed: an array starts at 0 on each axis and grows at the back towards larger
 * and at the front towards negative coordinates. The coordinate of a cell never changes.
 *
 * Threads. All functions except close may be called from several threads on one array; close must
 * be the last call. If two calls access the same cells at the same time and one of them writes,
 * each such cell ends up with one of the values; which one is unspecified. xta_array_add_axis
 * changes the number of coordinates that the other functions expect, so no other call may be in
 * progress.
 *
 * Processes. Any number of processes may have the array open. Each may write cells, and each may
 * change the structure unless another handle is the exclusive writer (xta_open_options). A handle
 * keeps the bounds that it read last until xta_array_refresh; its own structural calls, and sync,
 * first apply the changes that others have made.
 *
 * Forks. A handle belongs to the process that opened it. In a child created by fork, every call on
 * an inherited handle of an array in files returns XTA_ESTATE (the calls that never fail still
 * work), and xta_array_close only frees memory: files, locks and deferred cells remain with the
 * parent, and the child has no file descriptors for them. The child opens the arrays it needs
 * itself. Arrays in memory are copied with the process and remain usable in both. As always with
 * threads, no call should be in progress when a program forks without exec. A child created by
 * other means than fork (vfork, clone) may only exec.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_H
#define XTA_ARRAY_H

#include <xta/array_addresses.h>
#include <xta/array_cells.h>
#include <xta/array_lifetime.h>
#include <xta/array_maintenance.h>
#include <xta/array_structure.h>
#include <xta/array_types.h>

#endif
