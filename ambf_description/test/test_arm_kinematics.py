"""The arms move as the dVRK's DH parameters say, and their remote centres stay where they are."""

import math
import os

import numpy as np
import pytest

import adf_mechanism as am

LONG = os.environ.get("AMBF_TEST_LONG") == "1"
PSM_DRIVES = ["base link-yaw link", "yaw link-pitch back link",
              "pitch end link-main insertion link", "main insertion link-tool roll link",
              "tool roll link-tool pitch link", "tool pitch link-tool yaw link"]
ECM_DRIVES = PSM_DRIVES[:3] + ["main insertion link-tool link"]
MTM_DRIVES = ["top panel-outer yaw link", "outer yaw link-upper arm link",
              "upper arm link-forearm link", "forearm link-platform link",
              "platform link-wrist pitch link", "wrist pitch link-wrist yaw link",
              "wrist yaw link-wrist roll link"]

# Forward kinematics of the dVRK: position and rotation rows for joint values q.
GOLDEN = [
    ("psm", PSM_DRIVES, "tool yaw link", (0,) * 6, (0, 0, 0.0065),
     ((-1, 0, 0), (0, 0, -1), (0, -1, 0))),
    ("psm", PSM_DRIVES, "tool yaw link", (0, 0, 0.1, 0, 0, 0), (0, 0, -0.0935),
     ((-1, 0, 0), (0, 0, -1), (0, -1, 0))),
    ("psm", PSM_DRIVES, "tool yaw link", (0.3, -0.2, 0.12, 0.5, -0.4, 0.6),
     (0.034105, 0.025454, -0.104504),
     ((-0.475174, 0.840100, -0.261614), (0.680240, 0.162151, -0.714829),
      (-0.558107, -0.517629, -0.648519))),
    ("ecm", ECM_DRIVES, "tool link", (0,) * 4, (0, 0, -0.0007),
     ((0, -1, 0), (-1, 0, 0), (0, 0, -1))),
    ("ecm", ECM_DRIVES, "tool link", (0.3, -0.2, 0.12, 0.5), (0.034958, 0.023979, -0.113011),
     ((-0.406489, -0.866534, 0.289629), (-0.860089, 0.469869, 0.198669),
      (-0.308242, -0.168350, -0.936293))),
    ("mtm", MTM_DRIVES, "wrist roll link", (0,) * 7, (0, -0.3645, -0.1288),
     ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    ("mtm", MTM_DRIVES, "wrist roll link", (0.2, 0.3, -0.1, 0.4, 0.5, -0.6, 0.7),
     (0.081431, -0.401713, -0.046908),
     ((0.379646, 0.921990, 0.076179), (0.499138, -0.273466, 0.822239),
      (0.778929, -0.274136, -0.564021))),
]


@pytest.mark.parametrize("name, drives, tip, q, position, rows", GOLDEN)
def test_body_frames_are_the_dh_frames(name, drives, tip, q, position, rows):
    model = am.Mechanism(am.PACKAGE / "adf" / f"{name}.yaml")
    driven = {j["name"]: 0.0 for j in model.driven()} | dict(zip(drives, q))
    _, bodies = model.close(driven)
    base = bodies[model.bodies[0]]
    pose = np.linalg.inv(base) @ bodies[f"BODY {tip}"]
    # The golden values carry six decimals.
    assert np.abs(pose[:3, 3] - position).max() < 1e-6
    assert np.abs(pose[:3, :3] - rows).max() < 1e-6


@pytest.mark.parametrize("name", ["psm", "ecm"])
def test_remote_centre_is_fixed_over_the_whole_range_of_pitch_and_yaw(name):
    model = am.Mechanism(am.PACKAGE / "adf" / f"{name}.yaml")
    yaw, pitch = (model.data[f"JOINT {j}"]["joint limits"] for j in PSM_DRIVES[:2])
    insertion = model.data[f"JOINT {PSM_DRIVES[2]}"]["joint limits"]["high"]
    rest = {j["name"]: 0.0 for j in model.driven()}
    worst = 0.0
    for y in np.linspace(yaw["low"], yaw["high"], 11 if LONG else 2):
        for p in np.linspace(pitch["low"], pitch["high"], 31 if LONG else 9):
            driven = rest | {PSM_DRIVES[0]: y, PSM_DRIVES[1]: p, PSM_DRIVES[2]: insertion}
            q, bodies = model.close(driven)
            assert np.abs(model.loop_residual(bodies)).max() < 1e-8
            centre = bodies["BODY base link"][:3, 3]
            # The tool axis is the insertion link's z.
            tool = bodies["BODY main insertion link"]
            to_axis = np.cross(centre - tool[:3, 3], tool[:3, 2])
            worst = max(worst, np.linalg.norm(to_axis),
                        np.linalg.norm(bodies["BODY pitch end link"][:3, 3] - centre))
            for joint in model.tree:
                low, high = joint["joint limits"]["low"], joint["joint limits"]["high"]
                assert low - 1e-6 <= q[joint["name"]] <= high + 1e-6, joint["name"]
    # Exact by construction; the files' nine digits leave a few nanometres.
    assert worst < 1e-6


def test_both_jaws_open_with_positive_angles():
    model = am.Mechanism(am.PACKAGE / "adf" / "psm.yaml")
    rest = {j["name"]: 0.0 for j in model.driven()}
    tip = np.array([0.0, 0.0102, 0.0, 1.0])
    _, bodies = model.close(rest | {"tool yaw link-tool gripper1 link": 0.3,
                                    "tool yaw link-tool gripper2 link": 0.3})
    one = (bodies["BODY tool gripper1 link"] @ tip)[:3]
    two = (bodies["BODY tool gripper2 link"] @ tip)[:3]
    assert np.linalg.norm(one - two) == pytest.approx(2 * 0.0102 * math.sin(0.3), abs=1e-7)
    # The first jaw lies on +x at zero, so it must go to +x; otherwise the jaws would cross.
    assert one[0] > 0 > two[0]


def test_clients_see_the_drives_in_kinematic_order():
    for name, drives in (("psm", PSM_DRIVES), ("ecm", ECM_DRIVES), ("mtm", MTM_DRIVES)):
        model = am.Mechanism(am.PACKAGE / "adf" / f"{name}.yaml")
        names = [j["name"] for j in model.driven()]
        assert names[:len(drives)] == drives
        # The first joint listed to a body is the one AMBF's client list shows.
        assert all(j in model.tree for j in model.driven())
