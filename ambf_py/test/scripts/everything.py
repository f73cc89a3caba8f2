# SPDX-License-Identifier: BSD-3-Clause
# Looks at every object of the world, as a logger does, and drives joints by velocity and effort.
import os
import time

from ambf_client import Client


def open_all(name):
    client = Client(name)
    client.connect()
    handles = {}
    for full_name in client.get_obj_names():
        short = os.path.basename(os.path.normpath(full_name))
        if any(word in short for word in ('World', 'light')):
            continue
        handles[full_name] = client.get_obj_handle(full_name)
    return client, handles


client, handles = open_all('everything')
client.print_summary()
time.sleep(0.3)
poses, kinds = {}, {}
for name, handle in handles.items():
    kinds[name] = handle.object_type
    if handle.object_type == 'RIGID_BODY':
        p, r = handle.get_pos(), handle.get_rot()
        poses[name] = [p.x, p.y, p.z, r.x, r.y, r.z, r.w]
base = client.get_obj_handle('psm/baselink')
names = [base.get_joint_name_from_idx(i) for i in range(base.get_num_joints())]
indices = [base.get_joint_idx_from_name(n) for n in names]
children, stamp, parent = base.get_children_names(), base.get_msg_time_stamp(), base.get_parent_name()
start = base.get_joint_pos(0)
for i in range(40):
    base.set_joint_vel(0, 0.3)
    base.set_joint_effort(6, 0.01)
    time.sleep(0.01)
moved = base.get_joint_pos(0) - start
speed = base.get_joint_vel(0)
base.set_joint_vel(0, 0.0)
world = client.get_world_handle()
same_world = client.get_obj_handle('World') is world
world.reset_bodies()
client.clean_up()
