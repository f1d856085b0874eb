# The JSON of info is valid whatever names, attributes and fill values contain, and its values are right.
# SPDX-License-Identifier: Apache-2.0
xta create f --type f64 --bounds 4,3 --chunk 2,2 --fill nan
xta create c --type c128 --bounds 1 --chunk 1 --fill inf-0.5i
xta create b --type bytes:2 --bounds 1 --chunk 1 --fill 0x00ff
xta create t --type bool --bounds 1 --chunk 1 --fill true
xta create u --type u64 --bounds 1 --chunk 1 --fill 18446744073709551615
xta attr f 'quote"back\slash=a"b\c'
xta attr f "control=$(printf 'a\nb\tc@d@e@f')"
xta attr f "utf8=$(printf 'gr\303\274n \342\202\254 \360\237\214\215')"
xta attr f "broken=a@b@c@@@d@@e@@@@f"
# No call sets such texts any more, but files of earlier releases have them.
for text in "$(printf 'x=\033')" "$(printf 'x=\377')" "$(printf '\351=x')"; do
    xta attr f "$text" 2>&1 || echo "exit $?"
done
PYTHONPATH=$XTA_SOURCE_DIR/core/tests/format python3 - <<'PY'
import struct
import journal
texts = {b"a\nb\tc@d@e@f": b"a\nb\tc\x01d\x1be\x7ff",
         b"a@b@c@@@d@@e@@@@f": b"a\xffb\xc3c\xed\xa0\x80d\xc0\x80e\xf4\x90\x80\x80f"}
whole, at = bytearray(open("f.xmd", "rb").read()), 128
while at < len(whole):
    end = at + 24 + (struct.unpack_from("<I", whole, at)[0] + 7) // 8 * 8
    for new, old in texts.items():
        whole[at + 24:end] = whole[at + 24:end].replace(new, old)
    crc = journal.crc32c(bytes(whole[at:at + 20] + whole[at + 24:end]))
    struct.pack_into("<I", whole, at + 20, crc)
    at = end
open("f.xmd", "wb").write(whole)
PY
xta attr f | grep -a "control\|broken"
xta attr f --type f32 numbers=0.1,nan,-inf,1e20
xta attr f --type c64 z=1+2i,nan
xta attr f --type bytes:2 bytes=0x00ff
xta attr f --type bool flags=1,0
xta attr f --type u8 none=
xta attr f --axis 0 --set-name 'na"me' --set-unit "m\\s"
xta attr f --axis 1 'axis attribute=1'
xta extend f --axis 0 --by 2 --front --axis 1 --by 1
xta shrink f --axis 1 --by 1
xta add-axis f --at 2
for a in f c b t u; do xta info $a --json >$a.json || echo failed; done
python3 - <<'PYTHON'
import json
def refuse(word):
    raise ValueError(word)
load = lambda name: json.load(open(name + ".json", encoding="utf-8"), parse_constant=refuse)
f = load("f")
for key in ("path", "type", "cell_bytes", "ndim", "bounds", "allocated", "chunk", "order", "layout",
            "policy", "fill", "chunk_bytes", "slot_bytes", "n_chunks", "n_segments", "n_steps",
            "moved_bytes", "axes", "attributes"):
    print(key, json.dumps(f[key]))
for step in f["history"]:
    print(json.dumps(step))
print(len(f["uuid"]), f["journal_bytes"] > 0, f["data_apparent_bytes"] >= 0, f["data_real_bytes"] >= 0)
for name in "cbtu":
    print(name, load(name)["type"], load(name)["fill"])
PYTHON
