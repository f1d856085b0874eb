/** @file
 * Disk Resident Arrays by their old names, over arrays that grow: libpexta_dra.
 *
 * A program that uses the DRA of the Global Arrays toolkit keeps its sources and its `#include
 * "dra.h"`; put libpexta_dra before Global Arrays when it is linked. This header declares the same
 * calls, and may be included instead of the toolkit's or together with it. It adds what the
 * toolkit's header lacks: NDRA_Create_config, which was always in the library, and growth.
 *
 * Growth. A DRA handle is a handle of <xta/pexta.h>: every PEXTA_* call takes it, and PEXTA_Extend
 * makes a DRA larger on any axis, in place:
 *
 *     int64_t more[2] = {0, 100}, dims[2];
 *     PEXTA_Extend64(d_a, more, dims, NULL);
 *
 * Axes are in C's order, as in all C calls. Fortran has ndra_extend, ndra_extend_front and
 * ndra_refresh, with axes in Fortran's order (docs/DRA.md).
 *
 * Contracts are those of the toolkit's documentation (pario/dra/DRA.doc), and docs/DRA.md says
 * where ours do more. All calls are collective over all processes of Global Arrays, except
 * NDRA_Inquire, DRA_Print_internals and DRA_Set_debug. A mistake, or a file that cannot be read or
 * written, ends the job through GA_Error with the toolkit's text, followed by ours; only DRA_Open
 * returns instead, with -1 if there is no such array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_COMPAT_DRA_H
#define XTA_COMPAT_DRA_H

#include <xta/pexta.h>

/* The include guard of the toolkit's own dra.h, so that either header may come first. */
#ifndef _DRA_H_
#define _DRA_H_
#ifdef __has_include
#if __has_include(<typesf2c.h>) && __has_include(<chemio.h>)
#include <chemio.h>
#include <typesf2c.h>
#define XTA_HAVE_LOGICAL
#endif
#endif
#ifndef XTA_HAVE_LOGICAL
typedef long Integer;
typedef Integer logical;
#define ELIO_RW      -1
#define ELIO_W       -2
#define ELIO_R       -3
#define ELIO_DONE    -1
#define ELIO_PENDING 1
#define ELIO_OK      0
#endif
/** Cells along an axis of a DRA. */
typedef long dra_size_t;
#define DRA_RW          ELIO_RW
#define DRA_R           ELIO_R
#define DRA_W           ELIO_W
#define DRA_REQ_INVALID -333
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Initialise. The arguments set no limit: any number of arrays of any size.
 * @param[in] max_arrays        -1 or more; anything below ends the job
 * @param[in] max_array_size    not used
 * @param[in] total_disk_space  not used
 * @param[in] max_memory        not used: what was ample in 1995 would only slow a program down
 * @return 0 */
XTA_API int DRA_Init(int max_arrays, double max_array_size, double total_disk_space,
                     double max_memory);

/** End: complete all requests and close all arrays. @return 0 */
XTA_API int DRA_Terminate(void);

/** Create an array, all cells 0, and open it. An array of that name is replaced.
 * @param[in]  type      C_CHAR, C_INT, C_LONG, C_LONGLONG, C_FLOAT, C_DBL, C_SCPL or C_DCPL (or the
 *                       MT_F_ type that is one of them)
 * @param[in]  ndim      1 to 7
 * @param[in]  dims      cells on each axis
 * @param[in]  name      any text
 * @param[in]  filename  files become filename.pma and filename.pta; rank 0's is taken
 * @param[in]  mode      DRA_RW or DRA_W
 * @param[in]  reqdims   cells of a typical request on each axis, -1: unspecified
 * @param[out] d_a       the handle
 * @return 0 */
XTA_API int NDRA_Create(int type, int ndim, dra_size_t dims[], char *name, char *filename, int mode,
                        dra_size_t reqdims[], int *d_a);

/** As NDRA_Create, with settings for this array: `ioprocs` processes read and write it (not above
 * 0: all). `numfiles` is not used: an array is always one pair of files. */
XTA_API int NDRA_Create_config(int type, int ndim, dra_size_t dims[], char *name, char *filename,
                               int mode, dra_size_t reqdims[], int numfiles, int ioprocs, int *d_a);

/** Open an array on any number of processes.
 * @param[in]  filename  as given when it was created; rank 0's is taken
 * @param[in]  mode      DRA_R, DRA_W or DRA_RW
 * @param[out] d_a       the handle
 * @return 0; -1 if there is no such array */
XTA_API int DRA_Open(char *filename, int mode, int *d_a);

/** Complete the array's requests, make it durable and close it. @return 0 */
XTA_API int DRA_Close(int d_a);

/** Close an array, in whatever mode it is open, and remove its files. @return 0 */
XTA_API int DRA_Delete(int d_a);

/** What an array is. Not collective.
 * @param[in]  d_a       a handle
 * @param[out] type      a C type
 * @param[out] ndim      number of axes
 * @param[out] dims      cells on each axis
 * @param[out] name      at most 72 characters and a zero byte; after DRA_Open the last is a newline
 * @param[out] filename  at most 248 characters and a zero byte
 * @return 0 */
XTA_API int NDRA_Inquire(int d_a, int *type, int *ndim, dra_size_t dims[], char *name,
                         char *filename);

/** Begin to write a whole global array, or to read one: type and lengths must agree. The global
 * array may be changed once NDRA_Write has returned; cells read are there after DRA_Wait. Any
 * number of requests may be in progress.
 * @return 0 */
XTA_API int NDRA_Write(int g_a, int d_a, int *request);
XTA_API int NDRA_Read(int g_a, int d_a, int *request);

/** Begin to write or read a section; `hi` is the last cell inside. With `transp` the axes of the
 * global array are taken in reverse order. @return 0 */
XTA_API int NDRA_Write_section(logical transp, int g_a, int glo[], int ghi[], int d_a,
                               dra_size_t dlo[], dra_size_t dhi[], int *request);
XTA_API int NDRA_Read_section(logical transp, int g_a, int glo[], int ghi[], int d_a,
                              dra_size_t dlo[], dra_size_t dhi[], int *request);

/** Complete a request; DRA_REQ_INVALID and requests waited for before are complete. @return 0 */
XTA_API int DRA_Wait(int request);

/** Test whether a request is complete.
 * @param[in]  request       a request
 * @param[out] compl_status  ELIO_DONE (-1): it is; 0: not yet
 * @return 0; 1 if the transfer failed */
XTA_API int DRA_Probe(int request, int *compl_status);

/** Complete those requests that can be completed without waiting. */
XTA_API void DRA_Flick(void);

/** Whether NDRA_Read_section prints its sections on each rank. */
XTA_API void DRA_Set_debug(logical flag);

/** Rank 0 prints the properties of an array, with axes in Fortran's order. */
XTA_API void DRA_Print_internals(int d_a);

/** How many processes read and write the arrays created from now on: `numioprocs`, not above 0:
 * all. `numfiles` is not used. */
XTA_API void DRA_Set_default_config(int numfiles, int numioprocs);

/** 0: the C calls have C's order of axes. */
XTA_API int DRA_uses_fapi(void);

#ifdef __cplusplus
}
#endif
#endif
