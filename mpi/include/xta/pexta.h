/** @file
 * PEXTA: Global Arrays to disk and back, into arrays that grow.
 *
 * A Global Arrays program keeps its data in global arrays (`g_a`, of any distribution: regular,
 * irregular, block-cyclic, tiled, with ghost cells); this layer copies them, or sections of them,
 * to and from arrays on disk (`p_a`), which any program of this library can open and which may grow
 * on every axis and side at any time. The calls are those of Disk Resident Arrays, with growth
 * added.
 *
 * Rules that hold for every function:
 *
 * - Functions are collective over all processes of Global Arrays (GA_MPI_Comm()), unless stated
 *   otherwise: all call them, in the same order, with the same arguments. If ranks disagree all get
 *   XTA_EARG and nothing has changed; a failure of one rank is the status of all. No function
 *   aborts the job.
 * - Functions return 0 (XTA_OK) or a value of xta_status, the same on all ranks; PEXTA_Error_text()
 *   then gives the reason.
 * - Coordinates are those of Global Arrays' C functions: axis 0 is the slowest, cells count from 0,
 *   and `hi` is the last cell inside. Coordinates of an array that has grown at the front also
 *   count from 0: the cell that was 0 before a front growth by 3 is 3 after it.
 * - Each transfer begins with a GA_Sync. When a write has returned, its global array may be
 *   changed, even if the write itself is still in progress; the contents of a global array that is
 *   read into are undefined from the call until the read is complete. Requests on the same cells of
 *   an array take effect in the order in which they were made.
 * - Reads and writes of one array use the bounds that all ranks agreed on last: at Create, Open,
 *   Extend and Refresh. Changes of the bounds by another program are visible after Refresh.
 * - Functions must not be called from several threads.
 *
 * Index types. The calls that [CXA] 8.4 prints, and those that have the signatures of Disk Resident
 * Arrays, take size_t for arrays and int for global arrays; a size_t of 2^63 or more is the
 * negative number that it was. The calls of the same name with 64, and those that neither document
 * has, take int64_t for both.
 *
 * Files: an array `F` is the pair F.pma (structure) and F.pta (cells), the format of
 * <xta/array.h>. They can be opened by any number of processes, and by the serial library and
 * tools.
 *
 * Source: [CXA] 8.4; the calls follow the documentation of Disk Resident Arrays (Global Arrays
 * 5.8).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_PEXTA_H
#define XTA_PEXTA_H

#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Access modes, with the values of DRA_RW, DRA_W and DRA_R. An array opened PEXTA_W cannot be
 * read; one opened PEXTA_R can be neither written nor extended. */
#define PEXTA_RW (-1)
#define PEXTA_W  (-2)
#define PEXTA_R  (-3)

/** No request: waiting for it returns at once. The value of DRA_REQ_INVALID. */
#define PEXTA_REQ_INVALID (-333)

/** Used in place of a global array's handle: none. */
#define PEXTA_NO_GA (-2147483647 - 1)

/** The most axes of Global Arrays. */
#define PEXTA_MAX_NDIM 7

/** Buffer sizes for the name and the file name that PEXTA_Inquire returns, with the terminating
 * zero. */
#define PEXTA_NAME_BYTES     256
#define PEXTA_FILENAME_BYTES 4096

/* ---- start and end ---- */

/** Initialise. Call it after GA_Initialize.
 *
 * The first three arguments are those of DRA_Init and set no limit: any number of arrays may be
 * open, and since arrays grow, a limit of their size would mean little.
 *
 * If processes run on several machines, or one of them has XTA_PEXTA_IO=calls in its environment
 * (auto: the same as unset), no file is mapped, and a write is complete when its cells are durable:
 * other machines then read them.
 *
 * @param[in]  max_arrays        not used
 * @param[in]  max_array_size    not used
 * @param[in]  total_disk_space  not used
 * @param[in]  max_memory        bytes that each process may hold for requests in progress; requests
 *                               beyond that are read or written within the call. If not above 0:
 *                               256 MiB
 * @retval XTA_EARG    XTA_PEXTA_IO has another value
 * @retval XTA_EEXIST  already initialised
 * @retval XTA_ESTATE  see xta_launcher_check in <xta/parallel.h> */
XTA_API int PEXTA_Init(int max_arrays, double max_array_size, double total_disk_space,
                       double max_memory);

/** Terminate: complete all requests, close all arrays, stop the thread. PEXTA_Init may be called
 * again. Does nothing without PEXTA_Init. */
XTA_API int PEXTA_Terminate(void);

/** Settings for the transfers from now on.
 * @param[in]  numfiles    not used: an array is always one pair of files
 * @param[in]  numioprocs  how many processes, spread evenly, read and write files; if not above 0:
 *                         all. Fewer help where a file system is slow with many writers */
XTA_API int PEXTA_Set_default_config(int numfiles, int numioprocs);

/** Whether rank 0 prints the name of each collective call on stderr. Not collective. */
XTA_API void PEXTA_Set_debug(int flag);

/** Why the last call failed: one line, "" if it succeeded. Not collective. Valid until the next
 * call. The text is the same on all ranks. */
XTA_API const char *PEXTA_Error_text(void);

/** The last error with status and errno. Not collective. */
XTA_API const xta_error *PEXTA_Error(void);

/* ---- life of an array ---- */

/** Create an array, all cells 0, and open it. An array of that name is replaced.
 *
 * Chunks are shaped so that a typical request consists of whole chunks: along each axis `reqdims`
 * is cut into equal parts until a chunk has at most 1 MiB, or multiplied while it has less than 64
 * KiB. An axis on which `reqdims` is -1 gets the block length of `g_a`, so that each process holds
 * whole chunks; without `g_a` it is chosen.
 *
 * @param[in]  type      C_CHAR, C_INT, C_LONG, C_LONGLONG, C_FLOAT, C_DBL, C_SCPL or C_DCPL of
 *                       <ga.h>
 * @param[in]  ndim      1 to PEXTA_MAX_NDIM
 * @param[in]  dims      cells on each axis, >= 0
 * @param[in]  name      any text, stored with the array, cut to PEXTA_NAME_BYTES - 1; NULL for none
 * @param[in]  filename  without suffix; rank 0's is used on all ranks
 * @param[in]  mode      PEXTA_RW or PEXTA_W
 * @param[in]  reqdims   cells of a typical request on each axis, -1: unspecified; NULL: all -1
 * @param[in]  g_a       a global array of `ndim` axes whose blocks the chunks should fit;
 *                       PEXTA_NO_GA for none
 * @param[out] p_a       the handle, > 0; 0 on failure
 * @retval XTA_EARG, XTA_ETYPE  an argument out of range
 * @retval XTA_EACCESS  mode PEXTA_R, or the folder cannot be written
 * Others as for xta_array_create. */
XTA_API int PEXTA_Create64(int type, int ndim, const int64_t dims[], const char *name,
                           const char *filename, int mode, const int64_t reqdims[], int g_a,
                           int *p_a);

/** PEXTA_Create64 as it is printed, without the second `mode` that is printed by mistake.
 * @par Source
 * [CXA] 8.4; docs/ERRATA.md. */
XTA_API int PEXTA_Create(int type, int ndim, size_t dims[], char *name, char *filename, int mode,
                         size_t reqdims[], int g_a, int *p_a);

/** Open an array, made by any program of this library, on any number of ranks.
 * @param[in]  filename  without or with suffix (.pma is tried before .xmd); rank 0's is used
 * @param[in]  mode      PEXTA_R, PEXTA_W or PEXTA_RW
 * @param[out] p_a       the handle, > 0; 0 on failure
 * @retval XTA_ENOENT  no such array
 * @retval XTA_ETYPE   no type of Global Arrays has such cells, or there are more than
 *                     PEXTA_MAX_NDIM axes */
XTA_API int PEXTA_Open(const char *filename, int mode, int *p_a);

/** Complete the array's requests, make it durable (as PEXTA_Sync) and close it. The handle is freed
 * whatever the status; the status includes that of requests nobody has waited for. */
XTA_API int PEXTA_Close(int p_a);

/** Complete the array's requests, close it and delete its files, whatever the mode. */
XTA_API int PEXTA_Delete(int p_a);

/** Complete the array's requests and make written cells survive power loss. */
XTA_API int PEXTA_Sync(int p_a);

/** The properties of an array. Not collective.
 * @param[in]  p_a       a handle
 * @param[out] type      as given to Create; for arrays of other programs the C type of its cells
 * @param[out] ndim      number of axes
 * @param[out] dims      cells on each axis, as last agreed on; up to PEXTA_MAX_NDIM values
 * @param[out] name      PEXTA_NAME_BYTES
 * @param[out] filename  as given by rank 0; PEXTA_FILENAME_BYTES
 * Each of them may be NULL. */
XTA_API int PEXTA_Inquire64(int p_a, int *type, int *ndim, int64_t dims[], char *name,
                            char *filename);

/** PEXTA_Inquire64 with the lengths as size_t. */
XTA_API int PEXTA_Inquire(int p_a, int *type, int *ndim, size_t dims[], char *name, char *filename);

/** Rank 0 prints the properties of an array on stdout: names, type, mode, bounds, chunks, segments,
 * requests. Not collective. */
XTA_API int PEXTA_Print_internals(int p_a);

/* ---- growth ---- */

/** Begin to extend an array at the back of the axes: one atomic step, whose cells are 0; no cell
 * moves. The thread of rank 0 does it while the program computes, and the new bounds hold on all
 * ranks once the request is complete (PEXTA_Wait, PEXTA_Probe, PEXTA_Flick, or a later call that
 * changes the bounds of this array, synchronises or closes it). Until then all transfers use the
 * bounds before, which growth does not disturb.
 *
 * A global array of the old lengths does not grow with the file, as Global Arrays cannot resize
 * one: PEXTA_Read then refuses it and names PEXTA_Read_grown, which makes a new one under a new
 * handle. The old one is untouched; pointers into it (NGA_Access) are none into the new one.
 *
 * @param[in]  p_a      opened PEXTA_RW or PEXTA_W
 * @param[in]  edims    edims[a]: cells to add on axis a
 * @param[in]  odims    the order of the extensions: odims[0] is the axis that is extended first,
 *                      and so on, as many values as there are axes. A negative number (2^63 or
 *                      more) names none. An axis that is not named is not extended. NULL: all, in
 *                      turn
 * @param[out] request  to wait for; NULL: the growth is complete on return
 * @retval XTA_EARG     odims names an axis twice, or one that does not exist; edims of a named axis
 *                      is negative
 * @retval XTA_EACCESS  opened PEXTA_R
 * Errors of the growth itself, as for xta_array_extend, are those of the request.
 * @par Source
 * [CXA] 8.4. The former PEXTA_Extend, which took int64_t and had the new lengths as its result, is
 * PEXTA_Extend64; the compiler says so. */
XTA_API int PEXTA_Extend(int p_a, size_t edims[], size_t odims[], int *request);

#if defined(__GNUC__) && !defined(__cplusplus) && defined(__STDC_VERSION__) && \
    __STDC_VERSION__ >= 201112L
/* Never defined: a call of it does not compile. */
__attribute__((error("PEXTA_Extend takes size_t lengths and, as input, the order of the axes "
                     "([CXA] 8.4); its former form is PEXTA_Extend64"))) int
PEXTA_Extend_is_now_Extend64(int p_a, const void *edims, const void *odims, int *request);
#define PEXTA__NOT_64(lengths, form) \
    _Generic((lengths),                          \
        int64_t *: PEXTA_Extend_is_now_Extend64, \
        const int64_t *: PEXTA_Extend_is_now_Extend64, \
        default: form)
#define PEXTA_Extend(p_a, edims, odims, request) \
    PEXTA__NOT_64(edims, PEXTA__NOT_64(odims, PEXTA_Extend))((p_a), (edims), (odims), (request))
#endif

/** Extend an array at the back of the axes. One atomic step; new cells are 0; no cell moves.
 * Earlier changes of the bounds by other programs are applied first. Requests in progress are not
 * affected.
 *
 * @param[in]  p_a      opened PEXTA_RW or PEXTA_W
 * @param[in]  edims    cells to add on each axis, >= 0
 * @param[out] odims    cells on each axis after this step; NULL if not wanted
 * @param[out] request  PEXTA_REQ_INVALID: growth is complete on return; NULL if not wanted
 * @par Source
 * [CXA] 8.4. */
XTA_API int PEXTA_Extend64(int p_a, const int64_t edims[], int64_t odims[], int *request);

/** Extend at the front, as PEXTA_Extend64: the former cell (0, 0) is (edims[0], edims[1])
 * afterwards. */
XTA_API int PEXTA_Extend_front(int p_a, const int64_t edims[], int64_t odims[], int *request);

/** Extend one axis by `cells`, as PEXTA_Extend64, at the front if `front` is not 0. */
XTA_API int PEXTA_Extend_axis(int p_a, int axis, int front, int64_t cells, int64_t odims[],
                              int *request);

/** Apply the changes that other programs have made to the bounds.
 * @param[in]  p_a      a handle
 * @param[out] odims    cells on each axis (PEXTA_MAX_NDIM values: an axis may have been added);
 *                      NULL if not wanted
 * @param[out] changed  1 if the bounds have changed; NULL if not wanted */
XTA_API int PEXTA_Refresh(int p_a, int64_t odims[], int *changed);

/* ---- whole arrays ---- */

/** Write a whole global array. Type and lengths must be those of the array.
 * @param[in]  g_a      the global array
 * @param[in]  p_a      the array
 * @param[out] request  as of PEXTA_IWrite; NULL: the transfer is complete on return
 * @retval XTA_ETYPE    the types differ
 * @retval XTA_EBOX     the number of axes or the lengths differ; the text names the axis
 * @retval XTA_EACCESS  opened PEXTA_R
 * @retval XTA_EUNSUPPORTED  a mirrored global array, or one of a group that is not the world */
XTA_API int PEXTA_Write(int g_a, int p_a, int *request);

/** Read a whole array, complete on return ([CXA] 8.4). As PEXTA_Write; XTA_EACCESS if opened
 * PEXTA_W. If the array has grown and the global array has not, see PEXTA_Read_fitting and
 * PEXTA_Read_grown. */
XTA_API int PEXTA_Read(int g_a, int p_a);

/** Begin to write or read a whole array; a thread of each process does the I/O meanwhile.
 * @param[in]  g_a      the global array
 * @param[in]  p_a      the array
 * @param[out] request  for PEXTA_Wait and PEXTA_Probe; PEXTA_REQ_INVALID on failure. Any number may
 *                      be in progress */
XTA_API int PEXTA_IWrite(int g_a, int p_a, int *request);
XTA_API int PEXTA_IRead(int g_a, int p_a, int *request);

/* ---- sections ---- */

/** Write a section of a global array to a section of an array.
 *
 * @param[in]  transp  not 0: the axes of the global array are used in reverse order
 * @param[in]  g_a     the global array
 * @param[in]  glo     first cell of its section
 * @param[in]  ghi     last cell
 * @param[in]  p_a     the array
 * @param[in]  plo     first cell of its section
 * @param[in]  phi     last cell; lengths as in the global array, axis by axis (reversed if
 *                     `transp`)
 * @retval XTA_EBOX    a section leaves its array, or the lengths differ; the text names axis and
 *                     values
 * Others as for PEXTA_Write. */
XTA_API int PEXTA_Write_section64(int transp, int g_a, const int64_t glo[], const int64_t ghi[],
                                  int p_a, const int64_t plo[], const int64_t phi[]);

/** Read a section. As PEXTA_Write_section64. */
XTA_API int PEXTA_Read_section64(int transp, int g_a, const int64_t glo[], const int64_t ghi[],
                                 int p_a, const int64_t plo[], const int64_t phi[]);

/** Begin to write or read a section, with the signatures of Disk Resident Arrays. `request`: as of
 * PEXTA_IWrite; NULL: the transfer is complete on return. */
XTA_API int PEXTA_Write_section(int transp, int g_a, int glo[], int ghi[], int p_a, size_t plo[],
                                size_t phi[], int *request);
XTA_API int PEXTA_Read_section(int transp, int g_a, int glo[], int ghi[], int p_a, size_t plo[],
                               size_t phi[], int *request);

/** Begin to write or read a section. */
XTA_API int PEXTA_IWrite_section(int transp, int g_a, const int64_t glo[], const int64_t ghi[],
                                 int p_a, const int64_t plo[], const int64_t phi[], int *request);
XTA_API int PEXTA_IRead_section(int transp, int g_a, const int64_t glo[], const int64_t ghi[],
                                int p_a, const int64_t plo[], const int64_t phi[], int *request);

/* ---- the session cache ---- */

/** Keep the chunks of an array that sections are read from most, in the memory of each process that
 * reads them. Off after Create and Open. Worth it where a read from a file costs more than a copy
 * in memory: on several machines, or where files cannot be mapped.
 *
 * It serves the blocking reads of sections (PEXTA_Read_section64, and PEXTA_Read_section without a
 * request) that are not transposed and not of the whole array. Reads always see what this program
 * has written. What another program has written into cells that were there before may be seen only
 * after PEXTA_Refresh or an extension, which empty the cache; without the cache it is seen at once
 * on one machine. So turn it on where other programs only extend the array, or not between two
 * refreshes.
 *
 * @param[in]  p_a        opened PEXTA_RW or PEXTA_R
 * @param[in]  max_bytes  the most bytes of cells that each process keeps; 0: turn it off. What is
 *                        in it is dropped in either case
 * @retval XTA_EARG     no such array; `max_bytes` is negative or no number
 * @retval XTA_EACCESS  opened PEXTA_W
 * @par Source
 * [CXA] 10.2, which intends it and describes no more than that. */
XTA_API int PEXTA_Set_cache(int p_a, double max_bytes);

/** What the cache has done since it was turned on, on this process. Not collective.
 * @param[in]  p_a     a handle
 * @param[out] hits    chunks of reads that were in it
 * @param[out] misses  chunks of reads that were not
 * @param[out] bytes   of cells in it now
 * Each of them may be NULL; all are 0 if it is off. */
XTA_API int PEXTA_Inquire_cache(int p_a, int64_t *hits, int64_t *misses, int64_t *bytes);

/* ---- reading an array that has grown ---- */

/** Read the cells that the global array and the array have in common.
 *
 * @param[in]  g_a     of the array's type and number of axes, of any lengths; its other cells are
 *                     unchanged
 * @param[in]  p_a     the array
 * @param[in]  origin  the cell of the array that corresponds to the first cell of the global array,
 *                     possibly outside it (and negative); NULL: the cell that was first when the
 *                     array was created, so that a global array written before growths, at the
 *                     front or at the back, gets its own cells again */
XTA_API int PEXTA_Read_fitting(int g_a, int p_a, const int64_t origin[]);

/** Read the whole array into a new global array, an extended `g_a`: it has the current lengths of
 * the array, and the block borders of `g_a` at the current places of its cells; the blocks at the
 * ends are longer. Ghost cells are as wide as those of `g_a`. Block-cyclic and tiled arrays become
 * block-cyclic with the same block lengths, counted from the new first cell.
 *
 * @param[in]  g_a      of the array's type and number of axes; it is unchanged
 * @param[in]  p_a      the array; each axis at least as long as that of `g_a`, with the cells of
 *                      `g_a` at `origin`
 * @param[in]  origin   as for PEXTA_Read_fitting
 * @param[out] g_grown  the new global array, to be destroyed by the caller; 0 on failure
 * @retval XTA_ENOMEM   Global Arrays could not create it */
XTA_API int PEXTA_Read_grown(int g_a, int p_a, const int64_t origin[], int *g_grown);

/* ---- requests ---- */

/** Wait until a request is complete on all ranks; ends with a GA_Sync. Returns the status of the
 * transfer. For a request that was waited for before, and for PEXTA_REQ_INVALID, it returns 0.
 * @retval XTA_EARG  no such request was ever made */
XTA_API int PEXTA_Wait(int request);

/** Complete a request if all ranks' data are there; never waits for a disk.
 * @param[in]  request   as for PEXTA_Wait
 * @param[out] complete  1: complete, as after PEXTA_Wait; 0: not yet
 * @return the status of the transfer if it is complete */
XTA_API int PEXTA_Probe(int request, int *complete);

/** Complete every request whose data are there on all ranks. PEXTA_Wait returns their status. */
XTA_API int PEXTA_Flick(void);

#ifdef __cplusplus
}
#endif
#endif
