/* The names of Disk Resident Arrays as a Fortran compiler spells them: lower case and one
 * underscore. INTEGER and LOGICAL are those of Global Arrays (Integer, logical); lengths of
 * CHARACTER arguments follow the others, as gfortran and most compilers pass them. Axes are in
 * Fortran's order, counted from 1. INTEGER functions return 0, except dra_open: -1 if there is no
 * such array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRA_FORTRAN_H
#define XTA_DRA_FORTRAN_H

#include <stddef.h>

#include <xta/compat/dra.h>

XTA_API Integer dra_init_(const Integer *max_arrays, const double *max_array_size,
                          const double *total_disk_space, const double *max_memory);
XTA_API Integer dra_terminate_(void);

XTA_API Integer dra_create_(const Integer *type, const Integer *dim1, const Integer *dim2,
                            const char *name, const char *filename, const Integer *mode,
                            const Integer *reqdim1, const Integer *reqdim2, Integer *d_a,
                            size_t name_length, size_t filename_length);
XTA_API Integer ndra_create_(const Integer *type, const Integer *ndim, const Integer dims[],
                             const char *name, const char *filename, const Integer *mode,
                             const Integer reqdims[], Integer *d_a, size_t name_length,
                             size_t filename_length);
XTA_API Integer ndra_create_config_(const Integer *type, const Integer *ndim, const Integer dims[],
                                    const char *name, const char *filename, const Integer *mode,
                                    const Integer reqdims[], const Integer *numfiles,
                                    const Integer *numioprocs, Integer *d_a, size_t name_length,
                                    size_t filename_length);
XTA_API Integer dra_open_(const char *filename, const Integer *mode, Integer *d_a,
                          size_t filename_length);
XTA_API Integer dra_close_(Integer *d_a);
XTA_API Integer dra_delete_(Integer *d_a);
XTA_API Integer dra_inquire_(const Integer *d_a, Integer *type, Integer *dim1, Integer *dim2,
                             char *name, char *filename, size_t name_length,
                             size_t filename_length);
XTA_API Integer ndra_inquire_(const Integer *d_a, Integer *type, Integer *ndim, Integer dims[],
                              char *name, char *filename, size_t name_length,
                              size_t filename_length);

XTA_API Integer dra_write_(const Integer *g_a, const Integer *d_a, Integer *request);
XTA_API Integer dra_read_(const Integer *g_a, const Integer *d_a, Integer *request);
XTA_API Integer ndra_write_(const Integer *g_a, const Integer *d_a, Integer *request);
XTA_API Integer ndra_read_(const Integer *g_a, const Integer *d_a, Integer *request);
XTA_API Integer dra_write_section_(const logical *transp, const Integer *g_a, const Integer *gilo,
                                   const Integer *gihi, const Integer *gjlo, const Integer *gjhi,
                                   const Integer *d_a, const Integer *dilo, const Integer *dihi,
                                   const Integer *djlo, const Integer *djhi, Integer *request);
XTA_API Integer dra_read_section_(const logical *transp, const Integer *g_a, const Integer *gilo,
                                  const Integer *gihi, const Integer *gjlo, const Integer *gjhi,
                                  const Integer *d_a, const Integer *dilo, const Integer *dihi,
                                  const Integer *djlo, const Integer *djhi, Integer *request);
XTA_API Integer ndra_write_section_(const logical *transp, const Integer *g_a, const Integer glo[],
                                    const Integer ghi[], const Integer *d_a, const Integer dlo[],
                                    const Integer dhi[], Integer *request);
XTA_API Integer ndra_read_section_(const logical *transp, const Integer *g_a, const Integer glo[],
                                   const Integer ghi[], const Integer *d_a, const Integer dlo[],
                                   const Integer dhi[], Integer *request);

XTA_API Integer dra_wait_(const Integer *request);
XTA_API Integer dra_probe_(const Integer *request, Integer *status);
XTA_API void dra_flick_(void);

XTA_API void dra_print_internals_(const Integer *d_a);
XTA_API void dra_set_debug_(const logical *flag);
XTA_API void dra_set_default_config_(const Integer *numfiles, const Integer *numioprocs);
/* Does nothing, as in the toolkit. */
XTA_API void dra_set_mode_(const Integer *mode);

/* Growth, which the toolkit does not have: grow by edims(ndim) cells at the end of the axes, or
 * before their first cells; apply what other programs have done to the lengths. odims(ndim) gets
 * the lengths afterwards. */
XTA_API Integer ndra_extend_(const Integer *d_a, const Integer edims[], Integer odims[]);
XTA_API Integer ndra_extend_front_(const Integer *d_a, const Integer edims[], Integer odims[]);
XTA_API Integer ndra_refresh_(const Integer *d_a, Integer odims[]);

#endif
