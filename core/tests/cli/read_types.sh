# Text of each type reads back as the same bits, and is as short as it can be.
# SPDX-License-Identifier: Apache-2.0
round() { # TYPE VALUES...: write, print, write the print, compare the bytes
    type=$1
    shift
    n=$#
    rm -f a.* b.*
    xta create a --type "$type" --bounds "$n" --chunk "$n" &&
        xta create b --type "$type" --bounds "$n" --chunk "$n" || return
    echo "$@" | xta write a --box : --from - || return
    xta read a | tr '\n' ' '
    echo
    xta read a | xta write b --box : --from -
    xta read a --as raw >a.raw
    xta read b --as raw >b.raw
    cmp a.raw b.raw
}
round bool 0 1 true false
round i8 -128 127 0x10
round u8 0 255
round i16 -32768 32767
round u16 65535
round i32 -2147483648 2147483647
round u32 4294967295
round i64 -9223372036854775808 9223372036854775807
round u64 18446744073709551615 0xffffffffffffffff
round f16 0.1 65504 1e-7 -0 inf nan 1024.5
round f32 0.1 3.4028235e38 1e-45 -0 16777216 0.3333333432674408 inf -inf nan
round f64 0.1 1.7976931348623157e308 5e-324 -0 100000 1e15 1e22 0.3333333333333333 123456789012345678
round c64 1+2i -1.5-0.1i 3 4i i -j inf+nani
round c128 0.1+0.2i 1e300-1e-300i '(1-2j)'
round bytes:3 0x000102 abc z
python3 - <<'PYTHON'
import math, random, struct, subprocess
# Random bit patterns: Python's repr is the shortest text that reads back.
rng = random.Random(7)
for form, type_, count in (("d", "f64", 500), ("f", "f32", 500)):
    size = struct.calcsize(form)
    values = []
    while len(values) < count:
        bits = rng.getrandbits(8 * size).to_bytes(size, "little")
        if math.isfinite(struct.unpack("<" + form, bits)[0]):
            values.append(bits)
    open("bits.raw", "wb").write(b"".join(values))
    run = lambda *words: subprocess.run(["xta", *words], check=True, capture_output=True, text=True)
    run("create", type_, "--type", type_, "--bounds", str(count), "--chunk", str(count))
    run("write", type_, "--box", ":", "--from", "bits.raw")
    texts = run("read", type_).stdout.split()
    digits = lambda text: len(text.lower().split("e")[0].replace("-", "").replace(".", "").strip("0"))
    for bits, text in zip(values, texts):
        value = struct.unpack("<" + form, bits)[0]
        assert struct.pack("<" + form, float(text)) == bits, text
        if form == "d":
            assert digits(text) <= digits(repr(value)), (text, repr(value))
    print(type_, len(texts), "values read back")
PYTHON
