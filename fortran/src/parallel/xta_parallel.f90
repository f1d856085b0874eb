! Arrays that all ranks of a communicator open together, with mpi_f08. Axes, values, `stat` and `errmsg` are as in
! module xta. Procedures are collective unless they say otherwise: if one rank fails, all of them do, and nothing has
! changed; the rank whose arguments were refused gets the reason, the others at least that there was one.
!
! SPDX-License-Identifier: Apache-2.0
module xta_parallel
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi_f08, only: MPI_Comm
  use xta
  implicit none
  private

  public :: xta_parallel_array

  type :: xta_parallel_array
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => parallel_open
    procedure :: create => parallel_create
    procedure :: close => parallel_close
    procedure :: sync => parallel_sync
    procedure :: refresh => parallel_refresh
    procedure :: extend => parallel_extend
    procedure :: shrink => parallel_shrink
    procedure :: read_all => parallel_read_all
    procedure :: write_all => parallel_write_all
    procedure :: array => parallel_array
  end type xta_parallel_array

  interface
    function c_open(comm, path, writable, handle, error) bind(c, name="xtaf_parallel_open") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: writable
      type(c_ptr), intent(out) :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_create(comm, path, type, ndim, shape, chunk, names, fill, cell_bytes, handle, error) &
        bind(c, name="xtaf_parallel_create") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: type, ndim, cell_bytes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int64_t), intent(in), optional :: chunk(*)
      character(kind=c_char), intent(in), optional :: names(*)
      type(*), dimension(..), intent(in), optional :: fill
      type(c_ptr), intent(out) :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_close(handle, error) bind(c, name="xta_parallel_close") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_sync(handle, error) bind(c, name="xta_parallel_sync") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_refresh(handle, changed, error) bind(c, name="xtaf_parallel_refresh") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), intent(out) :: changed
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_change(handle, axis, front, by, shrink, error) bind(c, name="xtaf_parallel_change") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis, front, shrink
      integer(c_int64_t), value :: by
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_read_all(handle, lower, steps, values, error) bind(c, name="xtaf_parallel_read_all") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(in), optional :: lower(*), steps(*)
      type(*), dimension(..), intent(inout) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_write_all(handle, lower, steps, values, error) bind(c, name="xtaf_parallel_write_all") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(in), optional :: lower(*), steps(*)
      type(*), dimension(..), intent(in) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_array(handle) bind(c, name="xta_parallel_array") result(array)
      import :: c_ptr
      type(c_ptr), value :: handle
      type(c_ptr) :: array
    end function
  end interface

contains

  integer(c_int) function flag(given)
    logical, intent(in), optional :: given
    flag = 0
    if (present(given)) flag = merge(1, 0, given)
  end function flag

  !> Open an array on all ranks: read-only unless `writable`.
  subroutine parallel_open(self, comm, path, writable, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    character(len=*), intent(in) :: path
    logical, intent(in), optional :: writable
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = c_open(int(comm%mpi_val, c_int), trim(path)//c_null_char, flag(writable), self%handle, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_open

  !> Create an array and open it on all ranks, writable; arguments as for xta_array, and the same on all ranks.
  subroutine parallel_create(self, comm, path, type, shape, names, chunk, fill, cell_bytes, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    character(len=*), intent(in) :: path
    integer(c_int), intent(in) :: type
    integer(int64), intent(in) :: shape(:)
    character(len=*), intent(in), optional :: names(:)
    integer(int64), intent(in), optional :: chunk(:)
    type(*), dimension(..), intent(in), optional :: fill
    integer, intent(in), optional :: cell_bytes
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    character(kind=c_char, len=:), allocatable :: lines
    integer(c_int64_t), allocatable :: chunks(:)
    integer(c_int) :: bytes, status
    integer :: k
    bytes = 0
    if (present(cell_bytes)) bytes = int(cell_bytes, c_int)
    if (present(names)) then
      lines = ""
      do k = 1, size(names)
        lines = lines//trim(names(k))
        if (k < size(names)) lines = lines//c_new_line
      end do
      lines = lines//c_null_char
    end if
    if (present(chunk)) then
      chunks = chunk
      if (size(chunk) /= size(shape)) chunks = [(-1_c_int64_t, k=1, size(shape))] ! which is refused
    end if
    status = c_create(int(comm%mpi_val, c_int), trim(path)//c_null_char, type, int(size(shape), c_int), shape, chunks, &
                      lines, fill, bytes, self%handle, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine parallel_create

  !> Sync and close.
  subroutine parallel_close(self, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = XTA_OK
    if (c_associated(self%handle)) status = c_close(self%handle, error)
    self%handle = c_null_ptr
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_close

  subroutine parallel_sync(self, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_sync(self%handle, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_sync

  !> See the growth that other processes have made.
  subroutine parallel_refresh(self, changed, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    logical, intent(out), optional :: changed
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: any, status
    any = 0
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_refresh(self%handle, any, error)
    if (present(changed)) changed = any /= 0
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_refresh

  subroutine parallel_extend(self, axis, by, front, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_change(self%handle, int(axis, c_int), flag(front), by, 0_c_int, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_extend

  subroutine parallel_shrink(self, axis, by, front, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_change(self%handle, int(axis, c_int), flag(front), by, 1_c_int, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine parallel_shrink

  !> Read a box on each rank, as read of xta_array does. A rank that wants no cells passes an array without elements.
  !> `lower` and `step` have an item for each axis.
  subroutine parallel_read_all(self, values, lower, step, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    type(*), dimension(..), intent(inout) :: values
    integer(int64), intent(in), optional :: lower(:), step(:)
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t), allocatable :: first(:), steps(:)
    integer(c_int) :: status
    first = items_of(self, lower)
    steps = items_of(self, step)
    if (.not. present(lower)) deallocate (first)
    if (.not. present(step)) deallocate (steps)
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_read_all(self%handle, first, steps, values, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine parallel_read_all

  !> Write a box on each rank; boxes of different ranks must not overlap. Arguments as for read_all.
  subroutine parallel_write_all(self, values, lower, step, stat, errmsg)
    class(xta_parallel_array), intent(inout) :: self
    type(*), dimension(..), intent(in) :: values
    integer(int64), intent(in), optional :: lower(:), step(:)
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t), allocatable :: first(:), steps(:)
    integer(c_int) :: status
    first = items_of(self, lower)
    steps = items_of(self, step)
    if (.not. present(lower)) deallocate (first)
    if (.not. present(step)) deallocate (steps)
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_write_all(self%handle, first, steps, values, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine parallel_write_all

  ! A list with an item for each axis; of one that is of another length, items that the library refuses on all ranks.
  function items_of(self, list) result(items)
    class(xta_parallel_array), intent(in) :: self
    integer(int64), intent(in), optional :: list(:)
    integer(c_int64_t), allocatable :: items(:)
    type(xta_array) :: array
    call self%array(array)
    allocate (items(array%ndim()))
    items = -2_c_int64_t**61
    if (present(list)) then
      if (size(list) == size(items)) items = list
    end if
  end function items_of

  !> The array as this rank sees it: for bounds, type, attributes and coordinates. It is closed with self. Not
  !> collective.
  subroutine parallel_array(self, array)
    class(xta_parallel_array), intent(in) :: self
    type(xta_array), intent(inout) :: array
    if (c_associated(self%handle)) then
      call array%borrow(c_array(self%handle))
    else
      call array%borrow(c_null_ptr)
    end if
  end subroutine parallel_array
end module xta_parallel
