/* [CXA] 9.4: PPI, N-FINDR and AMEE on a scene in a global array that PEXTA has read, and the same
 * without Global Arrays on a scene in a parallel HDF5 file.
 *
 *     mpiexec -n P paper_hyper SCENE ENDMEMBERS [LINES]
 *
 * SCENE is an array of (line, sample, band), of which the first LINES lines are used; it is first
 * written to both formats, as doubles. Prints `method,GA with PEXTA|MPI with HDF5,seconds,s`, with
 * the reading from disk. Both must find the same pixels.
 *
 * The HDF5 side has a chunk cache for the whole scene, so each process reads a chunk once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <ga-mpi.h>
#include <hdf5.h>

#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/parallel.h>
#include <xta/scene.h>

#include "store.h"

enum { SKEWERS = 1000, CHUNK_LINES = 8, MOST = 64 };

/* A scene on disk in one of the two formats. */
typedef struct field {
    int64_t dims[3];
    int ga; // 0: HDF5
    hid_t file, dataset;
} field;

static int64_t checked(int64_t value, const char *call)
{
    if (value < 0) {
        bench_die("HDF5 failed in %s", call);
    }
    return value;
}
#define H5(call) checked((int64_t)(call), #call)

/* ---- reading boxes ---- */

static xta_status read_global(const field *f, const int64_t lo[3], const int64_t hi[3],
                              double *cells)
{
    int64_t first[3] = {lo[0], lo[1], lo[2]}, last[3] = {hi[0] - 1, hi[1] - 1, hi[2] - 1};
    int64_t strides[2] = {hi[1] - lo[1], hi[2] - lo[2]};

    NGA_Get64(f->ga, first, last, cells, strides);
    return XTA_OK;
}

static xta_status read_cells(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                             xta_error *err)
{
    const field *f = context;
    hsize_t first[3], lengths[3];
    (void)err;

    if (f->ga != 0) {
        return read_global(f, lo, hi, cells);
    }
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = (hsize_t)lo[axis];
        lengths[axis] = (hsize_t)(hi[axis] - lo[axis]);
    }
    hid_t in_file = H5(H5Dget_space(f->dataset));
    hid_t in_memory = H5(H5Screate_simple(3, lengths, NULL));
    H5(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first, NULL, lengths, NULL));
    H5(H5Dread(f->dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, cells));
    H5(H5Sclose(in_memory));
    H5(H5Sclose(in_file));
    return XTA_OK;
}

static xta_scene *scene_of(field *f, const xta_communicator *communicator)
{
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = f,
                               .name = f->ga != 0 ? "global array" : "HDF5 dataset",
                               .hi = {f->dims[0], f->dims[1], f->dims[2]},
                               .type = XTA_F64,
                               .read = read_cells};
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;

    options.communicator = communicator;
    BENCH_XTA(xta_scene_of_source(&source, &options, &scene, &bench_error));
    return scene;
}

/* ---- both formats ---- */

/* Copy the scene into a new global array, its bands in use, each process a part of the lines. */
static int load(const char *path, int64_t n_lines)
{
    xta_array *array = NULL;
    xta_scene *scene = NULL;
    int64_t rank = GA_Nodeid(), n_ranks = GA_Nnodes();

    BENCH_XTA(xta_array_open(path, NULL, &array, &bench_error));
    BENCH_XTA(xta_scene_open(array, NULL, &scene, &bench_error));
    xta_scene_info info = xta_scene_inquire(scene);
    int64_t dims[3] = {info.line_hi - info.line_lo, info.sample_hi - info.sample_lo,
                       (int64_t)info.n_bands};
    dims[0] = n_lines > 0 && n_lines < dims[0] ? n_lines : dims[0];
    int g = global_new(3, dims);
    int64_t first[3] = {dims[0] * rank / n_ranks, 0, 0};
    int64_t last[3] = {dims[0] * (rank + 1) / n_ranks - 1, dims[1] - 1, dims[2] - 1};
    if (last[0] >= first[0]) {
        int64_t lines[2] = {info.line_lo + first[0], info.line_lo + last[0] + 1};
        int64_t samples[2] = {info.sample_lo, info.sample_hi};
        double *cells =
            bench_memory((size_t)((lines[1] - lines[0]) * dims[1] * dims[2]) * sizeof *cells);
        BENCH_XTA(xta_scene_read(scene, lines, samples, cells, NULL, &bench_error));
        NGA_Put64(g, first, last, cells, dims + 1);
        free(cells);
    }
    GA_Sync();
    xta_scene_close(scene);
    BENCH_XTA(xta_array_close(array, &bench_error));
    return g;
}

/* Write the scene in the two formats. */
static void write_both(int g, disk_array *pexta, disk_array *hdf5)
{
    disk_array about = {.name = "scene", .ndim = 3};
    int type, ndim;

    NGA_Inquire64(g, &type, &ndim, about.dims);
    memcpy(about.typical, about.dims, sizeof about.typical);
    about.typical[0] = about.dims[0] < CHUNK_LINES ? about.dims[0] : CHUNK_LINES;
    *pexta = *hdf5 = about;
    store_create(&store_pexta, pexta);
    store_write_all(pexta, g);
    pexta->store->close(pexta);
    store_create(&store_hdf5, hdf5);
    store_write_all(hdf5, g);
    hdf5->store->close(hdf5);
}

static void open_hdf5(field *f)
{
    hid_t file_access = H5(H5Pcreate(H5P_FILE_ACCESS)), access = H5(H5Pcreate(H5P_DATASET_ACCESS));
    size_t bytes = (size_t)(f->dims[0] * f->dims[1] * f->dims[2]) * sizeof(double);

    H5(H5Pset_fapl_mpio(file_access, GA_MPI_Comm(), MPI_INFO_NULL));
    H5(H5Pset_all_coll_metadata_ops(file_access, true));
    H5(H5Pset_chunk_cache(access, 10007, 2 * bytes, 1));
    f->file = H5(H5Fopen(bench_path("scene0.h5"), H5F_ACC_RDONLY, file_access));
    f->dataset = H5(H5Dopen2(f->file, "cells", access));
    H5(H5Pclose(access));
    H5(H5Pclose(file_access));
}

/* ---- the methods ---- */

typedef struct found {
    size_t n;
    int64_t line[MOST], sample[MOST];
} found;

static void keep(found *f, const xta_endmembers *e)
{
    f->n = e->n;
    memcpy(f->line, e->line, e->n * sizeof f->line[0]);
    memcpy(f->sample, e->sample, e->n * sizeof f->sample[0]);
}

static void run_ppi(xta_scene *scene, size_t count, found *f)
{
    xta_ppi_options options = XTA_PPI_OPTIONS_INIT;
    xta_simplex_options simplex = XTA_SIMPLEX_OPTIONS_INIT;
    xta_endmembers e = {0};
    xta_ppi *ppi = NULL;

    options.n_skewers = SKEWERS;
    simplex.n = count;
    BENCH_XTA(xta_ppi_new(&options, &ppi, &bench_error));
    BENCH_XTA(xta_ppi_update(ppi, scene, &bench_error));
    BENCH_XTA(xta_ppi_select(ppi, scene, 1, &simplex, &e, &bench_error));
    keep(f, &e);
    xta_endmembers_free(&e);
    xta_ppi_free(ppi);
}

static void run_nfindr(xta_scene *scene, size_t count, found *f)
{
    xta_simplex_options options = XTA_SIMPLEX_OPTIONS_INIT;
    xta_endmembers e = {0};
    xta_simplex *simplex = NULL;

    options.n = count;
    BENCH_XTA(xta_simplex_new(&options, &simplex, &bench_error));
    BENCH_XTA(xta_simplex_update(simplex, scene, &bench_error));
    BENCH_XTA(xta_simplex_result(simplex, &e, &bench_error));
    keep(f, &e);
    xta_endmembers_free(&e);
    xta_simplex_free(simplex);
}

static void run_amee(xta_scene *scene, size_t count, found *f)
{
    xta_amee_result result = {0};
    xta_amee *amee = NULL;

    BENCH_XTA(xta_amee_new(NULL, &amee, &bench_error));
    BENCH_XTA(xta_amee_update(amee, scene, &bench_error));
    BENCH_XTA(xta_amee_select(amee, scene, count, NULL, &result, &bench_error));
    f->n = result.p;
    memcpy(f->line, result.line, result.p * sizeof f->line[0]);
    memcpy(f->sample, result.sample, result.p * sizeof f->sample[0]);
    xta_amee_result_clear(&result);
    xta_amee_free(amee);
}

static const struct {
    const char *name;
    void (*run)(xta_scene *scene, size_t count, found *f);
} methods[] = {{"PPI", run_ppi}, {"N-FINDR", run_nfindr}, {"AMEE", run_amee}};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* From the file on disk to the endmembers. */
static found run_global(disk_array *a, int method, size_t count, const xta_communicator *ranks)
{
    field f = {.dims = {a->dims[0], a->dims[1], a->dims[2]}};
    found result = {0};
    double begin = ranks_now();

    a->store->open(a);
    f.ga = global_new(3, a->dims);
    store_read_all(a, f.ga);
    xta_scene *scene = scene_of(&f, ranks);
    methods[method].run(scene, count, &result);
    xta_scene_close(scene);
    ranks_print(methods[method].name, "GA with PEXTA", ranks_seconds(begin), "s");
    GA_Destroy(f.ga);
    a->store->close(a);
    return result;
}

static found run_hdf5(const disk_array *a, int method, size_t count, const xta_communicator *ranks)
{
    field f = {.dims = {a->dims[0], a->dims[1], a->dims[2]}};
    found result = {0};
    double begin = ranks_now();

    open_hdf5(&f);
    xta_scene *scene = scene_of(&f, ranks);
    methods[method].run(scene, count, &result);
    xta_scene_close(scene);
    ranks_print(methods[method].name, "MPI with HDF5", ranks_seconds(begin), "s");
    H5(H5Dclose(f.dataset));
    H5(H5Fclose(f.file));
    return result;
}

int main(int argc, char **argv)
{
    xta_communicator *communicator = NULL;
    disk_array pexta, hdf5;

    ranks_begin(&argc, &argv);
    if (argc < 3 || argc > 4) {
        bench_die("usage: paper_hyper SCENE ENDMEMBERS [LINES]");
    }
    size_t count = (size_t)strtoll(argv[2], NULL, 10);
    if (count < 2 || count > MOST) {
        bench_die("ENDMEMBERS must be 2 to %d", MOST);
    }
    store_pexta.begin(-1);
    BENCH_XTA(xta_communicator_mpi(GA_MPI_Comm(), &communicator, &bench_error));
    int g = load(argv[1], argc > 3 ? strtoll(argv[3], NULL, 10) : 0);
    write_both(g, &pexta, &hdf5);
    GA_Destroy(g);
    ranks_settle();
    for (int method = 0; method < METHODS; method++) {
        found one = run_global(&pexta, method, count, communicator);
        found other = run_hdf5(&hdf5, method, count, communicator);
        if (one.n == 0 || memcmp(&one, &other, sizeof one) != 0) {
            bench_die("%s finds other pixels in the two formats", methods[method].name);
        }
    }
    xta_communicator_mpi_free(communicator);
    store_pexta.end();
    ranks_end();
    return 0;
}
