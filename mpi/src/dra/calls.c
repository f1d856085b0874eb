/* The calls of Disk Resident Arrays, over PEXTA.
 *
 * What programs rely on is kept: a mistake ends the job through GA_Error with the text of the
 * toolkit (5.8), to which our own is added; handles and requests are small ints; each call begins
 * and ends with a GA_Sync. What the toolkit cannot do, PEXTA can: see docs/DRA.md.
 *
 * An array F is the pair F.pma, F.pta. Programs create F itself before they create an array, to see
 * whether they can write there; that empty file is removed when the array is deleted, as it was by
 * the toolkit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dra/calls.h"

#include <ga.h>
#include <inttypes.h>
#include <macdecls.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES     1024
#define GA_TEXT_BYTES  360
#define MAX_PATH_BYTES 4096

/* What DRA keeps about an array and PEXTA does not. */
typedef struct extra {
    bool
        /* opened, not created: its name then ends with a newline, as programs expect */
        opened;
    int io_ranks;
} extra;

static extra *extras; /* by handle */
static int n_extras;
static int default_io_ranks; /* 0: all */
static bool debug;

/* ---- errors ---- */

/* End the job with the toolkit's text, followed by ours. GA_Error copies its text into 400 bytes
 * without a check, so it gets a shorter one; a text that is cut is printed here in full. */
XTA_PRINTF(3, 4)
static void fail(const char *text, int64_t code, const char *format, ...)
{
    char ours[TEXT_BYTES];
    char whole[GA_TEXT_BYTES];
    va_list values;

    va_start(values, format);
    vsnprintf(ours, sizeof ours, format, values);
    va_end(values);
    int n = snprintf(whole, sizeof whole, "%s: %s", text, ours);
    if (n >= (int)sizeof whole) {
        fprintf(stderr, "%s: %s\n", text, ours);
    }
    GA_Error(whole, (int)code);
    abort(); // GA_Error does not return
}

static void fail_as(const char *text, int status)
{
    fail(text, status, "%s", PEXTA_Error_text());
}

static void need_begin(const char *call)
{
    if (!xta__pexta_begun()) {
        fail(call, 0, "call DRA_Init first");
    }
}

/* The properties of an open array. */
static xta__pexta_facts facts_of(int d_a, const char *call)
{
    xta__pexta_facts facts = {0};

    need_begin(call);
    if (xta__pexta_facts_of(d_a, &facts)) {
        return facts;
    }
    bool once = d_a > 0 && d_a < n_extras;
    fail(once ? "disk array not active" : "invalid DRA handle", d_a, "%s: %s", call,
         once ? "it has been closed; open it again" : "handles come from Create and Open");
    return facts;
}

/* ---- start and end ---- */

void xta__dra_init(int max_arrays)
{
    if (max_arrays < -1) {
        fail("dra_init: incorrect max number of arrays", max_arrays,
             "it may be -1 or more, and sets no limit");
    }
    if (!xta__pexta_begun()) {
        int status = PEXTA_Init(-1, -1, -1, -1);
        if (status != XTA_OK) {
            fail_as("dra_init", status);
        }
    }
    default_io_ranks = 0;
    debug = false;
}

void xta__dra_terminate(void)
{
    int status = PEXTA_Terminate();

    free(extras);
    extras = NULL;
    n_extras = 0;
    if (status != XTA_OK) {
        fail_as("dra_terminate", status);
    }
    GA_Sync();
}

/* ---- settings ---- */

void xta__dra_debug(bool flag)
{
    debug = flag;
}

void xta__dra_default_io_ranks(int io_ranks)
{
    default_io_ranks = io_ranks > 0 ? io_ranks : 0;
}

static void remember(int d_a, bool opened, int io_ranks)
{
    if (d_a >= n_extras) {
        int n = 2 * d_a + 16;
        extra *more = realloc(extras, (size_t)n * sizeof *more);
        if (more == NULL) {
            fail("dra_open: too many disk arrays ", d_a, "out of memory");
        }
        memset(more + n_extras, 0, (size_t)(n - n_extras) * sizeof *more);
        extras = more;
        n_extras = n;
    }
    extras[d_a] = (extra){opened, io_ranks};
}

static extra extra_of(int d_a)
{
    return d_a < n_extras ? extras[d_a] : (extra){false, default_io_ranks};
}

/* PEXTA has one setting for all arrays, DRA one for each. */
static void use_io_ranks(int d_a)
{
    int io_ranks = extra_of(d_a).io_ranks;

    if (io_ranks != xta__pexta_io_ranks()) {
        int status = PEXTA_Set_default_config(1, io_ranks);
        if (status != XTA_OK) {
            fail_as("dra_set_default_config", status);
        }
    }
}

/* ---- life of an array ---- */

static void check_shape(const xta__dra_array *array)
{
    static const int types[] = {C_CHAR, C_INT, C_LONG, C_LONGLONG, C_FLOAT, C_DBL, C_SCPL, C_DCPL};
    bool known = false;

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        known = known || types[k] == array->type;
    }
    if (!known) {
        fail("invalid type ", array->type,
             "ndra_create: there are C_CHAR, C_INT, C_LONG, C_LONGLONG, C_FLOAT, C_DBL, C_SCPL and "
             "C_DCPL");
    }
    if (array->ndim < 1 || array->ndim > PEXTA_MAX_NDIM) {
        fail("ndra_create: disk array dimension invalid ", array->ndim,
             "an array has 1 to %d axes, not %d", PEXTA_MAX_NDIM, array->ndim);
    }
    for (int axis = 0; axis < array->ndim; axis++) {
        if (array->dims[axis] <= 0) {
            fail("ndra_create: disk array dimension invalid ", array->dims[axis],
                 "axis %d has %" PRId64 " cells and must have 1 or more", axis, array->dims[axis]);
        }
    }
}

int xta__dra_create(const xta__dra_array *array, const char *name, const char *filename, int mode,
                    const int64_t reqdims[], int io_ranks)
{
    int64_t typical[PEXTA_MAX_NDIM];
    int d_a = 0;

    need_begin("ndra_create");
    GA_Sync(); // a rank may be about to create a file of this name, to see whether it can
    check_shape(array);
    for (int axis = 0; axis < array->ndim; axis++) {
        typical[axis] = reqdims[axis] > 0 ? reqdims[axis] : -1;
    }
    int status = PEXTA_Create64(array->type, array->ndim, array->dims, name, filename, mode,
                                typical, PEXTA_NO_GA, &d_a);
    if (status != XTA_OK) {
        fail_as("ndra_create:failed to open file", status);
    }
    remember(d_a, false, io_ranks > 0 ? io_ranks : default_io_ranks);
    GA_Sync();
    return d_a;
}

/* Whether there is a file `filename``suffix`. */
static bool there_is(const char *filename, const char *suffix)
{
    char path[MAX_PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s%s", filename, suffix);
    FILE *file = n < (int)sizeof path ? fopen(path, "rb") : NULL;

    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

int xta__dra_open(const char *filename, int mode, int *d_a)
{
    need_begin("dra_open");
    GA_Sync();
    int status = PEXTA_Open(filename, mode, d_a);
    if (status == XTA_ENOENT) {
        if (GA_Nodeid() == 0 && there_is(filename, ".info")) {
            fprintf(stderr,
                    "dra_open: %s: there is an array of the toolkit's own DRA (%s.info); bring it "
                    "over once: xta import --format dra %s.info %s.pma\n",
                    filename, filename, filename, filename);
        }
        *d_a = 0;
        GA_Sync();
        return -1;
    }
    if (status != XTA_OK) {
        fail_as("dra_open failed (-1)", status);
    }
    remember(*d_a, true, default_io_ranks);
    GA_Sync();
    return 0;
}

void xta__dra_close(int d_a)
{
    (void)facts_of(d_a, "dra_close");
    GA_Sync();
    int status = PEXTA_Close(d_a);
    if (status != XTA_OK) {
        fail_as("dra_close: close failed", status);
    }
    GA_Sync();
}

/* Remove a file if it is there and empty. */
static void remove_empty(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        return;
    }
    bool empty = fgetc(file) == EOF && feof(file) != 0;
    fclose(file);
    if (empty) {
        remove(path);
    }
}

void xta__dra_delete(int d_a)
{
    char filename[MAX_PATH_BYTES];
    xta__pexta_facts facts = facts_of(d_a, "dra_delete");

    GA_Sync();
    snprintf(filename, sizeof filename, "%s", facts.filename);
    int status = PEXTA_Delete(d_a);
    if (status != XTA_OK) {
        fail_as("dra_delete", status);
    }
    if (GA_Nodeid() == 0) {
        remove_empty(filename);
    }
    GA_Sync();
}

void xta__dra_inquire(int d_a, xta__dra_array *array)
{
    xta__pexta_facts facts = facts_of(d_a, "dra_inquire");

    array->type = facts.type;
    array->ndim = facts.ndim;
    memcpy(array->dims, facts.dims, sizeof array->dims);
    bool newline = extra_of(d_a).opened;
    snprintf(array->name, sizeof array->name, "%.*s%s", DRA_NAME_CHARACTERS - (int)newline,
             facts.name, newline ? "\n" : "");
    snprintf(array->filename, sizeof array->filename, "%.*s", DRA_FILENAME_CHARACTERS,
             facts.filename);
}

static const char *text_of_type(int type)
{
    switch (type) {
    case C_DBL:
        return "DOUBLE PRECISION";
    case C_FLOAT:
        return "SINGLE PRECISION";
    case C_INT:
        return "INTEGER";
    case C_DCPL:
        return "DOUBLE COMPLEX";
    case C_SCPL:
        return "SINGLE COMPLEX";
    case C_LONG:
        return "LONG INTEGER";
    case C_LONGLONG:
        return "LONG LONG INTEGER";
    case C_CHAR:
        return "CHARACTER";
    default:
        return "UNKNOWN";
    }
}

static void print_axes(const char *what, const int64_t values[], int ndim)
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        printf("    %s in direction [%d]: %" PRId64 "\n", what, ndim - axis, values[axis]);
    }
}

void xta__dra_print(int d_a)
{
    xta__pexta_facts facts = facts_of(d_a, "dra_print_internals");
    int io_ranks = extra_of(d_a).io_ranks;
    int n_ranks = GA_Nnodes();

    if (GA_Nodeid() != 0) {
        return;
    }
    printf("Internal Data for DRA: %s%s\n", facts.name, extra_of(d_a).opened ? "\n" : "");
    printf("  DRA Metafile Name: %s\n", facts.filename);
    printf("  DRA data type is %s\n", text_of_type(facts.type));
    printf("  DRA access permisions are %s\n", facts.mode == PEXTA_RW  ? "READ/WRITE"
                                               : facts.mode == PEXTA_W ? "WRITE ONLY"
                                                                       : "READ ONLY");
    printf("  Dimension of DRA: %d\n", facts.ndim);
    printf("  Dimensions of DRA:\n");
    print_axes("Dimension", facts.dims, facts.ndim);
    printf("  Chunk dimensions of DRA:\n");
    print_axes("Chunk dimension", facts.chunk, facts.ndim);
    printf("  DRA is currently active\n");
    printf("  DRA is using shared files\n");
    printf("  Number files used for DRA: 1\n");
    printf("  Number IO processors used for DRA: %d\n",
           io_ranks > 0 && io_ranks < n_ranks ? io_ranks : n_ranks);
}

/* ---- transfers ---- */

/* The text of a transfer's error: "ndra_write" or "ndra_read_sect", and what is wrong. */
typedef struct transfer_text {
    char text[128];
} transfer_text;

static transfer_text text_of(bool write, bool whole, const char *what)
{
    transfer_text t;

    snprintf(t.text, sizeof t.text, "ndra_%s%s: %s", write ? "write" : "read", whole ? "" : "_sect",
             what);
    return t;
}

/* The checks that both kinds of transfers begin with. `gdims` gets the lengths of the global
 * array. */
static xta__pexta_facts check_pair(bool write, bool whole, int g_a, int d_a, int64_t gdims[])
{
    int type = 0;
    int ndim = 0;
    xta__pexta_facts facts = facts_of(d_a, text_of(write, whole, "array").text);

    if (write && facts.mode == PEXTA_R) {
        fail(text_of(true, whole, whole ? "write not allowed to this array" : "write not allowed")
                 .text,
             d_a, "%s was opened for reading", facts.filename);
    }
    if (!write && facts.mode == PEXTA_W) {
        fail(text_of(false, whole, "read not allowed").text, d_a, "%s was opened for writing only",
             facts.filename);
    }
    NGA_Inquire64(g_a, &type, &ndim, gdims);
    if (type != facts.type) {
        fail(text_of(write, whole, "type mismatch").text, type,
             "%s has cells of type %s, the global array has type %d", facts.filename,
             text_of_type(facts.type), type);
    }
    if (ndim != facts.ndim) {
        fail(text_of(write, whole, "dimension mismatch").text, ndim,
             "%s has %d axes, the global array %d", facts.filename, facts.ndim, ndim);
    }
    return facts;
}

int xta__dra_whole(bool write, int g_a, int d_a)
{
    int64_t gdims[PEXTA_MAX_NDIM];
    int request = PEXTA_REQ_INVALID;
    xta__pexta_facts facts = check_pair(write, true, g_a, d_a, gdims);

    for (int axis = 0; axis < facts.ndim; axis++) {
        if (gdims[axis] != facts.dims[axis]) {
            fail(text_of(write, true, "dims mismatch").text, gdims[axis],
                 "axis %d: %s has %" PRId64 " cells, the global array %" PRId64, axis,
                 facts.filename, facts.dims[axis], gdims[axis]);
        }
    }
    use_io_ranks(d_a);
    int status = write ? PEXTA_IWrite(g_a, d_a, &request) : PEXTA_IRead(g_a, d_a, &request);
    if (status != XTA_OK) {
        fail_as(write ? "ndai_put failed" : "ndai_get failed", status);
    }
    return request;
}

static void check_limits(const xta__dra_section *s, const char *which, int ndim, const int64_t lo[],
                         const int64_t hi[], const int64_t dims[])
{
    char what[32];

    for (int axis = 0; axis < ndim; axis++) {
        if (lo[axis] < 0 || hi[axis] < lo[axis] || hi[axis] >= dims[axis]) {
            snprintf(what, sizeof what, "%s dim error", which);
            fail(text_of(s->write, false, what).text, dims[axis],
                 "axis %d (from 0, as in C): %" PRId64 " to %" PRId64
                 " is no part of 0 to %" PRId64,
                 axis, lo[axis], hi[axis], dims[axis] - 1);
        }
    }
}

/* The toolkit first compares the numbers of cells, and only then finds that it cannot reshape. */
static void check_lengths(const xta__dra_section *s, int ndim)
{
    uint64_t g_cells = 1;
    uint64_t d_cells = 1;
    int differs = -1;

    for (int axis = 0; axis < ndim; axis++) {
        int of_ga = s->transposed ? ndim - 1 - axis : axis;
        uint64_t g_length = (uint64_t)(s->ghi[of_ga] - s->glo[of_ga] + 1);
        uint64_t d_length = (uint64_t)(s->dhi[axis] - s->dlo[axis] + 1);
        g_cells *= g_length;
        d_cells *= d_length;
        differs = g_length != d_length && differs < 0 ? axis : differs;
    }
    if (g_cells != d_cells) {
        fail(text_of(s->write, false, "d_a and g_a sections do not match ").text, 0,
             "%" PRIu64 " and %" PRIu64 " cells", d_cells, g_cells);
    }
    if (differs >= 0) {
        fail("DRA move: Inconsistent dimensions found ", 0,
             "axis %d of the disk array: sections have other lengths%s", differs,
             s->transposed ? ", also when transposed" : "");
    }
}

static void print_section(const xta__dra_section *s, int ndim)
{
    struct {
        const char *name;
        const int64_t *values;
    } all[] = {{"dlo", s->dlo}, {"dhi", s->dhi}, {"glo", s->glo}, {"ghi", s->ghi}};

    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        for (int axis = ndim - 1; axis >= 0; axis--) { // Fortran's order, from 1
            printf("proc[%d] ndra_read_section: %s[%d] = %" PRId64 "\n", GA_Nodeid(), all[k].name,
                   ndim - 1 - axis, all[k].values[axis] + 1);
        }
    }
}

int xta__dra_move(const xta__dra_section *s)
{
    int64_t gdims[PEXTA_MAX_NDIM];
    int request = PEXTA_REQ_INVALID;
    xta__pexta_facts facts = check_pair(s->write, false, s->g_a, s->d_a, gdims);

    check_limits(s, "g_a", facts.ndim, s->glo, s->ghi, gdims);
    check_limits(s, "d_a", facts.ndim, s->dlo, s->dhi, facts.dims);
    check_lengths(s, facts.ndim);
    if (debug && !s->write) {
        print_section(s, facts.ndim);
    }
    use_io_ranks(s->d_a);
    int status = s->write ? PEXTA_IWrite_section(s->transposed, s->g_a, s->glo, s->ghi, s->d_a,
                                                 s->dlo, s->dhi, &request)
                          : PEXTA_IRead_section(s->transposed, s->g_a, s->glo, s->ghi, s->d_a,
                                                s->dlo, s->dhi, &request);
    if (status != XTA_OK) {
        fail_as(s->write ? "ndai_put failed" : "ndai_get failed", status);
    }
    return request;
}

/* ---- requests ---- */

void xta__dra_wait(int request)
{
    if (request == PEXTA_REQ_INVALID) {
        return;
    }
    need_begin("dra_wait");
    int status = PEXTA_Wait(request);
    if (status != XTA_OK) {
        fail_as("dra_wait: the transfer failed", status);
    }
}

int xta__dra_probe(int request, int *status)
{
    int complete = 0;

    *status = DRA_DONE;
    if (request == PEXTA_REQ_INVALID) {
        return 0;
    }
    need_begin("dra_probe");
    int failed = PEXTA_Probe(request, &complete) != XTA_OK;
    *status = complete != 0 && !failed ? DRA_DONE : 0;
    return failed;
}

void xta__dra_flick(void)
{
    need_begin("dra_flick");
    int status = PEXTA_Flick();
    if (status != XTA_OK) {
        fail_as("dra_flick", status);
    }
}

/* ---- growth ---- */

void xta__dra_extend(int d_a, bool front, const int64_t edims[], int64_t odims[])
{
    int request = PEXTA_REQ_INVALID;

    (void)facts_of(d_a, "ndra_extend");
    int status = front ? PEXTA_Extend_front(d_a, edims, odims, &request)
                       : PEXTA_Extend64(d_a, edims, odims, &request);
    if (status != XTA_OK) {
        fail_as("ndra_extend", status);
    }
}

void xta__dra_refresh(int d_a, int64_t odims[])
{
    (void)facts_of(d_a, "ndra_refresh");
    int status = PEXTA_Refresh(d_a, odims, NULL);
    if (status != XTA_OK) {
        fail_as("ndra_refresh", status);
    }
}
