#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `./ambf lint`: the tools on first use, in an environment of their own that needs nothing built; then lint.py.
set -uo pipefail
. "$AMBF_ROOT/setup/checks.sh"
. "$AMBF_ROOT/setup/steps.sh"

unset PYTHONPATH
case " $* " in *' -h '*|*' --help '*) exec python3 -B "$AMBF_ROOT/setup/lint/lint.py" --help ;; esac
mkdir -p "$AMBF_OUT"
AMBF_STEPS=1
ambf_step 1 'Lint tools' "$(sha256sum <"$AMBF_ROOT/setup/lint/requirements.txt")" \
  'the tools of setup/lint/requirements.txt are missing: check the network and that python3 has venv, then run ./ambf lint again' \
  ambf_fill_venv "$AMBF_OUT/lint/venv" "$AMBF_ROOT/setup/lint/requirements.txt" --retries 2
exec "$AMBF_OUT/lint/venv/bin/python" -B "$AMBF_ROOT/setup/lint/lint.py" "$@"
