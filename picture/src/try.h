/* Leaving a function by its one exit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_TRY_H
#define XTA_PICTURE_TRY_H

/* Go to the label `done` unless the call went well. */
#define XTA_TRY(call)           \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

#endif
