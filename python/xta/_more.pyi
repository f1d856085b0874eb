# SPDX-License-Identifier: Apache-2.0
"""The extension of what lies above libxta: calls of libxta_reduce and libxta_rechunk."""
from typing import Any

def reduce(
    source: Any, box: Any, axes: Any, groups: Any, missing: Any, propagate_nan: bool, min_count: int, ddof: int,
    threads: int, memory_bytes: int, statistics: Any,
) -> list[tuple[int, tuple[tuple[int, int], ...], bytearray]]: ...
def rechunk(
    path: bytes, target: bytes | None, ndim: int, options: Any, memory_bytes: int, threads: int, verify: bool
) -> dict[str, Any]: ...
