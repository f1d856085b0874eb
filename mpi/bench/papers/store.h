/* Arrays of doubles on disk that global arrays are written to and read from, by the libraries that
 * [CXA] 8.5 compares: PEXTA, the stock Disk Resident Arrays, and parallel HDF5. All functions are
 * collective over the processes of Global Arrays and end the program on failure; sections go from
 * `lo` to before `hi`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_STORE_H
#define XTA_BENCH_STORE_H

#include <stdio.h>

#include <ga.h>

#include "bench.h"

enum { STORE_AXES = 3 };

typedef struct store store;

/* An array on disk. The caller sets the first group before `create`; `dims` are those of the
 * session. */
typedef struct disk_array {
    const char *name;         // of the files, in the working folder
    int ndim;                 // 1 to STORE_AXES
    int64_t dims[STORE_AXES]; // cells on each axis
    int64_t typical
        [STORE_AXES]; // chunk shape; for the disk arrays of Global Arrays, the typical request
    bool growing;     // `grow` will be called
    bool valued;      // cells that are added hold bench_value, else 0

    const store *store;     // set by store_create
    int64_t by[STORE_AXES]; // of the growth under way
    int handle;             // PEXTA, DRA
    int generation;         // a copy that replaces an array has a name of its own
    int64_t file, dataset;  // HDF5
    FILE *outsider;         // rank 0: the program that extends the array
} disk_array;

/* A library. */
struct store {
    const char *name;
    void (*begin)(
        double buffer_bytes); // `buffer_bytes` for each process; not above 0: the library's choice
    void (*end)(void);
    void (*create)(disk_array *a);
    void (*open)(disk_array *a); // sets dims
    void (*close)(disk_array *a);
    void (*remove)(disk_array *a); // an open one
    void (*write)(disk_array *a, int g, const int64_t lo[], const int64_t hi[]);
    void (*read)(disk_array *a, int g, const int64_t lo[], const int64_t hi[]);

    /* Extend the array by a->by at the back, as a program does that knows nothing of the session
     * and its memory, and write its new cells. Between the two calls the session may write and
     * read within the former bounds; after the second it sees the new ones, in dims. */
    void (*begin_growth)(disk_array *a);
    void (*end_growth)(disk_array *a);
};

extern const store store_pexta;
extern const store store_dra;  // no growth: a larger array is made and the old one copied into it
extern const store store_hdf5; // chunked, all axes unlimited, extended by a serial program
extern const store store_hdf5_copied; // contiguous: copied as the disk arrays are

enum { STORES = 4 };
extern const store *const stores[STORES];

void store_create(const store *s, disk_array *a);

/* `by` cells on each axis. */
void store_begin_growth(disk_array *a, const int64_t by[]);

/* Write a global array to the whole disk array, or read it. */
void store_write_all(disk_array *a, int g);
void store_read_all(disk_array *a, int g);

/* For libraries that grow by copying: write all cells outside the bounds `old`, each as `valued`
 * says. */
void store_write_new(disk_array *a, const int64_t old[]);

/* Rank 0: begin the program that extends an array of the format (its own first argument), and wait
 * for it. */
void store_begin_outsider(disk_array *a, const char *format, const char *path);
void store_end_outsider(disk_array *a);

/* The program that does it, beside this one. */
void store_set_outsider(const char *own_path);

/* A new global array of doubles, in blocks as Global Arrays divides it; an axis of
 * fewer than 16 cells is not divided. */
int global_new(int ndim, const int64_t dims[]);

/* Set the cells to bench_value, that of cell `lo` first; or compare them, and end the program on a
 * difference. */
void global_fill(int g, const int64_t lo[]);
void global_verify(int g, const int64_t lo[], const char *who);

/* This process' cells of a global array, dense; NULL, and `lo` and `hi` empty, if it has none. */
double *global_access(int g, int64_t lo[], int64_t hi[]);
void global_release(int g);

/* Start MPI and Global Arrays, or end them. */
void ranks_begin(int *argc, char ***argv);
void ranks_end(void);

/* Seconds since `begin` on the slowest process; synchronises. */
double ranks_seconds(double begin);
double ranks_now(void);

/* Let the disk finish earlier writes; outside timed parts. */
void ranks_settle(void);

/* Rank 0: print `case,series,value,unit`. */
void ranks_print(const char *name, const char *series, double value, const char *unit);

#endif
