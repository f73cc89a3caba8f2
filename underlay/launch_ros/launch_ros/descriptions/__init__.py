# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of what actions act on."""

from .composable_node import ComposableNode
from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue

__all__ = ['ComposableNode', 'Parameter', 'ParameterFile', 'ParameterValue']
