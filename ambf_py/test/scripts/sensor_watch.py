# SPDX-License-Identifier: BSD-3-Clause
# Watches a sensor array at a rate and closes a hand with a constraint when something is seen, as the grasping examples.
import rospy

from ambf_client import Client


class Hand:
    def __init__(self, client, sensor_name, actuator_name):
        self.sensor = client.get_obj_handle(sensor_name)
        self.actuator = client.get_obj_handle(actuator_name)
        self.active = False
        self.history = []

    def run(self, grasp):
        seen = [self.sensor.is_triggered(i) for i in range(self.sensor.get_count())]
        self.history.append(any(seen))
        for i, triggered in enumerate(seen):
            if grasp and triggered and not self.active:
                self.actuator.actuate(self.sensor.get_sensed_object(i))
                self.active = True
        if not grasp and self.active:
            self.actuator.deactuate()
            self.active = False


def main():
    client = Client('sensor_watch')
    client.connect()
    hand = Hand(client, 'jaw_proximity', 'jaw_constraint')
    rospy.sleep(0.3)
    rate = rospy.Rate(100)
    count = 0
    while not rospy.is_shutdown() and count < 40:
        hand.run(grasp=count < 20)
        count += 1
        rate.sleep()
    sensor = hand.sensor
    where = sensor.get_pose()
    facts = [
        sensor.get_parent_name(),
        sensor.get_parent(),
        sensor.get_identifier(),
        sensor.get_range(0),
        sensor.get_all_measurements(),
        where.position.x,
        where.orientation.w,
    ]
    beyond = [sensor.is_triggered(99), sensor.get_measurement(99), sensor.get_sensed_object(99)]
    client.clean_up()
    return hand.history, facts, beyond


if __name__ == '__main__':
    history, facts, beyond = main()
