/* A new MATLAB file of version 5 with one variable, not compressed.
 *
 * A file has a header of 128 bytes and one matrix: flags, axes, name, cells; for complex numbers,
 * the imaginary parts follow all the real ones. An element has at most 4 GiB.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "matlab/write_v5.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "matlab/list_variables.h"
#include "util/try.h"

#define HEAD_MOST_BYTES (MATLAB_HEAD_BYTES + 8 + 16 + 8 + 4 * MATLAB_MOST_NDIM + 8 + 64 + 8)
#define MOST_BYTES      0xfffffff0u

typedef struct matlab_target {
    bridge_dense file; /* file for the cells, or for the real parts */
    bool complex;
    uint64_t imaginary; /* offset of the imaginary parts */
} matlab_target;

static const struct {
    xta_type type;
    uint32_t class;
    uint32_t kind;
} kinds[] = {
    {XTA_I8, 8, MI_INT8},     {XTA_U8, 9, MI_UINT8},    {XTA_I16, 10, MI_INT16},
    {XTA_U16, 11, MI_UINT16}, {XTA_I32, 12, MI_INT32},  {XTA_U32, 13, MI_UINT32},
    {XTA_I64, 14, MI_INT64},  {XTA_U64, 15, MI_UINT64}, {XTA_F32, 7, MI_SINGLE},
    {XTA_F64, 6, MI_DOUBLE},  {XTA_C64, 7, MI_SINGLE},  {XTA_C128, 6, MI_DOUBLE},
    {XTA_BOOL, 9, MI_UINT8},
};

/* Header bytes, written word by word. */
typedef struct head_text {
    unsigned char bytes[HEAD_MOST_BYTES];
    size_t n;
} head_text;

static void put_word(head_text *head, uint32_t value)
{
    memcpy(head->bytes + head->n, &value, 4);
    head->n += 4;
}

static void pad(head_text *head)
{
    while (head->n % 8 != 0) {
        head->bytes[head->n++] = 0;
    }
}

/* MATLAB's names: a letter, then letters, digits and underscores, at most 63. */
static void make_name(const char *from, char name[64])
{
    size_t n = 0;
    if (!isalpha((unsigned char)from[0])) {
        name[n++] = 'x';
    }
    for (; *from != '\0' && n < 63; from++) {
        name[n++] = isalnum((unsigned char)*from) ? *from : '_';
    }
    name[n] = '\0';
}

static void put_start(head_text *head)
{
    const uint16_t version = 0x0100;
    const uint16_t mark = ('M' << 8) | 'I';
    memset(head->bytes, ' ', 116);
    memset(head->bytes + 116, 0, 8);
    memcpy(head->bytes, "MATLAB 5.0 MAT-file, written by XTA", 35);
    memcpy(head->bytes + 124, &version, 2);
    memcpy(head->bytes + 126, &mark, 2);
    head->n = MATLAB_HEAD_BYTES;
}

static void put_matrix(head_text *head, const bridge_description *what, size_t kind,
                       uint32_t component_bytes, bool complex)
{
    char name[64];
    int ndim = what->ndim < 2 ? 2 : what->ndim;
    put_start(head);
    put_word(head, MI_MATRIX);
    size_t length = head->n;
    put_word(head, 0);
    put_word(head, MI_UINT32);
    put_word(head, 8);
    put_word(head, kinds[kind].class | (complex ? MX_COMPLEX : 0) |
                       (what->type == XTA_BOOL ? MX_LOGICAL : 0));
    put_word(head, 0);
    put_word(head, MI_INT32);
    put_word(head, 4 * (uint32_t)ndim);
    for (int d = 0; d < ndim; d++) {
        put_word(head, d < what->ndim ? (uint32_t)what->bounds[d] : 1);
    }
    pad(head);
    make_name(what->variable, name);
    put_word(head, MI_INT8);
    put_word(head, (uint32_t)strlen(name));
    memcpy(head->bytes + head->n, name, strlen(name));
    head->n += strlen(name);
    pad(head);
    put_word(head, kinds[kind].kind);
    put_word(head, component_bytes);
    uint64_t padded = ((uint64_t)component_bytes + 7) / 8 * 8;
    uint32_t all = (uint32_t)(head->n - length - 4 + padded + (complex ? padded + 8 : 0));
    memcpy(head->bytes + length, &all, 4);
}

static xta_status check_variable(const char *path, const bridge_description *what, size_t kind,
                                 uint64_t *component_bytes, xta_error *err)
{
    double about = (double)what->cell_bytes;
    if (kind == sizeof kinds / sizeof kinds[0]) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: MATLAB has no class for cells of type %s; convert them, or "
                             "choose another format",
                             path, xta_type_name(what->type));
    }
    *component_bytes = what->cell_bytes;
    for (int d = 0; d < what->ndim; d++) {
        about *= (double)what->bounds[d];
        *component_bytes *= (uint64_t)what->bounds[d];
        if (what->bounds[d] > INT32_MAX) {
            about = 1e30;
        }
    }
    if (about > (double)MOST_BYTES - HEAD_MOST_BYTES) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: a variable of version 5 has at most 4 GiB, this one %.3g; choose "
                             "a smaller box, or HDF5 (.h5)",
                             path, about);
    }
    return XTA_OK;
}

static void matlab_free(matlab_target *target)
{
    xta__dense_close(&target->file);
    free(target);
}

/* The cells of one part are a dense file; the imaginary parts follow the real ones. */
static xta_status put_tail(matlab_target *target, uint32_t kind, uint32_t component_bytes,
                           xta_error *err)
{
    static const char zeros[8] = {0};
    xta_status status = XTA_OK;
    uint64_t end = target->file.offset + component_bytes;
    uint64_t padded = (end + 7) / 8 * 8;
    uint32_t tag[2] = {kind, component_bytes};
    XTA_TRY(xta__dense_put_bytes(&target->file, end, zeros, (size_t)(padded - end), err));
    if (target->complex) {
        XTA_TRY(xta__dense_put_bytes(&target->file, padded, tag, sizeof tag, err));
        target->imaginary = padded + sizeof tag;
        end = target->imaginary + component_bytes;
        padded = (end + 7) / 8 * 8;
        XTA_TRY(xta__dense_put_bytes(&target->file, end, zeros, (size_t)(padded - end), err));
    }
done:
    return status;
}

xta_status xta__matlab_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    head_text head = {.n = 0};
    uint64_t bytes = 0;
    size_t kind = 0;
    (void)options;
    matlab_target *target = calloc(1, sizeof *target);
    if (target == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    target->file.fd = -1;
    target->complex = what->type == XTA_C64 || what->type == XTA_C128;
    while (kind < sizeof kinds / sizeof kinds[0] && kinds[kind].type != what->type) {
        kind++;
    }
    XTA_TRY(check_variable(path, what, kind, &bytes, err));
    uint32_t component_bytes = (uint32_t)(target->complex ? bytes / 2 : bytes);
    put_matrix(&head, what, kind, component_bytes, target->complex);
    XTA_TRY(xta__dense_create(&target->file, path, err));
    XTA_TRY(xta__dense_put_bytes(&target->file, 0, head.bytes, head.n, err));
    target->file.offset = head.n;
    target->file.cell_bytes = target->complex ? what->cell_bytes / 2 : what->cell_bytes;
    target->file.order = XTA_COLUMN;
    target->file.ndim = what->ndim;
    memcpy(target->file.bounds, what->bounds, sizeof target->file.bounds);
    XTA_TRY(put_tail(target, kinds[kind].kind, component_bytes, err));
    what->order = XTA_COLUMN;
    for (int d = 0; d < what->ndim; d++) {
        what->slow[d] = what->ndim - 1 - d;
    }
    *state = target;
    target = NULL;
done:
    if (target != NULL) {
        matlab_free(target);
    }
    return status;
}

static xta_status write_complex(matlab_target *target, const xta_box *box, const char *cells,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t n = 0;
    size_t unit = target->file.cell_bytes;
    XTA_TRY(xta_box_cells(box, &n));
    char *apart = malloc((size_t)n * unit + 1);
    if (apart == NULL) {
        return xta__bridge_no_memory(target->file.path, err);
    }
    bridge_dense file = target->file;
    for (int part = 0; part < 2 && status == XTA_OK; part++) {
        for (uint64_t k = 0; k < n; k++) {
            memcpy(apart + k * unit, cells + (2 * k + (uint64_t)part) * unit, unit);
        }
        file.offset = part == 0 ? target->file.offset : target->imaginary;
        status = xta__dense_write(&file, box, apart, err);
    }
    free(apart);
done:
    return status;
}

xta_status xta__matlab_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    matlab_target *target = state;
    return target->complex ? write_complex(target, box, cells, err)
                           : xta__dense_write(&target->file, box, cells, err);
}

xta_status xta__matlab_finish(void *state, xta_error *err)
{
    matlab_target *target = state;
    xta_status status = xta__dense_finish(&target->file, err);
    matlab_free(target);
    return status;
}

void xta__matlab_abandon(void *state)
{
    matlab_free(state);
}
