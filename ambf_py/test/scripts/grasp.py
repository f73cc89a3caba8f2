# SPDX-License-Identifier: BSD-3-Clause
# Takes hold of what a sensor senses, by the name of the thing and by the name of the sensor.
import time

from ambf_client import Client


def show(sensor):
    for i in range(sensor.get_count()):
        print(i, sensor.is_triggered(i), sensor.get_range(i), sensor.get_measurement(i), sensor.get_sensed_object(i))


c = Client('grasp')
c.connect()
sensor = c.get_obj_handle('jaw_proximity')
actuator = c.get_obj_handle('jaw_constraint')
bob = c.get_obj_handle('pendulum/bob')
time.sleep(0.5)
show(sensor)
for i in range(10):
    if sensor.is_triggered(0):
        actuator.actuate(sensor.get_sensed_object(0))
    else:
        actuator.actuate_from_sensor_data(sensor.get_identifier())
    time.sleep(0.02)
actuator.deactuate()
actuator.actuate(bob.get_name())
deadline = time.time() + 90.0
while not actuator.is_actuated() and time.time() < deadline:
    time.sleep(0.01)
kind, parent, where = actuator.object_type, sensor.get_parent_name(), sensor.get_pose()
holds = actuator.is_actuated()
actuator.deactuate()
deadline = time.time() + 90.0
while actuator.is_actuated() and time.time() < deadline:
    time.sleep(0.01)
free = not actuator.is_actuated()
c.clean_up()
