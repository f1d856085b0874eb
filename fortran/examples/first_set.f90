! A data set: two members that share a dimension and grow in one step, with coordinates.
!
! SPDX-License-Identifier: Apache-2.0
program first_set
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use xta
  implicit none
  type(xta_dataset) :: ocean
  type(xta_array) :: temp
  type(xta_slab) :: slab
  real(real64), target :: day(3, 1), level(1)
  real(real64), allocatable :: times(:), cells(:, :)
  integer(int64), allocatable :: lower(:), lengths(:)
  integer :: k

  call ocean%create("ocean")
  call ocean%set_dimension("time", 0_int64, unlimited=.true., origin=0d0, step=1d0)
  call ocean%set_text("units", "days since 2015-01-01", dimension="time")
  call ocean%set_dimension("x", 3_int64)
  call ocean%add_member("temp", xta_real64, ["x   ", "time"])
  call ocean%add_member("level", xta_real64, ["time"])
  do k = 1, 40
    day = k
    level = 0.1d0*k
    call slab%add("temp", day)
    call slab%add("level", level)
    call ocean%append("time", slab)
    call slab%clear()
  end do

  ! The days of February, by label.
  call ocean%member("temp", temp)
  call temp%select("time=2015-02", lower, lengths)
  allocate (cells(lengths(1), lengths(2)))
  call temp%read(cells, lower)
  call temp%coordinates(2, times)
  print '(a,i0,a,f4.0,a,f4.0)', "days ", size(cells, 2), ", the first at ", times(lower(2) + 1), " has ", cells(1, 1)
  if (size(cells, 2) /= 9 .or. cells(1, 1) /= 32) error stop "wrong cells"
  call ocean%close()
end program first_set
