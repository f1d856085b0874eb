/* Leaving a function by its one exit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_TRY_H
#define XTA_HYPER_TRY_H

/* Go to the label `done` unless the call went well. Between collective calls only where the status
 * is that of the whole communicator. */
#define HYPER_TRY(call)         \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

#endif
