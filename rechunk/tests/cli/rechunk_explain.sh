# Why a plan was chosen: a line for the method and one for how cells are kept in memory; for several plans a line each.
# The output without --explain is unchanged.
# SPDX-License-Identifier: Apache-2.0
shapes=(--bounds 3500,3500,3500 --from 350,350,350 --chunk 500,500,500 --type f16 --blocks files)
explained() { xta rechunk --plan "${shapes[@]}" "$@" --explain | grep -E '^(strategy|reason|holding)'; }
explained --memory 8GiB
explained --memory 100MiB
explained --memory 4.3GiB --strategy keep
explained --memory 4.3GiB --strategy merge
xta rechunk --plan "${shapes[@]}" --memory 4.3GiB --strategy all --explain | tail -n 5
xta rechunk --plan "${shapes[@]}" --memory 4.3GiB >plain
xta rechunk --plan "${shapes[@]}" --memory 4.3GiB --explain | grep -vE '^(reason|holding)' | cmp - plain && echo 'nothing else'
xta rechunk a b --explain || echo "exit $?"
xta rechunk --plan "${shapes[@]}" --explain --json || echo "exit $?"
