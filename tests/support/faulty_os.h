/* A system that fails, or loses power, at the n-th call.
 *
 * It stands between the library and the real system through the table of os/. When power is lost,
 * nothing reaches the disk from that call on. The disk then holds what was synced and a random
 * subset of all later changes, in any order, the last piece of each write perhaps torn. Stores
 * through mappings are found at that moment: of each page that differs from the result of the
 * calls, all, a part or nothing is on the disk. Later stores are not on the disk. Pages that the
 * system writes back early are not modelled, so tests write cells through the chunk cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FAULTY_OS_H
#define XTA_TESTS_FAULTY_OS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"

/* Begin to watch. Every file that is opened from now on is followed. */
void faulty_os_start(void);

/* From now on files may share blocks with copies, as on XFS, on any file system. */
void faulty_os_share_blocks(bool may);

/* Make the n-th call from now on (1: the next) that changes or syncs a file fail with `number` (an
 * errno); with `reads`, calls that read and open count too. 0: none fails. */
void faulty_os_fail_at(uint64_t n, int number, bool reads);

/* Lose power at the n-th call that changes or syncs a file. 0: never. */
void faulty_os_cut_at(uint64_t n);

/* Whether the failure, or the loss of power, has happened. */
bool faulty_os_happened(void);

/* The number of counted calls since the last call of either of the two functions that set a failure
 * or a loss of power. */
uint64_t faulty_os_calls(void);

/* Give the files the content that the disk holds after the loss of power. All handles must be
 * closed. */
void faulty_os_restart(test_random *random);

/* End watching. */
void faulty_os_stop(void);

#endif
