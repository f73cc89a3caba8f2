# SPDX-License-Identifier: BSD-3-Clause
"""The arms move as the dVRK's DH parameters say, and their remote centres stay where they are."""

import math
import os

import adf_mechanism as am
import numpy as np
import pytest

LONG = os.environ.get('AMBF_TEST_LONG') == '1'
PSM_DRIVES = [
    'base link-yaw link',
    'yaw link-pitch back link',
    'pitch end link-main insertion link',
    'main insertion link-tool roll link',
    'tool roll link-tool pitch link',
    'tool pitch link-tool yaw link',
]
ECM_DRIVES = PSM_DRIVES[:3] + ['main insertion link-tool link']
MTM_DRIVES = [
    'top panel-outer yaw link',
    'outer yaw link-upper arm link',
    'upper arm link-forearm link',
    'forearm link-platform link',
    'platform link-wrist pitch link',
    'wrist pitch link-wrist yaw link',
    'wrist yaw link-wrist roll link',
]

# Forward kinematics of the dVRK: position and rotation rows for joint values q.
GOLDEN = [
    ('psm', PSM_DRIVES, 'tool yaw link', (0,) * 6, (0, 0, 0.0065), ((-1, 0, 0), (0, 0, -1), (0, -1, 0))),
    ('psm', PSM_DRIVES, 'tool yaw link', (0, 0, 0.1, 0, 0, 0), (0, 0, -0.0935), ((-1, 0, 0), (0, 0, -1), (0, -1, 0))),
    (
        'psm',
        PSM_DRIVES,
        'tool yaw link',
        (0.3, -0.2, 0.12, 0.5, -0.4, 0.6),
        (0.034105, 0.025454, -0.104504),
        ((-0.475174, 0.840100, -0.261614), (0.680240, 0.162151, -0.714829), (-0.558107, -0.517629, -0.648519)),
    ),
    ('ecm', ECM_DRIVES, 'tool link', (0,) * 4, (0, 0, -0.0007), ((0, -1, 0), (-1, 0, 0), (0, 0, -1))),
    (
        'ecm',
        ECM_DRIVES,
        'tool link',
        (0.3, -0.2, 0.12, 0.5),
        (0.034958, 0.023979, -0.113011),
        ((-0.406489, -0.866534, 0.289629), (-0.860089, 0.469869, 0.198669), (-0.308242, -0.168350, -0.936293)),
    ),
    ('mtm', MTM_DRIVES, 'wrist roll link', (0,) * 7, (0, -0.3645, -0.1288), ((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    (
        'mtm',
        MTM_DRIVES,
        'wrist roll link',
        (0.2, 0.3, -0.1, 0.4, 0.5, -0.6, 0.7),
        (0.081431, -0.401713, -0.046908),
        ((0.379646, 0.921990, 0.076179), (0.499138, -0.273466, 0.822239), (0.778929, -0.274136, -0.564021)),
    ),
]


@pytest.mark.parametrize('name, drives, tip, q, position, rows', GOLDEN)
def test_body_frames_are_the_dh_frames(name, drives, tip, q, position, rows):
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    driven = {j['name']: 0.0 for j in model.driven()} | dict(zip(drives, q))
    _, bodies = model.close(driven)
    base = bodies[model.bodies[0]]
    pose = np.linalg.inv(base) @ bodies[f'BODY {tip}']
    # The golden values carry six decimals.
    assert np.abs(pose[:3, 3] - position).max() < 1e-6
    assert np.abs(pose[:3, :3] - rows).max() < 1e-6


@pytest.mark.parametrize('name', ['psm', 'psm_si', 'ecm', 'ecm_si'])
def test_remote_centre_is_fixed_over_the_whole_range_of_pitch_and_yaw(name):
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    yaw, pitch = (model.data[f'JOINT {j}']['joint limits'] for j in PSM_DRIVES[:2])
    insertion = model.data[f'JOINT {PSM_DRIVES[2]}']['joint limits']['high']
    rest = {j['name']: 0.0 for j in model.driven()}
    worst = 0.0
    for y in np.linspace(yaw['low'], yaw['high'], 11 if LONG else 2):
        for p in np.linspace(pitch['low'], pitch['high'], 31 if LONG else 9):
            driven = rest | {PSM_DRIVES[0]: y, PSM_DRIVES[1]: p, PSM_DRIVES[2]: insertion}
            q, bodies = model.close(driven)
            assert np.abs(model.loop_residual(bodies)).max() < 1e-8
            centre = bodies['BODY base link'][:3, 3]
            # The tool axis is the insertion link's z.
            tool = bodies['BODY main insertion link']
            to_axis = np.cross(centre - tool[:3, 3], tool[:3, 2])
            worst = max(worst, np.linalg.norm(to_axis), np.linalg.norm(bodies['BODY pitch end link'][:3, 3] - centre))
            for joint in model.tree:
                low, high = joint['joint limits']['low'], joint['joint limits']['high']
                assert low - 1e-6 <= q[joint['name']] <= high + 1e-6, joint['name']
    # Exact by construction; the files' nine digits leave a few nanometres.
    assert worst < 1e-6


def test_both_jaws_open_with_positive_angles():
    model = am.Mechanism(am.PACKAGE / 'adf' / 'psm.yaml')
    rest = {j['name']: 0.0 for j in model.driven()}
    tip = np.array([0.0, 0.0102, 0.0, 1.0])
    _, bodies = model.close(rest | {'tool yaw link-tool gripper1 link': 0.3, 'tool yaw link-tool gripper2 link': 0.3})
    one = (bodies['BODY tool gripper1 link'] @ tip)[:3]
    two = (bodies['BODY tool gripper2 link'] @ tip)[:3]
    assert np.linalg.norm(one - two) == pytest.approx(2 * 0.0102 * math.sin(0.3), abs=1e-7)
    # The first jaw lies on +x at zero, so it must go to +x; otherwise the jaws would cross.
    assert one[0] > 0 > two[0]


def test_clients_see_the_drives_in_kinematic_order():
    arms = [('psm', PSM_DRIVES), ('ecm', ECM_DRIVES)] + [(m, MTM_DRIVES) for m in ('mtm', 'mtml', 'mtmr')]
    for name, drives in arms + [('psm_si', PSM_DRIVES), ('ecm_si', ECM_DRIVES)]:
        model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
        names = [j['name'] for j in model.driven()]
        assert names[: len(drives)] == drives
        # The first joint listed to a body is the one AMBF's client list shows.
        assert all(j in model.tree for j in model.driven())


# The dVRK's DH rows (alpha, a, d, theta at zero), written from its documents and not from the generators.
H = math.pi / 2


def psm_rows(offset, shaft, *wrist):
    return [(H, 0, 0, H), (-H, 0, 0, -H), (H, 0, -offset, 0), (0, 0, shaft, 0), (-H, 0, 0, -H), *wrist]


def yaw(length):
    return (-H, length, 0, -H)


ECM_ROWS = [(H, 0, 0, H), (-H, 0, 0, -H), (H, 0, -0.3822, 0), (0, 0, 0.3829, 0)]
MTM_ROWS = [
    (H, 0, 0, -H),
    (0, 0.2794, 0, -H),
    (-H, 0.3645, 0, H),
    (H, 0, 0.1506, 0),
    (-H, 0, 0, 0),
    (H, 0, 0, -H),
    (0, 0, 0, H),
]
# Instruments by number: wrist length; the same for the Si, whose number has a 2 in the second place.
WRISTS = {
    '0006': 0.0091,
    '0194': 0.0112,
    '0007': 0.0091,
    '0036': 0.0091,
    '0049': 0.0091,
    '0093': 0.0107,
    '0172': 0.0107,
    '0205': 0.0107,
    '0183': 0.0093,
    '0184': 0.0093,
}
SNAKE_WRIST = [(-H, 0.0034, 0, 0), (0, 0.0034, 0, 0), (H, 0.0034, 0, H)]


def setup_rows(lift, first, drop):
    last = [(H, 0, 0.4089, 0), (-H, 0, -0.1029, -H)]
    return [(0, 0.0896, 0, 0), (0, 0, lift, 0), (0, first, 0.1429, 0), (0, 0.4318, drop, H), *last]


SETUP_ROWS = {
    'suj_psm1': setup_rows(0.4166, 0.4318, -0.1302),
    'suj_psm2': setup_rows(0.4166, 0.4318, -0.1302),
    'suj_psm3': setup_rows(0.3404, 0.5842, 0.2571),
    'suj_ecm': [
        (0, 0.0896, 0, 0),
        (0, 0, 0.4166, 0),
        (0, 0.4318, 0.1429, 0),
        (0, 0.4318, -0.3459, H),
        (-H / 2, 0, 0, H),
        (0, -0.0667, 0, 0),
    ],
}


def shift(x, y, z):
    t = np.eye(4)
    t[:3, 3] = (x, y, z)
    return t


def turn(axis, angle):
    t = np.eye(4)
    t[:3, :3] = am.rotation(axis, angle)
    return t


def dh(rows, q, slides, standard=False):
    """Forward kinematics; `slides` is the index of the sliding joint, or None."""
    t = np.eye(4)
    for k, (alpha, a, d, theta) in enumerate(rows):
        d, theta = (d + q[k], theta) if k == slides else (d, theta + q[k])
        before, after = turn((1, 0, 0), alpha) @ shift(a, 0, 0), turn((0, 0, 1), theta) @ shift(0, 0, d)
        t = t @ (after @ shift(a, 0, 0) @ turn((1, 0, 0), alpha) if standard else before @ after)
    return t


def cases():
    classic, si = am.PACKAGE / 'adf' / 'psm.yaml', am.PACKAGE / 'adf' / 'psm_si.yaml'
    for name in ('mtm', 'mtml', 'mtmr'):
        yield name, am.PACKAGE / 'adf' / f'{name}.yaml', MTM_ROWS, None, 'wrist roll link', True
    for name in ('ecm', 'ecm_si'):
        yield name, am.PACKAGE / 'adf' / f'{name}.yaml', ECM_ROWS, 2, 'tool link', False
    yield 'psm', classic, psm_rows(0.4318, 0.4162, yaw(0.0091)), 2, 'tool yaw link', False
    yield 'psm_si', si, psm_rows(0.4826, 0.467, yaw(0.0091)), 2, 'tool yaw link', False
    for path in am.TOOL_FILES:
        number = path.stem.split('_')[-1]
        if path.stem.startswith('endoscope'):
            arm = 'ecm' if 'classic' in path.stem else 'ecm_si'
            data = am.with_tool(am.PACKAGE / 'adf' / f'{arm}.yaml', path)
            yield path.stem, data, ECM_ROWS, 2, 'tool link', False
            continue
        arm, offset, shaft = (classic, 0.4318, 0.4162) if number[1] == '0' else (si, 0.4826, 0.467)
        if number[2:] == '0117':
            rows = psm_rows(offset, {classic: 0.4024, si: 0.4532}[arm], *SNAKE_WRIST)
        else:
            rows = psm_rows(offset, shaft, yaw(WRISTS[number[2:]]))
        yield path.stem, am.with_tool(arm, path), rows, 2, 'tool yaw link', False


CASES = list(cases())


@pytest.mark.parametrize('name, source, rows, slides, tip, standard', CASES, ids=[c[0] for c in CASES])
def test_models_follow_the_dh_rows_over_their_range(name, source, rows, slides, tip, standard):
    model = am.Mechanism(source)
    drives = model.driven()[: len(rows)]
    rng = np.random.default_rng(5)
    low, high = (np.array([j['joint limits'][k] for j in drives]) for k in ('low', 'high'))
    base, rest = model.bodies[0], {j['name']: model.start_value(j) for j in model.driven()}
    corners = [low, high] + [rng.uniform(low, high) for _ in range(10 if LONG else 2)]
    for q in corners:
        _, bodies = model.close(rest | dict(zip((j['name'] for j in drives), q)))
        assert np.abs(model.loop_residual(bodies)).max(initial=0.0) < 1e-8
        found = np.linalg.inv(bodies[base]) @ bodies[f'BODY {tip}']
        # Nine digits in the files.
        assert np.abs(found - dh(rows, q, slides, standard)).max() < 1e-6


@pytest.mark.parametrize('name', SETUP_ROWS)
def test_setup_joints_carry_the_base_frame(name):
    """Over their range, and where the world of the patient cart has them."""
    rows = SETUP_ROWS[name]
    tip = shift(0.6126, 0, 0.1016) if name == 'suj_ecm' else shift(0.4864, 0, 0.1524)
    tip[:3, :3] = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    alone = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    carrying = am.Mechanism(am.PACKAGE / 'worlds' / 'patient_cart' / f'{name[4:]}.yaml')
    rng = np.random.default_rng(6)
    for model in (alone, carrying):
        drives = [j for j in model.driven() if j['parent'].startswith('BODY setup')]
        assert len(drives) == (4 if name == 'suj_ecm' else 6)
        start = [model.start_value(j) for j in drives]
        ranges = np.array([[j['joint limits'][k] for j in drives] for k in ('low', 'high')])
        for q in [start, ranges[0], ranges[1], rng.uniform(*ranges)]:
            bodies = model.forward(dict(zip((j['name'] for j in drives), q)))
            found = np.linalg.inv(bodies['BODY setup column link']) @ bodies['BODY base link']
            assert np.abs(found - dh(rows, list(q) + [0] * (6 - len(q)), 0) @ tip).max() < 1e-6


def test_base_frames_of_the_cart_are_where_its_ports_are():
    """Remote centres of the instruments lie around that of the endoscope, which looks towards the cart and down."""
    base = {}
    for name in ('psm1', 'psm2', 'psm3', 'ecm'):
        model = am.Mechanism(am.PACKAGE / 'worlds' / 'patient_cart' / f'{name}.yaml')
        base[name] = model.location['BODY base link']
    cart = am.load(am.PACKAGE / 'worlds' / 'patient_cart' / 'cart.yaml')['BODY cart']['location']
    to_cart = np.linalg.inv(am.pose(cart))
    ecm = to_cart @ base['ecm']
    assert (-ecm[:3, 2])[1] < -0.7 and (-ecm[:3, 2])[2] < -0.7
    for name, side in (('psm1', -1), ('psm2', 1), ('psm3', 1)):
        psm = to_cart @ base[name]
        across = side * (psm[0, 3] - ecm[0, 3])
        assert 0.1 < across < 0.25 and np.linalg.norm(psm[:3, 3] - ecm[:3, 3]) < 0.25
        # The tool leans towards the endoscope.
        assert side * -psm[0, 2] < -0.15


@pytest.mark.parametrize('name', ['psm', 'psm_si', 'ecm', 'ecm_si'])
def test_arms_stand_on_the_negative_y_side_of_their_base_frame(name):
    """As the dVRK's do: the set-up joints end behind the remote centre, along -y."""
    model = am.Mechanism(am.PACKAGE / 'adf' / f'{name}.yaml')
    assert model.data['JOINT base link-yaw link']['parent pivot']['y'] < -0.3
    offset = am.pose(model.data['BODY yaw link']['inertial offset'])
    assert (model.location['BODY yaw link'] @ offset)[1, 3] < -0.2


def test_golden_numbers_with_the_axes_of_the_picture():
    """Tip of the large needle driver as the dVRK reports it."""
    tip = np.eye(4)
    tip[:3, :3] = [[0, -1, 0], [0, 0, 1], [-1, 0, 0]]
    model = am.Mechanism(am.PACKAGE / 'adf' / 'psm.yaml')
    rest = {j['name']: 0.0 for j in model.driven()}
    for q, position in (
        ((0, 0, 0.12, 0, 0, 0), (0, 0, -0.1135)),
        ((0.3, -0.2, 0.15, 0.5, -0.4, 0.6), (0.042795, 0.031415, -0.132593)),
    ):
        _, bodies = model.close(rest | dict(zip(PSM_DRIVES, q)))
        pose = np.linalg.inv(bodies['BODY base link']) @ bodies['BODY tool yaw link'] @ tip
        assert np.abs(pose[:3, 3] - position).max() < 1e-6
        if not q[0]:
            assert np.abs(pose[:3, :3] - [[0, 1, 0], [1, 0, 0], [0, 0, -1]]).max() < 1e-6


def test_the_left_master_is_the_mirror_image_of_the_right_one():
    left, right = (am.Mechanism(am.PACKAGE / 'adf' / f'{m}.yaml') for m in ('mtml', 'mtmr'))

    def centre(model, body):
        return (model.location[body] @ am.pose(model.data[body]['inertial offset']))[:3, 3]

    for body in ('BODY platform link', 'BODY crank link', 'BODY wrist pitch link'):
        one, other = centre(left, body), centre(right, body)
        assert abs(one[0]) > 0.02
        assert np.abs(one - other * (-1, 1, 1)).max() < 1e-6


@pytest.mark.parametrize('view, angle', [('straight', 0.0), ('up', -30.0), ('down', 30.0)])
def test_endoscopes_look_where_their_name_says(view, angle):
    """Tip of the dVRK: Rz(-90 degrees), then the view's angle about x; x left in the picture, y up, z away."""
    data = am.load(am.PACKAGE / 'tools' / f'endoscope_classic_{view}.yaml')
    axes = turn((0, 0, 1), -H) @ turn((1, 0, 0), math.radians(angle))
    places = {}
    for side in ('left', 'right'):
        camera = data[f'CAMERA endoscope {side}']
        ahead = am.xyz(camera['look at']) - am.xyz(camera['location'])
        assert np.abs(ahead / np.linalg.norm(ahead) - axes[:3, 2]).max() < 1e-6
        assert np.abs(am.xyz(camera['up']) - axes[:3, 1]).max() < 1e-6
        places[side] = am.xyz(camera['location'])
    assert (places['left'] - places['right']) @ axes[:3, 0] == pytest.approx(0.005)
