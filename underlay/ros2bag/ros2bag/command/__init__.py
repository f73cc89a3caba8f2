# SPDX-License-Identifier: BSD-3-Clause
"""The command of `ros2` that this package adds."""
