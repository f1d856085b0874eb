# XTA_THREADS: the same bytes for any value; invalid values are refused with a remedy.
# SPDX-License-Identifier: Apache-2.0
head -c 6291456 /dev/urandom >cells
for n in 1 3; do
    export XTA_THREADS=$n
    xta create a$n --type i32 --bounds 1024,1536 --chunk 100,64
    xta write a$n --box :,: --from cells --as raw
    xta read a$n --out back$n --as raw
    xta read a$n --box 3:1000,5: --step 1,2 --order column --out part$n --as raw
    xta export a$n out$n.npy 2>&1
    xta import out$n.npy b$n 2>&1
    xta read b$n --out again$n --as raw
done
cmp cells back1 && cmp cells back3 && cmp cells again1 && cmp cells again3 && echo whole
cmp part1 part3 && cmp out1.npy out3.npy && echo parts
cmp <(tail -c +4097 a1.xta) <(tail -c +4097 a3.xta) && echo files
XTA_THREADS=many xta read a1 --box 0,0 2>&1
echo "exit $?"
XTA_THREADS=0 xta write a1 --box 0,0 --from - <<<1 2>&1
echo "exit $?"
XTA_THREADS='' xta read a1 --box 0,0 >none
echo "exit $?"
