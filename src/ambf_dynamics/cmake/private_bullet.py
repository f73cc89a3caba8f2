#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes private copies of shared libraries whose symbols cannot meet those of other copies.

Float and double Bullet define the same symbols. The copies get their own library names (so that the
loader never shares them) and lose the "unique" binding of inline statics, which the loader would
otherwise unite over the whole process even between libraries of different precision.

    private_bullet.py OUT_DIR LIB.so...
"""

import pathlib
import struct
import sys

OLD_NAME = b'-float64.so'
NEW_NAME = b'-ambf_64.so'  # same length: names are patched in place
SHT_DYNSYM = 11
STB_GLOBAL, STB_GNU_UNIQUE = 1, 10


def demote_unique_symbols(image: bytearray) -> int:
    """Turns unique symbols of a 64-bit little-endian ELF image into global ones; returns how many."""
    if image[:6] != b'\x7fELF\x02\x01':
        raise ValueError('not a 64-bit little-endian ELF file')
    (section_offset,) = struct.unpack_from('<Q', image, 0x28)
    entry_size, count = struct.unpack_from('<HH', image, 0x3A)
    changed = 0
    for i in range(count):
        header = section_offset + i * entry_size
        (kind,) = struct.unpack_from('<I', image, header + 4)
        if kind != SHT_DYNSYM:
            continue
        start, size = struct.unpack_from('<QQ', image, header + 24)
        (step,) = struct.unpack_from('<Q', image, header + 56)
        for symbol in range(start, start + size, step):
            info = image[symbol + 4]
            if info >> 4 == STB_GNU_UNIQUE:
                image[symbol + 4] = (STB_GLOBAL << 4) | (info & 0xF)
                changed += 1
    return changed


def main() -> int:
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:]:
        library = pathlib.Path(name).resolve()
        if OLD_NAME.decode() not in library.name:
            print(f'{library}: expected a name with {OLD_NAME.decode()}', file=sys.stderr)
            return 1
        image = bytearray(library.read_bytes())
        demote_unique_symbols(image)
        image = image.replace(OLD_NAME, NEW_NAME)
        # The file carries the name that the loader looks for.
        target = out / library.name.replace(OLD_NAME.decode(), NEW_NAME.decode())
        target.write_bytes(image)
        target.chmod(0o755)
    return 0


if __name__ == '__main__':
    sys.exit(main())
