/* Running the sides in turn on all ranks, and the boxes that they move.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_MEASURE_H
#define XTA_BENCH_MEASURE_H

#include "sides.h"

enum { MOST_REPETITIONS = 16 };

/* Start MPI, find out about the ranks, and print the header of the CSV, which says what is
 * timed. */
void begin_ranks(task *t, int *argc, char ***argv, const char *topic, const char *timed);

/* End the sides and MPI. */
void end_ranks(void);

/* Distribute the section to the ranks in blocks of whole chunks. */
void distribute(task *t);

/* Shrink the section, and distribute it in equal parts, so that faces lie between chunk borders. */
void distribute_unaligned(task *t);

/* Put the cells of the task in place, in memory. */
void fill_cells(const side *s, const task *t);

/* Overwrite the memory, so that cells missing from a read are detected. */
void clear_cells(const side *s, const task *t);

/* End the program unless all cells are as `fill_cells` puts them. */
void verify_cells(const side *s, const task *t);

/* The time when all ranks are ready, and the seconds from then until all are done: the largest of
 * all ranks. */
double begin_together(void);
double end_together(double begin);

/* Make the machine ready for a write of the size of the array, outside every timed part: dirty
 * pages are written out, and memory for the page cache has just been in use. (A virtual machine
 * returns free memory to its host after a moment; getting it back takes five times as long as
 * writing into it, and would affect a random side.) */
void settle_machine(const task *t);

/* Only write out the dirty pages. */
void settle_disk(const task *t);

/* The median time of a side; prints all times on the standard error, to show the spread. Sorts. */
double median_of(const task *t, const char *what, const side *s, double seconds[], int n);

#endif
