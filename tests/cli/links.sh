# Symbolic links are followed and never replaced, and what replaces a file has its owner and mode.
# SPDX-License-Identifier: Apache-2.0
say() { [ -L "$1" ] && echo "$1: link" || echo "$1: $(stat -c '%a' "$1")"; }

mkdir real
xta create real/a --type i32 --bounds 4,4 --chunk 2,2
xta fill real/a --box 0:4,0:4 --value 7
chmod 600 real/a.xta
chmod 640 real/a.xmd
ln -s real/a.xmd l.xmd
ln -s real/a.xta l.xta

xta compact l >/dev/null
say l.xmd
say real/a.xmd
xta extend l --axis 0 --by 1
xta extend real/a --axis 0 --by 1
xta rechunk l --in-place --chunk 3,3 >/dev/null 2>err || cat err
say l.xmd
say l.xta
say real/a.xmd
say real/a.xta
xta extend l --axis 0 --by 1
xta read real/a --box 6,:
xta check l
xta check real/a
ls real

# Exports over a link replace what it leads to, with its mode.
echo old >real/x.npy
chmod 604 real/x.npy
ln -s real/x.npy x.npy
xta export l x.npy --force >/dev/null
say x.npy
say real/x.npy
xta read l --out x.npy
say x.npy
say real/x.npy
ln -s real/new.svg picture.svg
xta draw l --out picture.svg >/dev/null
say picture.svg
ls real/new.svg

# A link to a file of another kind is refused, and nothing is written.
ln -s real/x.npy y.tif
xta export l y.tif 2>err || echo "exit $?: $(sed "s,$PWD,HERE," err)"

# Hard links: the old journal would live on under the other name.
ln real/a.xmd real/b.xmd
xta compact real/a 2>err
echo "exit $?: $(cat err)"
