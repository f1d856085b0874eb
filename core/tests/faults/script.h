/* A random script of changes that two processes can follow: one carries it out on an array, the
 * other on a model, which is compared with the array after the first process was killed.
 *
 * The next step depends only on the generator and on the model, so both processes know it without
 * communication.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_SCRIPT_H
#define XTA_TESTS_SCRIPT_H

#include <stdbool.h>

#include <xta/array.h>
#include <xta/attribute.h>

#include "oracle/cells.h"
#include "support/random.h"

typedef enum script_kind {
    SCRIPT_EXTEND,
    SCRIPT_APPEND,
    SCRIPT_SHRINK,
    SCRIPT_WRITE,
    SCRIPT_SYNC,
    SCRIPT_NOTE
} script_kind;

typedef struct script_step {
    script_kind kind;
    xta_growth growth;
    xta_box box;   /* written, or the slab appended */
    uint16_t seed; /* of the codes of its cells */
    double note;
} script_step;

/* The next step. */
script_step script_next(test_random *random, const oracle_cells *model);

/* Carry it out on the model; on the array, whose cells are XTA_U8. */
void script_model(const script_step *step, oracle_cells *model);
xta_status script_array(const script_step *step, xta_array *array, xta_error *err);

oracle_cells script_copy(const oracle_cells *model);

/* Read all cells of the array into a new model. */
xta_status script_adopt(xta_array *array, uint16_t fill, oracle_cells *model, xta_error *err);

#endif
