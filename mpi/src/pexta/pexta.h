/* What the DRA names need of PEXTA beyond the public calls of <xta/pexta.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_PEXTA_H
#define XTA_PEXTA_PEXTA_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/pexta.h>

/* The properties of an open array. Pointers are borrowed until it is closed. */
typedef struct xta__pexta_facts {
    const char *name;
    const char *filename; /* as rank 0 gave it */
    const char *path;     /* path of the journal, with its suffix */
    int mode;             /* PEXTA_RW, PEXTA_W or PEXTA_R */
    int type;             /* C_INT ... */
    int ndim;
    size_t cell_bytes;
    int64_t dims[PEXTA_MAX_NDIM];  /* as agreed on last */
    int64_t chunk[PEXTA_MAX_NDIM]; /* cells of a chunk */
    int n_requests;                /* requests that are not complete */
    xta_array *array;              /* this rank's handle */
} xta__pexta_facts;

/* Whether PEXTA_Init has been called. Not collective. */
bool xta__pexta_begun(void);

/* Fills in `facts`; false if there is no such array open. Not collective. */
bool xta__pexta_facts_of(int p_a, xta__pexta_facts *facts);

/* The open array with the least handle above `p_a` (0: the first); 0 if there is none. Not
 * collective. */
int xta__pexta_next(int p_a);

/* How many processes do input and output (0: all), as last set. Not collective. */
int xta__pexta_io_ranks(void);

#endif
