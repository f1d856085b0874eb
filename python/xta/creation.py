# SPDX-License-Identifier: Apache-2.0
"""Options of a new array, for the extension."""
from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import types

ORDERS = {"row": 0, "column": 1, "morton": 2, "hilbert": 3}
POLICIES = {"exact": 0, "linear": 1, "exponential": 2, "cubical": 3, "shell": 4}


def options(
    dtype: Any,
    chunks: Sequence[int] | None,
    dims: Sequence[str | None] | None,
    fill_value: Any,
    order: str,
    chunk_bytes: int,
    policy: str,
    policy_amount: int,
) -> tuple[Any, ...]:
    """What _xta.create_array takes.

    Raises:
        ValueError: an order or a policy that there is not
        TypeError: a dtype that cells cannot have
    """
    if order not in ORDERS:
        raise ValueError(f"order {order!r}: one of {', '.join(ORDERS)}")
    if policy not in POLICIES:
        raise ValueError(f"policy {policy!r}: one of {', '.join(POLICIES)}")
    code, cell_bytes = types.code_of(dtype)
    fill = None
    if fill_value is not None:
        cell = np.empty((), types.dtype_of(code, cell_bytes))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy about values that do not fit
            cell[()] = fill_value
        wanted = np.asarray(fill_value, "S" if code == types.BYTES else None)
        if cell.dtype.kind in "biuS" and not np.array_equal(cell, wanted):
            raise ValueError(f"fill_value {fill_value!r}: no cell of {cell.dtype} is equal to it")
        fill = cell.tobytes()
    return (
        None if chunks is None else tuple(int(n) for n in chunks),
        int(chunk_bytes),
        ORDERS[order],
        fill,
        None if dims is None else tuple(dims),
        cell_bytes if code == types.BYTES else 0,
        POLICIES[policy],
        int(policy_amount),
    )
