# SPDX-License-Identifier: BSD-3-Clause
# The one environment of the project, sourced by the entry script: wheels, underlay and workspace.
# In: AMBF_ROOT (the checkout), AMBF_OUT (the output folder), AMBF_STOCK (1: a stock ROS 2 is sourced),
#     AMBF_FLAVOUR (a sanitizer's name, or empty), AMBF_ROS (wheels, apt, or empty: as it was chosen, or is best here),
#     AMBF_STOCK_PREFIXES (where the rclcpp lies that are sourced), AMBF_APT_ROS (where apt puts ROS 2).

: "${AMBF_ROS:=}" "${AMBF_APT_ROS:=/opt/ros/jazzy}"

# What the caller had set, for `exec` and `shell`; builds and tests do not see it.
ambf_caller_python=${PYTHONPATH:-} ambf_caller_prefixes=${AMENT_PREFIX_PATH:-}

ambf_python_version() { "${1:-python3}" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# Sets AMBF_ROS, the ROS 2 that everything stands on: "sourced"; "apt", where it offers Jazzy; else "wheels" with the
# underlay. An output folder keeps its choice.
ambf_choose_ros() {
  local kept
  kept=$(cat "$AMBF_OUT/ros" 2>/dev/null)
  [ -z "$kept" ] && [ -d "$AMBF_OUT/venv" ] && kept=wheels
  if [ "$AMBF_STOCK" = 1 ] && [ "$kept" = apt ] && [ "${AMBF_STOCK_PREFIXES[*]}" = "$AMBF_APT_ROS" ]; then
    # A shell that sources what apt installed is no other ROS.
    AMBF_ROS=apt
  elif [ "$AMBF_STOCK" = 1 ]; then
    AMBF_ROS=sourced
  elif [ "$kept" = sourced ] && [ "${AMBF_ROS:-sourced}" = sourced ]; then
    ambf_die "$AMBF_OUT was built with a ROS 2 that was sourced, and here none is.
  Source it (/opt/ros/jazzy/setup.bash?), choose another folder with AMBF_OUT=/other/folder, or start anew with ./ambf clean"
  elif [ -z "$AMBF_ROS" ]; then
    AMBF_ROS=$kept
    if [ -z "$AMBF_ROS" ]; then ambf_apt_offers_ros && AMBF_ROS=apt || AMBF_ROS=wheels; fi
  fi
  case $AMBF_ROS in wheels|apt|sourced) ;; *) ambf_die "AMBF_ROS is '$AMBF_ROS'; it may be wheels or apt" ;; esac
  if [ -n "$kept" ] && [ "$kept" != "$AMBF_ROS" ]; then
    ambf_die "$AMBF_OUT was built with ROS 2 from \"$kept\", and now it would be \"$AMBF_ROS\".
  Go back to that (a shell that sources no ROS, or AMBF_ROS=$kept), choose another folder with AMBF_OUT=/other/folder,
  or start anew with ./ambf clean"
  fi
  [ -n "$kept" ] || { [ -d "$AMBF_OUT" ] && echo "$AMBF_ROS" >"$AMBF_OUT/ros"; }
}

ambf_apt_offers_ros() {
  command -v apt-cache >/dev/null && apt-cache policy ros-jazzy-ros-base 2>/dev/null | grep -q 'Candidate: [0-9]'
}

# Sources the ROS 2 that apt installed; its file uses variables that are not set.
ambf_source_apt_ros() {
  local file=$AMBF_APT_ROS/setup.bash
  [ -f "$file" ] || ambf_die "$file is not there: run ./ambf build"
  unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH PYTHONPATH PYTHONHOME
  set +u
  . "$file"
  set -u
  AMBF_STOCK=1
}

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
  [ "$AMBF_ROS" = apt ] && ambf_source_apt_ros
  [ "$AMBF_ROS" = wheels ] && [ ! -x "$AMBF_OUT/venv/bin/python" ] && ambf_die "nothing is built in $AMBF_OUT yet: run ./ambf build"
  if [ "$AMBF_ROS" = wheels ]; then AMBF_PYTHON_VERSION=$(ambf_python_version "$AMBF_OUT/venv/bin/python")
  else AMBF_PYTHON_VERSION=$(ambf_python_version); fi
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
  # What was sourced has been kept there.
  [ "$AMBF_STOCK" = 1 ] && [ "$AMBF_ROS" != apt ] && return
  local prefix prefixes
  # Ours would otherwise come after PYTHONPATH.
  [ -n "$ambf_caller_python" ] && [ "$AMBF_ROS" != apt ] &&
    export PYTHONPATH="$PYTHONPATH:$VIRTUAL_ENV/lib/python$AMBF_PYTHON_VERSION/site-packages"
  ambf_append_paths PYTHONPATH "$ambf_caller_python"
  ambf_append_paths AMENT_PREFIX_PATH "$ambf_caller_prefixes"
  ambf_append_paths CMAKE_PREFIX_PATH "$ambf_caller_prefixes"
  IFS=: read -ra prefixes <<<"$ambf_caller_prefixes"
  for prefix in ${prefixes[@]+"${prefixes[@]}"}; do ambf_append_paths LD_LIBRARY_PATH "$prefix/lib"; done
}
