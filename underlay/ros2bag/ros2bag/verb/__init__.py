# SPDX-License-Identifier: BSD-3-Clause
"""The verbs of `ros2 bag`, one a module."""
