! fortran_reader SET: reads a data set of grower.c through netCDF-Fortran, run by xta-nc.
!
! SPDX-License-Identifier: Apache-2.0
program fortran_reader
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use netcdf
  implicit none

  character(len=4096) :: path
  integer :: file
  real(real64), allocatable :: time(:), y(:), x(:), temp(:, :, :)
  integer(int32), allocatable :: flag(:, :, :)

  call get_command_argument(1, path)
  call must(nf90_open(trim(path), nf90_nowrite, file))
  time = axis('time')/6
  y = (axis('y') - 500)/1000
  x = (axis('x') - 500)/1000
  allocate (temp(size(x), size(y), size(time)), flag(size(x), size(y), size(time)))
  call must(nf90_get_var(file, variable('temp'), temp))
  call must(nf90_get_var(file, variable('flag'), flag))
  call must(nf90_close(file))
  call compare()
  write (*, '(a, f20.1, a, f20.1, a, f20.1, a, f20.1, a, i0, a)') '{"time": [', 6*time(1), ', ', 6*time(size(time)), &
    '], "y": [', 1000*y(1) + 500, ', ', 1000*y(size(y)) + 500, '], "cells": ', size(temp) + size(flag), '}'

contains

  subroutine must(code)
    integer, intent(in) :: code
    if (code /= nf90_noerr) then
      write (*, '(a)') trim(nf90_strerror(code))
      error stop 1
    end if
  end subroutine must

  integer function variable(name)
    character(len=*), intent(in) :: name
    call must(nf90_inq_varid(file, name, variable))
  end function variable

  function axis(name)
    character(len=*), intent(in) :: name
    real(real64), allocatable :: axis(:)
    integer :: id, length
    call must(nf90_inq_dimid(file, name, id))
    call must(nf90_inquire_dimension(file, id, len=length))
    allocate (axis(length))
    call must(nf90_get_var(file, variable(name), axis))
  end function axis

  ! Fortran counts the fastest axis first.
  subroutine compare()
    integer :: i, j, k
    do k = 1, size(time)
      do j = 1, size(y)
        do i = 1, size(x)
          if (temp(i, j, k) /= 1e6_real64*time(k) + 1e3_real64*y(j) + x(i) .or. &
              flag(i, j, k) /= nint(7*time(k) + 13*y(j) + x(i))) then
            write (*, '(a, 3(1x, i0))') 'a cell is not that of its coordinates:', i, j, k
            error stop 1
          end if
        end do
      end do
    end do
    if (any(time(2:) - time(:size(time) - 1) /= 1) .or. any(y(2:) - y(:size(y) - 1) /= 1)) then
      write (*, '(a)') 'coordinates do not follow each other'
      error stop 1
    end if
  end subroutine compare
end program fortran_reader
