# SPDX-License-Identifier: BSD-3-Clause
# What may be wrong with the machine, found out before time is spent, and said in one message with what to do.

AMBF_AGAIN='then run the same command again; it goes on where it stopped'

# Stops for a sourced ROS 2 that cannot be used. In: AMBF_STOCK_PREFIXES, the prefixes with an rclcpp, first one first.
ambf_check_sourced_ros() {
  [ "$AMBF_STOCK" = 1 ] || return 0
  case $ROS_DISTRO in
    jazzy) ;;
    kilted|rolling) ambf_say "ambf: ROS 2 $ROS_DISTRO is sourced; AMBF is made for jazzy and was not tried with it" ;;
    *) ambf_die "ROS 2 $ROS_DISTRO is sourced (${AMBF_STOCK_PREFIXES[0]}), and AMBF needs jazzy.
  Open a shell that sources nothing, and ./ambf installs ROS 2 Jazzy into .ambf:
    env -i HOME=\"\$HOME\" TERM=\"\$TERM\" PATH=/usr/local/bin:/usr/bin:/bin ./ambf ...
  or source /opt/ros/jazzy/setup.bash in a fresh shell; $AMBF_AGAIN" ;;
  esac
  [ ${#AMBF_STOCK_PREFIXES[@]} -gt 1 ] || return 0
  local first version
  first=$(ambf_rclcpp_version "${AMBF_STOCK_PREFIXES[0]}")
  for ambf_prefix in "${AMBF_STOCK_PREFIXES[@]:1}"; do
    version=$(ambf_rclcpp_version "$ambf_prefix")
    [ "$version" = "$first" ] || ambf_die "two different rclcpp are sourced: $first in ${AMBF_STOCK_PREFIXES[0]} hides $version in $ambf_prefix.
  Programs would load a mix of the two. Open a shell without that overlay, or take rclcpp out of it; $AMBF_AGAIN"
  done
}

ambf_rclcpp_version() { sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$1/share/rclcpp/package.xml" | head -n 1; }

# The interpreter of the environment: AMBF_PYTHON where it is set, else the first that the wheels are made for.
ambf_pick_python() {
  local name found=''
  for name in ${AMBF_PYTHON:-python3 python3.12 python3.11}; do
    if "$name" -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 12)))' 2>/dev/null; then
      AMBF_PYTHON=$(command -v "$name"); return 0
    fi
    command -v "$name" >/dev/null && found="$found $name is $("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>&1 | tail -n 1)."
  done
  ambf_die "Python 3.11 or 3.12 is needed: the ROS 2 wheels exist for these only.$found
  Install one of them (Debian 12: apt install python3 python3-venv; Ubuntu 24.04: the same; elsewhere with pyenv or uv),
  name it if it is not on the PATH: AMBF_PYTHON=/path/to/python3.12 ./ambf ...; $AMBF_AGAIN"
}

# C++20 as the packages use it.
ambf_check_compiler() {
  local compiler version least=12 name=g++
  read -ra compiler <<<"${CXX:-c++}"
  command -v "${compiler[0]}" >/dev/null || ambf_die "there is no C++ compiler '${compiler[0]}': install g++ 12 or newer, $AMBF_AGAIN"
  case $("${compiler[@]}" --version 2>/dev/null | head -n 1) in *clang*) least=16 name=clang++ ;; esac
  version=$("${compiler[@]}" -dumpfullversion 2>/dev/null || "${compiler[@]}" -dumpversion 2>/dev/null)
  case ${version%%.*} in
    ''|*[!0-9]*) ambf_say "ambf: the version of '${compiler[*]}' is unknown; g++ 12 or newer is needed" ;;
    *) [ "${version%%.*}" -ge $least ] || ambf_die "the compiler ${compiler[*]} is $name $version, and C++20 needs $name $least or newer.
  Install one (apt install g++-12) and name it: CC=gcc-12 CXX=g++-12 ./ambf ...; $AMBF_AGAIN" ;;
  esac
  AMBF_COMPILER="$("${compiler[@]}" --version 2>/dev/null | head -n 1)"
}

# Root rights for apt, asked for in the foreground: a step has no terminal to ask for a password.
ambf_get_root() {
  [ "$(id -u)" = 0 ] && return 0
  if command -v sudo >/dev/null; then
    sudo -n true 2>/dev/null && return 0
    if [ -t 0 ]; then
      ambf_say "Debian packages are missing: $*"
      sudo -v -p 'sudo password for apt-get: ' && return 0
    fi
  fi
  ambf_die "Debian packages are missing, and there is neither root nor a sudo that works here. Have somebody with root run
    apt-get update && apt-get install --no-install-recommends $*
  $AMBF_AGAIN"
}

ambf_as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Prints why a step failed and what to do, where its log tells; fails where it does not.
ambf_cause() {
  local log=$1
  if grep -qE 'No space left on device|Disk quota exceeded|disk is full' "$log" || ! ambf_room; then
    echo "the disk is full: $(df -Pm "$AMBF_OUT" | awk 'NR == 2 { print $4 }') MB are free in $AMBF_OUT; a demo needs 2 GB, everything 4 GB.
  Make room, or choose another folder with AMBF_OUT=/other/folder; $AMBF_AGAIN"
  elif grep -qE 'Could not get lock|dpkg was interrupted|Unable to acquire the dpkg' "$log"; then
    echo "apt is busy or was interrupted: wait for it, or run 'dpkg --configure -a' as root; $AMBF_AGAIN"
  elif grep -qiE 'Temporary failure|Could not resolve|Name or service not known|Network is unreachable|Failed to establish a new connection|Connection (refused|timed out|broken|reset)|Could not connect|Read timed out|getaddrinfo failed|No route to host' "$log"; then
    echo "the network is not there, or a server does not answer: $(grep -oiE '(https?://|host=.)[A-Za-z0-9._-]+' "$log" | head -n 1)
  Check the connection and the proxy (http_proxy, https_proxy); $AMBF_AGAIN"
  elif grep -qE 'ensurepip is not|No module named (venv|ensurepip)' "$log"; then
    echo "${AMBF_PYTHON:-python3} has no venv: install the package python3-venv (or pythonX.Y-venv of that Python); $AMBF_AGAIN"
  elif grep -qE 'Killed signal terminated program|virtual memory exhausted|cannot allocate memory|out of memory' "$log"; then
    echo "there is not enough memory for this many compilers: AMBF_JOBS=1 ./ambf ... runs one at a time; it goes on where it stopped"
  else
    return 1
  fi
}

ambf_room() { (: >"$AMBF_OUT/.room" && echo room >"$AMBF_OUT/.room" && rm -f "$AMBF_OUT/.room") 2>/dev/null; }

# One build at a time in a folder: a second one waits. Left by closing the file, or by the end of the process.
ambf_lock() {
  mkdir -p "$AMBF_OUT" 2>/dev/null && ambf_room ||
    ambf_die "cannot write to $AMBF_OUT: $( (mkdir -p "$AMBF_OUT" && echo room >"$AMBF_OUT/.room") 2>&1 | tail -n 1)
  Make room or rights there, or choose another folder with AMBF_OUT=/other/folder; $AMBF_AGAIN"
  command -v flock >/dev/null || return 0
  exec 9>"$AMBF_OUT/lock"
  flock -n 9 && return 0
  ambf_say "another ./ambf is at work in $AMBF_OUT; waiting for it ..."
  flock 9
}

ambf_unlock() { exec 9>&-; }
