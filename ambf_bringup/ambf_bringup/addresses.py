# SPDX-License-Identifier: BSD-3-Clause
"""Files that launch arguments name: as a path, or as an address that the simulator understands, too."""

import pathlib

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory


def path_of(address: str, argument: str, folder: pathlib.Path | None = None) -> pathlib.Path:
    """The path that a plain path (from `folder`), a file:// or a package:// address means; something may be there or not.

    RuntimeError, which ends the launch, for any other address and for a package that is not installed.
    """
    scheme, is_address, rest = address.partition('://')
    if not is_address:
        return (folder or pathlib.Path()) / address
    if scheme == 'file':
        return pathlib.Path(rest)
    if scheme != 'package':
        raise RuntimeError(f"{argument}: found '{address}', expected a path, file://... or package://NAME/...")
    package, _, rest = rest.partition('/')
    try:
        return pathlib.Path(get_package_share_directory(package)) / rest
    except (PackageNotFoundError, ValueError):
        raise RuntimeError(
            f"{argument}: found '{address}', but there is no package '{package}'; build it and source its workspace"
        ) from None
