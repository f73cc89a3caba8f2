# SPDX-License-Identifier: BSD-3-Clause
"""The command `ros2 bag`."""
