# SPDX-License-Identifier: BSD-3-Clause
"""The ROS abstraction layer of AMBF 3's scripts, against plain rclpy."""

import threading
import time

import pytest
import rclpy
from conftest import wait_for
from geometry_msgs.msg import PoseStamped
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.time import Time
from std_msgs.msg import Header, String
from std_srvs.srv import SetBool

from ambf_py.ral import Rate, ral
from ambf_py.ros1_script import the_script


@pytest.fixture
def layer():
    yield ral('script')
    the_script.close()


class Other:
    """Somebody else in the graph, who knows nothing of us."""

    def __init__(self):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node('other', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.thread = threading.Thread(target=self.executor.spin, daemon=True)
        self.thread.start()

    def close(self):
        self.executor.shutdown()
        self.thread.join(10.0)
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture
def other():
    made = Other()
    yield made
    made.close()


def test_messages_go_both_ways_and_a_slash_at_the_end_of_a_topic_does_not_matter(layer, other):
    heard, told = [], []
    other.node.create_subscription(String, '/report/task1', heard.append, 10)
    back = other.node.create_publisher(String, '/report/back', 10)
    publisher = layer.publisher('/report/task1/', String, queue_size=1)
    layer.subscriber('report/back/', String, told.append, queue_size=1)
    layer.check_connections(30.0)

    # Again and again: a connection that one side knows of may be news to the other.
    def arrived():
        publisher.publish(String(data='done'))
        back.publish(String(data='seen'))
        return heard and told

    wait_for(arrived, 'both messages')
    assert heard[0].data == 'done' and told[0].data == 'seen'
    assert layer.get_topic_name(publisher) == '/report/task1' and layer.node_name() == 'script'
    wait_for(lambda: ('script', '/') in other.node.get_node_names_and_namespaces(), 'name in the graph')


def test_children_have_names_below_their_namespace(layer):
    child = layer.create_child('psm1')
    assert child.namespace() == 'psm1'
    assert child.publisher('jaw/servo_jp', String).topic_name == '/psm1/jaw/servo_jp'
    assert child.create_child('/left/').publisher('x', String).topic_name == '/psm1/left/x'
    with pytest.raises(RuntimeError, match="'psm1' already"):
        layer.create_child('psm1')
    with pytest.raises(TimeoutError, match='publisher /psm1/jaw/servo_jp, publisher /psm1/left/x'):
        layer.check_connections(0.1)
    layer.check_connections(0.1, check_children=False)


def test_latched_messages_are_there_for_who_comes_later(layer, other):
    layer.publisher('/late', String, latch=True).publish(String(data='hello'))
    got = []
    other.node.create_subscription(
        String, '/late', got.append, QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    )
    wait_for(lambda: got, 'the latched message')
    assert got[0].data == 'hello'


def test_the_next_message_is_waited_for_and_only_so_long(layer, other):
    publisher = other.node.create_publisher(String, '/pulse', 1)
    other.node.create_timer(0.02, lambda: publisher.publish(String(data='tick')))
    assert layer.wait_for_message('/pulse', String, timeout=90.0).data == 'tick'
    with pytest.raises(TimeoutError, match="no message on '/silence' within 0.1 s"):
        layer.wait_for_message('/silence', String, timeout=0.1)


def test_services_are_offered_and_called(layer, other):
    def switch(request, response):
        response.success, response.message = not request.data, 'rclpy'
        return response

    other.node.create_service(SetBool, '/theirs', switch)
    answer = layer.service_client('/theirs/', SetBool)(SetBool.Request(data=True), timeout=90.0)
    assert (answer.success, answer.message) == (False, 'rclpy')
    layer.service('/ours', SetBool, lambda request: SetBool.Response(success=request.data, message='one'))
    layer.service('/ours_too', SetBool, switch)
    for name, message in (('/ours', 'one'), ('/ours_too', 'rclpy')):
        assert layer.service_client(name, SetBool).call(SetBool.Request(), 90.0).message == message
    with pytest.raises(TimeoutError, match="no service '/nobody' within 0.1 s"):
        layer.service_client('/nobody', SetBool)(timeout=0.1)


def test_times_are_rclpys(layer):
    before, now = time.time(), layer.now()
    assert isinstance(now, Time) and isinstance(layer.create_duration(0.5), Duration)
    assert before - 1e-3 <= layer.to_sec(now) <= time.time()
    assert layer.to_sec(layer.create_duration(0.5)) == 0.5 and layer.create_time().nanoseconds == 0
    earlier = now - layer.create_duration(1.5)
    assert layer.to_sec(now - earlier) == pytest.approx(1.5) and now - earlier < layer.create_duration(2)
    message = layer.set_timestamp(PoseStamped())
    assert message.header.stamp.sec > 0
    for stamped in (message, message.header, message.header.stamp):
        assert layer.to_sec(stamped) == pytest.approx(message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec)
    assert Time.from_msg(Header(stamp=layer.now_msg()).stamp).nanoseconds > 0
    assert ral.parse_argv(['x', '--ros-args', '-p', 'a:=1', '--', 'y']) == ['x', 'y'] and ral.ros_version() == 2


def test_rates_and_sleeps_keep_their_time_and_end_with_the_script(layer):
    rate, begin = layer.create_rate(50), time.monotonic()
    for _ in range(10):
        rate.sleep()
    layer.sleep(0.05)
    layer.sleep(layer.create_duration(0.05))
    assert time.monotonic() - begin > 0.28
    with pytest.raises(ValueError, match='above 0'):
        Rate(0)
    assert not layer.is_shutdown()
    called = []
    layer.on_shutdown(lambda: called.append(True))
    layer.spin_and_execute(lambda value: called.append(value), 'ran')
    assert layer.is_shutdown() and called == ['ran', True]
    layer.sleep(600.0)
    layer.create_rate(1e-3).sleep()


def test_a_callback_that_waits_does_not_hold_up_another_topic(layer, other):
    publishers = [other.node.create_publisher(String, name, 1) for name in ('/slow', '/fast')]
    got, waiting, go_on = [], threading.Event(), threading.Event()
    layer.subscriber('/slow', String, lambda _: (waiting.set(), go_on.wait(60.0)))
    layer.subscriber('/fast', String, got.append)
    layer.check_connections(30.0)

    def slow_first():
        publishers[0].publish(String())
        return waiting.is_set()

    wait_for(slow_first, 'the slow callback')

    def fast_then():
        publishers[1].publish(String())
        return got

    wait_for(fast_then, 'the message of the other topic')
    go_on.set()
