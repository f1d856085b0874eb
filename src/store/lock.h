/* A room of store/: who may change a journal. lock.c has the protocol.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_H
#define XTA_STORE_LOCK_H

#include "base/base.h"
#include "os/os.h"

/* Take the lock of a journal for one change. Waits for other changes; for a sole writer no longer
 * than `patience_ms`, then XTA_EBUSY. `gate_path`: of the data file. */
xta_status xta__lock_take(const xta__file *journal, xta__path gate_path, unsigned patience_ms,
                          xta_error *err);

/* Take the gate, so that whoever has the journal's lock next may keep it. XTA_EBUSY if another sole
 * writer has it and does not let go within `patience_ms`. */
xta_status xta__lock_take_gate(xta__path gate_path, unsigned patience_ms, xta__file *gate,
                               xta_error *err);

#endif
