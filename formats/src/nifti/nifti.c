/* NIfTI: brain images, versions 1 and 2, .nii and .nii.gz, using the header and the file functions
 * of the NIfTI library.
 *
 * Cells lie densely in column order after the header, so an image is a dense file; a compressed one
 * is a dense file that is read from front to back. What maps to what:
 *
 *   field of the header            attribute `nifti/FIELD`
 *   extensions of the header       attribute `nifti/extensions`
 *   scl_slope, scl_inter           attributes: cells stay as they are stored
 *   dim, datatype, vox_offset      made anew from the array
 *
 * Lost by an export: attributes that are not fields of the header. Refused: pairs of .hdr and .img.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "nifti/nifti.h"

#include <nifti/nifti1_io.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "nifti/fields.h"
#include "nifti/gzip.h"
#include "nifti/header.h"
#include "util/try.h"

static const char *const suffixes[] = {"nii", NULL};
static pthread_once_t silenced = PTHREAD_ONCE_INIT;

/* The library would print errors that are returned to the caller here. */
static void silence(void)
{
    nifti_set_debug_level(0);
}

/* Whether a path has the suffixes of a compressed image. */
static bool is_packed_image(const char *path)
{
    size_t n = strlen(path);
    return n > 7 && strcasecmp(path + n - 7, ".nii.gz") == 0;
}

static bool nifti_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    bool gzip = n_bytes >= 2 && head[0] == 0x1f && head[1] == 0x8b;
    bool first = n_bytes >= sizeof(nifti_1_header) && memcmp(head + 344, "n+1", 4) == 0;
    bool second = n_bytes >= sizeof(nifti_2_header) && memcmp(head + 4, "n+2", 4) == 0;
    return first || second || (gzip && is_packed_image(path));
}

/* An export only has the path, whose last suffix is gz. */
static bool nifti_accepts(const char *format, const char *suffix)
{
    return format == NULL ? strcmp(suffix, "gz") == 0
                          : strcasecmp(format, "nifti1") == 0 || strcasecmp(format, "nifti2") == 0;
}

/* ---- reading ---- */

static xta_status packed_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                               xta_error *err)
{
    znzFile stream = file->stream;
    char *at = bytes;
    if (znztell(stream) != (znz_off_t)offset && znzseek(stream, (znz_off_t)offset, SEEK_SET) < 0) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: ends before byte %llu of what it unpacks to",
                             file->path, (unsigned long long)offset);
    }
    while (n > 0) {
        size_t piece = n < ((size_t)1 << 30) ? n : (size_t)1 << 30;
        size_t got = znzread(at, 1, piece, stream);
        if (got == 0 || got > piece) {
            return xta_error_set(err, XTA_EFORMAT, 0,
                                 "%s: is damaged, or ends %zu bytes too early, at byte %llu of "
                                 "what it unpacks to",
                                 file->path, n, (unsigned long long)offset);
        }
        at += got;
        offset += got;
        n -= got;
    }
    return XTA_OK;
}

static xta_status open_stream(bridge_dense *file, const char *path, uint64_t *file_bytes,
                              xta_error *err)
{
    xta_status status = xta__dense_open(file, path, file_bytes, err);
    if (status == XTA_OK && xta__nifti_is_gzip(path)) {
        file->stream = znzopen(path, "rb", 1);
        file->get = packed_bytes;
        *file_bytes = UINT64_MAX; // not known before the end
        if (file->stream == NULL) {
            status = xta_error_set(err, XTA_EACCESS, 0, "%s: cannot open it", path);
        }
    }
    return status;
}

static xta_status not_nifti(const char *path, const char *why, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: not a NIfTI image in one file: %s", path, why);
}

/* Read a version 2 header, whose first number is its own length. */
static xta_status read_second(const bridge_dense *file, nifti_head *head, bool *swapped,
                              xta_error *err)
{
    nifti_2_header *header = &head->two;
    xta_status status = xta__dense_bytes(file, 0, header, sizeof *header, err);
    if (status != XTA_OK) {
        return not_nifti(file->path, "it is shorter than a header", err);
    }
    if (memcmp(header->magic, "ni2", 4) == 0) {
        return not_nifti(file->path, "its cells lie in an .img file beside it; make it one file",
                         err);
    }
    if (memcmp(header->magic, "n+2", 4) != 0) {
        return not_nifti(file->path, "it does not have the magic bytes n+2", err);
    }
    head->version = 2;
    *swapped = header->sizeof_hdr != (int)sizeof *header;
    if (*swapped) {
        xta__nifti_swap_bytes(header);
    }
    return XTA_OK;
}

static xta_status read_first(const bridge_dense *file, nifti_head *head, bool *swapped,
                             xta_error *err)
{
    nifti_1_header *header = &head->one;
    if (memcmp(header->magic, "ni1", 4) == 0) {
        return not_nifti(file->path, "its cells lie in an .img file beside it; make it one file",
                         err);
    }
    if (memcmp(header->magic, "n+1", 4) != 0) {
        return not_nifti(file->path, "it does not have the magic bytes n+1", err);
    }
    *swapped = header->dim[0] < 1 || header->dim[0] > NIFTI_MOST_NDIM;
    if (*swapped) {
        swap_nifti_header(header, 1);
    }
    if (header->sizeof_hdr != (int)sizeof *header) {
        return not_nifti(file->path, "number of axes and length of the header make no sense", err);
    }
    double offset = header->vox_offset;
    if (!(offset >= 0) || offset > (double)NIFTI_MOST_HEAD) {
        return not_nifti(file->path, "its cells begin inside the header, or too far behind it",
                         err);
    }
    head->version = 1;
    xta__nifti_widen(head);
    return XTA_OK;
}

/* Read the header into this machine's byte order; `*swapped`: the file has the other one. */
static xta_status read_header(const bridge_dense *file, nifti_head *head, bool *swapped,
                              xta_error *err)
{
    xta_status status = xta__dense_bytes(file, 0, &head->one, sizeof head->one, err);
    if (status != XTA_OK) {
        return not_nifti(file->path, "it is shorter than a header", err);
    }
    bool second = head->one.sizeof_hdr == 540 || head->one.sizeof_hdr == 0x1c020000;
    status = second ? read_second(file, head, swapped, err) : read_first(file, head, swapped, err);
    if (status != XTA_OK) {
        return status;
    }
    if (head->two.dim[0] < 1 || head->two.dim[0] > NIFTI_MOST_NDIM) {
        return not_nifti(file->path, "number of axes and length of the header make no sense", err);
    }
    size_t least = (second ? sizeof head->two : sizeof head->one) + NIFTI_MORE_BYTES;
    if (head->two.vox_offset < (int64_t)least || head->two.vox_offset > (int64_t)NIFTI_MOST_HEAD) {
        return not_nifti(file->path, "its cells begin inside the header, or too far behind it",
                         err);
    }
    return XTA_OK;
}

static xta_status check_length(const bridge_dense *file, uint64_t file_bytes, xta_error *err)
{
    uint64_t cells = 0;
    if (!xta__dense_total(file, &cells)) {
        return not_nifti(file->path, "its bounds pass 2^63 bytes", err);
    }
    cells += file->offset;
    if (file_bytes < cells) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: has %llu bytes; its header tells of %llu",
                             file->path, (unsigned long long)file_bytes, (unsigned long long)cells);
    }
    return XTA_OK;
}

static void nifti_close(void *state)
{
    bridge_dense *file = state;
    znzFile stream = file->stream;
    if (stream != NULL) {
        znzclose(stream);
    }
    xta__dense_close(file);
    free(file);
}

static xta_status nifti_open(const char *path, const xta_import_options *options,
                             const bridge_target *target, bridge_description *what, void **state,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    nifti_head head = {.version = 0};
    bool swapped = false;
    unsigned char *extensions = NULL;
    bridge_dense *file = calloc(1, sizeof *file);
    (void)options;
    (void)target;
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    pthread_once(&silenced, silence);
    XTA_TRY(open_stream(file, path, &file_bytes, err));
    XTA_TRY(read_header(file, &head, &swapped, err));
    file->offset = (uint64_t)head.two.vox_offset;
    size_t header_bytes = head.version == 1 ? sizeof head.one : sizeof head.two;
    size_t n = (size_t)file->offset - header_bytes;
    extensions = malloc(n);
    if (extensions == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(xta__dense_bytes(file, header_bytes, extensions, n, err));
    /* Extensions are not kept if the byte order differs: their lengths would have to be swapped. */
    bool keep = n > 4 && !swapped;
    XTA_TRY(xta__nifti_read_header(&head, extensions, keep ? n : 0, path, what, err));
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = swapped ? xta__dense_unit(what->type) : 0;
    file->order = XTA_COLUMN;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    XTA_TRY(check_length(file, file_bytes, err));
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        nifti_close(file);
    }
    free(extensions);
    return status;
}

static xta_status nifti_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

/* ---- writing ---- */

/* Slabs are written in any order, which a compressed stream does not allow: the image is written
 * uncompressed and compressed at the end. */
typedef struct nifti_target {
    bridge_dense file;
    char *path;  /* final path of the image */
    char *plain; /* path to which cells are written meanwhile; NULL: the same */
} nifti_target;

static void nifti_abandon(void *state)
{
    nifti_target *target = state;
    xta__dense_close(&target->file);
    if (target->plain != NULL) {
        unlink(target->plain);
    }
    free(target->plain);
    free(target->path);
    free(target);
}

static xta_status nifti_create(const char *path, const xta_export_options *options,
                               bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char *head = NULL;
    size_t n = 0;
    nifti_target *target = calloc(1, sizeof *target);
    if (options->format == NULL && xta__nifti_is_gzip(path) && !is_packed_image(path)) {
        free(target);
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: of what gzip has packed only .nii.gz is written; leave .gz out, "
                             "and pack it by gzip",
                             path);
    }
    if (target == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    bridge_dense *file = &target->file;
    file->fd = -1;
    target->path = xta__bridge_copy(path);
    if (target->path != NULL && xta__nifti_is_gzip(path)) {
        target->plain = xta__bridge_copy(path);
        if (target->plain != NULL) {
            target->plain[strlen(path) - 3] = '\0'; // without .gz
        }
    }
    if (target->path == NULL || (xta__nifti_is_gzip(path) && target->plain == NULL)) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    const char *format = options->format != NULL ? options->format : "";
    int version = strcasecmp(format, "nifti1") == 0 ? 1 : strcasecmp(format, "nifti2") == 0 ? 2 : 0;
    XTA_TRY(xta__nifti_make_header(what, path, version, &head, &n, err));
    XTA_TRY(xta__dense_create(file, target->plain != NULL ? target->plain : path, err));
    XTA_TRY(xta__dense_put_bytes(file, 0, head, n, err));
    file->offset = n;
    file->cell_bytes = what->cell_bytes;
    file->order = XTA_COLUMN;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    what->order = XTA_COLUMN;
    for (int k = 0; k < what->ndim; k++) {
        what->slow[k] = what->ndim - 1 - k;
    }
    *state = target;
    target = NULL;
done:
    if (target != NULL) {
        nifti_abandon(target);
    }
    free(head);
    return status;
}

static xta_status nifti_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    nifti_target *target = state;
    return xta__dense_write(&target->file, box, cells, err);
}

static xta_status nifti_finish(void *state, xta_error *err)
{
    nifti_target *target = state;
    xta_status status = XTA_OK;
    if (target->plain != NULL) {
        status = xta__nifti_gzip(target->plain, target->path, err);
    } else {
        status = xta__dense_finish(&target->file, err);
    }
    nifti_abandon(target);
    return status;
}

const bridge_format xta__bridge_nifti = {
    .name = "nifti",
    .summary = "nifti: NIfTI images of version 1 and 2 (.nii, .nii.gz), import and export",
    .suffixes = suffixes,
    .sniff = nifti_sniff,
    .accepts = nifti_accepts,
    .open = nifti_open,
    .read = nifti_read,
    .close = nifti_close,
    .create = nifti_create,
    .write = nifti_write,
    .finish = nifti_finish,
    .abandon = nifti_abandon,
};
