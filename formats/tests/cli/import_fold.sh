# An axis folded and axes named on import; colours of labels; what is refused.
# SPDX-License-Identifier: Apache-2.0
python3 - <<'PYTHON'
import numpy
numpy.save("n.npy", numpy.arange(12, dtype="i4").reshape(2, 6))
PYTHON
xta import n.npy a --fold 1=3,2:column --axes band,y,x
xta read a --box 0,:,:
xta import n.npy a --fold 1=3,2:column --axes band,y,x --append x
xta info a | grep -E '^(bounds|axis)'
xta import n.npy b --fold 1=3,2
xta read b --box 1,:,:
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
try import n.npy c --fold 1=4,2
try import n.npy c --fold 2=4,2
try import n.npy c --fold x=3,2
try import n.npy c --fold 1=3,2:diagonal
try import n.npy c --fold 1=
try import n.npy c --fold 1=-3,-2
try import n.npy c --axes y
try import n.npy c --axes y,y
try import n.npy c --format labels
try import nowhere.mat:x c
printf 'MATLAB 5.0 MAT-file' >short.mat
try import short.mat c
ls c* 2>/dev/null
xta import n.npy a --axes band,x --at 0,0,0 2>&1 | head -c 300
