/* The storage formats for a 3-d array of doubles that the parallel benchmarks compare: XTA, plain
 * MPI-IO into a flat file, parallel HDF5, PnetCDF, and the stock Disk Resident Arrays of Global
 * Arrays. Each side holds one array at a time; all its functions are collective.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_SIDES_H
#define XTA_BENCH_SIDES_H

#include <mpi.h>

#include "bench.h"

enum { AXES = 3, MOST_RANKS = 64 };

/* What is written and read. */
typedef struct task {
    int rank;
    int n_ranks;
    int64_t bounds[AXES];      // of the array
    int64_t chunk[AXES];       // for sides whose chunks can be chosen
    xta_box section;           // the box that all ranks write together
    double *cells;             // this rank's box, dense and row-major
    bool collective;           // how cells are moved, for a side that supports both modes
    bool growing;              // the array will grow: for sides that must know it beforehand
    xta_box boxes[MOST_RANKS]; // the box of each rank; together they form the section
} task;

/* A side. `write` and `read` move this rank's box and alone are timed; the rest is not. */
typedef struct side {
    const char *name;
    void (*create)(const task *t); // a new and empty array, open
    void (*write)(const task *t);
    void (*close)(const task *t);
    void (*open)(const task *t);
    void (*read)(const task *t);
    void (*remove)(const task *t); // after close

    /* For a side whose cells do not lie in the caller's memory: allocate those of the section
     * (again for another section), set them to their values, or clear them; compare them. NULL: the
     * cells lie in the caller's memory. */
    void (*take)(const task *t);
    void (*fill)(const task *t);
    void (*clear)(const task *t);
    void (*verify)(const task *t);

    /* Growth of `axis` to the bounds of `t` (from `old`) and the write of its section, which is the
     * new part; timed. `prepare` and `settle` are not. NULL: does not grow. */
    void (*prepare)(const task *t, const int64_t old[]);
    void (*grow)(const task *t, const int64_t old[], int axis);
    void (*settle)(const task *t);

    void (*finish)(void); // after the last use of the side; NULL: nothing to do
} side;

extern const side side_ours;
extern const side side_ours_mpi; // the same array accessed by MPI-IO
extern const side side_plain;
extern const side side_hdf5;
extern const side side_pnetcdf;
extern const side side_dra;

/* The folder of a side's files. */
#define SIDE_PATH_BYTES 1100

/* The path of a file in the working folder, in the caller's memory, for libraries that require it
 * not to be const. */
char *side_path(char path[SIDE_PATH_BYTES], const char *name);

/* This rank's box, its lengths, and its bytes. */
xta_box task_mine(const task *t);
void task_lengths(const xta_box *box, int64_t lengths[]);
size_t task_bytes(const task *t);

/* End the program unless an MPI call succeeded. */
void check_mpi(int code, const char *call);

#endif
