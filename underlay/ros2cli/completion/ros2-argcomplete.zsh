if type register-python-argcomplete >/dev/null 2>&1; then
  autoload -U +X compinit && compinit
  autoload -U +X bashcompinit && bashcompinit
  eval "$(register-python-argcomplete ros2)"
fi
