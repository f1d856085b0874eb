/* The listing of [DRX] IV.B as printed: four processes read the chunks of their zones by MPI-IO
 * alone. Only what docs/ERRATA.md names under "[DRX] IV: the interface" is changed. It reads
 * chunkedArray4.dat: the chunks of the array of drxmp_paper.c, without the 4096 bytes that our data
 * files begin with:
 *
 *     mpirun -n 4 drxmp_paper
 *     tail -c +4097 drxmp_paper.xta >chunkedArray4.dat
 *     mpirun -n 4 drxmp_listing
 *
 * SPDX-License-Identifier: Apache-2.0 */
// clang-format off
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ChunkSize 6
#define ChunksPerProc 5
#define NDims 2
#define BUFSIZE 256
int main( int argc, char *argv[] )
{
    int    i, j, myRank, nprocs, noOfChunks,
           ierr, memBufSize, count, ndbls;
    int    chunkDistrib[] = {6, 6, 4, 4};
    int globalMap[][6] = {{0, 1, 2, 3, 4, 5},
                     {6, 7, 8, 12, 13, 14},
                     {9, 10, 16, 17, -1, -1},
                     {11, 15, 18, 19, -1, -1} };
    int inMemoryMap[][6] = {{0, 1, 2, 3, 4, 5},
                        {0, 2, 4, 1, 3, 5},
                        {0, 1, 2, 3, -1, -1},
                        {0, 1, 2, 3, -1, -1}};
    // negative entries are not used
    int *map, *inmemmap, *blocklens, mapSize ;
    MPI_Datatype chunk, filetype, memtype;
    char *filename =
        "chunkedArray4.dat" ;
    MPI_File fh;
    MPI_Status status;
    MPI_Offset disp ;
    double *memBuf ;
    MPI_Init( &argc, &argv );
    /* This code for 2 x 2 process decomp. */
    ierr = MPI_Comm_size(MPI_COMM_WORLD,
                        &nprocs);
    if (nprocs != 4) {
        printf( "Size must be 4 \n" );
        MPI_Abort( MPI_COMM_WORLD, 1 );
    }
    /* Create cart topology of the processes */
    // ----- Ignore creating topology -----
    MPI_Comm_rank(MPI_COMM_WORLD, &myRank);
    ierr = MPI_File_open(MPI_COMM_WORLD,
                        filename, MPI_MODE_RDONLY,
                        MPI_INFO_NULL, &fh);
    if (ierr) {
        printf( "open failure %s\n", filename);
        fflush(stdout);
        MPI_Abort( MPI_COMM_WORLD, ierr );
    }
    /* For each processor rank, we should
     * generate the chunk addresses. For this
     * illustration we assign them statically */
    noOfChunks = chunkDistrib[myRank];
    mapSize = (noOfChunks+1) * sizeof(int);
    map = (int *) malloc(mapSize);
    inmemmap = (int *) malloc(mapSize);
    blocklens = (int *) malloc(mapSize);
    for (j = 0; j < noOfChunks; j++) {
        map[j] = globalMap[myRank][j];
        inmemmap[j] = inMemoryMap[myRank][j];
        blocklens[j] = 1;
        printf("Rank %d: map[%d] = %d, \
          inmemmap[%d] = %d\n", myRank, j,
              map[j], j, inmemmap[j]);
    }
    MPI_Type_contiguous(ChunkSize,
                        MPI_DOUBLE, &chunk);
    MPI_Type_commit(&chunk);
    MPI_Type_indexed(noOfChunks, blocklens,
                    map, chunk, &filetype);
    MPI_Type_commit(&filetype);
    MPI_Type_indexed(noOfChunks, blocklens,
                    inmemmap, chunk, &memtype);
    MPI_Type_commit(&memtype);

    disp = 0 ;
    /** This is how to set file view **/
    MPI_File_set_view(fh, disp, chunk,
                     filetype, "native", MPI_INFO_NULL);

    ndbls = noOfChunks * ChunkSize;
    memBufSize = (ndbls+1) * sizeof(double);
    memBuf = (double *) malloc(memBufSize);

    for (i = 0; i < ndbls; i++) {
        memBuf[i] = -1.0 ;
    }
    MPI_File_read_all(fh, memBuf, 1,
                     memtype, &status);
    MPI_Get_count(&status, chunk, &count);
    printf("Rank %d: Number read = %d\n",
           myRank, count);
    if (myRank == 3) { // Check chunks of rank 3
        for (j = 0; j < ndbls; j++) {
            printf("Rank %d: %d->val = %f\n",
                  myRank, j, memBuf[j]);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&fh);
    free(memBuf); free(map);
    free(inmemmap); free(blocklens);
    MPI_Finalize();
    return EXIT_SUCCESS ;
}
