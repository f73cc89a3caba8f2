# SPDX-License-Identifier: BSD-3-Clause
"""Where packages are installed."""

from typing import List

from ament_index_python.packages import get_package_prefix, get_package_share_directory
from ament_index_python.packages import PackageNotFoundError
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.substitutions.substitution_failure import SubstitutionFailure
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


class FindPackage(Substitution):
    """What prefix and share folder have in common."""

    def __init__(self, package: SomeSubstitutionsType) -> None:
        super().__init__()
        self.__package = normalize_to_list_of_substitutions(package)

    @property
    def package(self) -> List[Substitution]:
        """Return the package's name."""
        return self.__package

    def find(self, package_name: str) -> str:
        """Return the folder of the package."""
        raise NotImplementedError(f'{type(self).__name__} does not implement find()')

    def describe(self) -> str:
        """Return a description of this substitution."""
        return f"{type(self).__name__}(pkg={' + '.join(s.describe() for s in self.package)})"

    def perform(self, context) -> str:
        """Return the folder."""
        package = perform_substitutions(context, self.package)
        try:
            return self.find(package)
        except (PackageNotFoundError, ValueError) as exc:
            raise SubstitutionFailure(str(exc).strip('"')) from exc


class FindPackagePrefix(FindPackage):
    """Evaluates to the prefix that a package is installed to."""

    def find(self, package_name: str) -> str:
        """Return the prefix."""
        return get_package_prefix(package_name)


class FindPackageShare(FindPackage):
    """Evaluates to a package's share folder."""

    def find(self, package_name: str) -> str:
        """Return the share folder."""
        return get_package_share_directory(package_name)
