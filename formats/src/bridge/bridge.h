/* The room header of the bridges: what one format must offer, and what the formats share.
 *
 * A format is one struct of functions. It knows its foreign library and a description; it knows
 * nothing of arrays in files, of slabs or of where a temporary file lies. The files import.c and
 * export.c carry slabs between an array and a format and know nothing of any format.
 *
 * Attributes. A format hands over a list of attributes and is given one back. Names with a slash
 * are ours (no foreign name may hold one): `global/title`, `gdal/ENVI/bands`, `values//box`. An
 * attribute may be spread along axes: it then has one item for each cell of a box of its own
 * (coordinate values of an axis, names of bands). Spread attributes grow with the array and are cut
 * with an exported box; their box is kept beside them (docs/decisions/0010-bridges.md has the
 * rules).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_ROOM_H
#define XTA_BRIDGE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/bridge.h>

/* Go to the label `done` unless the call went well. This floor sees public headers only, so it has
 * the macro of base/ again. */
#define XTA_TRY(call)           \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

#define BRIDGE_MEMORY_BYTES ((uint64_t)64 << 20)
#define BRIDGE_SPREAD_NDIM  8

/* A foreign array with no axes at all becomes one cell on one axis and this mark, a text. */
#define BRIDGE_SCALAR "import/scalar"
/* The name that the source had for what is now an array; exports use it again. */
#define BRIDGE_VARIABLE     "import/variable"
#define BRIDGE_GEOTRANSFORM "geotransform"
/* the cards, one a line, but those that follow from cells */
#define BRIDGE_FITS_HEADER "fits/header"

/* One attribute under way between a format and an array. */
typedef struct bridge_attribute {
    int axis; /* XTA_ON_ARRAY, or of the description */
    char *name;
    xta_type type;
    size_t cell_bytes;
    size_t count; /* values; bytes of text */
    void *values;
    /* Spread attributes only (ndim > 0). `along` is an axis of the description or -1 for an axis of
     * the attribute's own, which `own` then names. Texts have one line for each item. */
    int ndim;
    int along[BRIDGE_SPREAD_NDIM];
    char *own[BRIDGE_SPREAD_NDIM];
    int64_t lo[BRIDGE_SPREAD_NDIM];
    int64_t hi[BRIDGE_SPREAD_NDIM];
} bridge_attribute;

/* What a source holds, or what a destination is to hold. */
typedef struct bridge_description {
    xta_type type;
    size_t cell_bytes;
    int ndim;
    int64_t lo[XTA_MAX_NDIM]; /* array coordinates of the first cell; zero when importing */
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM]; /* of the foreign file; chunk[0] == 0: none */
    int slow[XTA_MAX_NDIM];      /* axes of the foreign file, slowest first: how slabs are cut */
    xta_order order;             /* of a slab in memory: XTA_ROW or XTA_COLUMN */
    char *name[XTA_MAX_NDIM];    /* of the axes; NULL: none */
    char *unit[XTA_MAX_NDIM];
    unsigned char *fill; /* one cell; NULL: zero */
    char *variable;      /* name of the foreign variable, or of the array */
    bridge_attribute *attributes;
    size_t n_attributes;
} bridge_description;

/* What importing needs to know of the array that the cells go to; zero when one is created. */
typedef struct bridge_target {
    const xta_array_info *info; /* NULL: a new array */
    int append_axis;            /* -1: not appending */
} bridge_target;

/* One format. Boxes are in the foreign array's own coordinates, from 0. */
typedef struct bridge_format {
    const char *name;
    const char *summary;
    const char *const *suffixes; /* without the dot, ended by NULL */
    const char *const
        *sides;   /* endings of files beside the main one that an export outdates; or NULL */
    bool several; /* a file may hold more than one array */
    const char *const *coordinates; /* attributes of axes that an export writes with the cells and
                                       that must be there for each of them; NULL: none */
    bool (*sniff)(const char *path, const unsigned char *head, size_t n_bytes);
    bool (*takes)(const char *format,
                  const char *suffix); /* export: name of a driver, or a suffix */
    xta_status (*open)(const char *path, const xta_import_options *options,
                       const bridge_target *target, bridge_description *what, void **state,
                       xta_error *err);
    xta_status (*read)(void *state, const xta_box *box, void *cells, xta_error *err);
    void (*close)(void *state);
    /* May set order, slow and chunk of `what`. */
    xta_status (*create)(const char *path, const xta_export_options *options,
                         bridge_description *what, void **state, xta_error *err);
    /* Open an existing file and add the variable to it; NULL: a file of this format holds one
     * array. A variable of that name is replaced only if `options->overwrite` says so. Called on a
     * copy, which is thrown away if anything fails. */
    xta_status (*add)(const char *path, const xta_export_options *options, bridge_description *what,
                      void **state, xta_error *err);
    xta_status (*write)(void *state, const xta_box *box, const void *cells, xta_error *err);
    /* Read what was written, before `finish`; NULL: it cannot. */
    xta_status (*read_back)(void *state, const xta_box *box, void *cells, xta_error *err);
    xta_status (*finish)(void *state, xta_error *err); /* closes and frees, whatever it answers */
    void (*abandon)(void *state);
} bridge_format;

/* ---- lock.c ---- */

/* NetCDF and HDF5 share a library that is not made for threads: calls into it come one at a
 * time. */
void xta__bridge_lock(void);
void xta__bridge_unlock(void);

/* ---- local.c ---- */

/* A path by which a foreign library finds the same file, and can find nothing else; to be freed.
 * NULL: no memory. */
char *xta__bridge_local(const char *path);
/* XTA_ENOENT or XTA_EACCESS where nothing is at a path. */
xta_status xta__bridge_must_exist(const char *path, xta_error *err);

/* ---- hdf5_foreign.c; hdf5_none.c in builds without HDF5 ---- */

/* Refuse an HDF5 file anything of which lies in another one, for libraries that go there by
 * themselves. What is no HDF5 file is let pass. */
xta_status xta__hdf5_refuse_foreign(const char *path, xta_error *err);

/* ---- registry.c ---- */

const bridge_format *xta__bridge_number(int k);
xta_status xta__bridge_for_import(const char *path, const xta_import_options *options,
                                  const bridge_format **out, xta_error *err);
xta_status xta__bridge_for_export(const char *path, const char *format, const bridge_format **out,
                                  xta_error *err);
/* The part after the last dot of the last component, in lower case; "" if there is none. */
void xta__bridge_suffix(const char *path, char suffix[16]);

/* Whether this build was made without the library that knows a format; and, if so, the end of a
 * message that names it and what to do, else an empty text. The format goes by `name`, or, if that
 * is NULL, by `suffix`; no suffix (NULL) asks whether it would be a grid of blocks. Answers
 * `text`. */
#define XTA__BRIDGE_ABSENT_BYTES 128
bool xta__bridge_is_absent(const char *name, const char *suffix);
const char *xta__bridge_absent(const char *name, const char *suffix, char *text, size_t capacity);

/* ---- describe.c: descriptions and their attributes ---- */

void xta__bridge_describe_init(bridge_description *what);
void xta__bridge_describe_clear(bridge_description *what);
xta_status xta__bridge_no_memory(const char *path, xta_error *err);
char *xta__bridge_copy(const char *text);

/* Foreign text as ours, to be freed; *count: its bytes, without the zero behind them. What is UTF-8
 * stays; anything else is taken for Latin-1, byte by byte, as old headers and tapes have it.
 * Control characters become U+FFFD; `lines`: tabs and ends of lines stay. NULL: no memory. */
char *xta__bridge_to_utf8(const char *text, size_t n, bool lines, size_t *count);
/* The same for a foreign name or unit. */
char *xta__bridge_copy_name(const char *name);

/* Add an attribute with a copy of the values (of texts and of the name: as ours); NULL where there
 * is no memory. The pointer is good until the next one is added. */
bridge_attribute *xta__bridge_add(bridge_description *what, int axis, const char *name,
                                  xta_type type, size_t count, const void *values);
bridge_attribute *xta__bridge_add_text(bridge_description *what, int axis, const char *name,
                                       const char *text);
/* Take one away, if it is there. `name` may be its own. */
void xta__bridge_remove(bridge_description *what, int axis, const char *name);
/* Make it spread along one axis of the description, from its first cell on. */
void xta__bridge_spread(bridge_attribute *a, int along, int64_t lo, int64_t n);
const bridge_attribute *xta__bridge_find(const bridge_description *what, int axis,
                                         const char *name);
/* The text of a text attribute; NULL if there is no such text. */
const char *xta__bridge_text(const bridge_description *what, int axis, const char *name);
/* Number `k` of a numeric attribute as a double; `otherwise` if there is none. */
double xta__bridge_number_of(const bridge_attribute *a, size_t k, double otherwise);

/* ---- listing.c: arrays of a file that holds several ---- */

typedef struct bridge_listing {
    char text[300];
    size_t used;
    int n;      /* arrays */
    int n_told; /* those of which `text` tells */
} bridge_listing;

/* Add "NAME (4x3 TYPE)". */
void xta__bridge_list(bridge_listing *list, const char *name, int ndim, const int64_t bounds[],
                      const char *type);
/* What a list says, with how many it leaves out. */
const char *xta__bridge_listed(const bridge_listing *list, char text[340]);
/* The error that asks which of them is meant. */
xta_status xta__bridge_ask(const bridge_listing *list, const char *path, xta_error *err);

/* ---- spread.c: attributes with an item for each cell ---- */

/* The items of the box [lo, hi) (ndim of both), dense row-major, from `over` where it has them,
 * else from `a`; where neither has one the number is NaN or zero, the line is empty. `over` may be
 * NULL, else it has the type of `a`. For texts `*count` is in bytes. NULL: no memory. The caller
 * frees. */
void *xta__bridge_cut(const bridge_attribute *a, const bridge_attribute *over, const int64_t lo[],
                      const int64_t hi[], size_t *count);
/* Number of items in a box; 0 also where it is absurdly large. */
size_t xta__bridge_items(int ndim, const int64_t lo[], const int64_t hi[]);
/* Number of lines of a text. */
size_t xta__bridge_n_lines(const char *text, size_t n_bytes);
/* Item `k` lines into a text with one line for each item; not ended by a zero: `*length` bytes. */
const char *xta__bridge_line(const char *text, size_t k, size_t *length);

/* ---- carry.c: attributes between a description and an array ---- */

/* Copy one attribute of the array, spread if it is, into a description of its own; `*out` is NULL
 * if there is none. */
xta_status xta__bridge_fetch(xta_array *array, int axis, const char *name, bridge_description *into,
                             bridge_attribute **out, xta_error *err);
/* Read names, units, fill and all attributes of an array into a description whose box is set. */
xta_status xta__bridge_collect(xta_array *array, bridge_description *what, xta_error *err);
/* Put the attributes of a source on an array, its cell 0 lying at `at`. `axes` maps axes of the
 * source to those of the array. On an array that was there before, plain attributes stay as they
 * are. */
xta_status xta__bridge_deliver(xta_array *array, const bridge_description *what, const int axes[],
                               const int64_t at[], xta_error *err);

/* ---- agree.c: whether cells of a source mean what those of the array mean ---- */

/* Refuse sources whose cells mean something else: other packing, units, no-data. */
xta_status xta__bridge_agree(xta_array *array, const bridge_description *what, const int axes[],
                             const int64_t at[], const char *source, xta_error *err);

/* ---- place.c: where the cells go ---- */

xta_status xta__bridge_match_axes(xta_array *array, const bridge_description *what,
                                  const char *source, int axes[], xta_error *err);
/* Refuse a source whose georeference puts its cells elsewhere than at `at`. */
xta_status xta__bridge_check_place(xta_array *array, const bridge_description *what,
                                   const int axes[], const int64_t at[], const char *source,
                                   xta_error *err);
/* Coordinates from two georeferences. */
xta_status xta__bridge_locate(xta_array *array, const bridge_description *what, const int axes[],
                              const char *source, int64_t at[], xta_error *err);

/* The axis of a FITS image, from 1, whose pixel a keyword tells of (CRPIX1, CRPIX2A, LTV1); 0: it
 * is none of these. */
int xta__bridge_pixel_axis(const char *name);

/* ---- fold.c: one axis of the source that is several in the array ---- */

typedef struct bridge_fold {
    int axis; /* the first of the parts; of the source, the axis itself */
    int n;    /* of parts; 0: nothing is folded */
    int64_t length[XTA_MAX_NDIM];
    int64_t stride[XTA_MAX_NDIM]; /* cells of the source's axis between neighbours on a part */
    int slow[XTA_MAX_NDIM];       /* parts, slowest first */
    bool same_order;              /* folded cells lie in memory as the source's do */
    xta_order order;              /* of memory */
    size_t cell_bytes;
    uint64_t memory_bytes; /* for what is read more than is wanted */
} bridge_fold;

/* Take fold and names of axes from the options, and make the description that of the folded
 * source. */
xta_status xta__bridge_fold(const xta_import_options *options, const char *source,
                            bridge_description *what, bridge_fold *fold, xta_error *err);
/* Read a box of the folded source. */
xta_status xta__bridge_fold_read(const bridge_fold *fold, const bridge_format *format, void *state,
                                 const xta_box *box, void *cells, xta_error *err);

/* ---- slabs.c: a box cut into slabs of bounded memory ---- */

typedef struct bridge_slabs {
    xta_box box;                /* the whole */
    int64_t step[XTA_MAX_NDIM]; /* slabs lie on this grid */
    int slow[XTA_MAX_NDIM];
    int64_t at[XTA_MAX_NDIM]; /* the next slab */
    bool over;
    uint64_t cells; /* of the largest slab */
} bridge_slabs;

void xta__bridge_slabs_init(bridge_slabs *slabs, const xta_box *box, const int64_t chunk[],
                            const int slow[], size_t cell_bytes, uint64_t memory_bytes);
/* The next slab; false when there are no more. */
bool xta__bridge_slabs_next(bridge_slabs *slabs, xta_box *slab);

/* ---- dense.c: files of cells in row or column order, which raw and npy share ---- */

typedef struct bridge_dense {
    int fd;
    char *path;
    uint64_t offset; /* of the first cell */
    size_t cell_bytes;
    size_t swap_bytes; /* length of what is to be turned round; 0 or 1: nothing */
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    xta_order order;
    /* Where bytes come from if not from `fd`: a compressed file. NULL: from `fd`. */
    xta_status (*get)(const struct bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                      xta_error *err);
    void *stream;      /* of `get` */
    uint64_t *n_calls; /* counts system calls on cells: reads, then writes; NULL: not wanted */
} bridge_dense;

xta_status xta__dense_open(bridge_dense *file, const char *path, uint64_t *file_bytes,
                           xta_error *err);
xta_status xta__dense_create(bridge_dense *file, const char *path, xta_error *err);
/* Plain bytes at an offset; a file that ends early is an error. */
xta_status xta__dense_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                            xta_error *err);
xta_status xta__dense_put_bytes(const bridge_dense *file, uint64_t offset, const void *bytes,
                                size_t n, xta_error *err);
xta_status xta__dense_read(const bridge_dense *file, const xta_box *box, void *cells,
                           xta_error *err);
xta_status xta__dense_write(const bridge_dense *file, const xta_box *box, const void *cells,
                            xta_error *err);
xta_status xta__dense_finish(bridge_dense *file, xta_error *err);
void xta__dense_close(bridge_dense *file);
/* Bytes of all cells, or false where that leaves 63 bits. */
bool xta__dense_total(const bridge_dense *file, uint64_t *bytes);
/* Bytes of the numbers in a cell of this type: what is turned round for the other byte order. */
size_t xta__dense_unit(xta_type type);
bool xta__dense_big_endian_host(void);

#endif
