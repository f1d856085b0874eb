! Arrays from Fortran: every type and rank, sections with strides, growth at both ends, attributes, labels, data sets,
! and what is refused. The argument is a folder for the files.
!
! SPDX-License-Identifier: Apache-2.0
program test_arrays
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, error_unit
  use xta
  implicit none
  character(len=:), allocatable :: folder
  integer :: n_checks = 0

  call get_folder()
  call check_types()
  call check_ranks()
  call check_sections()
  call check_growth()
  call check_attributes()
  call check_labels()
  call check_data_set()
  call check_refusals()
  print '(a,i0,a)', "test_arrays: ", n_checks, " checks"

contains

  subroutine get_folder()
    integer :: n
    call get_command_argument(1, length=n)
    allocate (character(len=n) :: folder)
    call get_command_argument(1, folder)
  end subroutine get_folder

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    n_checks = n_checks + 1
    if (.not. condition) then
      write (error_unit, '(2a)') "test_arrays: ", what
      error stop 1
    end if
  end subroutine check

  subroutine make(array, name, type, shape, names)
    type(xta_array), intent(inout) :: array
    character(len=*), intent(in) :: name
    integer, intent(in) :: type
    integer(int64), intent(in) :: shape(:)
    character(len=*), intent(in), optional :: names(:)
    call array%create(folder//"/"//name, type, shape, names=names)
  end subroutine make

  ! One cell and one row of each type, there and back.
  subroutine check_types()
    type(xta_array) :: a
    integer(int8) :: i1(3) = [1_int8, -2_int8, 3_int8], j1(3)
    integer(int16) :: i2(3) = [1_int16, -2_int16, 300_int16], j2(3)
    integer(int32) :: i4(3) = [1, -2, 70000], j4(3)
    integer(int64) :: i8(3) = [1_int64, -2_int64, huge(1_int64)], j8(3)
    real(real32) :: r4(3) = [0.5, -1.5, 1e30], s4(3)
    real(real64) :: r8(3) = [0.5d0, -1.5d0, 1d300], s8(3)
    complex(real32) :: c4(3) = [(1.0, 2.0), (-1.0, 0.0), (0.0, 1e30)], d4(3)
    complex(real64) :: c8(3) = [(1d0, 2d0), (-1d0, 0d0), (0d0, 1d300)], d8(3)
    logical(c_bool) :: l1(3) = [.true._c_bool, .false._c_bool, .true._c_bool], m1(3)
    character(len=5) :: t(3) = ["alpha", "beta ", "c    "], u(3)

    call make(a, "i1", xta_int8, [3_int64]); call a%write(i1); call a%read(j1); call a%close()
    call check(all(i1 == j1), "int8")
    call make(a, "i2", xta_int16, [3_int64]); call a%write(i2); call a%read(j2); call a%close()
    call check(all(i2 == j2), "int16")
    call make(a, "i4", xta_int32, [3_int64]); call a%write(i4); call a%read(j4); call a%close()
    call check(all(i4 == j4), "int32")
    call make(a, "i8", xta_int64, [3_int64]); call a%write(i8); call a%read(j8); call a%close()
    call check(all(i8 == j8), "int64")
    call make(a, "r4", xta_real32, [3_int64]); call a%write(r4); call a%read(s4); call a%close()
    call check(all(r4 == s4), "real32")
    call make(a, "r8", xta_real64, [3_int64]); call a%write(r8); call a%read(s8); call a%close()
    call check(all(r8 == s8), "real64")
    call make(a, "c4", xta_complex32, [3_int64]); call a%write(c4); call a%read(d4); call a%close()
    call check(all(c4 == d4), "complex32")
    call make(a, "c8", xta_complex64, [3_int64]); call a%write(c8); call a%read(d8); call a%close()
    call check(all(c8 == d8), "complex64")
    call make(a, "l1", xta_bool, [3_int64]); call a%write(l1); call a%read(m1); call a%close()
    call check(all(logical(l1) .eqv. logical(m1)), "logical(c_bool)")
    call a%create(folder//"/t", xta_bytes, [3_int64], cell_bytes=5)
    call a%write(t); call a%read(u); call a%close()
    call check(all(t == u), "characters")

    ! Converted: 16-bit cells as doubles, and a scalar.
    call a%open(folder//"/i2")
    call check(a%type() == xta_int16 .and. a%ndim() == 1, "type and axes")
    call a%read(s8); call check(all(s8 == real(i2, real64)), "converted")
    call a%read(s8(1), lower=[2_int64]); call check(s8(1) == 300, "a scalar")
    call a%close()
    call check(.not. a%is_open(), "closed")
  end subroutine check_types

  ! A(i, j, ...) is the cell (i, j, ...), whatever the rank.
  subroutine check_ranks()
    type(xta_array) :: a
    integer(int32) :: x1(4), x2(4, 3), x3(4, 3, 2), x4(4, 3, 2, 3), x5(2, 3, 2, 2, 3), x6(2, 2, 2, 2, 2, 3), &
      x7(2, 2, 2, 2, 2, 2, 3), cell
    integer :: k
    x7 = reshape([(k, k=1, size(x7))], shape(x7))
    call make(a, "n7", xta_int32, int(shape(x7), int64))
    call check(all(a%shape() == shape(x7)), "shape of rank 7")
    call a%write(x7)
    x7 = 0; call a%read(x7)
    call check(all(reshape(x7, [size(x7)]) == [(k, k=1, size(x7))]), "rank 7")
    call a%read(cell, lower=[1_int64, 0_int64, 1_int64, 0_int64, 0_int64, 1_int64, 2_int64])
    call check(cell == x7(2, 1, 2, 1, 1, 2, 3), "one cell of rank 7")
    x6 = 0; call a%read(x6(:, :, :, :, :, 1), lower=[0_int64, 0_int64, 0_int64, 0_int64, 0_int64, 1_int64, 2_int64])
    call check(all(x6(:, :, :, :, :, 1) == x7(:, :, :, :, :, 2, 3)), "rank 5 of rank 7")
    call a%close()
    x5 = reshape([(k, k=1, size(x5))], shape(x5))
    call make(a, "n5", xta_int32, int(shape(x5), int64)); call a%write(x5); x5 = 0; call a%read(x5)
    call check(all(reshape(x5, [size(x5)]) == [(k, k=1, size(x5))]), "rank 5"); call a%close()
    x4 = reshape([(k, k=1, size(x4))], shape(x4))
    call make(a, "n4", xta_int32, int(shape(x4), int64)); call a%write(x4)
    x3 = 0; call a%read(x3, lower=[0_int64, 0_int64, 0_int64, 2_int64])
    call check(all(x3 == x4(:, :, :, 3)), "rank 3 of rank 4")
    x2 = 0; call a%read(x2, lower=[0_int64, 0_int64, 1_int64, 0_int64])
    call check(all(x2 == x4(:, :, 2, 1)), "rank 2 of rank 4")
    x1 = 0; call a%read(x1, lower=[0_int64, 1_int64, 1_int64, 0_int64])
    call check(all(x1 == x4(:, 2, 2, 1)), "rank 1 of rank 4")
    call a%close()
  end subroutine check_ranks

  ! Sections of Fortran arrays are transferred where they are, also backwards.
  subroutine check_sections()
    type(xta_array) :: a
    real(real64) :: whole(6, 5), part(3, 5), wide(12, 10), steps(2, 2)
    integer :: i, j
    do concurrent(i=1:6, j=1:5)
      whole(i, j) = 10*i + j
    end do
    wide = -1
    wide(2:12:2, 1:10:2) = whole
    call make(a, "sections", xta_real64, [6_int64, 5_int64])
    call a%write(wide(2:12:2, 1:10:2))
    call a%read(part, lower=[3_int64, 0_int64])
    call check(all(part == whole(4:6, :)), "written from a section")
    wide = -1
    call a%read(wide(11:1:-2, 10:2:-2))
    call check(all(wide(11:1:-2, 10:2:-2) == whole) .and. count(wide == -1) == 120 - 30, "read backwards")
    call a%read(steps, lower=[1_int64, 0_int64], step=[3_int64, 2_int64])
    call check(all(steps == whole(2:5:3, 1:3:2)), "every third and second cell")
    call a%close()
  end subroutine check_sections

  subroutine check_growth()
    type(xta_array) :: a, reader
    integer(int32) :: row(4, 2), all_rows(4, 7)
    integer(int64) :: first
    integer :: k
    logical :: changed
    call make(a, "grown", xta_int32, [4_int64, 0_int64], names=["x", "t"])
    call reader%open(folder//"/grown")
    do k = 0, 1
      row = k
      call a%append(row, 2, first=first)
      call check(first == 2*k, "appended behind")
    end do
    row = -1
    call a%append(row, a%axis("t"), front=.true., first=first)
    call check(first == -2 .and. all(a%lower() == [0_int64, -2_int64]), "appended before")
    call a%extend(2, 1_int64)
    call check(all(a%upper() == [3_int64, 4_int64]) .and. all(a%shape() == [4, 7]), "extended")
    call a%sync()
    call check(all(reader%shape() == [4, 0]), "a reader keeps its bounds")
    call reader%refresh(changed)
    call check(changed .and. all(reader%shape() == [4, 7]), "refreshed")
    call reader%read(all_rows)
    call check(all(all_rows(1, :) == [-1, -1, 0, 0, 1, 1, 0]), "rows of both ends")
    call a%shrink(2, 2_int64, front=.true.)
    call check(all(a%lower() == 0), "shrunk")
    call check(a%axis("t") == 2 .and. a%axis("none") == 0 .and. a%axis_name(1) == "x", "names of axes")
    call reader%close()
    call a%close()
    call a%open(folder//"/grown", step=1_int64)
    call check(all(a%shape() == [4, 2]), "as of the first append")
    call a%close()
  end subroutine check_growth

  subroutine check_attributes()
    type(xta_array) :: a
    character(len=:), allocatable :: text
    character(len=512) :: message
    real(real64), allocatable :: numbers(:), where(:)
    integer :: stat
    call make(a, "attributed", xta_real32, [4_int64, 3_int64], names=["lon", "lat"])
    call a%set_text("title", "of an array   ")
    call a%set_text("long_name", "longitude", axis=1)
    call a%set_numbers("scale", 0.25_real32)
    call a%set_numbers("levels", [1_int16, 2_int16, 3_int16])
    call a%set_axis_unit(1, "degrees_east")
    call a%set_regular(1, 10d0, 0.5d0)
    call a%close()
    call a%open(folder//"/attributed", writable=.true.)
    call a%get_text("title", text); call check(text == "of an array" .and. len(text) == 11, "a text")
    call a%get_text("long_name", text, axis=1); call check(text == "longitude", "a text of an axis")
    call a%get_numbers("scale", numbers); call check(size(numbers) == 1 .and. numbers(1) == 0.25d0, "a number")
    call a%get_numbers("levels", numbers); call check(all(numbers == [1, 2, 3]), "numbers")
    call check(a%axis_unit(1) == "degrees_east" .and. a%axis_unit(2) == "", "units")
    call a%coordinates(1, where); call check(all(where == [10d0, 10.5d0, 11d0, 11.5d0]), "coordinates")
    call a%coordinates(2, where, stat, message)
    call check(stat == XTA_ENOENT .and. len_trim(message) > 0 .and. size(where) == 3, "no coordinates")
    call a%get_text("levels", text, stat=stat, errmsg=message); call check(stat == XTA_ETYPE, "numbers as a text")
    call a%get_numbers("title", numbers, stat=stat)
    call check(stat == XTA_ETYPE .and. size(numbers) == 0, "a text as numbers")
    call a%remove_attribute("scale")
    call a%remove_attribute("long_name", axis=1)
    call a%get_numbers("scale", numbers, stat=stat); call check(stat == XTA_ENOENT, "removed")
    call a%get_text("long_name", text, axis=1, stat=stat); call check(stat == XTA_ENOENT, "removed of an axis")
    call a%set_text("name", "of the array")
    call a%set_text("name", "of an axis", axis=2)
    call a%remove_attribute("name", axis=3, stat=stat); call check(stat == XTA_EARG, "removed of no axis")
    call a%get_text("name", text, stat=stat); call check(stat == XTA_OK, "which leaves that of the array")
    call a%remove_attribute("name", axis=0)
    call a%get_text("name", text, axis=2, stat=stat); call check(stat == XTA_OK, "axis 0 is the array, as for set_text")
    call a%get_text("name", text, stat=stat); call check(stat == XTA_ENOENT, "removed of the array")
    call a%close()
  end subroutine check_attributes

  subroutine check_labels()
    type(xta_array) :: a
    integer(int64), allocatable :: lower(:), lengths(:)
    integer :: stat
    call a%open(folder//"/attributed")
    call a%select("lon=10.5:11", lower, lengths)
    call check(all(lower == [1, 0]) .and. all(lengths == [2, 3]), "a range of labels")
    call a%select("lon=[10,11.5]", lower, lengths, stat)
    call check(stat == XTA_EUNSUPPORTED, "a list of labels")
    call a%select("lon=99", lower, lengths, stat)
    call check(stat == XTA_ENOENT, "no such label")
    call a%close()
  end subroutine check_labels

  subroutine check_data_set()
    type(xta_dataset) :: set
    type(xta_array) :: temp, flag
    type(xta_slab) :: slab
    real(real64), target :: new_temp(3, 2)
    integer(int16), target :: new_flag(2)
    real(real64), allocatable :: times(:)
    integer(int64) :: lower, upper, first
    integer :: k, stat
    character(len=512) :: message
    call set%create(folder//"/set")
    call set%set_dimension("time", 0_int64, unlimited=.true., origin=5d0, step=3d0)
    call set%set_dimension("x", 3_int64)
    call set%set_text("title", "a set")
    call set%set_text("units", "days since 2000-01-01", dimension="time")
    call set%add_member("temp", xta_real64, ["x   ", "time"], fill=-9d0)
    call set%add_member("flag", xta_int16, ["time"])
    call check(set%member_count() == 2 .and. set%member_name(1) == "temp" .and. set%member_name(3) == "", "members")
    do k = 1, 2
      new_temp = k
      new_flag = int(k, int16)
      call slab%add("temp", new_temp)
      call slab%add("flag", new_flag)
      call set%append("time", slab, front=k == 2, first=first)
      call slab%clear()
    end do
    call check(first == -2, "the first of the new cells")
    call set%extend("time", 1_int64)
    call set%dimension("time", lower, upper)
    call check(lower == -2 .and. upper == 2, "bounds of a dimension")
    call set%member("temp", temp)
    call set%member("flag", flag)
    call check(all(temp%shape() == [3, 5]) .and. all(flag%shape() == [5]), "both have grown")
    call temp%read(new_temp, lower=[0_int64, 1_int64])
    call check(all(new_temp(:, 1) == 1) .and. all(new_temp(:, 2) == -9), "cells and the fill value")
    call temp%coordinates(2, times)
    call check(all(times == [-1d0, 2d0, 5d0, 8d0, 11d0]), "coordinates of both ends")
    call slab%add("temp", new_temp(1:2, :))
    call set%append("time", slab, stat=stat, errmsg=message)
    call check(stat == XTA_EBOX .and. index(message, "temp") > 0, "a slab of the wrong shape")
    call slab%clear()
    call slab%add("none", new_flag)
    call set%append("time", slab, stat=stat)
    call check(stat == XTA_ENOENT, "no such member")
    call slab%clear()
    call set%close()
    call set%open(folder//"/set")
    call check(set%member_count() == 2, "opened again")
    call set%extend("time", 1_int64, stat=stat)
    call check(stat /= XTA_OK, "read-only")
    call set%close()
  end subroutine check_data_set

  subroutine check_refusals()
    type(xta_array) :: a
    type(xta_dataset) :: set
    real(real64) :: cells(4), five(5), plane(2, 2)
    integer(int8) :: small(4)
    logical :: four
    character(len=8) :: eight = "12345678", other = ""
    integer :: stat
    character(len=512) :: message
    call a%open(folder//"/none", stat=stat, errmsg=message)
    call check(stat == XTA_ENOENT .and. index(message, "none") > 0 .and. .not. a%is_open(), "no such array")
    call a%read(cells, stat=stat, errmsg=message)
    call check(stat == XTA_ESTATE .and. index(message, "not open") > 0, "not open")
    call check(a%ndim() == 0 .and. size(a%lower()) == 0 .and. a%path() == "", "what is not open has no axes")
    call a%close(stat=stat); call check(stat == XTA_OK, "closing what is not open")
    call make(a, "refused", xta_real64, [4_int64])
    call a%write([1d0, 2d0, 3d0, 400d0])
    call a%read(cells, lower=[2_int64], stat=stat, errmsg=message)
    call check(stat == XTA_EBOX .and. index(message, "refused") > 0, "beyond the bounds")
    call a%read(cells, lower=[0_int64, 0_int64], stat=stat); call check(stat == XTA_EARG, "a list that is too long")
    call a%read(cells, step=[0_int64], stat=stat); call check(stat == XTA_EARG, "a step of 0")
    call a%read(five, step=[2_int64**62], stat=stat) ! the fifth cell is the first, modulo 2**64
    call check(stat == XTA_EBOX, "steps beyond all cells")
    call a%read(cells, lower=[huge(1_int64)], stat=stat); call check(stat == XTA_EBOX, "cells beyond all")
    call check_assumed_size(a, cells)
    call a%read(plane, stat=stat); call check(stat == XTA_EARG, "more indices than axes")
    call a%read(small, stat=stat); call check(stat == XTA_ERANGE, "a number that does not fit")
    call check_message(a)
    call a%read(four, stat=stat, errmsg=message); call check(stat == XTA_ETYPE, "logical of four bytes")
    call a%read(message, stat=stat); call check(stat == XTA_ETYPE, "numbers as characters")
    call a%extend(2, 1_int64, stat=stat); call check(stat == XTA_EARG, "no such axis")
    call a%extend(0, 1_int64, stat=stat); call check(stat == XTA_EARG, "axis 0")
    call a%extend(1, -1_int64, stat=stat); call check(stat == XTA_EARG, "a negative number of cells")
    call a%set_axis_name(0, "x", stat=stat); call check(stat == XTA_EARG, "the name of axis 0")
    call check(a%axis_name(0) == "" .and. a%axis_name(9) == "", "names of axes that are not there")
    call a%append(plane(:, 1), 2, stat=stat); call check(stat == XTA_EARG, "append along no axis")
    call a%close()
    call a%create(folder//"/refused", xta_real64, [4_int64], stat=stat); call check(stat == XTA_EEXIST, "exists")
    call a%create(folder//"/wrong", xta_real64, [4_int64], chunk=[1_int64, 1_int64], stat=stat)
    call check(stat == XTA_EARG, "a chunk of other axes")
    call a%create(folder//"/wrong", xta_int8, [4_int64], fill=1000d0, stat=stat)
    call check(stat == XTA_ERANGE, "a fill value that does not fit")
    call a%create(folder//"/wrong", xta_int8, [integer(int64) ::], stat=stat); call check(stat == XTA_EARG, "no axes")
    call a%create(folder//"/wrong", xta_int8, [2_int64, 3_int64], names=["x"], stat=stat)
    call check(stat == XTA_EARG, "a name for one axis of two")
    call a%create(folder//"/wrong", xta_int8, [2_int64], names=["x", "y"], stat=stat)
    call check(stat == XTA_EARG, "names of two axes for one")
    call a%create(folder//"/wrong", xta_int8, [2_int64, 3_int64], names=["x"//new_line("x")//"y", "z  "], stat=stat)
    call check(stat == XTA_EARG, "a name that would be two")
    call a%create(folder//"/wrong", xta_real64, [2_int64], fill=eight, stat=stat)
    call check(stat == XTA_ETYPE, "characters as a fill value of numbers")
    call a%create(folder//"/wrong", xta_bytes, [2_int64], fill=eight, cell_bytes=400, stat=stat)
    call check(stat == XTA_ETYPE, "a fill value that is shorter than a cell")
    call a%create(folder//"/wrong", xta_real64, [2_int64], fill=cells(1:0), stat=stat)
    call check(stat == XTA_EARG, "no fill value")
    call a%create(folder//"/filled", xta_bytes, [1_int64], fill=eight, cell_bytes=8)
    call a%read(other)
    call check(other == eight, "a fill value of characters")
    call a%close()
    call a%open(folder//"/refused")
    call a%write(cells, stat=stat); call check(stat == XTA_EACCESS, "read-only")
    call a%close()
    call set%open(folder//"/nowhere", stat=stat); call check(stat == XTA_ENOENT, "no such set")
    call set%extend("time", 1_int64, stat=stat); call check(stat == XTA_ESTATE, "a set that is not open")
    call check(set%member_count() == 0, "members of what is not open")
  end subroutine check_refusals

  ! The length of characters that are transferred is not that of the message.
  subroutine check_message(a)
    type(xta_array), intent(inout) :: a
    type(xta_array) :: wrong
    character(len=1) :: short(2) = "s"
    character(len=200) :: long(2) = "l"
    character(len=40) :: texts(3)
    integer :: stat
    texts = "untouched"
    call a%read(long, stat=stat, errmsg=texts(2))
    call check(all(texts([1, 3]) == "untouched") .and. len_trim(texts(2)) > 20, "a message and long characters")
    texts = "untouched"
    call a%write(short, stat=stat, errmsg=texts(2))
    call check(all(texts([1, 3]) == "untouched") .and. len_trim(texts(2)) > 20, "a message and short characters")
    texts = "untouched"
    call a%append(long, 1, stat=stat, errmsg=texts(2)(1:20))
    call check(texts(1) == "untouched" .and. len_trim(texts(2)) == 20 .and. texts(3) == "untouched", "a part of a text")
    call a%set_numbers("numbers", long, stat=stat, errmsg=texts(2))
    call check(all(texts([1, 3]) == "untouched") .and. len_trim(texts(2)) > 20, "a message and no numbers")
    texts = "untouched"
    call wrong%create(folder//"/wrong", xta_real64, [2_int64], fill=long(1), stat=stat, errmsg=texts(2))
    call check(all(texts([1, 3]) == "untouched") .and. len_trim(texts(2)) > 20, "a message and a fill value")
  end subroutine check_message

  ! It has no length that a transfer could go by.
  subroutine check_assumed_size(a, cells)
    type(xta_array), intent(inout) :: a
    real(real64), intent(inout) :: cells(*)
    integer :: stat
    character(len=512) :: message
    call a%read(cells, stat=stat, errmsg=message)
    call check(stat == XTA_EARG .and. index(message, "assumed-size") > 0, "reading into an assumed-size array")
    call a%write(cells, stat=stat); call check(stat == XTA_EARG, "writing an assumed-size array")
    call a%append(cells, 1, stat=stat); call check(stat == XTA_EARG, "appending an assumed-size array")
    call a%set_numbers("numbers", cells, stat=stat)
    call check(stat == XTA_EARG, "numbers in an assumed-size array")
    call a%read(cells(1:4), stat=stat); call check(stat == XTA_OK, "a section of an assumed-size array")
  end subroutine check_assumed_size
end program test_arrays
