/* Write the cells of regions, each region into a separate file.
 *
 * A box becomes an array of its shape (on the remaining axes as long as the array). A sphere or a
 * label becomes a list: the cells in row-major order, each with all its positions on the remaining
 * axes, and beside it a list of their coordinates. Pieces arrive in the order of the file, so each
 * is copied to its position: .npy files are mapped into memory until 64 others have been used
 * since. Their space is reserved when they are created, so that a full disk is an error then and
 * not a signal later.
 *
 * The folder is created under another name and renamed at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "regions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/cells/npy.h"
#include "util/errors.h"
#include "util/text.h"

#define MOST_OPEN 64
#define ROWS      256 /* number of coordinates that are written at once */

/* An open file, or an array. */
typedef struct cell_file {
    bool used;
    bool coords;
    size_t region;
    uint8_t *map;
    size_t map_bytes;
    size_t head_bytes;
    xta_array *array;
} cell_file;

struct cli_region_cells {
    cli_extraction *job;
    char *folder;
    char *temporary; // NULL: not created
    bool as_arrays;
    xta_box bounds;
    xta_type type;
    size_t cell_bytes;
    int n_space;
    int axes[XTA_MAX_NDIM];
    int space_of[XTA_MAX_NDIM]; // for each axis of the array, its axis of the regions, or -1
    uint64_t *n_cells;          // for each region
    int64_t *limits;            // lo and hi of each region
    uint8_t *made;              // bit 0: its cells have a file, bit 1: its coordinates
    cell_file open[MOST_OPEN];
    size_t next; // which one of them is closed next
    xta_status status;
    cli_error error;
};

/* The shape of a file's contents. */
typedef struct cell_shape {
    int ndim;
    int64_t length[XTA_MAX_NDIM + 1];
    xta_type type;
    size_t cell_bytes;
} cell_shape;

static xta_status fail_on(cli_region_cells *c, const char *path, int os_errno)
{
    xta_status status = xta__status_of_errno(os_errno);

    if (status == XTA_EEXIST) {
        return cli_fail(&c->error, status, os_errno,
                        "%s: two regions of this name; give each its own", path);
    }
    return cli_fail(&c->error, status, os_errno, "%s: cannot be written: %s", path,
                    strerror(os_errno));
}

static bool is_list(const cli_region_cells *c, size_t k)
{
    return xta_regions_at(c->job->regions, k).kind != XTA_REGION_BOX;
}

static void shape_of(const cli_region_cells *c, size_t k, bool coords, cell_shape *shape)
{
    const int64_t *lo = c->limits + 2 * (size_t)c->n_space * k;
    bool list = is_list(c, k);

    *shape = (cell_shape){.type = c->type, .cell_bytes = c->cell_bytes};
    if (list) {
        shape->length[shape->ndim++] = (int64_t)c->n_cells[k];
    }
    if (coords) {
        shape->length[shape->ndim++] = c->n_space;
        shape->type = XTA_I64;
        shape->cell_bytes = sizeof(int64_t);
        return;
    }
    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        int space = c->space_of[axis];
        if (space < 0) {
            shape->length[shape->ndim++] = c->bounds.hi[axis] - c->bounds.lo[axis];
        } else if (!list) {
            shape->length[shape->ndim++] = lo[c->n_space + space] - lo[space];
        }
    }
}

/* The path of a file; the caller frees it. */
static char *path_of(cli_region_cells *c, size_t k, bool coords)
{
    char number[64];
    const char *name = cli_region_name(c->job->regions, k, number);
    char *path = xta__string("%s/%s%s%s", c->temporary, name, coords ? ".coords" : "",
                             c->as_arrays ? "" : ".npy");

    if (path == NULL) {
        cli_fail(&c->error, XTA_ENOMEM, 0, "no memory for the name of a file");
    }
    return path;
}

/* ---- opening and closing ---- */

static xta_status close_file(cli_region_cells *c, cell_file *file)
{
    xta_status status = XTA_OK;

    if (file->map != NULL) {
        munmap(file->map, file->map_bytes);
    }
    if (file->array != NULL) {
        status = xta_array_close(file->array, &c->error.error);
    }
    *file = (cell_file){0};
    return status;
}

/* Create a .npy file with its header and all its bytes. */
static xta_status make_npy(cli_region_cells *c, const char *path, const cell_shape *shape)
{
    char head[CLI_NPY_HEADER_BYTES];
    cli_npy npy = {.type = shape->type, .cell_bytes = shape->cell_bytes, .ndim = shape->ndim};
    double bytes = (double)shape->cell_bytes;
    int os_errno = 0;

    if (shape->ndim > XTA_MAX_NDIM) {
        return cli_fail(&c->error, XTA_EUNSUPPORTED, 0, "%s: more than %d axes", path,
                        XTA_MAX_NDIM);
    }
    memcpy(npy.shape, shape->length, sizeof npy.shape);
    size_t head_bytes = cli_npy_header(&npy, head);
    for (int axis = 0; axis < shape->ndim; axis++) {
        bytes *= (double)shape->length[axis];
    }
    int file = bytes < 4e18 ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (file < 0) {
        return fail_on(c, path, bytes < 4e18 ? errno : EFBIG);
    }
    os_errno = posix_fallocate(file, 0, (off_t)head_bytes + (off_t)bytes);
    if (os_errno == 0 && pwrite(file, head, head_bytes, 0) != (ssize_t)head_bytes) {
        os_errno = errno != 0 ? errno : EIO;
    }
    if (close(file) != 0 && os_errno == 0) {
        os_errno = errno;
    }
    return os_errno == 0 ? XTA_OK : fail_on(c, path, os_errno);
}

static xta_status map_npy(cli_region_cells *c, const char *path, cell_file *file)
{
    struct stat facts = {0};
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    int os_errno = 0;

    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        os_errno = errno;
    } else {
        file->map_bytes = (size_t)facts.st_size;
        file->map = mmap(NULL, file->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        os_errno = file->map == MAP_FAILED ? errno : 0;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (os_errno != 0) {
        file->map = NULL;
        return fail_on(c, path, os_errno);
    }
    file->head_bytes = 10 + (file->map[8] | (size_t)file->map[9] << 8);
    return XTA_OK;
}

/* Store the origin of a region in the array with its cells. */
static xta_status note_origin(cli_region_cells *c, size_t k, xta_array *array)
{
    const int64_t *lo = c->limits + 2 * (size_t)c->n_space * k;
    int64_t origin[XTA_MAX_NDIM];

    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        int space = c->space_of[axis];
        origin[axis] = space < 0 ? c->bounds.lo[axis] : lo[space];
    }
    xta_attribute attribute = {.name = "origin",
                               .type = XTA_I64,
                               .cell_bytes = sizeof(int64_t),
                               .count = (size_t)c->bounds.ndim,
                               .values = origin};
    return xta_attribute_set(array, XTA_ON_ARRAY, &attribute, &c->error.error);
}

static xta_status open_array(cli_region_cells *c, const char *path, size_t k, bool make,
                             const cell_shape *shape, cell_file *file)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_status status;

    how.writable = true;
    create.cell_bytes = (uint32_t)shape->cell_bytes;
    if (!make) {
        return xta_array_open(path, &how, &file->array, &c->error.error);
    }
    status = xta_array_create(path, shape->type, shape->ndim, shape->length, &create, &file->array,
                              &c->error.error);
    if (status == XTA_OK && !is_list(c, k)) {
        status = note_origin(c, k, file->array);
    }
    return status;
}

/* The file of a region, opened if necessary. NULL: c->status says why it cannot be opened. */
static cell_file *find_file(cli_region_cells *c, size_t k, bool coords)
{
    cell_file *file = NULL;
    cell_shape shape;
    uint8_t bit = coords ? 2 : 1;
    char *path;

    for (size_t i = 0; i < MOST_OPEN; i++) {
        if (c->open[i].used && c->open[i].region == k && c->open[i].coords == coords) {
            return &c->open[i];
        }
    }
    file = &c->open[c->next];
    c->next = (c->next + 1) % MOST_OPEN;
    c->status = close_file(c, file);
    path = c->status == XTA_OK ? path_of(c, k, coords) : NULL;
    if (path == NULL) {
        c->status = c->status != XTA_OK ? c->status : XTA_ENOMEM;
        return NULL;
    }
    shape_of(c, k, coords, &shape);
    bool make = (c->made[k] & bit) == 0;
    if (c->as_arrays) {
        c->status = open_array(c, path, k, make, &shape, file);
    } else {
        c->status = make ? make_npy(c, path, &shape) : XTA_OK;
        c->status = c->status == XTA_OK ? map_npy(c, path, file) : c->status;
    }
    free(path);
    c->made[k] |= c->status == XTA_OK ? bit : 0;
    file->used = c->status == XTA_OK;
    file->coords = coords;
    file->region = k;
    return c->status == XTA_OK ? file : NULL;
}

/* ---- writing cells ---- */

/* Copy a box of cells with strides to its position in the mapping of a .npy file. */
static void put_in_map(const cell_file *file, const cell_shape *shape, const xta_box *box,
                       const uint8_t *cells, const int64_t strides[])
{
    int last = box->ndim - 1;
    int64_t at[XTA_MAX_NDIM] = {0};

    for (;;) {
        const uint8_t *from = cells;
        uint64_t number = 0;
        for (int axis = 0; axis < box->ndim; axis++) {
            number = number * (uint64_t)shape->length[axis] + (uint64_t)(box->lo[axis] + at[axis]);
            from += at[axis] * strides[axis];
        }
        uint8_t *to = file->map + file->head_bytes + number * shape->cell_bytes;
        for (int64_t k = 0; k < box->hi[last] - box->lo[last]; k++) {
            memcpy(to + (size_t)k * shape->cell_bytes, from + k * strides[last], shape->cell_bytes);
        }
        int axis = last - 1;
        for (; axis >= 0 && ++at[axis] >= box->hi[axis] - box->lo[axis]; axis--) {
            at[axis] = 0;
        }
        if (axis < 0) {
            return;
        }
    }
}

static bool put(cli_region_cells *c, size_t k, bool coords, const xta_box *box, const void *cells,
                const int64_t strides[])
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    cell_file *file = find_file(c, k, coords);
    cell_shape shape;

    if (file == NULL) {
        return false;
    }
    shape_of(c, k, coords, &shape);
    if (c->as_arrays) {
        io.strides = strides;
        c->status = xta_array_write(file->array, box, &io, cells, &c->error.error);
    } else {
        put_in_map(file, &shape, box, cells, strides);
    }
    return c->status == XTA_OK;
}

/* Write the coordinates of a run of a list, unless another piece with other positions writes
 * them. */
static bool put_coords(cli_region_cells *c, const xta_region_piece *piece)
{
    int64_t rows[ROWS * XTA_MAX_NDIM];
    const int64_t strides[2] = {c->n_space * (int64_t)sizeof rows[0], sizeof rows[0]};
    int last = c->axes[c->n_space - 1];
    int64_t n = piece->cells.hi[last] - piece->cells.lo[last];

    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        if (c->space_of[axis] < 0 && piece->cells.lo[axis] != c->bounds.lo[axis]) {
            return true;
        }
    }
    for (int64_t done = 0; done < n; done += ROWS) {
        int64_t count = n - done < ROWS ? n - done : ROWS;
        for (int64_t k = 0; k < count; k++) {
            for (int axis = 0; axis < c->n_space; axis++) {
                bool along = axis + 1 == c->n_space;
                rows[k * c->n_space + axis] =
                    piece->cells.lo[c->axes[axis]] + (along ? done + k : 0);
            }
        }
        const int64_t lo[2] = {(int64_t)piece->rank + done, 0};
        const int64_t hi[2] = {lo[0] + count, c->n_space};
        xta_box box = xta_box_make(2, lo, hi);
        if (!put(c, piece->region, true, &box, rows, strides)) {
            return false;
        }
    }
    return true;
}

int cli_cells_region(void *user, size_t region, uint64_t n_cells, const xta_box *box)
{
    cli_region_cells *c = user;
    int64_t *limits = c->limits + 2 * (size_t)c->n_space * region;

    c->n_cells[region] = n_cells;
    memcpy(limits, box->lo, (size_t)c->n_space * sizeof limits[0]);
    memcpy(limits + c->n_space, box->hi, (size_t)c->n_space * sizeof limits[0]);
    return 0;
}

int cli_cells_piece(void *user, const xta_region_piece *piece)
{
    cli_region_cells *c = user;
    const int64_t *lo = c->limits + 2 * (size_t)c->n_space * piece->region;
    bool list = is_list(c, piece->region);
    int64_t strides[XTA_MAX_NDIM];
    xta_box box = {0};

    if (list) {
        int last = c->axes[c->n_space - 1];
        box.lo[0] = (int64_t)piece->rank;
        box.hi[0] = box.lo[0] + piece->cells.hi[last] - piece->cells.lo[last];
        strides[0] = piece->strides[last];
        box.ndim = 1;
    }
    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        int space = c->space_of[axis];
        if (list && space >= 0) {
            continue;
        }
        int64_t origin = space < 0 ? c->bounds.lo[axis] : lo[space];
        box.lo[box.ndim] = piece->cells.lo[axis] - origin;
        box.hi[box.ndim] = piece->cells.hi[axis] - origin;
        strides[box.ndim++] = piece->strides[axis];
    }
    return !(put(c, piece->region, false, &box, piece->first, strides) &&
             (!list || put_coords(c, piece)));
}

/* ---- begin and end ---- */

xta_status cli_cells_status(const cli_region_cells *cells)
{
    return cells->status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Check the names, which become names of files. */
static xta_status check_names(const cli_extraction *job, cli_error *err)
{
    size_t n = xta_regions_count(job->regions);
    char **names = calloc(n + 1, sizeof *names);
    char number[64];
    xta_status status = XTA_OK;

    for (size_t k = 0; names != NULL && status == XTA_OK && k < n; k++) {
        const char *name = cli_region_name(job->regions, k, number);
        if (strchr(name, '/') != NULL || name[0] == '.') {
            status = cli_fail(err, XTA_EARG, 0,
                              "%s: region %zu: \"%s\" cannot be the name of a file; leave out / "
                              "and a point at the beginning",
                              job->regions_path, k, name);
        }
        names[k] = strdup(name);
    }
    for (size_t k = 0; names == NULL || k < n; k++) {
        if (status == XTA_OK && (names == NULL || names[k] == NULL)) {
            XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "no memory for the names of %zu regions", n));
        }
    }
    if (status == XTA_OK) {
        qsort(names, n, sizeof *names, by_name);
    }
    for (size_t k = 1; status == XTA_OK && k < n; k++) {
        if (strcmp(names[k], names[k - 1]) == 0) {
            status = cli_fail(err, XTA_EEXIST, 0,
                              "%s: two regions are called \"%s\"; give each a name of its own",
                              job->regions_path, names[k]);
        }
    }
done:
    for (size_t k = 0; names != NULL && k < n; k++) {
        free(names[k]);
    }
    free(names);
    return status;
}

static xta_status make_folder(cli_region_cells *c, const char *folder, cli_error *err)
{
    size_t length = strlen(folder);
    struct stat facts;

    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    c->folder = xta__string("%.*s", (int)length, folder);
    c->temporary = xta__string("%.*s.%ld.part", (int)length, folder, (long)getpid());
    if (c->folder == NULL || c->temporary == NULL) {
        free(c->temporary);
        c->temporary = NULL;
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", folder);
    }
    int os_errno = stat(c->folder, &facts) == 0 ? EEXIST : 0;
    if (os_errno == 0 && mkdir(c->temporary, 0777) != 0) {
        os_errno = errno;
    }
    if (os_errno != 0) {
        free(c->temporary);
        c->temporary = NULL;
    }
    return os_errno == 0 ? XTA_OK
           : os_errno == EEXIST
               ? cli_fail(err, XTA_EEXIST, 0, "%s: is there already; name a new folder", c->folder)
               : cli_fail(err, XTA_EIO, os_errno, "%s: cannot be made: %s", c->folder,
                          strerror(os_errno));
}

xta_status cli_cells_begin(cli_extraction *job, const char *folder, bool as_arrays,
                           cli_region_cells **cells, cli_error *err)
{
    size_t n = xta_regions_count(job->regions);
    cli_region_cells *c = calloc(1, sizeof *c);
    xta_status status = XTA_OK;

    *cells = c;
    if (c == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the cells of regions");
    }
    c->job = job;
    c->as_arrays = as_arrays;
    c->bounds = xta_array_bounds(job->array);
    c->type = xta_array_type(job->array);
    c->cell_bytes = xta_array_cell_bytes(job->array);
    c->n_space = xta_regions_ndim(job->regions);
    XTA_TRY(check_names(job, err));
    XTA_TRY(xta_extract_axes(job->array, job->regions, job->has_axes ? job->axes : NULL, c->axes,
                             &err->error));
    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        c->space_of[axis] = -1;
    }
    for (int axis = 0; axis < c->n_space; axis++) {
        c->space_of[c->axes[axis]] = axis;
    }
    c->n_cells = calloc(n + 1, sizeof c->n_cells[0]);
    c->limits = calloc(n + 1, 2 * (size_t)c->n_space * sizeof c->limits[0]);
    c->made = calloc(n + 1, 1);
    if (c->n_cells == NULL || c->limits == NULL || c->made == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu regions", n));
    }
    status = make_folder(c, folder, err);
done:
    return status;
}

/* Remove the incomplete folder. */
static void remove_folder(const cli_region_cells *c)
{
    DIR *folder = opendir(c->temporary);

    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *path = xta__string("%s/%s", c->temporary, entry->d_name);
        if (path != NULL && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlink(path);
        }
        free(path);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(c->temporary);
}

/* Create the files of regions without cells: they had no piece, but get files like the others. */
static void make_the_rest(cli_region_cells *c)
{
    size_t n = xta_regions_count(c->job->regions);

    for (size_t k = 0; c->status == XTA_OK && k < n; k++) {
        if ((c->made[k] & 1) == 0) {
            (void)find_file(c, k, false);
        }
        if (c->status == XTA_OK && is_list(c, k) && (c->made[k] & 2) == 0) {
            (void)find_file(c, k, true);
        }
    }
}

xta_status cli_cells_end(cli_region_cells *c, xta_status status, cli_error *err)
{
    if (c == NULL) {
        return status;
    }
    if (status == XTA_OK) {
        make_the_rest(c);
    }
    for (size_t i = 0; i < MOST_OPEN; i++) {
        xta_status closed = close_file(c, &c->open[i]);
        c->status = c->status != XTA_OK ? c->status : closed;
    }
    if (c->status != XTA_OK) {
        status = c->status;
        *err = c->error;
    }
    if (c->temporary != NULL && status == XTA_OK && rename(c->temporary, c->folder) != 0) {
        status =
            cli_fail(err, XTA_EIO, errno, "%s: cannot be made: %s", c->folder, strerror(errno));
    }
    if (c->temporary != NULL && status != XTA_OK) {
        remove_folder(c);
    }
    free(c->folder);
    free(c->temporary);
    free(c->n_cells);
    free(c->limits);
    free(c->made);
    free(c);
    return status;
}
