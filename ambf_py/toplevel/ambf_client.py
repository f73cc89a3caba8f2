# SPDX-License-Identifier: BSD-3-Clause
"""AMBF's client under the name that its scripts import."""

import sys

import ambf_py.ambf_client

sys.modules[__name__] = ambf_py.ambf_client
