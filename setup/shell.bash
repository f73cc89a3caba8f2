# SPDX-License-Identifier: BSD-3-Clause
# What `./ambf shell` reads after the user's own ~/.bashrc: completion, and a prompt that says where one is.
# In: AMBF_ROOT, and the environment that `./ambf` has entered.

[ -f ~/.bashrc ] && . ~/.bashrc
PS1="(ambf) ${PS1-}"

# ros2 itself completes its commands, topics, packages and launch arguments.
if type register-python-argcomplete >/dev/null 2>&1; then
  eval "$(register-python-argcomplete ros2)"
fi

# The commands, or the options of the command $1, as the usage text has them.
_ambf_usage() {
  "$AMBF_ROOT/ambf" --help 2>/dev/null | awk -v wanted="$1" '
    /^ *$/ { command = "" }
    /^  [a-z]/ { command = $1; if (wanted == "") print command }
    wanted != "" && command == wanted {
      while (match($0, /--[a-z]+/)) { print substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) }
    }'
}

_ambf_words() {
  _ambf_usage "$1"
  case $1 in
    demo) echo --once --seconds --video; "$AMBF_ROOT/ambf" demo --list 2>/dev/null | sed 's/ .*//' ;;
    bench) "$AMBF_ROOT/ambf" bench --list 2>/dev/null | sed 's/^benchmarks://' ;;
  esac
}

_ambf() {
  local word=${COMP_WORDS[COMP_CWORD]} command=
  [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]}
  case $command in
    exec) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$(_ambf_words "$command")" -- "$word") ;;
  esac
}
complete -o default -F _ambf ambf ./ambf "$AMBF_ROOT/ambf"
