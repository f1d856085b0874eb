! Arrays that grow, for Fortran programs.
!
! Axes are counted as the indices of a Fortran array: the first runs fastest. An array with the axes x, y, t in this
! module, written from A(x, y, t), has the axes t, y, x in C and in the tool `xta`, as with NetCDF; its cells lie in
! memory and in files in the same order. Lists with an item for each axis are in the order of Fortran.
!
! Cells have signed coordinates that never change: growth at the front goes to lower ones. Lower and upper bounds are
! both included, as those of a Fortran array.
!
! Every procedure that can fail has the optional arguments `stat` (0: success, else one of the constants XTA_E...) and
! `errmsg` (one line: file, axis, value, remedy; left alone without a failure). If `stat` is absent, a failure stops the
! program with that line.
!
! Values are variables of any type that cells have (integers of 8 to 64 bits, real32, real64, complex of these,
! logical(c_bool), characters) and any rank up to that of the array; sections with strides are transferred without a
! copy. If the type differs from that of the cells, numbers are converted, and one that does not fit is an error.
!
! SPDX-License-Identifier: Apache-2.0
module xta
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use xta_c
  implicit none
  private

  public :: xta_array, xta_dataset, xta_slab, xta_version

  !> Types of cells, for create and add_member.
  integer(c_int), parameter, public :: xta_bool = 1, xta_int8 = 2, xta_uint8 = 3, xta_int16 = 4, xta_uint16 = 5, &
    xta_int32 = 6, xta_uint32 = 7, xta_int64 = 8, xta_uint64 = 9, xta_real16 = 10, xta_real32 = 11, xta_real64 = 12, &
    xta_complex32 = 13, xta_complex64 = 14, xta_bytes = 15

  !> What `stat` can be.
  integer, parameter, public :: XTA_OK = 0, XTA_EARG = 1, XTA_EBOX = 2, XTA_ETYPE = 3, XTA_ERANGE = 4, &
    XTA_EOVERFLOW = 5, XTA_ENOMEM = 6, XTA_EIO = 7, XTA_ENOSPC = 8, XTA_ENOENT = 9, XTA_EEXIST = 10, XTA_EACCESS = 11, &
    XTA_EFORMAT = 12, XTA_ECORRUPT = 13, XTA_ESTATE = 14, XTA_EUNSUPPORTED = 15, XTA_EFOREIGN = 16, &
    XTA_ECANCELLED = 17, XTA_ETIMEDOUT = 18, XTA_EBUSY = 19, XTA_EUNFINISHED = 20

  integer, parameter :: ARRAY_ITSELF = 0
  integer(c_int), parameter :: AXIS_NAME = 1, AXIS_UNIT = 2, ATTRIBUTE = 3

  !> An open array. Close it: nothing is closed when a variable goes out of scope.
  type :: xta_array
    private
    type(c_ptr) :: handle = c_null_ptr
    logical :: borrowed = .false.
  contains
    procedure :: open => array_open
    procedure :: create => array_create
    procedure :: close => array_close
    procedure :: is_open => array_is_open
    procedure :: sync => array_sync
    procedure :: refresh => array_refresh
    procedure :: ndim => array_ndim
    procedure :: type => array_type
    procedure :: lower => array_lower
    procedure :: upper => array_upper
    procedure :: shape => array_shape
    procedure :: path => array_path
    procedure :: axis => array_axis
    procedure :: axis_name => array_axis_name
    procedure :: axis_unit => array_axis_unit
    procedure :: set_axis_name => array_set_axis_name
    procedure :: set_axis_unit => array_set_axis_unit
    procedure :: read => array_read
    procedure :: write => array_write
    procedure :: extend => array_extend
    procedure :: shrink => array_shrink
    procedure :: append => array_append
    procedure :: set_text => array_set_text
    procedure :: get_text => array_get_text
    procedure :: set_numbers => array_set_numbers
    procedure :: get_numbers => array_get_numbers
    procedure :: remove_attribute => array_remove_attribute
    procedure :: set_regular => array_set_regular
    procedure :: coordinates => array_coordinates
    procedure :: select => array_select
    procedure :: c_handle => array_c_handle
    procedure :: borrow => array_borrow
  end type xta_array

  !> The elements of several members that one append brings. They are read by the append, and must exist until then:
  !> pass variables with the attribute TARGET.
  type :: xta_slab
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: add => slab_add
    procedure :: clear => slab_clear
  end type xta_slab

  !> An open data set: a folder of arrays that share dimensions and grow together.
  type :: xta_dataset
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: open => dataset_open
    procedure :: create => dataset_create
    procedure :: close => dataset_close
    procedure :: refresh => dataset_refresh
    procedure :: member => dataset_member
    procedure :: member_count => dataset_member_count
    procedure :: member_name => dataset_member_name
    procedure :: set_dimension => dataset_set_dimension
    procedure :: dimension => dataset_dimension
    procedure :: set_text => dataset_set_text
    procedure :: add_member => dataset_add_member
    procedure :: extend => dataset_extend
    procedure :: append => dataset_append
  end type xta_dataset

  public :: xta_closed, xta_finish, xta_finish_values, xta_error ! for xta_parallel

contains

  ! ---- texts and errors ----

  function c_text_of(text) result(out)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: out
    out = trim(text)//c_null_char
  end function c_text_of

  ! The names of axes, one on each line.
  function lines_of(names) result(out)
    character(len=*), intent(in) :: names(:)
    character(kind=c_char, len=:), allocatable :: out
    integer :: k
    out = ""
    do k = 1, size(names)
      out = out//trim(names(k))
      if (k < size(names)) out = out//c_new_line
    end do
    out = out//c_null_char
  end function lines_of

  function fortran_text(pointer, length) result(out)
    type(c_ptr), intent(in) :: pointer
    integer(c_int64_t), intent(in), optional :: length
    character(len=:), allocatable :: out
    character(kind=c_char), pointer :: bytes(:)
    integer(c_int64_t) :: n, k
    n = 0
    if (c_associated(pointer)) then
      if (present(length)) then
        n = length
      else
        n = int(c_strlen(pointer), c_int64_t)
      end if
    end if
    allocate (character(len=n) :: out)
    if (n > 0) then
      call c_f_pointer(pointer, bytes, [n])
      do k = 1, n
        out(k:k) = bytes(k)
      end do
    end if
  end function fortran_text

  !> Hand a status and its text to the caller, or stop.
  subroutine xta_finish(status, error, stat, errmsg)
    integer(c_int), intent(in) :: status
    type(xta_error), intent(in) :: error
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), allocatable :: text
    integer :: k
    text = ""
    if (status /= XTA_OK) then
      do k = 1, ERROR_TEXT_BYTES
        if (error%text(k) == c_null_char) exit
        text = text//error%text(k)
      end do
      if (len(text) == 0) text = "the call has failed"
    end if
    if (present(stat)) then
      stat = int(status)
    else if (status /= XTA_OK) then
      error stop "xta: "//text
    end if
    if (present(errmsg) .and. status /= XTA_OK) errmsg = text
  end subroutine xta_finish

  !> The same for a procedure with an argument of any type. gfortran 12 passes the length of characters that are given
  !> for it, which the procedure takes for that of the next argument of type character(len=*). So there is none behind
  !> it: `errmsg`, a character variable as everywhere, is class(*), which has its length with it.
  subroutine xta_finish_values(status, error, stat, errmsg)
    integer(c_int), intent(in) :: status
    type(xta_error), intent(in) :: error
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    if (.not. present(errmsg)) then
      call xta_finish(status, error, stat)
      return
    end if
    select type (errmsg)
    type is (character(len=*))
      call xta_finish(status, error, stat, errmsg)
    class default
      call xta_finish(status, error, stat)
    end select
  end subroutine xta_finish_values

  !> A closed array, or data set, as an error.
  function xta_closed(handle, error) result(status)
    type(c_ptr), intent(in) :: handle
    type(xta_error), intent(inout) :: error
    integer(c_int) :: status
    character(len=*), parameter :: TEXT = "it is not open; open or create it first"
    integer :: k
    status = XTA_OK
    if (.not. c_associated(handle)) then
      status = XTA_ESTATE
      error%text = c_null_char
      do k = 1, len(TEXT)
        error%text(k) = TEXT(k:k)
      end do
    end if
  end function xta_closed

  integer(c_int) function flag(given)
    logical, intent(in), optional :: given
    flag = 0
    if (present(given)) flag = merge(1, 0, given)
  end function flag

  !> The version of the library.
  function xta_version() result(out)
    character(len=:), allocatable :: out
    out = fortran_text(c_version())
  end function xta_version

  ! ---- arrays ----

  !> Open an array: read-only unless `writable`, as of the latest step unless `step` names one.
  subroutine array_open(self, path, writable, step, stat, errmsg)
    class(xta_array), intent(inout) :: self
    character(len=*), intent(in) :: path
    logical, intent(in), optional :: writable
    integer(int64), intent(in), optional :: step
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t) :: at
    at = -1
    if (present(step)) at = step
    self%borrowed = .false.
    call xta_finish(c_open(c_text_of(path), flag(writable), at, self%handle, error), error, stat, errmsg)
  end subroutine array_open

  !> Create an array of `type` with `shape` cells and open it writable. `names` of axes; `chunk` cells of a chunk on
  !> each axis, chosen by the library if absent; `fill` the value of cells that nobody has written; `cell_bytes` of
  !> xta_bytes.
  subroutine array_create(self, path, type, shape, names, chunk, fill, cell_bytes, stat, errmsg)
    class(xta_array), intent(inout) :: self
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
    if (present(names)) lines = lines_of(names)
    if (present(chunk)) then
      chunks = chunk
      if (size(chunk) /= size(shape)) chunks = [(-1_c_int64_t, k=1, size(shape))] ! which is refused
    end if
    if (present(cell_bytes)) bytes = int(cell_bytes, c_int)
    self%borrowed = .false.
    status = c_create(c_text_of(path), type, int(size(shape), c_int), shape, chunks, lines, fill, bytes, self%handle, &
                      error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine array_create

  !> Sync and close. Closing what is not open does nothing.
  subroutine array_close(self, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = XTA_OK
    if (c_associated(self%handle) .and. .not. self%borrowed) status = c_close(self%handle, error)
    self%handle = c_null_ptr
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_close

  logical function array_is_open(self)
    class(xta_array), intent(in) :: self
    array_is_open = c_associated(self%handle)
  end function array_is_open

  subroutine array_sync(self, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_sync(self%handle, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_sync

  !> See the growth that other processes have made.
  subroutine array_refresh(self, changed, stat, errmsg)
    class(xta_array), intent(inout) :: self
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
  end subroutine array_refresh

  !> Number of axes; 0 if it is not open.
  integer function array_ndim(self)
    class(xta_array), intent(in) :: self
    array_ndim = 0
    if (c_associated(self%handle)) array_ndim = int(c_ndim(self%handle))
  end function array_ndim

  !> Type of the cells, as xta_real32; 0 if it is not open.
  integer(c_int) function array_type(self)
    class(xta_array), intent(in) :: self
    array_type = 0
    if (c_associated(self%handle)) array_type = c_type(self%handle)
  end function array_type

  !> First cell on each axis.
  function array_lower(self) result(lower)
    class(xta_array), intent(in) :: self
    integer(int64), allocatable :: lower(:), upper(:)
    allocate (lower(self%ndim()), upper(self%ndim()))
    if (size(lower) > 0) call c_bounds(self%handle, lower, upper)
  end function array_lower

  !> Last cell on each axis.
  function array_upper(self) result(upper)
    class(xta_array), intent(in) :: self
    integer(int64), allocatable :: lower(:), upper(:)
    allocate (lower(self%ndim()), upper(self%ndim()))
    if (size(lower) > 0) call c_bounds(self%handle, lower, upper)
  end function array_upper

  !> Cells on each axis.
  function array_shape(self) result(lengths)
    class(xta_array), intent(in) :: self
    integer(int64), allocatable :: lengths(:)
    lengths = self%upper() - self%lower() + 1
  end function array_shape

  function array_path(self) result(out)
    class(xta_array), intent(in) :: self
    character(len=:), allocatable :: out
    out = ""
    if (c_associated(self%handle)) out = fortran_text(c_path(self%handle))
  end function array_path

  !> The number of the axis with this name; 0 if there is none.
  integer function array_axis(self, name)
    class(xta_array), intent(in) :: self
    character(len=*), intent(in) :: name
    type(xta_error) :: error
    integer(c_int) :: axis
    array_axis = 0
    if (c_associated(self%handle)) then
      if (c_axis_find(self%handle, c_text_of(name), axis, error) == XTA_OK) array_axis = int(axis)
    end if
  end function array_axis

  ! A text of an axis; "": it has none, or there is no such axis.
  function text_of_axis(self, axis, what) result(out)
    class(xta_array), intent(in) :: self
    integer, intent(in) :: axis
    integer(c_int), intent(in) :: what
    character(len=:), allocatable :: out
    type(xta_error) :: error
    type(c_ptr) :: text
    integer(c_int64_t) :: length
    out = ""
    if (c_associated(self%handle)) then
      if (c_text(self%handle, int(axis, c_int), what, c_text_of(""), text, length, error) == XTA_OK) &
        out = fortran_text(text, length)
    end if
  end function text_of_axis

  function array_axis_name(self, axis) result(out)
    class(xta_array), intent(in) :: self
    integer, intent(in) :: axis
    character(len=:), allocatable :: out
    out = text_of_axis(self, axis, AXIS_NAME)
  end function array_axis_name

  function array_axis_unit(self, axis) result(out)
    class(xta_array), intent(in) :: self
    integer, intent(in) :: axis
    character(len=:), allocatable :: out
    out = text_of_axis(self, axis, AXIS_UNIT)
  end function array_axis_unit

  subroutine put_text(self, axis, what, name, text, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(c_int), intent(in) :: what
    character(len=*), intent(in) :: name, text
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_set_text(self%handle, int(axis, c_int), what, c_text_of(name), c_text_of(text), error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine put_text

  subroutine array_set_axis_name(self, axis, name, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call put_text(self, axis, AXIS_NAME, "", name, stat, errmsg)
  end subroutine array_set_axis_name

  subroutine array_set_axis_unit(self, axis, unit, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    character(len=*), intent(in) :: unit
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call put_text(self, axis, AXIS_UNIT, "", unit, stat, errmsg)
  end subroutine array_set_axis_unit

  ! ---- cells ----

  ! A list with an item for each axis; a shorter one is an error.
  function list_status(self, list, what, error) result(status)
    class(xta_array), intent(in) :: self
    integer(int64), intent(in), optional :: list(:)
    character(len=*), intent(in) :: what
    type(xta_error), intent(inout) :: error
    integer(c_int) :: status
    integer :: k
    character(len=:), allocatable :: text
    status = xta_closed(self%handle, error)
    if (status /= XTA_OK .or. .not. present(list)) return
    if (size(list) == self%ndim()) return
    status = XTA_EARG
    text = self%path()//": "//what//" must have an item for each axis"
    error%text = c_null_char
    do k = 1, min(len(text), ERROR_TEXT_BYTES - 1)
      error%text(k) = text(k:k)
    end do
  end function list_status

  !> Read cells into `values`: as many as it has elements, from the cell `lower` on (the first cell of the array, if
  !> absent), every `step`-th on each axis. Of a `values` with fewer indices than the array has axes, the last axes have
  !> one cell.
  subroutine array_read(self, values, lower, step, stat, errmsg)
    class(xta_array), intent(in) :: self
    type(*), dimension(..), intent(inout) :: values
    integer(int64), intent(in), optional :: lower(:), step(:)
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t), allocatable :: first(:), steps(:)
    integer(c_int) :: status
    if (present(lower)) first = lower
    if (present(step)) steps = step
    status = list_status(self, lower, "lower", error)
    if (status == XTA_OK) status = list_status(self, step, "step", error)
    if (status == XTA_OK) status = c_read(self%handle, first, steps, values, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine array_read

  !> Write cells; arguments as for read.
  subroutine array_write(self, values, lower, step, stat, errmsg)
    class(xta_array), intent(inout) :: self
    type(*), dimension(..), intent(in) :: values
    integer(int64), intent(in), optional :: lower(:), step(:)
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t), allocatable :: first(:), steps(:)
    integer(c_int) :: status
    if (present(lower)) first = lower
    if (present(step)) steps = step
    status = list_status(self, lower, "lower", error)
    if (status == XTA_OK) status = list_status(self, step, "step", error)
    if (status == XTA_OK) status = c_write(self%handle, first, steps, values, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine array_write

  subroutine change(self, axis, by, front, shrink, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer(c_int), intent(in) :: shrink
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_change(self%handle, int(axis, c_int), flag(front), by, shrink, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine change

  !> Add cells behind the last, or with `front` before the first, along an axis. They have the fill value.
  subroutine array_extend(self, axis, by, front, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call change(self, axis, by, front, 0_c_int, stat, errmsg)
  end subroutine array_extend

  !> Take cells away at the back, or with `front` at the front.
  subroutine array_shrink(self, axis, by, front, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call change(self, axis, by, front, 1_c_int, stat, errmsg)
  end subroutine array_shrink

  !> Append `values` along an axis: no reader sees the new cells before they are written. `first` is the first of them.
  subroutine array_append(self, values, axis, front, first, stat, errmsg)
    class(xta_array), intent(inout) :: self
    type(*), dimension(..), intent(in) :: values
    integer, intent(in) :: axis
    logical, intent(in), optional :: front
    integer(int64), intent(out), optional :: first
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    if (present(first)) first = 0
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_append(self%handle, int(axis, c_int), flag(front), values, first, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine array_append

  ! ---- attributes and coordinates ----

  integer function axis_or_array(axis)
    integer, intent(in), optional :: axis
    axis_or_array = ARRAY_ITSELF
    if (present(axis)) axis_or_array = axis
  end function axis_or_array

  !> Set an attribute of the array, or of an axis, to a text. Blanks at its end are dropped.
  subroutine array_set_text(self, name, text, axis, stat, errmsg)
    class(xta_array), intent(inout) :: self
    character(len=*), intent(in) :: name, text
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call put_text(self, axis_or_array(axis), ATTRIBUTE, name, text, stat, errmsg)
  end subroutine array_set_text

  subroutine array_get_text(self, name, text, axis, stat, errmsg)
    class(xta_array), intent(in) :: self
    character(len=*), intent(in) :: name
    character(len=:), allocatable, intent(out) :: text
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    type(c_ptr) :: bytes
    integer(c_int64_t) :: length
    integer(c_int) :: status
    text = ""
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_text(self%handle, int(axis_or_array(axis), c_int), ATTRIBUTE, c_text_of(name), bytes, length, error)
    if (status == XTA_OK) text = fortran_text(bytes, length)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_get_text

  !> Set an attribute to a number, or to numbers that lie together in memory.
  subroutine array_set_numbers(self, name, values, axis, stat, errmsg)
    class(xta_array), intent(inout) :: self
    character(len=*), intent(in) :: name
    type(*), dimension(..), intent(in) :: values
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_set_numbers(self%handle, int(axis_or_array(axis), c_int), c_text_of(name), values, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine array_set_numbers

  !> Read an attribute of numbers into an array that is allocated with their count.
  subroutine array_get_numbers(self, name, values, axis, stat, errmsg)
    class(xta_array), intent(in) :: self
    character(len=*), intent(in) :: name
    real(real64), allocatable, intent(out) :: values(:)
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t) :: count
    integer(c_int) :: status
    count = 0
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_numbers_count(self%handle, int(axis_or_array(axis), c_int), c_text_of(name), count, error)
    if (status /= XTA_OK) count = 0
    allocate (values(count))
    if (status == XTA_OK) &
      status = c_numbers(self%handle, int(axis_or_array(axis), c_int), c_text_of(name), values, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_get_numbers

  subroutine array_remove_attribute(self, name, axis, stat, errmsg)
    class(xta_array), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_remove(self%handle, int(axis_or_array(axis), c_int), c_text_of(name), error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_remove_attribute

  !> Give an axis the coordinates origin + c * step, where c is the cell.
  subroutine array_set_regular(self, axis, origin, step, stat, errmsg)
    class(xta_array), intent(inout) :: self
    integer, intent(in) :: axis
    real(real64), intent(in) :: origin, step
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_set_regular(self%handle, int(axis, c_int), origin, step, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_set_regular

  !> The coordinates of the cells of an axis, one for each.
  subroutine array_coordinates(self, axis, values, stat, errmsg)
    class(xta_array), intent(in) :: self
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: values(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(int64), allocatable :: lower(:), lengths(:)
    integer(c_int) :: status
    integer(c_int64_t) :: first, n
    lower = self%lower()
    lengths = self%shape()
    first = 0
    n = 0
    if (axis >= 1 .and. axis <= size(lower)) then
      first = lower(axis)
      n = lengths(axis)
    end if
    allocate (values(n))
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_coordinates(self%handle, int(axis, c_int), first, n, values, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_coordinates

  !> The box of cells that labels select ("time=2015-01,lat=40:50", as in xta(1)): its first cell and its lengths.
  subroutine array_select(self, labels, lower, lengths, stat, errmsg)
    class(xta_array), intent(in) :: self
    character(len=*), intent(in) :: labels
    integer(int64), allocatable, intent(out) :: lower(:), lengths(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    allocate (lower(self%ndim()), lengths(self%ndim()))
    lower = 0
    lengths = 0
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_select(self%handle, c_text_of(labels), lower, lengths, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine array_select

  !> The handle of the C library, for calls that this module does not have.
  type(c_ptr) function array_c_handle(self)
    class(xta_array), intent(in) :: self
    array_c_handle = self%handle
  end function array_c_handle

  !> Use an array that somebody else has opened and will close.
  subroutine array_borrow(self, handle)
    class(xta_array), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    self%handle = handle
    self%borrowed = .true.
  end subroutine array_borrow

  ! ---- data sets ----

  !> Open a data set. Its members are of one step: that of the opening, until refresh.
  subroutine dataset_open(self, path, writable, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: path
    logical, intent(in), optional :: writable
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    call xta_finish(c_set_open(c_text_of(path), flag(writable), self%handle, error), error, stat, errmsg)
  end subroutine dataset_open

  subroutine dataset_create(self, path, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    call xta_finish(c_set_create(c_text_of(path), c_null_ptr, self%handle, error), error, stat, errmsg)
  end subroutine dataset_create

  !> Sync and close the set and its members.
  subroutine dataset_close(self, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = XTA_OK
    if (c_associated(self%handle)) status = c_set_close(self%handle, error)
    self%handle = c_null_ptr
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_close

  subroutine dataset_refresh(self, changed, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    logical, intent(out), optional :: changed
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: any, status
    any = 0
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_set_refresh(self%handle, any, error)
    if (present(changed)) changed = any /= 0
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_refresh

  !> A member as an array, which is open as long as the set is.
  subroutine dataset_member(self, name, array, stat, errmsg)
    class(xta_dataset), intent(in) :: self
    character(len=*), intent(in) :: name
    type(xta_array), intent(inout) :: array
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    type(c_ptr) :: handle
    integer(c_int) :: status
    handle = c_null_ptr
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_member(self%handle, c_text_of(name), handle, error)
    call array%borrow(handle)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_member

  integer function dataset_member_count(self)
    class(xta_dataset), intent(in) :: self
    dataset_member_count = 0
    if (c_associated(self%handle)) dataset_member_count = int(c_member_count(self%handle))
  end function dataset_member_count

  !> Name of member number `k`, from 1; "": there is none.
  function dataset_member_name(self, k) result(out)
    class(xta_dataset), intent(in) :: self
    integer, intent(in) :: k
    character(len=:), allocatable :: out
    out = ""
    if (k >= 1 .and. k <= self%member_count()) out = fortran_text(c_member_name(self%handle, int(k - 1, c_size_t)))
  end function dataset_member_name

  !> Add a dimension of `length` cells, the first of which is `lower` (0 if absent). With `origin` and `step` the cell c
  !> has the coordinate origin + c * step.
  subroutine dataset_set_dimension(self, name, length, lower, unlimited, origin, step, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: length
    integer(int64), intent(in), optional :: lower
    logical, intent(in), optional :: unlimited
    real(real64), intent(in), optional :: origin, step
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t) :: first
    real(c_double) :: at, by
    integer(c_int) :: status
    first = 0
    at = 0
    by = 1
    if (present(lower)) first = lower
    if (present(origin)) at = origin
    if (present(step)) by = step
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_set_dimension(self%handle, c_text_of(name), first, length, flag(unlimited), &
                               flag(present(origin) .or. present(step)), at, by, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_set_dimension

  !> First and last cell of a dimension.
  subroutine dataset_dimension(self, name, lower, upper, stat, errmsg)
    class(xta_dataset), intent(in) :: self
    character(len=*), intent(in) :: name
    integer(int64), intent(out) :: lower, upper
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    lower = 0
    upper = -1
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_dimension(self%handle, c_text_of(name), lower, upper, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_dimension

  !> Set an attribute of the set, or of a dimension, to a text.
  subroutine dataset_set_text(self, name, text, dimension, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: name, text
    character(len=*), intent(in), optional :: dimension
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    character(kind=c_char, len=:), allocatable :: where
    integer(c_int) :: status
    if (present(dimension)) where = c_text_of(dimension)
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_dataset_text(self%handle, where, c_text_of(name), c_text_of(text), error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_set_text

  !> Add a member: a new array whose axes are dimensions of the set.
  subroutine dataset_add_member(self, name, type, dimensions, chunk, fill, cell_bytes, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer(c_int), intent(in) :: type
    character(len=*), intent(in) :: dimensions(:)
    integer(int64), intent(in), optional :: chunk(:)
    type(*), dimension(..), intent(in), optional :: fill
    integer, intent(in), optional :: cell_bytes
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int64_t), allocatable :: chunks(:)
    integer(c_int) :: bytes, status
    integer :: k
    bytes = 0
    if (present(cell_bytes)) bytes = int(cell_bytes, c_int)
    if (present(chunk)) then
      chunks = chunk
      if (size(chunk) /= size(dimensions)) chunks = [(-1_c_int64_t, k=1, size(dimensions))]
    end if
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_add_member(self%handle, c_text_of(name), type, int(size(dimensions), c_int), lines_of(dimensions), &
                            chunks, fill, bytes, error)
    call xta_finish_values(status, error, stat, errmsg)
  end subroutine dataset_add_member

  !> Grow all members that have a dimension, in one step. New cells have the fill values.
  subroutine dataset_extend(self, dimension, by, front, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: dimension
    integer(int64), intent(in) :: by
    logical, intent(in), optional :: front
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    integer(c_int) :: status
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) status = c_set_extend(self%handle, c_text_of(dimension), flag(front), by, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_extend

  !> Append a slab to all members that have a dimension, in one step; those that the slab does not name get their fill
  !> values. `coordinates` of the new cells, where the dimension lists them.
  subroutine dataset_append(self, dimension, slab, front, coordinates, first, stat, errmsg)
    class(xta_dataset), intent(inout) :: self
    character(len=*), intent(in) :: dimension
    type(xta_slab), intent(in) :: slab
    logical, intent(in), optional :: front
    real(real64), intent(in), optional :: coordinates(:)
    integer(int64), intent(out), optional :: first
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    real(c_double), allocatable :: given(:)
    integer(c_int64_t) :: n
    integer(c_int) :: status
    n = 0
    if (present(first)) first = 0
    if (present(coordinates)) then
      given = coordinates
      n = size(coordinates)
    end if
    status = xta_closed(self%handle, error)
    if (status == XTA_OK) &
      status = c_set_append(self%handle, c_text_of(dimension), flag(front), slab%handle, given, n, first, error)
    call xta_finish(status, error, stat, errmsg)
  end subroutine dataset_append

  !> Add the elements of a member. They are not copied.
  subroutine slab_add(self, member, values, stat, errmsg)
    class(xta_slab), intent(inout) :: self
    character(len=*), intent(in) :: member
    type(*), dimension(..), intent(in), target :: values
    integer, intent(out), optional :: stat
    class(*), intent(inout), optional :: errmsg
    type(xta_error) :: error
    if (.not. c_associated(self%handle)) self%handle = c_slab_new()
    call xta_finish_values(c_slab_add(self%handle, c_text_of(member), values, error), error, stat, errmsg)
  end subroutine slab_add

  !> Forget all elements; the slab can be used again.
  subroutine slab_clear(self)
    class(xta_slab), intent(inout) :: self
    call c_slab_free(self%handle)
    self%handle = c_null_ptr
  end subroutine slab_clear
end module xta
