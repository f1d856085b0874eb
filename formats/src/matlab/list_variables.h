/* The variables of a MATLAB file of versions 4 to 7, and the location of their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_LIST_VARIABLES_H
#define XTA_FORMATS_MATLAB_LIST_VARIABLES_H

#include "dense/dense_file.h"

#define MATLAB_HEAD_BYTES 128
#define MATLAB_NAME_BYTES 256 /* for the name of a variable; MATLAB itself allows 63 characters */
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

/* A variable, and the location of its cells. */
typedef struct matlab_variable {
    char name[MATLAB_NAME_BYTES];
    const char *class_name;
    bool numeric; /* an array of numbers that can be read; other variables are only listed */
    bool complex;
    bool logical;
    bool single; /* class is single: the type of complex numbers */
    int ndim;    /* as in the file; axes beyond MATLAB_MOST_NDIM are not kept */
    int64_t bounds[MATLAB_MOST_NDIM];
    bool packed;         /* compressed: offsets refer to the decompressed bytes */
    uint64_t at;         /* offset of the compressed bytes in the file */
    uint64_t n_packed;   /* number of compressed bytes */
    xta_type stored[2];  /* types of the real and the imaginary parts, which may differ */
    uint64_t place[2];   /* offsets of the cells of each part */
    uint64_t n_bytes[2]; /* bytes of the cells of each part */
    uint64_t next;       /* offset after the real parts */
    uint64_t end;        /* end of the element */
} matlab_variable;

typedef struct matlab_list {
    matlab_variable *variables;
    size_t n, capacity;
    bool swapped; /* the file has the other byte order */
} matlab_list;

/* Whether the first bytes of a file are those of version 5 (which includes 6 and 7), or of version
 * 4. */
bool xta__matlab_is_v5(const unsigned char *head, size_t n_bytes);
bool xta__matlab_is_v4(const unsigned char *head, size_t n_bytes);
/* List all variables of a file; each must be complete. */
xta_status xta__matlab_list_variables(bridge_dense *file, uint64_t file_bytes, matlab_list *list,
                                      xta_error *err);
/* Locate the cells of a variable, and check that none are missing. */
xta_status xta__matlab_locate(bridge_dense *file, const matlab_list *list, matlab_variable *v,
                              xta_error *err);
/* Select the requested variable; without a name, the only array of numbers. */
xta_status xta__matlab_select_variable(const matlab_list *list, const char *path, const char *name,
                                       matlab_variable **out, xta_error *err);

#endif
