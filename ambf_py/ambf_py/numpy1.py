# SPDX-License-Identifier: BSD-3-Clause
"""What scripts for AMBF use of numpy 1 and numpy 2 no longer has; set when a module for such scripts is imported."""

import numpy as np

if not hasattr(np, 'mat'):
    np.mat = np.asmatrix
