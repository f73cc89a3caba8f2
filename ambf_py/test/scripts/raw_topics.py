# SPDX-License-Identifier: BSD-3-Clause
# Talks to topics without the client's handles: listens to a body, throttles the world with a clock of its own.
import sys

import rospy

from ambf_client import Client
from ambf_msgs.msg import RigidBodyState, WorldCmd, WorldState


class Listener:
    def __init__(self, name):
        self.messages = []
        self.worlds = []
        self.state_sub = rospy.Subscriber('/ambf/env/' + name + '/State', RigidBodyState, self.state_cb, queue_size=50)
        self.world_sub = rospy.Subscriber('/ambf/env/World/State', WorldState, self.world_cb, queue_size=1)

    def state_cb(self, msg):
        self.messages.append((msg.sim_step, msg.pose.position.z, msg.header.stamp.to_sec()))

    def world_cb(self, msg):
        self.worlds.append(msg.sim_step)


rospy.init_node('raw_topics', anonymous=True)
client = Client()
client.connect()
listener = Listener('crate')
pub = rospy.Publisher('/ambf/env/World/Command', WorldCmd, queue_size=1)
clock_rate = float(sys.argv[1]) if len(sys.argv) > 1 else 100
first = rospy.wait_for_message('/ambf/env/World/State', WorldState, timeout=90.0)
while pub.get_num_connections() == 0 and not rospy.is_shutdown():
    rospy.sleep(0.01)
cmd = WorldCmd()
cmd.enable_step_throttling = True
cmd.n_skip_steps = 2
rate = rospy.Rate(clock_rate)
ticks = 0
while not rospy.is_shutdown() and ticks < 50:
    cmd.step_clock = not cmd.step_clock
    pub.publish(cmd)
    ticks += 1
    rate.sleep()
seen = list(listener.messages)
for _ in range(200):  # a world that goes on never says the same step five times
    rospy.sleep(0.1)
    quiet = len(set(listener.worlds[-5:]))
    if quiet == 1:
        break
client.get_world_handle().enable_throttling(False)
topics = dict(rospy.get_published_topics())
pub.unregister()
rospy.loginfo('took %d ticks', ticks)
client.clean_up()
