# SPDX-License-Identifier: BSD-3-Clause
"""Generators of the ADF models, meshes and worlds of ambf_description."""
