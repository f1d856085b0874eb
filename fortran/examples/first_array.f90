! A first array: create, write, grow at both ends, read a row and every second cell.
!
! SPDX-License-Identifier: Apache-2.0
program first_array
  use, intrinsic :: iso_fortran_env, only: int64, real32
  use xta
  implicit none
  type(xta_array) :: sst
  real(real32) :: month(4, 3), series(5), coarse(2, 2)
  integer :: k

  ! lon runs fastest; time grows. In C and in the tool the axes are time, lat, lon.
  call sst%create("sst", xta_real32, [4_int64, 3_int64, 0_int64], names=["lon ", "lat ", "time"])
  call sst%set_axis_unit(1, "degrees_east")
  call sst%set_regular(1, 10d0, 0.5d0)
  do k = 1, 4
    month = real(k, real32)
    call sst%append(month, sst%axis("time"))
  end do

  ! A month before the others. No cell moves: the others keep their coordinates.
  month = 0
  call sst%append(month, sst%axis("time"), front=.true.)
  print '(a,3i3)', "first cell ", sst%lower()
  print '(a,3i3)', "last cell  ", sst%upper()

  ! The series of one place. It has one cell on the axes that a Fortran array of rank 1 does not have, so it is read as
  ! an array of rank 3.
  block
    real(real32) :: place(1, 1, 5)
    call sst%read(place, lower=[2_int64, 1_int64, -1_int64])
    series = place(1, 1, :)
  end block
  print '(a,5f4.0)', "one place  ", series
  if (any(series /= [0., 1., 2., 3., 4.])) error stop "wrong cells"

  ! Every second cell of the last month.
  call sst%read(coarse, lower=[0_int64, 0_int64, 3_int64], step=[2_int64, 2_int64, 1_int64])
  if (any(coarse /= 4)) error stop "wrong cells"
  call sst%close()
end program first_array
