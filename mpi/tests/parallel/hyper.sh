#!/bin/bash
# xta-mpi hyper: all files and all output of every command equal those of xta hyper; an error ends all ranks, is printed
# once, and leaves no files behind.
#
#   hyper.sh <flavour> <xta-mpi> <xta> <number of ranks...>
#
# SPDX-License-Identifier: Apache-2.0
# shellcheck source=mpi/tests/parallel/tool_case.sh
source "$(dirname "$0")/tool_case.sh"
set +e # each check says what failed
mkdir bin
ln -s "$xta" bin/xta
export PATH="$work/bin:$PATH" XTA_SOURCE_DIR=$source_dir
# shellcheck source=hyper/tests/cli/hyper_scene.sh
source "$source_dir/hyper/tests/cli/hyper_scene.sh" || exit 1
# The launcher starts programs in a different folder; the files are in this one.
printf '#!/bin/bash\ncd "$XTA_HERE" && exec "%s" hyper "$@"\n' "$program" >here
chmod +x here
on_ranks() { XTA_HERE=$PWD bash "$runner" "$flavour" "$1" "$work/here" "${@:2}"; }
alone() { xta hyper "${@:2}"; }

commands=(
    'synth map library.csv scene --lines -45:130 --noise 30 --mixing 2 --seed 3 --abundances truth'
    'count scene --json'
    'pct scene components --components 4 --basis basis'
    'pct scene again --basis basis'
    'endmembers scene nfindr.csv --method nfindr --count 4 --means'
    'endmembers scene ppi.csv --method ppi --count 4 --projections 200 --image counts'
    'endmembers scene amee.csv --method amee --count 4 --image mei'
    'endmembers scene vca.csv --method vca --count 4 --basis mnf:6'
    'unmix scene library.csv abundances --residual rest'
    'classify scene library.csv labels --by abundance --truth map --truth-at 0,0'
    'classify scene trained --supervised lda --truth map --truth-at 0,0'
    'score labels map --truth-at 0,0'
)
wrong=(
    'unmix scene library.csv truth'
    'endmembers none x.csv --count 3'
    'endmembers scene x.csv --count 3 --method ppi --image truth'
    'count scene --memory 10'
    'pct scene x --mnf --uncentred'
    'score map none'
)
run() { # FOLDER HOW RANKS: run all commands in a new folder
    mkdir "$1"
    cp map.* library.csv "$1"
    cd "$1" || exit 1
    for command in "${commands[@]}"; do
        # shellcheck disable=SC2086  # One word an argument.
        "$2" "$3" $command >>log 2>"$work/errors" || complain "$command on $3 ranks: $(head -n 1 "$work/errors")"
    done
    cd "$work" || exit 1
}
run alone alone 1
for ranks in "$@"; do
    run "made_$ranks" on_ranks "$ranks"
    for file in alone/*; do
        case $file in
        *.xmd) ;; # Has a number that is random.
        *.xta) check "$file is the same on $ranks ranks" cmp -i 64 "$file" "made_$ranks/${file#*/}" ;; # So has its header.
        *) check "$file is the same on $ranks ranks" cmp "$file" "made_$ranks/${file#*/}" ;;
        esac
    done
    cd "made_$ranks" || exit 1
    ls >../before
    for command in "${wrong[@]}"; do
        # shellcheck disable=SC2086
        on_ranks "$ranks" $command >../said 2>&1 && complain "$command went well on $ranks ranks"
        check "$command says why, once, on $ranks ranks" [ "$(grep -c '^xta-mpi hyper: ' ../said)" = 1 ]
    done
    check "nothing is left behind on $ranks ranks" diff ../before <(ls)
    cd "$work" || exit 1
done
the_end 21
