# SPDX-License-Identifier: BSD-3-Clause
"""Repairs of the wheels that act at run time."""

import ctypes
import errno
import os
import pathlib
import subprocess
import sys
import threading

import pytest

LIBRARY = pathlib.Path(sys.prefix) / 'lib' / 'libambf_endless_wait.so'


class Time(ctypes.Structure):
    _fields_ = [('seconds', ctypes.c_long), ('nanoseconds', ctypes.c_long)]


@pytest.fixture
def wait():
    """(a function that waits until a time, with the lock and condition that it waits with)"""
    if not LIBRARY.exists():
        pytest.skip('ROS 2 does not come from wheels here')
    library = ctypes.CDLL(str(LIBRARY))
    # Large enough for either, and zero is how both start.
    lock, condition = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    return library, lock, condition


def test_a_time_before_all_times_means_no_end(wait):
    library, lock, condition = wait
    threads = ctypes.CDLL(None)
    threads.pthread_mutex_lock(lock)
    waiting = threading.Event()

    def signal():
        waiting.wait()
        # Only given once the waiting thread has let go of it.
        threads.pthread_mutex_lock(lock)
        threads.pthread_cond_signal(condition)
        threads.pthread_mutex_unlock(lock)

    signaller = threading.Thread(target=signal)
    signaller.start()
    waiting.set()
    answer = library.ambf_cond_timedwait(condition, lock, ctypes.byref(Time(-7_429_000_000, 0)))
    threads.pthread_mutex_unlock(lock)
    signaller.join()
    assert answer == 0, os.strerror(answer)


def test_any_other_time_ends_the_wait(wait):
    library, lock, condition = wait
    ctypes.CDLL(None).pthread_mutex_lock(lock)
    assert library.ambf_cond_timedwait(condition, lock, ctypes.byref(Time(1, 0))) == errno.ETIMEDOUT


def test_fast_dds_waits_by_it(wait):
    libraries = [file for file in LIBRARY.parent.glob('libfastrtps.so*') if not file.is_symlink()]
    assert libraries
    for file in libraries:
        said = subprocess.run(['nm', '-D', '--undefined-only', file], check=True, capture_output=True, text=True).stdout
        assert ' ambf_cond_timedwait' in said and ' pthread_cond_timedwait' not in said, file
