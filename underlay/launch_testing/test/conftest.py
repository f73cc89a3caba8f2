# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest


@pytest.fixture
def launch_test(tmp_path):
    """Run a test file; return exit code, output and the tests' outcomes by suite."""
    def run(source, *arguments):
        path = tmp_path / 'the_test.py'
        path.write_text(source)
        report = tmp_path / 'report.xml'
        environment = dict(os.environ, ROS_LOG_DIR=str(tmp_path / 'log'))
        result = subprocess.run(
            [sys.executable, '-m', 'launch_testing.launch_test', str(path), *arguments,
             f'--junit-xml={report}'], env=environment, text=True, timeout=60,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        suites = []
        if report.exists():
            for suite in ElementTree.parse(report).getroot():
                outcomes = {}
                for case in suite:
                    outcomes[case.get('name')] = [child.tag for child in case] or ['passed']
                suites.append(outcomes)
            report.unlink()
        return result.returncode, result.stdout, suites
    return run
