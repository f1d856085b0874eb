/* Private header: a run with an argument that only the library uses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_RUN_H
#define XTA_EXECUTOR_RUN_H

#include <xta/repartition.h>

/* xta_repartition_run with a number that becomes part of the resume log's fingerprint: it stands
 * for anything else on which the finished blocks depend. */
xta_status xta__repartition_run(xta_blocks *from, xta_blocks *to,
                                const xta_repartition_options *options, uint32_t extra,
                                xta_repartition_report *report, xta_error *err);

#endif
