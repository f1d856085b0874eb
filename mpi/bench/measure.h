/* Running the sides in turn on all ranks, and the boxes they are given.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_MEASURE_H
#define XTA_BENCH_MEASURE_H

#include "sides.h"

enum { MOST_REPETITIONS = 16 };

/* Start MPI, find out about the ranks, and print the head of the CSV with what is timed in it. */
void begin_ranks(task *t, int *argc, char ***argv, const char *topic, const char *timed);

/* End the sides and MPI. */
void end_ranks(void);

/* Deal the section out to the ranks in blocks of whole chunks. */
void deal_out(task *t);

/* Shrink the section, and deal it out in equal parts, so that faces lie between chunk borders. */
void deal_out_unaligned(task *t);

/* Put the cells of the task in place, in memory. */
void fill_cells(const side *s, const task *t);

/* Make sure that what a read does not bring is seen as missing. */
void clear_cells(const side *s, const task *t);

/* End the program unless all cells are as `fill_cells` puts them. */
void verify_cells(const side *s, const task *t);

/* The time when all ranks are ready, and the seconds from then until all are done: the largest of
 * all ranks. */
double begin_together(void);
double end_together(double begin);

/* Make the machine ready for a write of the size of the array, outside every timed part: what is
 * left in memory is written out, and memory for the page cache has been in use just now. (A virtual
 * machine gives free memory back to its host after a moment; having it back takes five times as
 * long as writing into it, and which of the sides it hits would be chance.) */
void settle_machine(const task *t);

/* Only the writing out. */
void settle_disk(const task *t);

/* The median of what a side took; and all of it on the standard error, for who wants to see the
 * spread. Sorts. */
double median_of(const task *t, const char *what, const side *s, double seconds[], int n);

#endif
