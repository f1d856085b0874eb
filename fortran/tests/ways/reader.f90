! Reads the members temp and flag of a data set that grows, with their coordinates, and compares each cell with the
! function of its coordinates that the writer uses (tests/ways_in/grower.c). Prints one line of JSON: the first and last
! time (hours) and y (metres), and how many cells were compared.
!
!     reader FOLDER
!
! SPDX-License-Identifier: Apache-2.0
program reader
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use xta
  implicit none
  real(real64), parameter :: HOURS = 6, METRES = 1000
  type(xta_dataset) :: set
  type(xta_array) :: temp, flag
  real(real64), allocatable :: cells(:, :, :), x(:), y(:), time(:)
  integer(int32), allocatable :: flags(:, :, :)
  integer(int64), allocatable :: lower(:), n(:)
  character(len=:), allocatable :: folder
  integer :: i, j, k, length
  real(real64) :: numbers(3)

  call get_command_argument(1, length=length)
  if (length == 0) error stop "usage: reader FOLDER"
  allocate (character(len=length) :: folder)
  call get_command_argument(1, folder)

  call set%open(folder)
  call set%member("temp", temp)
  call set%member("flag", flag)
  ! The axes are x, y, time. Members are of one step.
  lower = temp%lower()
  n = temp%shape()
  if (any(flag%lower() /= lower) .or. any(flag%shape() /= n)) error stop "temp and flag are of different steps"
  call coordinates_of("x", 1, x)
  call coordinates_of("y", 2, y)
  call coordinates_of("time", 3, time)
  allocate (cells(n(1), n(2), n(3)), flags(n(1), n(2), n(3)))
  call temp%read(cells, lower)
  call flag%read(flags, lower)
  do k = 1, size(time)
    do j = 1, size(y)
      do i = 1, size(x)
        numbers = [(x(i) - METRES/2)/METRES, (y(j) - METRES/2)/METRES, time(k)/HOURS]
        if (cells(i, j, k) /= 1d6*numbers(3) + 1d3*numbers(2) + numbers(1)) error stop "temp: a wrong cell"
        if (flags(i, j, k) /= nint(7*numbers(3) + 13*numbers(2) + numbers(1))) error stop "flag: a wrong cell"
      end do
    end do
  end do
  print '(11(g0))', '{"time": [', time(1), ", ", time(size(time)), '], "y": [', y(1), &
    ", ", y(size(y)), '], "cells": ', size(cells) + size(flags), "}"
  call set%close()

contains

  !> The coordinates of the cells that are read; each must follow the one before.
  subroutine coordinates_of(name, axis, values)
    character(len=*), intent(in) :: name
    integer, intent(in) :: axis
    real(real64), allocatable, intent(out) :: values(:)
    if (temp%axis_name(axis) /= name) error stop "an axis has another name"
    call temp%coordinates(axis, values)
    if (any(abs((values(2:) - values(:size(values) - 1)) - merge(HOURS, METRES, name == "time")) > 0)) &
      error stop "coordinates do not follow each other"
  end subroutine coordinates_of
end program reader
