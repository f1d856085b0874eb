/* The variables of a MATLAB file of versions 4 to 7: which there are, and where their cells lie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_LIST_VARIABLES_H
#define XTA_FORMATS_MATLAB_LIST_VARIABLES_H

#include "dense/dense_file.h"

#define MATLAB_HEAD_BYTES 128
#define MATLAB_NAME_BYTES 256 /* of a variable; MATLAB itself allows 63 characters */
#define MATLAB_MOST_NDIM  XTA_MAX_NDIM

/* Kinds of elements in files of version 5, by their numbers there. */
enum {
    MI_INT8 = 1,
    MI_UINT8 = 2,
    MI_INT16 = 3,
    MI_UINT16 = 4,
    MI_INT32 = 5,
    MI_UINT32 = 6,
    MI_SINGLE = 7,
    MI_DOUBLE = 9,
    MI_INT64 = 12,
    MI_UINT64 = 13,
    MI_MATRIX = 14,
    MI_COMPRESSED = 15
};

/* Classes of variables, by their numbers there. */
enum { MX_DOUBLE = 6, MX_SINGLE = 7, MX_INT8 = 8, MX_UINT64 = 15, MX_OPAQUE = 17 };

#define MX_COMPLEX 0x0800u
#define MX_LOGICAL 0x0200u

/* A variable, and where its cells lie. */
typedef struct matlab_variable {
    char name[MATLAB_NAME_BYTES];
    const char *class_name;
    bool numeric; /* an array of numbers that we read; the others are only named */
    bool complex;
    bool logical;
    bool single; /* of class single: what complex numbers become */
    int ndim;    /* of the file; axes beyond MATLAB_MOST_NDIM are not kept */
    int64_t bounds[MATLAB_MOST_NDIM];
    bool packed;         /* compressed: offsets are in what it unpacks to */
    uint64_t at;         /* of the compressed bytes in the file */
    uint64_t n_packed;   /* how many there are */
    xta_type stored[2];  /* of the real and the imaginary parts, which may differ */
    uint64_t place[2];   /* offset of the parts' cells */
    uint64_t n_bytes[2]; /* of the cells */
    uint64_t next;       /* offset of what follows the real parts */
    uint64_t end;        /* of the element */
} matlab_variable;

typedef struct matlab_list {
    matlab_variable *variables;
    size_t n, capacity;
    bool swapped; /* the file has the other byte order */
} matlab_list;

/* Whether these first bytes of a file are those of version 4, 5 (as 6 and 7 are called, too). */
bool xta__matlab_is_v5(const unsigned char *head, size_t n_bytes);
bool xta__matlab_is_v4(const unsigned char *head, size_t n_bytes);
/* All variables of a file; each must be whole. */
xta_status xta__matlab_list_variables(bridge_dense *file, uint64_t file_bytes, matlab_list *list,
                                      xta_error *err);
/* Find the cells of one of them, and see that all of them are there. */
xta_status xta__matlab_locate(bridge_dense *file, const matlab_list *list, matlab_variable *v,
                              xta_error *err);
/* The one that is asked for; without a name the only array of numbers. */
xta_status xta__matlab_select_variable(const matlab_list *list, const char *path, const char *name,
                                       matlab_variable **out, xta_error *err);

#endif
