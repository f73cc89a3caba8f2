# The one environment of the project, sourced by the entry script: wheels, underlay and workspace.
# In: AMBF_ROOT (the checkout), AMBF_OUT (the output folder), AMBF_STOCK (1: a stock ROS 2 is sourced),
#     AMBF_FLAVOUR (a sanitizer's name, or empty).

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
    unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH PYTHONPATH
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
