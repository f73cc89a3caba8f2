# The one environment of the project, sourced by the entry script: wheels, underlay and workspace.
# In: AMBF_ROOT (the checkout), AMBF_OUT (the output folder), AMBF_STOCK (1: a stock ROS 2 is sourced),
#     AMBF_FLAVOUR (a sanitizer's name, or empty).

# What the caller had set, for `exec` and `shell`; builds and tests do not see it.
ambf_caller_python=${PYTHONPATH:-} ambf_caller_prefixes=${AMENT_PREFIX_PATH:-}

ambf_python_version() { python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# Puts the merged install folder $1 in front of every search path.
ambf_prepend_prefix() {
  local prefix=$1 python=lib/python$AMBF_PYTHON_VERSION/site-packages
  export PATH="$prefix/bin:$PATH"
  export AMENT_PREFIX_PATH="$prefix${AMENT_PREFIX_PATH:+:$AMENT_PREFIX_PATH}"
  export CMAKE_PREFIX_PATH="$prefix${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
  export LD_LIBRARY_PATH="$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  export PYTHONPATH="$prefix/$python${PYTHONPATH:+:$PYTHONPATH}"
}

ambf_enter_environment() {
  # Compilations are shared between checkouts: paths below the checkout count as relative.
  export CCACHE_BASEDIR="$AMBF_ROOT" CCACHE_NOHASHDIR=1
  AMBF_PYTHON_VERSION=$(ambf_python_version)
  export ROS_AUTOMATIC_DISCOVERY_RANGE=${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}
  export RCUTILS_COLORIZED_OUTPUT=${RCUTILS_COLORIZED_OUTPUT:-0}
  if [ "$AMBF_STOCK" != 1 ]; then
    unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH PYTHONPATH PYTHONHOME
    export ROS_DISTRO=jazzy ROS_VERSION=2 ROS_PYTHON_VERSION=3
    export RMW_IMPLEMENTATION=${RMW_IMPLEMENTATION:-rmw_fastrtps_cpp}
    # The wheels' bootstrapper would start Python twice to set the library path that is set here.
    export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
    export VIRTUAL_ENV="$AMBF_OUT/venv"
    export PATH="$VIRTUAL_ENV/bin:$PATH"
    export AMENT_PREFIX_PATH="$VIRTUAL_ENV" CMAKE_PREFIX_PATH="$VIRTUAL_ENV" LD_LIBRARY_PATH="$VIRTUAL_ENV/lib"
    ambf_prepend_prefix "$AMBF_OUT/underlay${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}/install"
  fi
  ambf_prepend_prefix "$AMBF_OUT/ws${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}/install"
}

# Adds the folders of the list $2 behind those of the variable $1; not what is gone, there already, or of another
# build of this environment.
ambf_append_paths() {
  local name=$1 place places
  IFS=: read -ra places <<<"$2"
  for place in ${places[@]+"${places[@]}"}; do
    case $place in ''|"$AMBF_OUT"|"$AMBF_OUT"/*) continue ;; esac
    [ -d "$place" ] || continue
    case ":${!name:-}:" in *":$place:"*) continue ;; esac
    export "$name=${!name:+${!name}:}$place"
  done
}

# The PYTHONPATH of the caller and the overlays that were sourced, behind our own: they are found, and a
# stale folder cannot put another rclpy, numpy or library in the place of ours.
ambf_add_callers_paths() {
  [ "$AMBF_STOCK" = 1 ] && return
  local prefix prefixes
  # Ours would otherwise come after PYTHONPATH.
  [ -n "$ambf_caller_python" ] &&
    export PYTHONPATH="$PYTHONPATH:$VIRTUAL_ENV/lib/python$AMBF_PYTHON_VERSION/site-packages"
  ambf_append_paths PYTHONPATH "$ambf_caller_python"
  ambf_append_paths AMENT_PREFIX_PATH "$ambf_caller_prefixes"
  ambf_append_paths CMAKE_PREFIX_PATH "$ambf_caller_prefixes"
  IFS=: read -ra prefixes <<<"$ambf_caller_prefixes"
  for prefix in ${prefixes[@]+"${prefixes[@]}"}; do ambf_append_paths LD_LIBRARY_PATH "$prefix/lib"; done
}
