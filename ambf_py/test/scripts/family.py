# SPDX-License-Identifier: BSD-3-Clause
# Explores how bodies hang together, reads raw states, and shuts down by itself; with a client of the third version.
import time

from ambf_client import Client


class Scene:
    def __init__(self, name):
        self.client = Client(name)
        self.client.connect()
        time.sleep(0.5)
        self.world = self.client.get_world_handle()

    def object(self, name, required=False):
        handle = self.client.get_obj_handle(name)
        if required and handle is None:
            raise RuntimeError(name + ' is required but not found')
        return handle if handle else None

    def family(self, handle):
        return {name: self.client.get_obj_handle('psm/' + name) for name in handle.get_children_names()}


scene = Scene('family')
base = scene.object('psm/baselink', required=True)
children = scene.family(base)
depth = {name: child.get_num_of_children() for name, child in children.items()}
leaf = scene.object('psm/toolgripper1link')
leaf_joints = [leaf.get_num_joints(), leaf.get_all_joint_pos(), leaf.get_joint_names()]
ros_name, identifier = base._name, base.get_identifier()
inertia, raw = base.get_inertia(), base._state
raw_values = [raw.name.data, raw.mass, raw.pose.position.z, list(raw.joint_positions), raw.sim_time, raw.pInertia.x]
start = scene.world._state.sim_time
rate = scene.client.create_rate(50)
times = []
while not scene.client.is_shutdown() and len(times) < 25:
    times.append(scene.client.get_time())
    rate.sleep()
elapsed = scene.world._state.sim_time - start
try:
    scene.object('psm/elbow', required=True)
    complained = False
except RuntimeError:
    complained = True
pose_of_leaf, pose_of_nobody = scene.client.get_obj_pose('psm/toolgripper1link'), scene.client.get_obj_pose('elbow')
scene.client.print_active_topics()
scene.client.refresh()
again = scene.client.get_obj_handle('psm/baselink').get_num_joints()
scene.client.clean_up()
