# SPDX-License-Identifier: BSD-3-Clause
"""Files that are compiled as one define no name twice; what the compiler said is kept; the table of times adds up."""

import json
import os
import subprocess
import sys

from conftest import CHECKOUT

sys.path.insert(0, str(CHECKOUT / 'setup'))
import build_times
import unity_groups


def names(text: str) -> set:
    return unity_groups.own_names(text)


def test_names_that_a_file_keeps_for_itself():
    assert names(
        'namespace a { namespace { int f(int x) { return x; } struct S { int g; }; } int h() { return 0; } }'
    ) == {'f', 'S'}
    assert names('namespace { constexpr double kScale = 2.0; using V = int; const char * word(int); }') == {
        'kScale',
        'V',
        'word',
    }
    assert names('namespace { template <typename T> T twice(T x) { return x; } }') == {'twice'}
    assert names('static int counter = 0; int shared = 1;') == {'counter'}
    assert names('// namespace { int f(); }\nconst char * s = "namespace { int g();";') == set()
    assert names('#define WIDE 1\n#define NARROW 2\n#undef NARROW\n') == {'#WIDE'}
    assert names('#include <X11/Xlib.h>\n') == {'#X11/Xlib'}
    assert names('using namespace std;\n') == {'using std'}
    assert names('namespace fs = std::filesystem;') == {'fs'}
    assert names('namespace { const auto text = R"(} namespace { int f(); )"; }') == {'text'}


def test_files_with_the_same_name_are_kept_apart(tmp_path):
    files = []
    for i in range(10):
        files.append(tmp_path / f'{i}.cpp')
        files[-1].write_text('namespace { int same() { return 1; } }\n' if i < 3 else f'int f{i}() {{ return {i}; }}\n')
    files.append(tmp_path / 'macro.cpp')
    files[-1].write_text('#define ODD 1\n')
    groups = unity_groups.groups_of([str(f) for f in files])
    for group in groups:
        assert sum(file.endswith(('0.cpp', '1.cpp', '2.cpp')) for file in group) <= 1
        assert str(tmp_path / 'macro.cpp') not in group
    assert len({file for group in groups for file in group}) == sum(map(len, groups))


def test_groups_stay_while_they_hold(tmp_path):
    files = [tmp_path / f'{i}.cpp' for i in range(3)]
    for i, file in enumerate(files):
        file.write_text(f'int f{i}() {{ return {i}; }}\n')
    output = tmp_path / 'package' / 'ambf_unity_groups' / 'target.cmake'
    unity_groups.refresh(output, [str(file) for file in files])
    first = output.stat().st_mtime_ns
    assert output.read_text().count('.cpp"') == 3
    files[0].write_text('namespace { int helper() { return 1; } }\n' + 'int f0() { return helper(); }\n' * 1)
    unity_groups.refresh(output)
    assert output.stat().st_mtime_ns == first, 'nothing is compiled anew for it'
    files[1].write_text('namespace { int helper() { return 2; } }\nint f1() { return helper(); }\n')
    unity_groups.refresh(output)
    groups = output.read_text().split('set(')[2:]
    assert not any('0.cpp' in group and '1.cpp' in group for group in groups)


def test_what_the_compiler_said_is_kept_and_forgotten(tmp_path):
    compiler = tmp_path / 'compiler'
    compiler.write_text('#!/bin/sh\n[ -e warn ] && echo "x.cpp:1: warning: odd" >&2\ntouch x.o\n')
    compiler.chmod(0o755)
    launcher = CHECKOUT / 'setup' / 'compile'
    environment = {'PATH': '/usr/bin:/bin', 'CCACHE_DISABLE': '1'}

    def compile_once():
        return subprocess.run(
            [launcher, compiler, '-c', 'x.cpp', '-o', 'x.o'],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )

    (tmp_path / 'warn').touch()
    assert 'warning: odd' in compile_once().stderr
    assert 'warning: odd' in (tmp_path / 'x.o.said').read_text()
    (tmp_path / 'warn').unlink()
    assert compile_once().stderr == ''
    assert not (tmp_path / 'x.o.said').exists()


def test_an_optional_package_that_came_is_looked_for_again(tmp_path):
    source, build, prefix = tmp_path / 'source', tmp_path / 'ws' / 'build' / 'some', tmp_path / 'prefix'
    config = prefix / 'share' / 'made_up' / 'cmake' / 'made_upConfig.cmake'
    for folder in (source, build, config.parent):
        folder.mkdir(parents=True)
    (source / 'CMakeLists.txt').write_text(
        'cmake_minimum_required(VERSION 3.16)\nproject(some NONE)\n'
        'find_package(made_up QUIET)\nmessage(NOTICE "found: ${made_up_FOUND}")\n'
    )

    def run(*command) -> str:
        environment = {**os.environ, 'CMAKE_PREFIX_PATH': str(prefix)}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
        return done.stdout

    (tmp_path / 'ws' / 'optional').write_text('\n')
    include = f'-DCMAKE_PROJECT_INCLUDE={CHECKOUT}/setup/cheap_compile.cmake'
    assert 'found: 0' in run('cmake', '-G', 'Ninja', '-S', source, '-B', build, include)
    config.write_text('')
    assert 'found' not in run('cmake', '--build', build)
    (tmp_path / 'ws' / 'optional').write_text('made_up\n')
    assert 'found: 1' in run('cmake', '--build', build)


def test_a_failed_compilation_fails(tmp_path):
    launcher = CHECKOUT / 'setup' / 'compile'
    assert subprocess.run([launcher, 'false', '-o', 'x.o'], cwd=tmp_path).returncode != 0


def test_warnings_of_earlier_builds_count(machine):
    assert machine.run('build', '--werror')[0] == 0
    folder = machine.out / 'ws' / 'build' / 'ambf_adf'
    folder.mkdir(parents=True)
    (folder / 'x.o.said').write_text('x.cpp:1: warning: odd\n')
    code, text = machine.run('build', '--werror')
    assert code == 1 and 'warning: odd' in text
    assert machine.run('build')[0] == 0


def test_the_table_of_times(tmp_path, capsys):
    log = tmp_path / 'ws' / 'build' / 'ambf_x' / '.ninja_log'
    log.parent.mkdir(parents=True)
    log.write_text(
        '# ninja log v5\n'
        '0\t2000\t0\tCMakeFiles/x__rosidl_generator_py.dir/a.c.o\taa\n'
        '0\t2000\t0\tanother_output_of_rosidl\taa\n'
        '0\t1000\t0\tCMakeFiles/x.dir/b.cpp.o\tbb\n'
        '0\t9000\t0\tCMakeFiles/test_x.dir/c.cpp.o\tcc\n'
        '0\t1000\t0\tCMakeFiles/test_x.dir/c.cpp.o\tcc\n'
    )
    assert build_times.measure(tmp_path) == {'ambf_x': {'code': 1.0, 'generated': 2.0, 'tests': 1.0, 'benches': 0.0}}
    sys.argv = ['build_times.py', str(tmp_path)]
    assert build_times.main() == 0
    assert '50 %' in capsys.readouterr().out
    assert json.loads((tmp_path / 'log' / 'build_times.json').read_text())['ambf_x']['code'] == 1.0
    log.write_text(log.read_text() + '0\t3000\t0\tCMakeFiles/x.dir/b.cpp.o\tbb\n')
    assert build_times.main() == 0
    line = [line for line in capsys.readouterr().out.splitlines() if line.startswith('ambf_x')][0].split()
    assert line[1] == '6.0' and line[-1] == '4.0'
