"""The codec of references to arrays whose fill value is not zero.

XTA stores cells exclusive-or the fill value, so that cells that nobody wrote are zeros, which take no disk. Zarr 2 undoes
it with the filter `xta_xor`, which numcodecs finds by the entry point `xta_xor` of the group `numcodecs.codecs`, or once
this module is imported.

SPDX-License-Identifier: Apache-2.0
"""
import numpy
from numcodecs.abc import Codec
from numcodecs.compat import ensure_contiguous_ndarray, ndarray_copy
from numcodecs.registry import register_codec

__all__ = ["Xor"]


class Xor(Codec):
    """Cells exclusive-or a pattern.

    pattern: the bytes of one cell as hexadecimal digits, in the order in which they are stored.
    """

    codec_id = "xta_xor"

    def __init__(self, pattern):
        try:
            self._bytes = numpy.frombuffer(bytes.fromhex(pattern), "u1")
        except (TypeError, ValueError):
            raise ValueError(f"xta_xor: the pattern {pattern!r} is not hexadecimal; give two digits for each byte")
        if self._bytes.size == 0:
            raise ValueError("xta_xor: the pattern is empty; give the bytes of one cell")
        self.pattern = pattern

    def _apply(self, buffer, out=None):
        cells = ensure_contiguous_ndarray(buffer).reshape(-1).view("u1")
        n = self._bytes.size
        if cells.size % n:
            raise ValueError(f"xta_xor: {cells.size} bytes are no whole number of cells of {n} bytes")
        # One exclusive-or of whole words where a cell is one; the stored order of bytes is also that of the pattern.
        unit = n if n in (1, 2, 4, 8) else 1
        pattern = self._bytes.view(f"u{unit}")
        result = (cells.view(f"u{unit}").reshape(-1, pattern.size) ^ pattern).reshape(-1).view("u1")
        return ndarray_copy(result, out) if out is not None else result

    def encode(self, buf):
        return self._apply(buf)

    def decode(self, buf, out=None):
        return self._apply(buf, out)


register_codec(Xor)
