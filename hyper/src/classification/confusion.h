/* The internals of a confusion matrix, needed to merge the counts of several members.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_CLASSIFICATION_CONFUSION_H
#define XTA_HYPER_CLASSIFICATION_CONFUSION_H

#include <xta/score.h>

struct xta_confusion {
    size_t n_classes, n_labels; /* size of the table: the largest number seen + 1 */
    uint64_t *counts;           /* n_classes x n_labels */
};

#endif
