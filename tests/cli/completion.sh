# Bash completion: commands, options, values, arrays and axes.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091  # The path is not fixed.
source "$XTA_SOURCE_DIR/tools/completion/xta.bash"
complete -p xta | grep -c _xta
xta create runs --type f64 --bounds 2,3 --chunk 2,3 --names time,lon
mkdir set
xta create set/inner --type f64 --bounds 2 --chunk 2
: >cells.npy
ask() { # the words typed so far, the last one being completed
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _xta
    printf '%s:' "$*"
    printf ' %s' "${COMPREPLY[@]}"
    echo
}
ask xta ''
ask xta ex
ask xta help add
ask xta read ru
ask xta read set/
ask xta read runs --b
ask xta extend runs --axis ''
ask xta extend runs --axis ti
ask xta extend runs --
ask xta read runs --as ''
ask xta create a --order h
ask xta create a --policy ''
ask xta create a --type c
ask xta write runs --box :,: --from ce
ask xta export runs out.tif --interleave b
ask xta draw runs --quicklook --colormap t
ask xta import ce
ask xta import cells.npy ru
ask xta rechunk ru
ask xta rechunk runs b --strategy s
ask xta rechunk runs b --to-format n
ask xta rechunk --plan --blocks f
ask xta extract ru
ask xta extract runs --as ''
ask xta extract runs --axes l
ask xta extract runs --mask ru
ask xta extract runs --regions ce
ask xta tune runs --only r
ask xta tune runs --po
ask xta rechunk runs b --order h
ask xta draw --plan ce
ask xta hyper ''
ask xta hyper s
ask xta hyper pct ru
ask xta hyper pct --mn
ask xta help hyper un
ask xta hyper endmembers runs out.csv --method s
ask xta hyper unmix runs ce --method s
ask xta hyper pct runs out --lines ''
ask xta hyper classify runs --supervised l
ask xta diff runs ru
ask xta concat out ru
ask xta copy runs b --order h
ask xta stat runs --over l
ask xta nothing ''
