# SPDX-License-Identifier: BSD-3-Clause
"""Programs of packages."""

import os
from typing import List

from .find_package import FindPackagePrefix
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.substitutions.substitution_failure import SubstitutionFailure
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class ExecutableInPackage(FindPackagePrefix):
    """Evaluates to the path of a program in a package's `lib` folder."""

    def __init__(self, executable: SomeSubstitutionsType, package: SomeSubstitutionsType) -> None:
        super().__init__(package)
        self.__executable = normalize_to_list_of_substitutions(executable)

    @property
    def executable(self) -> List[Substitution]:
        """Return the program's name."""
        return self.__executable

    def describe(self) -> str:
        """Return a description of this substitution."""
        pkg = ' + '.join(s.describe() for s in self.package)
        exe = ' + '.join(s.describe() for s in self.executable)
        return f'ExecInPkg(pkg={pkg}, exec={exe})'

    def perform(self, context) -> str:
        """Return the path."""
        executable = perform_substitutions(context, self.executable)
        package = perform_substitutions(context, self.package)
        libexec = os.path.join(super().perform(context), 'lib', package)
        path = os.path.join(libexec, executable)
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            raise SubstitutionFailure(
                f"executable '{executable}' not found on the libexec directory '{libexec}'")
        return path
