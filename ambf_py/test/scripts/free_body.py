# SPDX-License-Identifier: BSD-3-Clause
# Places a body, pushes it, gives it a velocity; the three Cartesian modes of an object.
import math
import sys
import time

from ambf_client import Client

c = Client()
c.connect()
time.sleep(0.2)
crate = c.get_obj_handle('crate')
if not crate:
    print('crate not found')
    sys.exit(1)
time.sleep(0.2)
supports_wrench = crate.object_type == 'RIGID_BODY'
steps = []
for i in range(50):
    crate.set_pos(0.1 * math.sin(i / 10.0), 0.0, 1.0)
    crate.set_rpy(0, 0, 0.5)
    steps.append(crate.get_sim_step())
    time.sleep(0.01)
crate.pose_command(0.2, 0.1, 1.2, 0, 0, 0)
deadline = time.time() + 90.0
while (abs(crate.get_pos().z - 1.2) > 0.01 or abs(crate.get_rpy()[2]) > 0.02) and time.time() < deadline:
    time.sleep(0.01)
held = crate.get_pose()
rotation = crate.get_rot()
for i in range(30):
    crate.set_force(0, 0, 30.0)
    crate.set_torque(0, 0, 0)
    time.sleep(0.01)
pushed = crate.get_linear_vel().z
crate.set_linear_vel(0, 0, -0.5)
crate.set_angular_vel(0, 0, 0)
time.sleep(0.2)
falling = crate.get_linear_vel().z
crate.set_force(0, 0, 0)
crate.set_torque(0, 0, 0)
nobody = c.get_obj_handle('no such thing')
c.clean_up()
