# What zsh completes command lines with: zsh -f completion_ask.zsh FILE <LINES. For each line the matches, sorted.
# What it prints at its marks is not in the text of the commands, which the terminal may echo, once or twice.
# A shell in a pseudo-terminal completes; its `compadd` prints what it is to add, unless it is called to fill arrays.
# SPDX-License-Identifier: Apache-2.0
emulate -L zsh
zmodload zsh/zpty
local completion=$1 typed answer
zpty shell zsh -f -i
zpty -w shell "PROMPT= PS2= RPROMPT=; stty -echo; fpath=( ${(q)completion:h} \$fpath ); autoload -Uz compinit; compinit -u -D"
zpty -w shell 'compadd() {
    local k
    for (( k = 1; k <= $#; k++ )); do
        [[ ${@[k]} == (-|--) ]] && break
        [[ ${@[k]} =~ "^-[a-zA-Z12]*[OAD]" ]] && { builtin compadd "$@"; return }
    done
    local -a matches
    builtin compadd -A matches "$@"
    (( $#matches )) && print -rl -- "" match:$^matches
    builtin compadd "$@"
}
ask_end() { print -r -- "as""ked"; zle send-break }
ask() { local -a lines; zle complete-word; zle ask_end }
zle -N ask; zle -N ask_end; bindkey "^T" ask; zstyle ":completion:*" list-prompt ""; LISTMAX=10000; setopt no_beep
print -r -- "rea""dy"'
answer=
while [[ $answer != *ready* ]]; do zpty -r -m shell answer '*ready*' || exit 1; done
while IFS= read -r typed; do
    zpty -w -n shell "$typed"$'\x14'
    zpty -r -m shell answer '*asked*' || exit 1
    print -r -- "$typed:" ${(ou)${(M)${(f)${answer//$'\r'}}:#match:*}#match:}
done
zpty -d shell
