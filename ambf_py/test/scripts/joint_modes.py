# SPDX-License-Identifier: BSD-3-Clause
# Drives joints by numpy arrays of positions, velocities and efforts, several at once and mixed.
import time

import numpy as np

from ambf_client import Client

_client = Client()
_client.connect()
print(_client.get_common_namespace(), _client.get_obj_names())
psm_handle = _client.get_obj_handle('psm/baselink')
time.sleep(0.2)
joints_to_control = np.array(
    [
        'baselink-yawlink',
        'yawlink-pitchbacklink',
        'pitchendlink-maininsertionlink',
        'maininsertionlink-toolrolllink',
        'toolpitchlink-toolgripper1link',
    ]
)
desired = np.array([0.25, -0.15, 0.08, 0.3, 0.0])
for index, name in enumerate(joints_to_control):
    psm_handle.set_joint_pos(name, desired[index])
deadline = time.time() + 90.0
for index, name in enumerate(joints_to_control[:4]):
    while abs(psm_handle.get_joint_pos(name) - desired[index]) > 0.02 and time.time() < deadline:
        time.sleep(0.01)
reached = [psm_handle.get_joint_pos(name) for name in joints_to_control]
unknown = psm_handle.get_joint_idx_from_name('toolpitchlink-toolgripper1link')
beyond = psm_handle.get_joint_name_from_idx(40)
valid = [psm_handle.is_joint_idx_valid(0), psm_handle.is_joint_idx_valid(40)]

psm_handle.set_multiple_joint_pos(np.array([0.0, 0.0, 0.1]), [0, 1, 2])
while np.abs(np.array(psm_handle.get_all_joint_pos()[:3]) - [0.0, 0.0, 0.1]).max() > 0.02 and time.time() < deadline:
    time.sleep(0.01)
together = psm_handle.get_all_joint_pos()
psm_handle.set_multiple_joint_vel([0.2, -0.2], [0, 1])
time.sleep(0.5)
speeds = psm_handle.get_all_joint_vel()
psm_handle.set_multiple_joint_vel([0.0, 0.0], [0, 1])
psm_handle.set_joint_pos(2, 0.1)
psm_handle.set_multiple_joint_effort([0.02, -0.02], [6, 7])
time.sleep(0.3)
efforts = [psm_handle.get_joint_effort(i) for i in range(psm_handle.get_num_joints())]
same = psm_handle.get_all_joint_effort()
psm_handle.set_multiple_joint_pos([0.0], [40])
_client.clean_up()
