! What is refused of arrays that several ranks share: on all of them, so that none waits for the others.
!
! SPDX-License-Identifier: Apache-2.0
program test_parallel
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real32
  use mpi_f08
  use xta
  use xta_parallel
  implicit none
  type(xta_parallel_array) :: a
  type(xta_array) :: mine
  character(len=100) :: message
  real(real32) :: cells(4)
  integer :: stat

  call MPI_Init()
  cells = 0
  call a%open(MPI_COMM_WORLD, "/nowhere/none", stat=stat, errmsg=message)
  call check(stat == XTA_ENOENT .and. index(message, "none") > 0, "no such array")
  call a%sync(stat=stat, errmsg=message)
  call check(stat == XTA_ESTATE .and. index(message, "not open") > 0, "sync")
  call a%refresh(stat=stat); call check(stat == XTA_ESTATE, "refresh")
  call a%extend(1, 1_int64, stat=stat); call check(stat == XTA_ESTATE, "extend")
  call a%shrink(1, 1_int64, stat=stat); call check(stat == XTA_ESTATE, "shrink")
  call a%read_all(cells, stat=stat, errmsg=message)
  call check(stat == XTA_ESTATE .and. index(message, "not open") > 0, "read_all")
  call a%write_all(cells, lower=[0_int64], step=[1_int64], stat=stat); call check(stat == XTA_ESTATE, "write_all")
  call a%array(mine); call check(.not. mine%is_open(), "the array of a rank")
  call a%close(stat=stat); call check(stat == XTA_OK, "closing what is not open")
  call a%create(MPI_COMM_WORLD, "/nowhere/none", xta_real32, [4_int64], names=["x", "y"], stat=stat)
  call check(stat == XTA_EARG, "more names than axes")
  call MPI_Finalize()

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (.not. condition) then
      write (error_unit, '(2a)') "test_parallel: ", what
      error stop 1
    end if
  end subroutine check
end program test_parallel
