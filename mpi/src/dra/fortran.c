/* The names of Disk Resident Arrays for Fortran: the order of axes is reversed, counting from 1
 * becomes counting from 0, blank-padded texts become C's, types of Fortran those of C.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dra/fortran.h"

#include <ga.h>
#include <macdecls.h>
#include <string.h>

#include "dra/calls.h"

#define TEXT_BYTES 4096

/* ---- arguments ---- */

/* An INTEGER of Global Arrays has the length of a long or of an int. */
static int c_integer(void)
{
    return sizeof(Integer) == sizeof(int) ? C_INT : C_LONG;
}

/* The C type of a type of Fortran; C's own pass as they are. */
static int c_type(Integer type)
{
    switch (type) {
    case MT_F_BYTE:
        return C_CHAR;
    case MT_F_INT:
    case MT_F_LOG:
        return c_integer();
    case MT_F_REAL:
        return C_FLOAT;
    case MT_F_DBL:
        return C_DBL;
    case MT_F_SCPL:
        return C_SCPL;
    case MT_F_DCPL:
        return C_DCPL;
    default:
        return (int)type;
    }
}

/* The type of Fortran; C's own where Fortran has none. */
static Integer fortran_type(int type)
{
    switch (type) {
    case C_CHAR:
        return MT_F_BYTE;
    case C_FLOAT:
        return MT_F_REAL;
    case C_DBL:
        return MT_F_DBL;
    case C_SCPL:
        return MT_F_SCPL;
    case C_DCPL:
        return MT_F_DCPL;
    default:
        return type == c_integer() ? MT_F_INT : type;
    }
}

/* A text without its trailing blanks. */
static void copy_text(char to[TEXT_BYTES], const char *from, size_t length)
{
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    length = length < TEXT_BYTES ? length : TEXT_BYTES - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* A text, cut or padded with blanks. */
static void give_text(char *to, size_t length, const char *from)
{
    size_t n = strlen(from);

    n = n < length ? n : length;
    memcpy(to, from, n);
    memset(to + n, ' ', length - n);
}

/* Reverse the order of axes; `first` is what Fortran counts from. */
static void copy_axes(int64_t to[], const Integer from[], Integer ndim, Integer first)
{
    for (Integer axis = 0; axis < ndim && ndim <= PEXTA_MAX_NDIM; axis++) {
        to[axis] = from[ndim - 1 - axis] - first;
    }
}

static void give_axes(Integer to[], const int64_t from[], int ndim)
{
    for (int axis = 0; axis < ndim; axis++) {
        to[axis] = (Integer)from[ndim - 1 - axis];
    }
}

/* ---- start and end ---- */

Integer dra_init_(const Integer *max_arrays, const double *max_array_size,
                  const double *total_disk_space, const double *max_memory)
{
    (void)max_array_size;
    (void)total_disk_space;
    (void)max_memory;
    xta__dra_init((int)*max_arrays);
    return 0;
}

Integer dra_terminate_(void)
{
    xta__dra_terminate();
    return 0;
}

/* ---- life of an array ---- */

Integer ndra_create_config_(const Integer *type, const Integer *ndim, const Integer dims[],
                            const char *name, const char *filename, const Integer *mode,
                            const Integer reqdims[], const Integer *numfiles,
                            const Integer *numioprocs, Integer *d_a, size_t name_length,
                            size_t filename_length)
{
    xta__dra_array array = {.type = c_type(*type), .ndim = (int)*ndim};
    int64_t typical[PEXTA_MAX_NDIM] = {0};
    char c_name[TEXT_BYTES];
    char c_filename[TEXT_BYTES];

    (void)numfiles;
    copy_axes(array.dims, dims, *ndim, 0);
    copy_axes(typical, reqdims, *ndim, 0);
    copy_text(c_name, name, name_length);
    copy_text(c_filename, filename, filename_length);
    *d_a = xta__dra_create(&array, c_name, c_filename, (int)*mode, typical, (int)*numioprocs);
    return 0;
}

Integer ndra_create_(const Integer *type, const Integer *ndim, const Integer dims[],
                     const char *name, const char *filename, const Integer *mode,
                     const Integer reqdims[], Integer *d_a, size_t name_length,
                     size_t filename_length)
{
    const Integer usual = -1;

    return ndra_create_config_(type, ndim, dims, name, filename, mode, reqdims, &usual, &usual, d_a,
                               name_length, filename_length);
}

Integer dra_create_(const Integer *type, const Integer *dim1, const Integer *dim2, const char *name,
                    const char *filename, const Integer *mode, const Integer *reqdim1,
                    const Integer *reqdim2, Integer *d_a, size_t name_length,
                    size_t filename_length)
{
    const Integer two = 2;
    const Integer dims[2] = {*dim1, *dim2};
    const Integer reqdims[2] = {*reqdim1, *reqdim2};

    return ndra_create_(type, &two, dims, name, filename, mode, reqdims, d_a, name_length,
                        filename_length);
}

Integer dra_open_(const char *filename, const Integer *mode, Integer *d_a, size_t filename_length)
{
    char c_filename[TEXT_BYTES];
    int handle = 0;

    copy_text(c_filename, filename, filename_length);
    int answer = xta__dra_open(c_filename, (int)*mode, &handle);
    *d_a = handle;
    return answer;
}

Integer dra_close_(Integer *d_a)
{
    xta__dra_close((int)*d_a);
    *d_a = 0;
    return 0;
}

Integer dra_delete_(Integer *d_a)
{
    xta__dra_delete((int)*d_a);
    *d_a = 0;
    return 0;
}

Integer ndra_inquire_(const Integer *d_a, Integer *type, Integer *ndim, Integer dims[], char *name,
                      char *filename, size_t name_length, size_t filename_length)
{
    xta__dra_array array;

    xta__dra_inquire((int)*d_a, &array);
    *type = fortran_type(array.type);
    *ndim = array.ndim;
    give_axes(dims, array.dims, array.ndim);
    give_text(name, name_length, array.name);
    give_text(filename, filename_length, array.filename);
    return 0;
}

Integer dra_inquire_(const Integer *d_a, Integer *type, Integer *dim1, Integer *dim2, char *name,
                     char *filename, size_t name_length, size_t filename_length)
{
    Integer dims[PEXTA_MAX_NDIM] = {1, 1};
    Integer ndim = 0;

    ndra_inquire_(d_a, type, &ndim, dims, name, filename, name_length, filename_length);
    *dim1 = dims[0];
    *dim2 = ndim > 1 ? dims[1] : 1;
    return 0;
}

/* ---- transfers ---- */

Integer ndra_write_(const Integer *g_a, const Integer *d_a, Integer *request)
{
    *request = xta__dra_whole(true, (int)*g_a, (int)*d_a);
    return 0;
}

Integer ndra_read_(const Integer *g_a, const Integer *d_a, Integer *request)
{
    *request = xta__dra_whole(false, (int)*g_a, (int)*d_a);
    return 0;
}

Integer dra_write_(const Integer *g_a, const Integer *d_a, Integer *request)
{
    return ndra_write_(g_a, d_a, request);
}

Integer dra_read_(const Integer *g_a, const Integer *d_a, Integer *request)
{
    return ndra_read_(g_a, d_a, request);
}

static Integer move(bool write, logical transp, Integer g_a, const Integer glo[],
                    const Integer ghi[], Integer d_a, const Integer dlo[], const Integer dhi[])
{
    xta__dra_section s = {
        .g_a = (int)g_a, .d_a = (int)d_a, .write = write, .transposed = transp != 0};
    int ndim = GA_Ndim(s.g_a);

    copy_axes(s.glo, glo, ndim, 1);
    copy_axes(s.ghi, ghi, ndim, 1);
    copy_axes(s.dlo, dlo, ndim, 1);
    copy_axes(s.dhi, dhi, ndim, 1);
    return xta__dra_move(&s);
}

Integer ndra_write_section_(const logical *transp, const Integer *g_a, const Integer glo[],
                            const Integer ghi[], const Integer *d_a, const Integer dlo[],
                            const Integer dhi[], Integer *request)
{
    *request = move(true, *transp, *g_a, glo, ghi, *d_a, dlo, dhi);
    return 0;
}

Integer ndra_read_section_(const logical *transp, const Integer *g_a, const Integer glo[],
                           const Integer ghi[], const Integer *d_a, const Integer dlo[],
                           const Integer dhi[], Integer *request)
{
    *request = move(false, *transp, *g_a, glo, ghi, *d_a, dlo, dhi);
    return 0;
}

/* The calls for two axes pass limits one by one. If the global array has more axes, the other
 * values here are read until the checks find it. */
typedef struct corner {
    Integer at[PEXTA_MAX_NDIM];
} corner;

static corner corner_of(const Integer *i, const Integer *j)
{
    return (corner){{*i, *j, 1, 1, 1, 1, 1}};
}

Integer dra_write_section_(const logical *transp, const Integer *g_a, const Integer *gilo,
                           const Integer *gihi, const Integer *gjlo, const Integer *gjhi,
                           const Integer *d_a, const Integer *dilo, const Integer *dihi,
                           const Integer *djlo, const Integer *djhi, Integer *request)
{
    *request = move(true, *transp, *g_a, corner_of(gilo, gjlo).at, corner_of(gihi, gjhi).at, *d_a,
                    corner_of(dilo, djlo).at, corner_of(dihi, djhi).at);
    return 0;
}

Integer dra_read_section_(const logical *transp, const Integer *g_a, const Integer *gilo,
                          const Integer *gihi, const Integer *gjlo, const Integer *gjhi,
                          const Integer *d_a, const Integer *dilo, const Integer *dihi,
                          const Integer *djlo, const Integer *djhi, Integer *request)
{
    *request = move(false, *transp, *g_a, corner_of(gilo, gjlo).at, corner_of(gihi, gjhi).at, *d_a,
                    corner_of(dilo, djlo).at, corner_of(dihi, djhi).at);
    return 0;
}

/* ---- requests ---- */

Integer dra_wait_(const Integer *request)
{
    xta__dra_wait((int)*request);
    return 0;
}

Integer dra_probe_(const Integer *request, Integer *status)
{
    int answer = 0;
    int failed = xta__dra_probe((int)*request, &answer);

    *status = answer;
    return failed;
}

void dra_flick_(void)
{
    xta__dra_flick();
}

/* ---- the rest ---- */

void dra_print_internals_(const Integer *d_a)
{
    xta__dra_print((int)*d_a);
}

void dra_set_debug_(const logical *flag)
{
    xta__dra_debug(*flag != 0);
}

void dra_set_default_config_(const Integer *numfiles, const Integer *numioprocs)
{
    (void)numfiles;
    xta__dra_default_io_ranks((int)*numioprocs);
}

void dra_set_mode_(const Integer *mode)
{
    (void)mode;
}

/* ---- growth ---- */

static Integer extend(Integer d_a, bool front, const Integer edims[], Integer odims[])
{
    xta__dra_array array;
    int64_t more[PEXTA_MAX_NDIM] = {0};
    int64_t lengths[PEXTA_MAX_NDIM] = {0};

    xta__dra_inquire((int)d_a, &array);
    copy_axes(more, edims, array.ndim, 0);
    xta__dra_extend((int)d_a, front, more, lengths);
    give_axes(odims, lengths, array.ndim);
    return 0;
}

Integer ndra_extend_(const Integer *d_a, const Integer edims[], Integer odims[])
{
    return extend(*d_a, false, edims, odims);
}

Integer ndra_extend_front_(const Integer *d_a, const Integer edims[], Integer odims[])
{
    return extend(*d_a, true, edims, odims);
}

Integer ndra_refresh_(const Integer *d_a, Integer odims[])
{
    xta__dra_array array;
    int64_t lengths[PEXTA_MAX_NDIM] = {0};

    xta__dra_refresh((int)*d_a, lengths);
    xta__dra_inquire((int)*d_a, &array); // an axis may have been added
    give_axes(odims, lengths, array.ndim);
    return 0;
}
