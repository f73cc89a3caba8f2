# SPDX-License-Identifier: BSD-3-Clause
"""Programs: ambf-tasks, ambf-train, ambf-latency, ambf-record."""
