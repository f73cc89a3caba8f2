# SPDX-License-Identifier: BSD-3-Clause
import pytest
import rclpy
from std_msgs.msg import Int32, String

from launch_testing_ros import MessagePump, WaitForTopics
from launch_testing_ros.tools import basic_output_filter


@pytest.fixture
def talker():
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('talker', context=context)
    text = node.create_publisher(String, 'text', 10)
    number = node.create_publisher(Int32, 'number', 10)

    def speak():
        text.publish(String(data='hello'))
        number.publish(Int32(data=3))
    node.create_timer(0.05, speak)
    pump = MessagePump(node)
    pump.start()
    yield node
    pump.stop()
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_all_topics_are_received(talker):
    with WaitForTopics([('text', String), ('number', Int32)], timeout=90.0) as waiter:
        assert waiter.topics_received() == {'text', 'number'}
        assert waiter.received_messages('text')[0].data == 'hello'
        with pytest.raises(KeyError):
            waiter.received_messages('other')


def test_missing_topic_is_named(talker):
    waiter = WaitForTopics([('silent', String)], timeout=0.3)
    assert not waiter.wait()
    assert waiter.topics_not_received() == {'silent'}
    waiter.shutdown()
    with pytest.raises(RuntimeError, match='silent'):
        with WaitForTopics([('silent', String)], timeout=0.3):
            pass


def test_output_filter_drops_prefixes_and_patterns():
    keep = basic_output_filter(filtered_prefixes=['noise:'], filtered_patterns=['^debug'])
    assert keep('noise: a\ntext\ndebug b\n') == 'text\n'
