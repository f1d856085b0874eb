# Completion of the tool xta in bash: commands, options, values, arrays, axes and files.
#
# Commands and options are asked of the tool itself, so they are always those of the version at hand.
# SPDX-License-Identifier: Apache-2.0

# Commands, or those of a command, one a line.
_xta_commands() {
    "${COMP_WORDS[0]}" "$@" --help 2>/dev/null | sed -n '/^Options:/q;s/^  \([a-z-]*\) .*/\1/p'
}

# The options of a command, one a line; with a second argument only those that take a value.
_xta_options() {
    local words
    read -ra words <<<"$1"
    if [ -n "${2-}" ]; then
        "${COMP_WORDS[0]}" help "${words[@]}" 2>/dev/null | sed -n 's/^  \(--[a-z-]*\) [^ ].*/\1/p'
    else
        "${COMP_WORDS[0]}" help "${words[@]}" 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p'
    fi
}

# Offer those of the given words that begin with what has been typed.
_xta_words() {
    local word
    while IFS= read -r word; do
        [[ $word == "$_xta_typed"* ]] && COMPREPLY+=("$word")
    done < <(printf '%s\n' "$@")
}

_xta_files() {
    local name
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        COMPREPLY+=("$name")
    done < <(compgen -f -- "$_xta_typed")
}

# Arrays, without suffix, and folders on the way to them.
_xta_arrays() {
    local name
    compopt -o nospace 2>/dev/null
    for name in "$_xta_typed"*.xmd "$_xta_typed"*.pma; do
        [ -e "$name" ] && COMPREPLY+=("${name%.*}")
    done
    for name in "$_xta_typed"*/; do
        [ -d "$name" ] && COMPREPLY+=("$name")
    done
    # A blank is right behind the only array, not behind a folder.
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} != */ ]] && compopt +o nospace 2>/dev/null
}

# The names of the axes of the array on the command line, or their numbers.
_xta_axes() {
    local name number
    while read -r number name; do
        [ "$name" = "(no name)" ] && name=$number
        _xta_words "${name%% \[*}"
    done < <("${COMP_WORDS[0]}" info "$_xta_array" 2>/dev/null | sed -n 's/^axis //p')
}

# The value of the option $2 of the command $1.
_xta_value() {
    case $2 in
    --as)
        case $1 in
        extract) _xta_words npy xta ;;
        *) _xta_words text npy raw ;;
        esac
        ;;
    --type) _xta_words bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128 bytes: ;;
    --order | --from-order)
        case $1 in
        copy | create | import | rechunk) _xta_words row column morton hilbert ;;
        *) _xta_words row column ;;
        esac
        ;;
    --policy) _xta_words exact linear: exponential: cubical shell ;;
    --interleave) _xta_words bsq bil bip ;;
    --colormap) _xta_words viridis gray magma turbo coolwarm thermal ;;
    --format | --to-format)
        case $1 in
        rechunk) _xta_words xta npy-blocks raw-blocks npy raw hdf5 netcdf nifti ;;
        import) _xta_words raw npy netcdf matlab hdf5 nifti fits labels gdal dra ;;
        *) _xta_words raw npy netcdf matlab hdf5 nifti fits gdal ;;
        esac
        ;;
    --strategy) _xta_words sweep keep baseline split merge all ;;
    --blocks) _xta_words files chunks whole ;;
    --count) _xta_words live allocated ;;
    --threads) _xta_words 1 2 ;;
    --method)
        case $1 in
        'hyper endmembers' | 'hyper follow') _xta_words nfindr ppi amee sga vca ;;
        *) _xta_words fcls nnls scls ucls ;;
        esac
        ;;
    --basis) _xta_words full pct: mnf: && _xta_files ;;
    --select) _xta_words simplex otsu regions top ;;
    --by)
        case $1 in
        hyper*) _xta_words sad abundance ;;
        reduce | query) _xta_words day month season year month-of-year season-of-year ;;
        esac
        ;;
    --supervised) _xta_words lda ml ;;
    --truth | --truth-abundances | --endmembers | --reference | --skewers | --scene)
        _xta_arrays
        _xta_files
        ;;
    --abundances | --residual | --image | --angles) _xta_arrays ;;
    --truth-at) _xta_words scene ;;
    --use-bands) _xta_words overlap ;;
    --axis | --axes | --along | --over | --on | --append | --rows | --columns | --band-axis | --lines | --samples | --bands) _xta_axes ;;
    --from)
        [ "$1" = rechunk ] || _xta_files
        ;;
    --only) _xta_words read write ;;
    --mask)
        _xta_arrays
        _xta_files
        ;;
    --apply) _xta_arrays ;;
    --out | --draw | --plan | --regions | --cells | --log | --colours) _xta_files ;;
    esac
}

# The words of a command line that are neither options nor their values.
_xta_count_words() {
    local k
    _xta_n_words=0
    _xta_array=
    for ((k = _xta_first; k < COMP_CWORD; k++)); do
        if [[ ${COMP_WORDS[k]} == --* ]]; then
            [[ $_xta_with_value == *" ${COMP_WORDS[k]} "* ]] && ((k++))
        else
            ((_xta_n_words++))
            [ "$1:$_xta_n_words" = import:1 ] || _xta_array=${_xta_array:-${COMP_WORDS[k]}}
        fi
    done
}

_xta() {
    local _xta_typed=${COMP_WORDS[COMP_CWORD]} _xta_n_words _xta_array _xta_first=2 _xta_with_value
    local command=${COMP_WORDS[1]-} before=${COMP_WORDS[COMP_CWORD - 1]}
    local IFS=$' \t\n'
    COMPREPLY=()

    if [ "$COMP_CWORD" = 1 ]; then
        # shellcheck disable=SC2046  # One word a command.
        _xta_words $(_xta_commands) --help --version
        return
    fi
    if [ "$command" = hyper ]; then
        if [ "$COMP_CWORD" = 2 ]; then
            # shellcheck disable=SC2046
            _xta_words $(_xta_commands hyper) --help
            return
        fi
        command="hyper ${COMP_WORDS[2]}"
        _xta_first=3
    fi
    _xta_with_value=$(_xta_options "$command" value)
    _xta_with_value=" ${_xta_with_value//$'\n'/ } "
    _xta_count_words "$command"
    if [[ $_xta_with_value == *" $before "* ]]; then
        _xta_value "$command" "$before"
        return
    fi
    if [[ $_xta_typed == -* ]]; then
        # shellcheck disable=SC2046
        _xta_words $(_xta_options "$command")
        return
    fi
    # shellcheck disable=SC2046
    case $command:$_xta_n_words in
    help:0) _xta_words $(_xta_commands) ;;
    help:1) _xta_words $(_xta_commands "$_xta_array") ;;
    hyper*)
        _xta_arrays
        _xta_files
        ;;
    rechunk:0 | rechunk:1)
        _xta_arrays
        _xta_files
        ;;
    import:0 | export:1 | ls:0) _xta_files ;;
    import:1 | create:0 | read:0 | write:0 | fill:0 | extend:0 | shrink:0 | add-axis:0 | info:0 | \
        extract:0 | tune:0 | address:0 | export:0 | draw:0 | attr:0 | check:0 | compact:0 | undo:0 | upgrade:* | \
        copy:[01] | diff:[01] | concat:* | rename:0 | reduce:0 | stat:0) _xta_arrays ;;
    esac
}

complete -F _xta xta
