# SPDX-License-Identifier: BSD-3-Clause
# Flies a camera on a circle and moves a light, by the same calls as bodies have.
import math
import time

from geometry_msgs.msg import Pose

from ambf_client import Client

client = Client('camera_and_lights')
client.connect()
time.sleep(0.2)
camera = client.get_obj_handle('/ambf/env/cameras/main_camera')
light = client.get_obj_handle('key_light')
time.sleep(0.2)
kinds = [camera.object_type, light.object_type, camera.body_type]
start = camera.get_pos()
looks = camera.get_rpy()
standing = camera.get_pos_command()
parents = [camera.get_parent_name(), light.get_parent_name()]
for i in range(30):
    camera.set_pos(start.x + 0.1 * math.sin(i / 10.0), start.y, start.z)
    camera.set_rpy(looks[0], looks[1], looks[2])
    time.sleep(0.01)
commanded = camera.get_pos_command()
pose = Pose()
pose.position.x, pose.position.y, pose.position.z = 1.0, -1.0, 2.0
pose.orientation.w = 1.0
light.set_pose(pose)
camera.set_pos(0, -2, 1)
deadline = time.time() + 90.0
while (abs(camera.get_pos().y + 2.0) > 1e-3 or abs(light.get_pos().z - 2.0) > 1e-3) and time.time() < deadline:
    time.sleep(0.01)
camera_at, light_at, light_turned = camera.get_pos(), light.get_pose(), light.get_rot()
stamp, steps = camera.get_msg_time_stamp(), [camera.get_sim_step(), light.get_seq_num()]
client.clean_up()
