# SPDX-License-Identifier: BSD-3-Clause
# An agent that owns the clock: act, let five steps pass, observe; as the environment of AMBF does.
import time

from ambf_client import Client

SKIP = 5
client = Client('throttled_agent')
client.connect(default_publish_rate=200)
time.sleep(0.3)
world = client.get_world_handle()
arm = client.get_obj_handle('psm/baselink')
time.sleep(0.3)
world.reset_bodies()
time.sleep(0.2)
world.enable_throttling(True)
world.set_num_step_skips(SKIP)
start = arm.get_sim_step()
observations = []
for i in range(10):
    before = arm.get_sim_step()
    arm.set_joint_pos(0, 0.02 * i)
    world.update()
    deadline = time.time() + 90.0
    while arm.get_sim_step() - before < SKIP and time.time() < deadline:
        time.sleep(0.0001)
    observations.append(arm.get_all_joint_pos() + arm.get_all_joint_vel())
taken = arm.get_sim_step() - start
try:
    world.set_num_step_skips(0)
    refused = False
except ValueError:
    refused = True
world.enable_throttling(False)
world.reset()
client.clean_up()
