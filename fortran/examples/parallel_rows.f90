! Many processes: the ranks create an array together, grow it, write a block of columns each, and read those of another
! rank. Run in an empty folder.
!
! SPDX-License-Identifier: Apache-2.0
program parallel_rows
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use xta
  use xta_parallel
  implicit none
  integer, parameter :: N_X = 5, N_COLUMNS = 3
  type(xta_parallel_array) :: field
  type(xta_array) :: view
  real(real64) :: columns(N_X, N_COLUMNS), nothing(N_X, 0)
  real(real64), allocatable :: cells(:)
  character(len=512) :: message
  character(len=:), allocatable :: path
  integer :: rank, n_ranks, other, x, c, n, stat
  integer(int64) :: first

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, n_ranks)
  call get_environment_variable("XTA_TEST_DIR", length=n, status=stat)
  allocate (character(len=merge(n, 1, stat == 0)) :: path)
  path = "."
  if (stat == 0 .and. n > 0) then
    deallocate (path)
    allocate (character(len=n) :: path)
    call get_environment_variable("XTA_TEST_DIR", path)
  end if

  call field%create(MPI_COMM_WORLD, path//"/field", xta_real64, [int(N_X, int64), 0_int64], names=["x", "y"])
  call field%extend(2, int(N_COLUMNS*n_ranks, int64))

  first = rank*N_COLUMNS
  do c = 1, N_COLUMNS
    columns(:, c) = [(value(x, int(first) + c), x=1, N_X)]
  end do
  call field%write_all(columns, lower=[0_int64, first])
  call field%sync()

  other = mod(rank + 1, n_ranks)
  columns = -1
  call field%read_all(columns, lower=[0_int64, int(other*N_COLUMNS, int64)])
  do c = 1, N_COLUMNS
    if (any(columns(:, c) /= [(value(x, other*N_COLUMNS + c), x=1, N_X)])) error stop "wrong cells"
  end do

  ! Rank 0 alone reads; the others take part without cells.
  if (rank == 0) then
    call field%read_all(columns, lower=[0_int64, 0_int64])
  else
    call field%read_all(nothing, lower=[0_int64, 0_int64])
  end if

  ! If the arguments of one rank are refused, no rank waits for it.
  call field%read_all(columns, lower=[0_int64, merge(int(N_COLUMNS*n_ranks, int64), first, rank == n_ranks - 1)], &
                      stat=stat, errmsg=message)
  if (stat /= XTA_EBOX .or. len_trim(message) == 0) error stop "a box beyond the bounds was read"
  call field%read_all(columns, lower=[0_int64], stat=stat)
  if (stat /= XTA_EBOX) error stop "a list that is too short was taken"
  call field%extend(7, 1_int64, stat=stat)
  if (stat /= XTA_EARG) error stop "an axis that is not there has grown"
  call field%shrink(2, int(N_COLUMNS, int64), front=.true.)
  call field%array(view)
  if (any(view%lower() /= [0, N_COLUMNS])) error stop "wrong bounds after a shrink"
  call field%close()

  ! The file is an array like any other.
  if (rank == 0) then
    call view%open(path//"/field")
    if (n_ranks > 1) then
      allocate (cells(N_X))
      call view%read(cells)
      if (any(cells /= [(value(x, N_COLUMNS + 1), x=1, N_X)])) error stop "wrong cells in the file"
    end if
    call view%close()
    print '(a,i0,a)', "parallel_rows: ", n_ranks, " ranks"
  end if
  call MPI_Finalize()

contains

  pure real(real64) function value(x, y)
    integer, intent(in) :: x, y
    value = 1000*y + x
  end function value
end program parallel_rows
