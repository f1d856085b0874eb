# SPDX-License-Identifier: Apache-2.0
"""From xarray's variables to what the arrays of a data set hold: of new sets, and cells that join what is there."""

from __future__ import annotations

import warnings

import numpy as np
import xarray as xr
from xarray import conventions
from xarray.coding import strings, times

from xta import attributes
from xta.xarray_backend import SCALAR, TEXTS

# What `encoding` of a variable may say for a new array. Others that a variable brings from another file are dropped.
STORAGE = ("chunks", "order")
_CF = (
    "_FillValue",
    "missing_value",
    "dtype",
    "scale_factor",
    "add_offset",
    "units",
    "calendar",
    "_Unsigned",
    "_Encoding",
    "bounds",
    "coordinates",
    "grid_mapping",
    "climatology",
    "geometry",
    "node_coordinates",
    "node_count",
    "part_node_count",
    "interior_ring",
    "cell_measures",
    "formula_terms",
)


def check_encoding(encoding, variables):
    """An encoding that a caller spells out must be one that has an effect."""
    for name, entries in encoding.items():
        if name not in variables:
            raise ValueError(f"encoding: there is no variable {name!r}; there are {', '.join(map(str, variables))}")
        unknown = sorted(set(entries) - set(STORAGE) - set(_CF))
        if unknown:
            raise ValueError(f"encoding of {name!r}: {unknown[0]!r} is not known; known are {', '.join(STORAGE + _CF)}")


# ---- new sets ----


def encode_dataset(ds):
    """Variables as they are stored, and attributes of the set."""
    names = [str(name) for name in ds.variables]
    if len(set(names)) < len(names):
        raise ValueError(f"names of variables must differ as texts; these are {names}")
    variables, attrs = conventions.encode_dataset_coordinates(ds)
    was_bool = {name for name, var in variables.items() if var.dtype == bool and "dtype" not in var.encoding}
    variables, attrs = conventions.cf_encoder(variables, attrs)
    encoded = {str(name): _encode_new(str(name), var, name in was_bool) for name, var in variables.items()}
    for owner, entries in [("the data set", attrs), *((f"variable {n!r}", v.attrs) for n, v in encoded.items())]:
        _check_attributes(owner, entries)
    return encoded, attrs


def _check_attributes(owner, attrs):
    """Before anything is written."""
    for name, value in attrs.items():
        if not isinstance(name, str):
            raise TypeError(f"{owner}: attribute {name!r}: its name is not a str")
        try:
            attributes.from_python(name, value)
        except (TypeError, ValueError) as e:
            raise TypeError(f"{owner}: {e}") from e


def _encode_new(name, var, was_bool):
    if was_bool:
        var.attrs.pop("dtype", None)
        var = xr.Variable(var.dims, var.data.astype(bool), var.attrs, var.encoding)
    var = strings.ensure_fixed_length_bytes(strings.EncodedStringCoder(allows_unicode=False).encode(var, name=name))
    if var.attrs.get("_Encoding") == "utf-8":
        del var.attrs["_Encoding"]
        var.attrs[TEXTS] = "yes"
    if var.dtype.kind == "S":
        # One byte would come back as a character, without its last axis (see Member.variable).
        var = var.astype(f"S{max(var.dtype.itemsize, 2)}", keep_attrs=True)
    if (
        var.dtype.kind not in "biufcS"
        or var.dtype.itemsize > (16 if var.dtype.kind == "c" else 8)
        and var.dtype.kind != "S"
    ):
        raise TypeError(f"variable {name!r}: no array holds cells of {var.dtype}; convert it with astype")
    if not var.dtype.isnative:
        var = var.astype(var.dtype.newbyteorder("="), keep_attrs=True)
    if name in var.dims and _is_nan(var.attrs.get("_FillValue")):
        del var.attrs["_FillValue"]
    if var.ndim == 0:
        var.attrs[SCALAR] = "yes"
    return var


def _is_nan(value):
    return isinstance(value, (float, np.floating)) and np.isnan(value)


def regular_of(values):
    """Origin and step with which `origin + cell * step` gives each of the values, bit by bit; None: there are none."""
    if values.ndim != 1 or len(values) < 2 or values.dtype.kind not in "iuf" or values.dtype in (np.uint64, np.float16):
        return None
    cells = np.arange(len(values))
    if values.dtype.kind in "iu":
        wide = values.astype(np.int64)
        origin, step = int(wide[0]), int(wide[1]) - int(wide[0])
        exact = step != 0 and abs(step) < 2**62 // len(values) and np.array_equal(origin + cells * step, wide)
        return (origin, step) if exact else None
    origin = float(values[0])
    if not np.isfinite(values).all():
        return None
    for step in (float(values[1]) - origin, (float(values[-1]) - origin) / (len(values) - 1)):
        if step != 0 and np.array_equal(
            (origin + cells * step).astype(values.dtype).view(f"u{values.itemsize}"), values.view(f"u{values.itemsize}")
        ):
            return origin, step
    return None


def keep_times_exact(name, var, is_explicit):
    """Times that are not whole numbers of the unit from which they were read get another; xarray would round them."""
    dtype = var.encoding.get("dtype")
    is_time = var.dtype.kind in "mM" or xr.core.common.contains_cftime_datetimes(var)
    if not is_time or dtype is None or np.dtype(dtype).kind not in "iu":
        return
    units = {k: var.encoding[k] for k in ("units", "calendar") if k in var.encoding}
    coder = times.CFTimedeltaCoder() if var.dtype.kind == "m" else times.CFDatetimeCoder()
    numbers = np.asarray(coder.encode(xr.Variable(var.dims, var.data, {}, units), name=name).data)
    numbers = numbers[numbers == numbers]
    if np.array_equal(np.around(numbers).astype(dtype), numbers):
        return
    if is_explicit:
        raise ValueError(f"encoding of {name!r}: not all times are whole numbers of {units.get('units')!r} in {dtype}")
    for key in ("dtype", "units"):
        var.encoding.pop(key, None)


# ---- cells that join what is there ----


def encode_like(name, var, dtype, attrs, is_text=False, fill_value=None):
    """The cells of a variable as an array stores them that has this type and these attributes.

    What cannot be stored exactly is refused: a time between two units, a missing value where no cell value means
    missing, a text that is too long. Only packing (scale_factor, add_offset) rounds, as it is meant to.
    """
    dtype = np.dtype(dtype)
    var = xr.Variable(var.dims, var.data, dict(var.attrs), {})
    is_time = var.dtype.kind in "mM" or xr.core.common.contains_cftime_datetimes(var)
    _check_units(name, var, attrs, is_time)
    if is_text or dtype.kind == "S":
        return _encode_text(name, var, dtype, attrs)
    var.attrs = {}
    kept = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned")
    var.encoding = {k: attrs[k] for k in kept + (("units", "calendar") if is_time else ()) if k in attrs}
    if "_FillValue" not in var.encoding and fill_value is not None and fill_value != 0 and dtype.kind in "iuf":
        var.encoding["_FillValue"] = fill_value
    packed = "scale_factor" in attrs or "add_offset" in attrs
    missing = [var.encoding[k] for k in ("_FillValue", "missing_value") if k in var.encoding]
    original = var.data if packed and var.dtype.kind == "f" else None
    if "_Unsigned" in attrs:
        var.encoding["dtype"] = dtype
    elif not packed and var.encoding.get("_FillValue") is not None:
        var = _fill_exactly(var)
    if var.dtype != bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", xr.SerializationWarning)
            var = conventions.encode_cf_variable(var, name=name)
    # Packing rounds; what is beyond the range of the type is found by the cast.
    data = np.around(var.data) if packed and dtype.kind in "iu" and var.dtype.kind == "f" else var.data
    if type(data).__module__.startswith("dask"):
        return data.map_blocks(_cast_present, original, name, dtype, missing, dtype=dtype)
    return _cast_present(np.asarray(data), original, name, dtype, missing)


def _cast_present(values, original, name, dtype, missing):
    """As _cast; of packed cells none may become by rounding what means missing. `original`: before packing, or None."""
    cells = _cast(values, name, dtype)
    wrong = np.zeros(0) if original is None else np.isin(cells, missing) & ~np.isnan(original)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"{name!r}: {original[at]!r}, at {at}, would be stored as {cells[at]}, which means missing")
    return cells


def _fill_exactly(var):
    """Fill values are those of the array, whatever the type of the cells that come."""
    fill, missing = var.encoding.pop("_FillValue"), var.encoding.pop("missing_value", None)
    if var.dtype.kind in "mM":
        var.encoding["_FillValue"] = fill
        return var
    if var.dtype.kind == "f" and not _is_nan(fill):
        var = var.copy(data=var.fillna(fill).data) if missing is None else var.copy(data=var.fillna(missing).data)
    return var


def _check_units(name, var, attrs, is_time):
    there, here = attrs.get("units"), var.attrs.get("units")
    if is_time:
        if there is None:
            raise ValueError(f"{name!r} is a time here; the data set has numbers without units for it")
        _check_calendar(name, var, attrs)
        return
    if there is not None and "since" in str(there) and here is None:
        raise ValueError(
            f"{name!r} is {there!r} in the data set; here it has {var.dtype} without units. Give times, or "
            "numbers with the same units"
        )
    if here is not None and there is not None and str(here) != str(there):
        raise ValueError(f"{name!r} has the units {here!r}; the data set has {there!r}. Convert it first")


_CALENDARS = {"gregorian": "standard", "proleptic_gregorian": "standard", "365_day": "noleap", "366_day": "all_leap"}


def _check_calendar(name, var, attrs):
    """The same day has other numbers in another calendar."""
    if var.dtype.kind == "m" or var.size == 0:
        return
    here = times.infer_calendar_name(np.asarray(var.data))
    there = str(attrs.get("calendar", "standard")).lower()
    if _CALENDARS.get(here, here) != _CALENDARS.get(there, there):
        raise ValueError(
            f"{name!r} has the calendar {here!r}; the data set has {there!r}. Convert it with convert_calendar"
        )


def _encode_text(name, var, dtype, attrs):
    if dtype.kind != "S" or var.dtype.kind not in "OUS":
        raise TypeError(f"{name!r} has cells of {var.dtype}; the data set has {dtype} for it")
    var = conventions.ensure_dtype_not_object(var, name=name)
    var.attrs = {}
    var.encoding = {"_Encoding": attrs.get("_Encoding", "utf-8")}
    var = strings.ensure_fixed_length_bytes(strings.EncodedStringCoder(allows_unicode=False).encode(var, name=name))
    return _cast(np.asarray(var.data), name, dtype)


def _is_inexact(values, dtype):
    """Which integers no float of a type is equal to: those that have too many bits from the first to the last one."""
    sizes = np.where(values < 0, -values, values).astype(np.uint64)  # the least integer is its own opposite
    last = np.maximum(sizes & (~sizes + np.uint64(1)), np.uint64(1))
    return sizes // last >= np.uint64(1) << np.uint64(np.finfo(dtype).nmant + 1)


def _cast(values, name, dtype):
    """Values in another type, exactly; floats may be rounded to shorter ones."""
    if values.dtype == dtype:
        return values
    if dtype.kind == "S":
        lengths = np.char.str_len(values)
        wrong = lengths > dtype.itemsize
        reason = (
            f"is longer than the {dtype.itemsize} bytes of a cell; `xta` cannot lengthen cells, write a new data set"
        )
    elif dtype.kind in "iub" and values.dtype.kind in "iufb":
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            wrong = values.astype(dtype) != values
        reason = f"cannot be stored in cells of {dtype}; for missing values the array needs a _FillValue"
    elif dtype.kind in "fc" and values.dtype.kind in "iufb" or dtype.kind == values.dtype.kind == "c":
        with np.errstate(over="ignore", invalid="ignore"):
            wrong = np.isfinite(values) & ~np.isfinite(values.astype(dtype))
        reason = f"is beyond the range of {dtype}"
        if values.dtype.kind in "iu" and not wrong.any():
            wrong = _is_inexact(values, dtype)
            reason = f"has more digits than {dtype} holds; convert it with astype if it may be rounded"
    else:
        raise TypeError(f"{name!r} has cells of {values.dtype}; the data set has {dtype} for it")
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"{name!r}: {values[at]!r}, at {at}, {reason}")
    return values.astype(dtype)
