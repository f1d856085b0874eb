/* Which chunks several ranks need in one collective call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_EXCHANGE_SHARING_H
#define XTA_PARALLEL_EXCHANGE_SHARING_H

#include "parallel/handle/handle.h"

/* Messages of one call, on the array's own communicator. */
enum { XTA__TAG_CLAIM = 2, XTA__TAG_ANSWER = 3, XTA__TAG_CELLS = 4 };

/* What one rank brings to a call. */
typedef struct xta__share_of_call {
    xta_parallel *p;
    const xta__structure *structure;
    xta__direction direction;
    bool nothing; /* this rank has no cells */
    xta_box box;
    xta__region region;
    xta_io_options options;
    uint8_t *memory;
} xta__share_of_call;

/* How the file is distributed to ranks for one call, in equal domains: owner k has the `span`
 * addresses from first + k * span on, and works on `window` of them at a time. */
typedef struct xta__domains {
    uint64_t first, span, window;
    int n_owners, n_ranks;
} xta__domains;

enum { XTA__MOST_SHARED = 8 };

/* Boxes of chunk coordinates that contain all chunks that a rank shares with others. */
typedef struct xta__shared {
    int n;
    xta_box boxes[XTA__MOST_SHARED];
} xta__shared;

/* What an owner knows about a rank that needs chunks of its domain. */
typedef struct xta__member {
    int rank;
    xta__region region;
    xta__shared shared;
} xta__member;

/* What an owner has answered to this rank. */
typedef struct xta__answer {
    int owner;
    xta__shared shared;
} xta__answer;

typedef struct xta__sharing {
    const xta__share_of_call *part;
    xta__domains domains;
    int n_answers;
    xta__answer *answers; /* by owner, ascending */
    bool any;             /* some answer names chunks */
    int n_members;
    size_t members_capacity;
    xta__member *members; /* by rank, ascending */
} xta__sharing;

/* Who shares which chunks. Collective, also for ranks whose status is a failure. */
xta_status xta__sharing_find(xta__sharing *sharing, const xta__share_of_call *part, xta_error *err);
void xta__sharing_clear(xta__sharing *sharing);

/* The owner of an address, an owner's rank, and the window of an address. */
int xta__domain_of(const xta__domains *domains, uint64_t address);
int xta__domain_rank(const xta__domains *domains, int owner);
/* Which domain a rank owns; n_owners: none. */
int xta__domain_of_rank(const xta__domains *domains, int rank);
uint64_t xta__domain_window(const xta__domains *domains, uint64_t address);

/* The number of cells of a region in a chunk; *whole: they are all cells of the chunk. *cells
 * (unless NULL) becomes the box from the first to the last of them. */
uint64_t xta__cells_in(const xta__region *region, const int64_t chunk[], bool *whole,
                       xta_box *cells);

/* The number of cells of a chunk that go through its owner: none if the chunk lies outside
 * `shared`, and none if it is written as a whole, since nobody shares it then. */
uint64_t xta__shared_cells(const xta__shared *shared, const xta__region *region,
                           xta__direction direction, const int64_t chunk[], xta_box *cells);

/* Whether a chunk of this rank goes through its owner: an xta__skips. */
bool xta__sharing_has(void *sharing, const int64_t chunk[]);

/* Step to the next chunk of a box, row-major; false at the end. */
bool xta__next_of_box(const xta_box *chunks, int64_t chunk[]);

#endif
