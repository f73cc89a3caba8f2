# SPDX-License-Identifier: BSD-3-Clause
# Moves an arm by joint index and by joint name, and watches its tip.
import math
import time

from ambf_client import Client

client = Client('arm_joints')
client.connect()
time.sleep(0.3)
print(client.get_obj_names())
base = client.get_obj_handle('psm/baselink')
tip = client.get_obj_handle('/ambf/env/psm/toolyawlink')
# Frames that only some worlds have, drawn where they exist.
target = client.get_obj_handle('psm_target_ik')
time.sleep(0.3)

count, names = base.get_num_joints(), base.get_joint_names()
before = tip.get_pos()
for i in range(60):
    base.set_joint_pos(0, 0.3 * math.sin(i / 20.0))
    base.set_joint_pos('yawlink-pitchbacklink', -0.2)
    base.set_joint_pos('toolpitchlink-no-such-link', 0.1)
    base.set_joint_pos(40, 0.1)
    if target is not None:
        target.set_pos(tip.get_pos().x, tip.get_pos().y, tip.get_pos().z)
        target.set_rpy(0, 0, 0)
    time.sleep(0.01)
base.set_multiple_joint_pos([0.2, -0.1, 0.1], [0, 1, 2])
deadline = time.time() + 90.0
while abs(base.get_joint_pos(0) - 0.2) > 0.01 and time.time() < deadline:
    time.sleep(0.01)
reached = [base.get_joint_pos(0), base.get_joint_pos('yawlink-pitchbacklink'), base.get_joint_pos(2)]
missing = base.get_joint_pos('no-such-joint')
all_positions, all_velocities = base.get_all_joint_pos(), base.get_all_joint_vel()
after = tip.get_pos()
client.clean_up()
