/* The functions of the dispatch table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_CALLS_CALLS_H
#define XTA_NETCDF_CALLS_CALLS_H

#include <netcdf.h>
#include <netcdf_dispatch.h>

/* Opening and closing (open.c). `table->model` says whether it is a data set or an array. */
int xta__nc_open(const char *path, int mode, int basepe, size_t *chunk_size_hint, void *parameters,
                 const struct NC_Dispatch *table, int ncid);
int xta__nc_close(int ncid, void *parameters);
int xta__nc_abort(int ncid);
int xta__nc_sync(int ncid);
int xta__nc_redef(int ncid);
int xta__nc_enddef(int ncid, size_t h_minfree, size_t v_align, size_t v_minfree, size_t r_align);
int xta__nc_set_fill(int ncid, int mode, int *old_mode);

/* Inquiries that the shadow does not answer alone (inquire.c). */
int xta__nc_inq_format(int ncid, int *format);
int xta__nc_inq_format_extended(int ncid, int *format, int *mode);
int xta__nc_inq_dim(int ncid, int id, char *name, size_t *length);
int xta__nc_inq_var_all(int ncid, int id, char *name, nc_type *type, int *ndim, int *dimensions,
                        int *n_attributes, int *shuffle, int *deflate, int *deflate_level,
                        int *fletcher32, int *contiguous, size_t *chunks, int *no_fill,
                        void *fill_value, int *endianness, unsigned int *filter,
                        size_t *n_parameters, unsigned int *parameters);
int xta__nc_show_metadata(int ncid);
int xta__nc_var_par_access(int ncid, int id, int access);
int xta__nc_set_var_chunk_cache(int ncid, int id, size_t bytes, size_t n, float preemption);
int xta__nc_get_var_chunk_cache(int ncid, int id, size_t *bytes, size_t *n, float *preemption);

/* Values (values.c). */
int xta__nc_get_vara(int ncid, int id, const size_t *start, const size_t *count, void *values,
                     nc_type memory);
int xta__nc_get_vars(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, void *values, nc_type memory);
int xta__nc_get_varm(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const ptrdiff_t *map, void *values, nc_type memory);
int xta__nc_put_vara(int ncid, int id, const size_t *start, const size_t *count, const void *values,
                     nc_type memory);
int xta__nc_put_vars(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const void *values, nc_type memory);
int xta__nc_put_varm(int ncid, int id, const size_t *start, const size_t *count,
                     const ptrdiff_t *stride, const ptrdiff_t *map, const void *values,
                     nc_type memory);

/* Changes of attributes, and of definitions, which are refused (change.c). */
int xta__nc_put_att(int ncid, int id, const char *name, nc_type type, size_t n, const void *values,
                    nc_type memory);
int xta__nc_del_att(int ncid, int id, const char *name);
int xta__nc_rename_att(int ncid, int id, const char *name, const char *new_name);
int xta__nc_def_dim(int ncid, const char *name, size_t length, int *id);
int xta__nc_def_var(int ncid, const char *name, nc_type type, int ndim, const int *dimensions,
                    int *id);
int xta__nc_def_grp(int ncid, const char *name, int *group);
int xta__nc_rename(int ncid, int id, const char *name);
int xta__nc_rename_grp(int ncid, const char *name);
int xta__nc_def_var_fill(int ncid, int id, int no_fill, const void *fill_value);

/* What the shadow answers (forward.c): functions of the table by their names. */
void xta__nc_fill_forwards(struct NC_Dispatch *table);

/* The table of one of the two formats: NC_FORMATX_UDF0, NC_FORMATX_UDF1. */
struct NC_Dispatch *xta__nc_table(int model);

#endif
