# SPDX-License-Identifier: BSD-3-Clause
"""Bags read by libraries that are not ours: `rosbags` and `mcap`."""
from __future__ import annotations

from pathlib import Path

import pytest

rosbags = pytest.importorskip('rosbags.rosbag2')
mcap_reader = pytest.importorskip('mcap.reader')
mcap_ros2 = pytest.importorskip('mcap_ros2.decoder')


def messages(bag: Path) -> dict[str, list[bytes]]:
    """Read the serialized messages by topic, with rosbags."""
    found: dict[str, list[bytes]] = {}
    with rosbags.Reader(bag) as reader:
        for connection in reader.connections:
            found[connection.topic] = []
        for connection, _, data in reader.messages():
            found[connection.topic].append(bytes(data))
    return found


def mcap_file(bag: Path) -> Path:
    """Name the one MCAP file of a bag."""
    return bag / f'{bag.name}_0.mcap'


def decoded(bag: Path, topic: str) -> list:
    """Decode the messages of a topic with the schema that is in the file; checks every CRC."""
    with open(mcap_file(bag), 'rb') as stream:
        reader = mcap_reader.make_reader(
            stream, validate_crcs=True, decoder_factories=[mcap_ros2.DecoderFactory()])
        return [item.decoded_message for item in reader.iter_decoded_messages(topics=[topic])]


def sequences(bag: Path, topic: str) -> list[int]:
    """Read the sequence numbers of a topic's messages."""
    with open(mcap_file(bag), 'rb') as stream:
        return [message.sequence for _, _, message
                in mcap_reader.make_reader(stream).iter_messages(topics=[topic])]


def summary(bag: Path):
    """Read the summary of the MCAP file."""
    with open(mcap_file(bag), 'rb') as stream:
        return mcap_reader.make_reader(stream, validate_crcs=True).get_summary()
