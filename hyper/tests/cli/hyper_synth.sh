# A synthetic scene: pure pixels are those of the library, integers are rounded, and swaths added at either end equal,
# cell by cell, the scene made in one call.
# SPDX-License-Identifier: Apache-2.0
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
same() {
    cmp <(xta read "$1" --box "$3" --as raw) <(xta read "$2" --box "$3" --as raw) && echo "$1 = $2"
}
how=(--mixing 2 --variation 0.3 --brightness 0.2 --noise 25 --scale 1000 --seed 11)
xta hyper synth map library.csv pure
xta read pure --box 1,0,0:30 --as text | tr -s ' ,' '\n' | sed -n 1,30p |
    paste -d, - <(sed 1d library.csv | cut -d, -f2) |
    awk -F, '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-6) print "band", NR, $0 } END { print NR, "bands" }'
xta attr pure wavelength --axis band | tr ',' '\n' | wc -l
xta hyper synth map library.csv whole --type u16 --lines -30:70 --samples -7:61 --abundances truth "${how[@]}"
xta info whole | grep -E '^(type|bounds|axis)'
xta hyper synth map library.csv swaths --type u16 --lines 0:17 --samples -7:61 --abundances parts "${how[@]}"
xta hyper synth map library.csv swaths --append --lines 17:18 --abundances parts "${how[@]}"
xta hyper synth map library.csv swaths --append --lines -30:0 --abundances parts "${how[@]}"
xta hyper synth map library.csv swaths --append --lines 18:70 --abundances parts --memory 300KiB "${how[@]}"
same whole swaths :,:,:
same truth parts :,:,:
xta hyper synth map library.csv other --type u16 --lines -30:70 --samples -7:61 --mixing 2 --variation 0.3 \
    --brightness 0.2 --noise 25 --scale 1000 --seed 12 >/dev/null
cmp -s <(xta read whole --box :,:,: --as raw) <(xta read other --box :,:,: --as raw) || echo 'another seed, another scene'
xta hyper synth map library.csv wide --bands 59 --materials 2
xta read wide --box 1,0,: --as text | tr -s ' ,' '\n' | sed -n '1p;2p;3p;59p'
# Abundances are fractions: not negative, sum one.
xta read truth --box :,0,0 --as text | tr -s ' ,' '\n' |
    awk '{ s += $1; if ($1 < 0) print "negative" } END { printf "%.5f\n", s }'
