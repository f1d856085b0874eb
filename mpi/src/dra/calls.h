/* What the C names (names.c) and the Fortran names (fortran.c) of Disk Resident Arrays share: each
 * call once, with the checks and the texts that DRA programs rely on, in C's order of axes and
 * counted from 0.
 *
 * A call that fails ends the job, so the only statuses are the few that DRA returns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRA_CALLS_H
#define XTA_DRA_CALLS_H

#include "pexta/pexta.h"

/* Lengths of the texts that Inquire returns, as in the toolkit. */
#define DRA_NAME_CHARACTERS     72
#define DRA_FILENAME_CHARACTERS 248

/* The value of `status` when a request is complete. */
#define DRA_DONE (-1)

typedef struct xta__dra_array {
    int type;
    int ndim;
    int64_t dims[PEXTA_MAX_NDIM];
    char name[DRA_NAME_CHARACTERS + 1];
    char filename[DRA_FILENAME_CHARACTERS + 1];
} xta__dra_array;

typedef struct xta__dra_section {
    int g_a, d_a;
    bool write, transposed;
    int64_t glo[PEXTA_MAX_NDIM]; /* last cells lie inside */
    int64_t ghi[PEXTA_MAX_NDIM];
    int64_t dlo[PEXTA_MAX_NDIM];
    int64_t dhi[PEXTA_MAX_NDIM];
} xta__dra_section;

void xta__dra_init(int max_arrays);
void xta__dra_terminate(void);

/* `array` has type, ndim and dims; mistakes in these are found here. `io_ranks` below 1: the
 * default of DRA_Set_default_config. */
int xta__dra_create(const xta__dra_array *array, const char *name, const char *filename, int mode,
                    const int64_t reqdims[], int io_ranks);

/* -1 if there is no such array. */
int xta__dra_open(const char *filename, int mode, int *d_a);
void xta__dra_close(int d_a);
void xta__dra_delete(int d_a);
void xta__dra_inquire(int d_a, xta__dra_array *array);
void xta__dra_print(int d_a);

/* The number of the request. */
int xta__dra_whole(bool write, int g_a, int d_a);
int xta__dra_move(const xta__dra_section *section);
void xta__dra_wait(int request);
int xta__dra_probe(int request, int *status);
void xta__dra_flick(void);

/* Grow, at the front or at the back; `odims` gets the new lengths. */
void xta__dra_extend(int d_a, bool front, const int64_t edims[], int64_t odims[]);
void xta__dra_refresh(int d_a, int64_t odims[]);

void xta__dra_debug(bool flag);
void xta__dra_default_io_ranks(int io_ranks);

#endif
