! A program of netCDF-Fortran: it reads the data set and compares each cell with what grower.c wrote.
!
! SPDX-License-Identifier: Apache-2.0
program fortran_reader
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use netcdf
  implicit none

  integer :: file, variable, t, y, x
  real(real64), allocatable :: hours(:), north(:), east(:), temp(:, :, :)
  integer(int32), allocatable :: flag(:, :, :)
  integer(int64) :: cell(3)
  character(len=4096) :: path

  call get_command_argument(1, path)
  call check(nf90_open(trim(path), nf90_nowrite, file))
  call read_axis("time", hours)
  call read_axis("y", north)
  call read_axis("x", east)
  allocate (temp(size(east), size(north), size(hours)), flag(size(east), size(north), size(hours)))
  call check(nf90_inq_varid(file, "temp", variable))
  call check(nf90_get_var(file, variable, temp))
  call check(nf90_inq_varid(file, "flag", variable))
  call check(nf90_get_var(file, variable, flag))
  call check(nf90_close(file))

  do t = 1, size(hours)
    do y = 1, size(north)
      do x = 1, size(east)
        cell = [nint(hours(t) / 6, int64), nint((north(y) - 500) / 1000, int64), nint((east(x) - 500) / 1000, int64)]
        if (temp(x, y, t) /= 1e6_real64 * real(cell(1), real64) + 1e3_real64 * real(cell(2), real64) &
            + real(cell(3), real64) .or. flag(x, y, t) /= 7 * cell(1) + 13 * cell(2) + cell(3)) then
          print '(a, 3(1x, i0), a, f0.1, 1x, i0)', "cell", cell, " is wrong: ", temp(x, y, t), flag(x, y, t)
          error stop 1
        end if
      end do
    end do
  end do
  print '(a, i0, a, i0, a, i0, a, i0, a, i0, a)', '{"time": [', nint(hours(1)), ", ", nint(hours(size(hours))), &
    '], "y": [', nint(north(1)), ", ", nint(north(size(north))), '], "cells": ', 2 * size(temp), "}"

contains

  subroutine read_axis(name, values)
    character(len=*), intent(in) :: name
    real(real64), allocatable, intent(out) :: values(:)
    integer :: dimension, length, axis

    call check(nf90_inq_dimid(file, name, dimension))
    call check(nf90_inquire_dimension(file, dimension, len=length))
    allocate (values(length))
    call check(nf90_inq_varid(file, name, axis))
    call check(nf90_get_var(file, axis, values))
  end subroutine read_axis

  subroutine check(status)
    integer, intent(in) :: status

    if (status /= nf90_noerr) then
      print '(a)', trim(nf90_strerror(status))
      error stop 1
    end if
  end subroutine check

end program fortran_reader
