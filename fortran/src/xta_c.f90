! The functions in C that module xta calls: those of the library, and those of fortran/src/glue, whose headers have the
! contracts.
!
! SPDX-License-Identifier: Apache-2.0
module xta_c
  use, intrinsic :: iso_c_binding
  implicit none

  integer, parameter :: ERROR_TEXT_BYTES = 512

  !> struct xta_error
  type, bind(c) :: xta_error
    integer(c_int) :: status = 0
    integer(c_int) :: os_errno = 0
    character(kind=c_char) :: text(ERROR_TEXT_BYTES) = c_null_char
  end type xta_error

  interface
    function c_strlen(text) bind(c, name="strlen") result(n)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: n
    end function
    function c_version() bind(c, name="xta_version") result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    function c_open(path, writable, step, handle, error) bind(c, name="xtaf_array_open") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: writable
      integer(c_int64_t), value :: step
      type(c_ptr), intent(out) :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_create(path, type, ndim, shape, chunk, names, fill, cell_bytes, handle, error) &
        bind(c, name="xtaf_array_create") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
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
    function c_close(handle, error) bind(c, name="xta_array_close") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_sync(handle, error) bind(c, name="xta_array_sync") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_refresh(handle, changed, error) bind(c, name="xtaf_array_refresh") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), intent(out) :: changed
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    pure function c_ndim(handle) bind(c, name="xta_array_ndim") result(n)
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int) :: n
    end function
    pure function c_type(handle) bind(c, name="xta_array_type") result(type)
      import :: c_int, c_ptr
      type(c_ptr), value :: handle
      integer(c_int) :: type
    end function
    function c_path(handle) bind(c, name="xta_array_path") result(text)
      import :: c_ptr
      type(c_ptr), value :: handle
      type(c_ptr) :: text
    end function
    subroutine c_bounds(handle, lower, upper) bind(c, name="xtaf_array_bounds")
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(out) :: lower(*), upper(*)
    end subroutine
    function c_change(handle, axis, front, by, shrink, error) bind(c, name="xtaf_array_change") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis, front, shrink
      integer(c_int64_t), value :: by
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_append(handle, axis, front, values, first, error) bind(c, name="xtaf_array_append") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis, front
      type(*), dimension(..), intent(in) :: values
      integer(c_int64_t), intent(out), optional :: first
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_read(handle, lower, steps, values, error) bind(c, name="xtaf_array_read") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(in), optional :: lower(*), steps(*)
      type(*), dimension(..), intent(inout) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_write(handle, lower, steps, values, error) bind(c, name="xtaf_array_write") result(status)
      import :: c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int64_t), intent(in), optional :: lower(*), steps(*)
      type(*), dimension(..), intent(in) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_select(handle, text, lower, shape, error) bind(c, name="xtaf_array_select") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int64_t), intent(out) :: lower(*), shape(*)
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_axis_find(handle, name, axis, error) bind(c, name="xtaf_axis_find") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: axis
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_text(handle, axis, what, name, text, length, error) bind(c, name="xtaf_text") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis, what
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: text
      integer(c_int64_t), intent(out) :: length
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_text(handle, axis, what, name, text, error) bind(c, name="xtaf_set_text") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis, what
      character(kind=c_char), intent(in) :: name(*), text(*)
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_numbers_count(handle, axis, name, count, error) bind(c, name="xtaf_numbers_count") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: count
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_numbers(handle, axis, name, values, error) bind(c, name="xtaf_numbers") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      character(kind=c_char), intent(in) :: name(*)
      type(*), dimension(..), intent(inout) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_numbers(handle, axis, name, values, error) bind(c, name="xtaf_set_numbers") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      character(kind=c_char), intent(in) :: name(*)
      type(*), dimension(..), intent(in) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_remove(handle, axis, name, error) bind(c, name="xtaf_remove") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      character(kind=c_char), intent(in) :: name(*)
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_regular(handle, axis, origin, step, error) bind(c, name="xtaf_set_regular") result(status)
      import :: c_double, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      real(c_double), value :: origin, step
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_coordinates(handle, axis, first, n, values, error) bind(c, name="xtaf_coordinates") result(status)
      import :: c_double, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), value :: axis
      integer(c_int64_t), value :: first, n
      real(c_double), intent(out) :: values(*)
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_open(path, writable, handle, error) bind(c, name="xtaf_dataset_open") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: writable
      type(c_ptr), intent(out) :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_create(path, options, handle, error) bind(c, name="xta_dataset_create") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_close(handle, error) bind(c, name="xta_dataset_close") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_refresh(handle, changed, error) bind(c, name="xtaf_dataset_refresh") result(status)
      import :: c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      integer(c_int), intent(out) :: changed
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_member(handle, name, array, error) bind(c, name="xta_dataset_member") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: array
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_member_count(handle) bind(c, name="xta_dataset_member_count") result(n)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: handle
      integer(c_size_t) :: n
    end function
    function c_member_name(handle, k) bind(c, name="xta_dataset_member_name") result(text)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: handle
      integer(c_size_t), value :: k
      type(c_ptr) :: text
    end function
    function c_set_dimension(handle, name, lower, length, unlimited, regular, origin, step, error) &
        bind(c, name="xtaf_dataset_set_dimension") result(status)
      import :: c_char, c_double, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: lower, length
      integer(c_int), value :: unlimited, regular
      real(c_double), value :: origin, step
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_dimension(handle, name, lower, upper, error) bind(c, name="xtaf_dataset_dimension") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: lower, upper
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_dataset_text(handle, dimension, name, text, error) bind(c, name="xta_dataset_set_text") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in), optional :: dimension(*)
      character(kind=c_char), intent(in) :: name(*), text(*)
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_add_member(handle, name, type, ndim, dimensions, chunk, fill, cell_bytes, error) &
        bind(c, name="xtaf_dataset_add_member") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*), dimensions(*)
      integer(c_int), value :: type, ndim, cell_bytes
      integer(c_int64_t), intent(in), optional :: chunk(*)
      type(*), dimension(..), intent(in), optional :: fill
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_extend(handle, dimension, front, by, error) bind(c, name="xtaf_dataset_extend") result(status)
      import :: c_char, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: dimension(*)
      integer(c_int), value :: front
      integer(c_int64_t), value :: by
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_set_append(handle, dimension, front, slab, coordinates, n, first, error) &
        bind(c, name="xtaf_dataset_append") result(status)
      import :: c_char, c_double, c_int, c_int64_t, c_ptr, xta_error
      type(c_ptr), value :: handle, slab
      character(kind=c_char), intent(in) :: dimension(*)
      integer(c_int), value :: front
      real(c_double), intent(in), optional :: coordinates(*)
      integer(c_int64_t), value :: n
      integer(c_int64_t), intent(out), optional :: first
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
    function c_slab_new() bind(c, name="xtaf_slab_new") result(slab)
      import :: c_ptr
      type(c_ptr) :: slab
    end function
    subroutine c_slab_free(slab) bind(c, name="xtaf_slab_free")
      import :: c_ptr
      type(c_ptr), value :: slab
    end subroutine
    function c_slab_add(slab, member, values, error) bind(c, name="xtaf_slab_add") result(status)
      import :: c_char, c_int, c_ptr, xta_error
      type(c_ptr), value :: slab
      character(kind=c_char), intent(in) :: member(*)
      type(*), dimension(..), intent(in) :: values
      type(xta_error), intent(inout) :: error
      integer(c_int) :: status
    end function
  end interface
end module xta_c
