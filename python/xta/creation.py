# SPDX-License-Identifier: Apache-2.0
"""Options of new and opened arrays, for the extension."""
from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from . import types

ORDERS = {"row": 0, "column": 1, "morton": 2, "hilbert": 3}
ACCESS = {"auto": 0, "mapped": 1, "cached": 2}
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
        fill = types.cell_of("fill_value", fill_value, types.dtype_of(code, cell_bytes))
    return (
        None if chunks is None else tuple(int(n) for n in chunks),
        types.not_negative("chunk_bytes", chunk_bytes),
        ORDERS[order],
        fill,
        None if dims is None else tuple(dims),
        cell_bytes if code == types.BYTES else 0,
        POLICIES[policy],
        types.not_negative("policy_amount", policy_amount),
    )


def access_options(access: str, cache_bytes: int, exclusive_writer: bool) -> tuple[int, int, bool]:
    """What _xta.open_array and _xta.create_array take besides.

    Raises:
        ValueError: an access that there is not, a size out of range
    """
    if access not in ACCESS:
        raise ValueError(f"access {access!r}: one of {', '.join(ACCESS)}")
    most = operator.index(cache_bytes)
    if not 0 <= most < 1 << 63:
        raise ValueError(f"cache_bytes {most}: out of range; give 0 to 2^63 - 1")
    return ACCESS[access], most, bool(exclusive_writer)
