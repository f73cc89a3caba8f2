# SPDX-License-Identifier: BSD-3-Clause
"""The stand-in for rospy that scripts of ROS 1 use."""

import os
import signal
import subprocess
import sys

import pytest
import rclpy
from conftest import wait_for
from geometry_msgs.msg import Point, PoseStamped
from std_msgs.msg import Float64, String
from std_srvs.srv import SetBool

from ambf_py import rospy


@pytest.fixture(autouse=True)
def script():
    yield
    rospy.the_script.close()


def test_a_message_reaches_its_callback_with_numbers_of_the_right_kind():
    rospy.init_node('talker', anonymous=True)
    assert rospy.get_name().startswith('/talker_')
    got = []
    subscriber = rospy.Subscriber('/pose', PoseStamped, lambda message, tag: got.append((message, tag)), 'tag')
    publisher = rospy.Publisher('/pose', PoseStamped, queue_size=1)
    wait_for(lambda: publisher.get_num_connections() > 0, 'the subscriber')
    message = PoseStamped()
    message.pose.position.x = 2  # a whole number, as scripts write
    message.header.stamp = rospy.Time.now()
    publisher.publish(message)
    wait_for(lambda: got, 'the message')
    assert got[0][0].pose.position.x == 2.0 and got[0][1] == 'tag'
    assert 0.0 <= (rospy.Time.now() - got[0][0].header.stamp).to_sec() < 60.0
    assert ['/pose', 'geometry_msgs/PoseStamped'] in rospy.get_published_topics()
    assert subscriber.get_num_connections() == 1
    subscriber.unregister()
    publisher.unregister()
    with pytest.raises(rospy.ROSException, match='unregistered'):
        publisher.publish(message)


def test_a_latched_message_is_there_for_who_comes_later():
    publisher = rospy.Publisher('/late', String, latch=True, queue_size=1)
    publisher.publish('hello')  # by the value of its field
    context = rospy.the_script.node.context
    node = rclpy.create_node('late', context=context)
    got = []
    qos = rospy.QoSProfile(depth=1, durability=rospy.DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(String, '/late', got.append, qos)
    rospy.the_script._executor.add_node(node)
    wait_for(lambda: got, 'the latched message')
    assert got[0].data == 'hello'
    rospy.the_script._executor.remove_node(node)
    node.destroy_node()


def test_values_that_do_not_fit_a_message_are_refused():
    publisher = rospy.Publisher('/point', Point, queue_size=1)
    publisher.publish(1, 2, z=3)
    with pytest.raises(TypeError, match='at most 3: x, y, z'):
        publisher.publish(1, 2, 3, 4)
    with pytest.raises(TypeError, match='no field w'):
        publisher.publish(w=1)


def test_services_answer_and_missing_ones_are_reported():
    service = rospy.Service('/switch', SetBool, lambda request: (not request.data, 'turned'))
    rospy.wait_for_service('/switch', 90.0)
    answer = rospy.ServiceProxy('/switch', SetBool)(True)
    assert (answer.success, answer.message) == (False, 'turned')
    service.shutdown()
    with pytest.raises(rospy.ROSException, match="no service '/nobody' within 0.1 s"):
        rospy.wait_for_service('/nobody', 0.1)


def test_waiting_for_a_message_ends():
    with pytest.raises(rospy.ROSException, match="no message on '/silence' within 0.1 s"):
        rospy.wait_for_message('/silence', Float64, 0.1)


def test_times_are_computed_with():
    t = rospy.Time(5, 500000000)
    later = t + rospy.Duration(1.75)
    assert later.to_sec() == 7.25 and (later.secs, later.nsecs) == (7, 250000000) and later > t >= t
    assert (t - later).to_sec() == -1.75 and (later - rospy.Duration.from_sec(0.25)).to_sec() == 7.0
    assert rospy.Time.from_sec(1.5).to_nsec() == 1500000000 and rospy.Time().is_zero()
    with pytest.raises(TypeError):
        t + t
    d = rospy.Duration(1.5)
    assert (d * 2).to_sec() == (2 * d).to_sec() == 3.0 and (d / 2).to_sec() == 0.75 and d / rospy.Duration(0.5) == 3.0
    assert (-d).to_sec() == -1.5 and abs(-d) == d and {d: 1}[rospy.Duration(1.5)] == 1
    assert isinstance(t, rospy.Time) and not isinstance(t, rospy.Duration) and isinstance(t - t, rospy.Duration)
    with pytest.raises(TypeError):
        t * 2


def test_messages_for_people_are_written_once_or_sometimes(monkeypatch):
    written = []
    logger = type('Logger', (), {level: (lambda self, text: written.append(text)) for level in ('info', 'warning')})()
    monkeypatch.setattr(rclpy.logging, 'get_logger', lambda name: logger)
    for i in range(3):
        rospy.loginfo_once('first %d', i)
        rospy.logwarn_throttle(600.0, f'seldom {i}')
        rospy.logwarn_throttle(0.0, f'often {i}')
        rospy.loginfo_throttle_identical(600.0, f'new {i // 2}')
    assert written == ['first 0', 'seldom 0', 'often 0', 'new 0', 'often 1', 'often 2', 'new 1']
    assert rospy.get_caller_id() == rospy.get_name() and rospy.Header(frame_id='a').frame_id == 'a'


def test_a_rate_keeps_its_pace_and_a_bad_one_is_refused():
    rate, begin = rospy.Rate(50), rospy.get_time()
    for _ in range(10):
        rate.sleep()
    assert rospy.get_time() - begin > 0.18
    with pytest.raises(ValueError, match='above 0'):
        rospy.Rate(0)


def test_a_timer_calls():
    events = []
    timer = rospy.Timer(rospy.Duration(0.01), events.append)
    wait_for(lambda: len(events) > 2, 'calls of the timer')
    timer.shutdown()
    assert events[0].last_real is None and events[2].current_real > events[1].current_real


def test_parameters_are_the_scripts_own(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['script.py', '_gain:=2.5', 'word'])
    rospy.init_node('holder')
    assert rospy.get_param('~gain') == 2.5 and rospy.myargv() == ['script.py', 'word']
    rospy.set_param('/list', [1])
    assert rospy.get_param('list') == [1] and rospy.has_param('/list') and rospy.get_param('/other', 3) == 3
    rospy.delete_param('/list')
    with pytest.raises(KeyError, match='no parameter server'):
        rospy.get_param('/list')
    with pytest.raises(rospy.ROSException, match="called 'holder' already"):
        rospy.init_node('somebody_else')


def test_ctrl_c_ends_a_script_and_its_sleep():
    # Two threads write: each its line in one piece.
    text = (
        'import os\nfrom ambf_py import rospy\n'
        'rospy.init_node("loop")\n'
        'rospy.on_shutdown(lambda: os.write(1, b"hook\\n"))\n'
        'os.write(1, b"ready\\n")\n'
        'try:\n    rospy.sleep(600)\n'
        'except rospy.ROSInterruptException:\n    os.write(1, b"interrupted %d\\n" % rospy.is_shutdown())\n'
    )
    process = subprocess.Popen([sys.executable, '-c', text], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    while (line := process.stdout.readline()) != 'ready\n':
        assert line
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and set(rest.splitlines()) == {'hook', 'interrupted 1'}
