# SPDX-License-Identifier: BSD-3-Clause
"""A dVRK's files become descriptions of arms, a world, and a file for the console. The files here are small and our own."""

import json
import math
import pathlib

import numpy as np
import pytest
import yaml
from ament_index_python.packages import get_package_share_directory

from ambf_bringup.dvrk_arms import Reader, forward, read_table
from ambf_bringup.dvrk_files import Block, DvrkProblem, Notes, read_json, without_comments
from ambf_bringup.dvrk_system import main
from ambf_bringup.dvrk_write import (
    as_yaml,
    description,
    from_ros,
    location_of,
    matrix_of,
    placed_model,
    places,
    write_world,
)

QUARTER = 1.5708


def joint(name, alpha=0.0, a=0.0, d=0.0, offset=0.0, kind='revolute', low=-1.0, high=1.0, **more):
    return {
        'name': name, 'alpha': alpha, 'A': a, 'theta': 0.0, 'D': d, 'type': kind, 'mode': 'active', 'offset': offset,
        'qmin': low, 'qmax': high, 'ftmax': 2.0, **more,
    }  # fmt: skip


PSM = {
    'DH': {
        'convention': 'modified',
        'joints': [
            joint('yaw', QUARTER, offset=QUARTER),
            joint('pitch', -QUARTER, offset=-QUARTER, low=-0.9, high=0.9),
            joint('insertion', QUARTER, offset=-0.4318, kind='prismatic', low=0.0, high=0.24),
        ],
    }
}
ECM = {'DH': {**PSM['DH'], 'joints': [*PSM['DH']['joints'], joint('roll', d=0.38)]}}
MTM = {
    'DH': {
        'convention': 'standard',
        'links': [joint(f'axis_{i}', QUARTER if i % 2 else -QUARTER, a=0.1) for i in range(7)],
    }
}
TOOL = {
    'DH': {
        'convention': 'modified',
        'joints': [
            joint('roll', d=0.4162),
            joint('wrist_pitch', -QUARTER, offset=-QUARTER),
            joint('wrist_yaw', -QUARTER, a=0.0091, offset=-QUARTER),
        ],
    },
    'jaw': {'qmin': -0.5, 'qmax': 1.2, 'ftmax': 0.2},
    'tooltip_offset': [[0, -1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 0], [0, 0, 0, 1]],
    'coupling': {},
}
BASE = [[-1, 0, 0, 0.18], [0, 0.8660, 0.5, 0.4], [0, 0.5, -0.8660, 0.475], [0, 0, 0, 1]]


@pytest.fixture
def share(tmp_path):
    folder = tmp_path / 'share'

    def write(name, data, before=''):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(before + json.dumps(data, indent=1))
        return file

    write('kinematic/PSM.json', PSM, '/* by hand */\n// of the tests\n')
    write('kinematic/ECM.json', ECM)
    write('kinematic/MTMR.json', MTM)
    write('tool/SCISSORS_400001.json', TOOL)
    write('tool/SCISSORS_400001_GEARED.json', {**TOOL, 'jaw': {'qmin': -0.1, 'qmax': 0.1}})
    write('tool/SNAKE_400117.json', {**TOOL, 'snake-like': True})
    write(
        'tool/index.json',
        {
            'instruments': [
                {'model': '400001', 'names': ['SCISSORS'], 'generation': 'Classic', 'file': 'SCISSORS_400001.json'},
                {
                    'model': '400001', 'names': ['SCISSORS'], 'generation': 'Classic', 'version_min': 7,
                    'file': 'SCISSORS_400001_GEARED.json',
                },
                {'model': '400117', 'names': ['SNAKE'], 'generation': 'Classic', 'file': 'SNAKE_400117.json'},
            ]
        },
    )  # fmt: skip
    arm = {'kinematic': 'kinematic/PSM.json', 'generation': 'Classic', 'mounting_pitch': 0.1}
    write('arm/PSM.json', {**arm, 'tool_detection': 'FIXED', 'tool': 'SCISSORS:400001[3]'})
    write('arm/PSM_MANUAL.json', {**arm, 'tool_detection': 'MANUAL'})
    write('arm/ECM.json', {'kinematic': 'kinematic/ECM.json', 'generation': 'Classic', 'endoscope': 'Classic_HD_UP'})
    write('arm/MTMR.json', {'kinematic': 'kinematic/MTMR.json', 'generation': 'Classic'})
    write(
        'arm/SUJ.json',
        {'arms': [{'name': 'PSM1', 'measured_cp': [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 0], [0, 0, 0, 1]]}]},
    )
    return type('Files', (), {'folder': folder, 'write': staticmethod(write)})


@pytest.fixture
def write_system(share):
    def write(*arms, name='system/system.json', **more):
        return share.write(name, {'$id': 'dvrk-system.schema.json', '$version': '1', 'arms': list(arms), **more})

    return write


PSM1 = {'name': 'PSM1', 'type': 'PSM', 'simulation': 'KINEMATIC', 'arm_file': 'arm/PSM.json'}


def test_comments_become_blanks_and_strings_stay():
    text = '{"a": "http://x /* y */", // c\n "b": /* d\n e */ 1}'
    plain = without_comments(text)
    assert json.loads(plain) == {'a': 'http://x /* y */', 'b': 1} and plain.count('\n') == 2


def test_a_system_becomes_plans(write_system):
    system = Reader(
        write_system(
            {'name': 'SUJ', 'type': 'SUJ_Fixed', 'arm_file': 'arm/SUJ.json'},
            {**PSM1, 'base_frame': {'component': 'SUJ', 'interface': 'PSM1'}},
            {'name': 'ECM', 'type': 'ECM_DERIVED', 'simulation': 'KINEMATIC', 'arm_file': 'arm/ECM.json'},
            {
                'name': 'MTMR', 'type': 'MTM', 'simulation': 'KINEMATIC', 'arm_file': 'arm/MTMR.json',
                'base_frame': {'reference_frame': 'HRSV', 'transform': BASE},
            },
        )
    ).read()  # fmt: skip
    psm, ecm, mtm = system.arms
    assert (psm.name, psm.kind, psm.tool, psm.jaw) == ('PSM1', 'PSM', 'SCISSORS:400001', (-0.5, 1.2))
    assert [row.name for row in psm.table.rows] == ['yaw', 'pitch', 'insertion', 'roll', 'wrist_pitch', 'wrist_yaw']
    assert psm.table.rows[2].d == -0.4318 and psm.table.rows[2].slides and psm.table.rows[0].theta == QUARTER
    assert psm.reference == 'Cart' and psm.base[1, 3] == 2.0
    assert ecm.endoscope == 'Classic_HD_UP' and len(ecm.table.rows) == 4
    assert mtm.table.convention == 'standard' and mtm.reference == 'HRSV' and mtm.side == 'right'
    r = mtm.base[:3, :3]
    assert np.abs(r @ r.T - np.eye(3)).max() < 1e-15  # four digits in the file
    assert system.notes == ['SUJ: the arms stand still where it has them, seen from the cart, not from the camera']


def test_descriptions_are_those_of_the_manual(write_system):
    plan = Reader(write_system({**PSM1, 'base_frame': {'reference_frame': 'ECM', 'transform': BASE}})).read().arms[0]
    block = yaml.safe_load(as_yaml(description(plan, 'PSM1.yaml')))
    assert block['dh']['rows'][2] == {'alpha': QUARTER, 'a': 0.0, 'd': -0.4318, 'theta': 0.0, 'slides': True}
    assert block['joints'][1] == {'name': 'pitch', 'low': -0.9, 'high': 0.9, 'max effort': 2.0}
    assert block['jaw']['low'] == -0.5 and len(block['jaw']['joints']) == 2
    assert block['model'] == 'PSM1.yaml' and block['base'] == 'BODY base link'
    assert block['tip offset']['matrix'][0] == [0.0, -1.0, 0.0, 0.0]
    assert block['base frame']['reference'] == 'ECM'
    assert 'model' not in description(plan, None) and 'joints' not in description(plan, None)['jaw']


def test_rows_are_the_kinematics_that_the_dvrk_has(write_system):
    """The numbers of the dVRK user guide; the poses were computed apart from this code."""
    plan = Reader(write_system(PSM1)).read().arms[0]

    def tip(q):
        return forward(plan.table, q) @ plan.tip

    home = tip([0.0, 0.0, 0.12, 0.0, 0.0, 0.0])
    assert np.allclose(home[:3, 3], [0.0, 0.0, -0.1135], atol=2e-6)
    assert np.allclose(home[:3, :3], [[0, 1, 0], [1, 0, 0], [0, 0, -1]], atol=2e-5)
    assert np.allclose(tip([0.3, -0.2, 0.15, 0.5, -0.4, 0.6])[:3, 3], [0.042795, 0.031415, -0.132593], atol=3e-6)


def test_a_tool_is_found_by_version_and_second_spelling(write_system, share):
    arm = json.loads((share.folder / 'arm/PSM.json').read_text())

    def jaw(tool):
        share.write('arm/PSM.json', {**arm, 'tool': tool})
        return Reader(write_system(PSM1)).read().arms[0]

    assert jaw('SCISSORS:400001[9]').jaw == (-0.1, 0.1)
    assert jaw('SCISSORS').jaw == (-0.5, 1.2)
    assert jaw('SCISSORS_400001').tool == 'SCISSORS:400001'
    snake = jaw('SNAKE:400117')
    assert len(snake.table.rows) == 3 and snake.tip is None and snake.jaw == (-0.5, 1.2)
    with pytest.raises(DvrkProblem, match=r"PSM.json: tool: found 'SCISSORS:400002'.*there is SCISSORS:400001"):
        jaw('SCISSORS:400002')
    share.write('mine/index.json', {'instruments': [{'model': '1', 'names': ['MINE'], 'file': 'mine.json'}]})
    share.write('mine/mine.json', {**TOOL, 'jaw': {'qmin': 0.0, 'qmax': 0.3}})
    share.write('arm/PSM.json', {**arm, 'tool': 'MINE:1', 'custom_tool_index': 'mine/index.json'})
    system = Reader(write_system(PSM1)).read()
    assert system.arms[0].jaw == (0.0, 0.3) and system.arms[0].tool == ''
    assert any('a tool of your own' in note for note in system.notes)
    (share.folder / 'mine/mine.json').unlink()
    with pytest.raises(DvrkProblem, match=r"the file of 'MINE:1' is missing"):
        Reader(write_system(PSM1)).read()


def test_old_keys_are_read_and_named(share):
    file = share.write(
        'old/console.json',
        {
            'component-manager': {
                'components': [
                    {'shared-library': 'dvrk_arm_from_ros', 'class-name': 'c', 'constructor-arg': {'Name': 'PSM2'}}
                ]
            },
            'arms': [
                {'name': 'PSM1', 'type': 'PSM', 'arm': 'arm/PSM.json', 'serial': '1', 'base-frame': {
                    'reference-frame': 'ECM', 'transform': BASE}},
                {'name': 'PSM2', 'type': 'PSM_GENERIC', 'component': 'PSM2', 'interface': 'PSM2', 'skip-ros-bridge': True},
                {'name': 'MTMR', 'type': 'MTM_GENERIC', 'component': 'Haply', 'interface': 'MTMR'},
            ],
            'PSM-teleops': [],
        },
    )  # fmt: skip
    system = Reader(file).read()
    assert [plan.name for plan in system.arms] == ['PSM1', 'PSM2'] and system.arms[0].reference == 'ECM'
    assert system.arms[1].table is None
    said = '\n'.join(system.notes)
    for words in ('keys with dashes', 'PSM1: a real arm', 'MTMR: left out', 'PSM2: taken from ROS'):
        assert words in said
    assert said.count('keys with dashes') == 1


def test_unknown_keys_are_named_once(write_system):
    system = Reader(write_system({**PSM1, 'colour': 'red'}, {**PSM1, 'name': 'PSM2', 'colour': 'blue'})).read()
    assert [note for note in system.notes if 'colour' in note] == [
        f'{system.file}: arms[0]/colour: a key that means nothing here'
    ]


@pytest.mark.parametrize(
    ('change', 'says'),
    [
        (
            {'arm_file': 'arm/NONE.json'},
            r"system.json: arms\[0\]/arm_file: found 'arm/NONE.json', which is in none of: ",
        ),
        ({'arm_file': None}, r'arms\[0\]/arm_file: found null, expected a text'),
        ({'type': 3}, r'arms\[0\]/type: found 3, expected a text'),
        ({'name': 'my arm'}, r"arms\[0\]/name: found 'my arm', expected letters"),
        ({'base_frame': {'transform': [[1]]}}, r'base_frame/transform: expected four rows'),
        (
            {'base_frame': {'transform': np.diag([1, 1, -1, 1]).tolist()}},
            r'base_frame/transform: found a matrix that is no rotation',
        ),
        ({'type': 'PSMM'}, r"arms: none that can be simulated; found PSM1 of type 'PSMM', expected PSM, ECM or MTM"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(write_system, change, says):
    with pytest.raises(DvrkProblem, match=says):
        Reader(write_system({**PSM1, **change})).read()


def test_wrong_kinematics_are_said_with_file_and_key(write_system, share):
    def problem(data, says):
        share.write('kinematic/PSM.json', data)
        with pytest.raises(DvrkProblem, match=says):
            Reader(write_system(PSM1)).read()

    problem({}, r'PSM.json: the key "DH" is missing')
    problem({'DH': {'convention': 'craig', 'joints': [joint('a')]}}, r"DH/convention: found 'craig'")
    problem({'DH': {'convention': 'modified', 'joints': []}}, r'"joints" is missing or empty')
    problem({'DH': {'convention': 'modified', 'joints': [joint('a')]}}, r'found 1 joints, expected 3 for a PSM')
    problem({'DH': {'convention': 'modified', 'joints': [{'type': 'screw'}]}}, r"joints\[0\]/type: found 'screw'")
    problem(
        {'DH': {'convention': 'modified', 'joints': [joint('a', 'x')]}}, r'joints\[0\]/alpha: found "x", expected a num'
    )
    rows = PSM['DH']['joints']
    for row, says in (
        (joint('a', low=2.0, high=-2.0), r'joints\[2\]/qmin: found 2, which is above qmax, -2'),
        (joint('a', math.inf), r'joints\[2\]/alpha: found Infinity, expected a finite number'),
    ):
        problem({'DH': {'convention': 'modified', 'joints': [*rows[:2], row]}}, says)
    (share.folder / 'kinematic/PSM.json').write_text('[' * 100000)
    with pytest.raises(DvrkProblem, match=r'PSM.json: lists or maps lie too deep'):
        Reader(write_system(PSM1)).read()
    (share.folder / 'kinematic/PSM.json').write_text('{\n "DH": {,}\n}')
    with pytest.raises(DvrkProblem, match=r'PSM.json:2:\d+: no valid JSON'):
        Reader(write_system(PSM1)).read()
    with pytest.raises(DvrkProblem, match='is there twice'):
        share.write('kinematic/PSM.json', PSM)
        Reader(write_system(PSM1, PSM1)).read()


def test_set_up_joints_carry_their_arms(tmp_path):
    data = {'DH': {'links': [
        {'convention': 'modified', 'alpha': 0.0, 'A': 0.1, 'theta': 0.0, 'D': 0.2, 'type': 'prismatic', 'offset': 0.0},
        {'convention': 'modified', 'alpha': 0.0, 'A': 0.0, 'theta': 0.0, 'D': 0.0, 'type': 'revolute', 'offset': 0.5},
    ]}}  # fmt: skip
    table = read_table(Block(data, tmp_path, '', Notes()))
    t = forward(table, [0.3, 0.5])
    assert np.allclose(t[:3, 3], [0.1, 0.0, 0.5]) and math.isclose(t[0, 0], math.cos(1.0))


def test_models_are_placed_with_names_of_their_own():
    source = pathlib.Path(get_package_share_directory('ambf_description')) / 'adf/psm.yaml'
    place = np.eye(4)
    place[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    place[:3, 3] = (1.0, 2.0, 3.0)
    before, after = yaml.safe_load(source.read_text()), yaml.safe_load(placed_model(source, 'PSM2', place))
    assert after['namespace'] == '/ambf/env/PSM2/'
    assert pathlib.Path(after['high resolution path'], 'base_link.obj').is_file()
    for body in before['bodies']:
        moved = matrix_of(after[body]['location'])
        assert np.allclose(moved, place @ matrix_of(before[body]['location']), atol=1e-9)
    for angles in ((0.1, 0.2, 0.3), (0.4, math.pi / 2, 0.0)):
        turn = {'position': {'x': 1.0}, 'orientation': dict(zip('rpy', angles, strict=True))}
        assert np.allclose(matrix_of(location_of(matrix_of(turn))), matrix_of(turn), atol=1e-7)


def test_arms_have_the_bodies_of_their_generation_and_side(write_system, share, tmp_path):
    for kind in ('PSM', 'ECM'):
        arm = json.loads((share.folder / f'arm/{kind}.json').read_text())
        without_tool = {'tool_detection': 'MANUAL'} if kind == 'PSM' else {}
        share.write(f'arm/{kind}_Si.json', {**arm, **without_tool, 'generation': 'Si'})
    wanted = {
        'PSM1': ('PSM', 'PSM', (-1.588, 1.588)),
        'PSM2': ('PSM', 'PSM_Si', (-2.964, 2.964)),
        'ECM1': ('ECM', 'ECM', (-1.5708, 1.5708)),
        'ECM2': ('ECM', 'ECM_Si', (-2.964, 2.964)),
        'MTML': ('MTM', 'MTMR', (-0.698132, 1.13446)),
        'MTMR': ('MTM', 'MTMR', (-1.13446, 0.698132)),
    }
    arms = [
        {'name': name, 'type': kind, 'simulation': 'KINEMATIC', 'arm_file': f'arm/{file}.json'}
        for name, (kind, file, _) in wanted.items()
    ]
    models = pathlib.Path(get_package_share_directory('ambf_description'))
    described, world = write_world(
        Reader(write_system(*arms)).read(), tmp_path / 'out', models / 'adf', models / 'worlds'
    )
    blocks = {block['name']: block for block in yaml.safe_load(described.read_text())['arms']}
    assert yaml.safe_load(world.read_text())['multibody configs'] == [f'./{name}.yaml' for name in wanted]
    for name, (_, _, yaw) in wanted.items():
        model = yaml.safe_load((world.parent / blocks[name]['model']).read_text())
        for body in [model[body] for body in model['bodies']]:
            folder = body.get('high resolution path', model['high resolution path'])
            assert pathlib.Path(folder, body['mesh']).is_file(), (name, body)
        limits = model[model['joints'][0]]['joint limits']
        assert (limits['low'], limits['high']) == yaw, name
        assert {blocks[name]['base'], blocks[name]['tip']} < set(model['bodies']), name


def test_arms_that_nothing_places_stand_side_by_side(write_system):
    plans = Reader(write_system(PSM1, {**PSM1, 'name': 'PSM2'})).read().arms
    where = places(plans)
    assert np.linalg.norm(where['PSM1'][:3, 3] - where['PSM2'][:3, 3]) > 0.5


def test_the_console_takes_arms_from_ros(write_system):
    file = write_system(
        PSM1,
        {'name': 'MTMR', 'type': 'MTM', 'arm_file': 'arm/MTMR.json', 'IO': 'IO_1', 'serial': '7'},
        IOs=[{'name': 'IO_1'}],
        consoles=[
            {
                'name': 'console',
                'teleop_PSMs': [{'MTM': 'MTMR', 'PSM': 'PSM1', 'configure_parameter': {'scale': 0.5}}],
                'teleop_ECMs': [{'MTML': 'MTML', 'MTMR': 'MTMR', 'ECM': 'ECM'}],
            }
        ],
    )
    system = Reader(file).read()
    data, notes = from_ros(system, 0.005)
    assert data['component_manager']['components'] == [
        {
            'shared-library': 'dvrk_arm_from_ros',
            'class-name': 'dvrk_psm_from_ros',
            'constructor-arg': {'Name': 'PSM1', 'Period': 0.005},
        }
    ]
    psm, mtm = data['arms']
    assert psm == {
        'name': 'PSM1', 'type': 'PSM_GENERIC', 'component': 'PSM1', 'interface': 'PSM1', 'skip_ROS_bridge': True
    }  # fmt: skip
    assert mtm['IO'] == 'IO_1' and mtm['type'] == 'MTM' and data['IOs'] == [{'name': 'IO_1'}] and notes == []
    assert len(data['consoles'][0]['teleop_ECMs']) == 1
    data, notes = from_ros(system, 0.01, ['PSM1', 'MTMR'])
    teleop = data['consoles'][0]['teleop_PSMs'][0]
    assert teleop['configure_parameter'] == {'scale': 0.5, 'align_MTM': False}
    assert data['consoles'][0]['teleop_ECMs'] == [] and len(notes) == 2
    assert json.loads(json.dumps(data))['component_manager']['components'][1]['class-name'] == 'dvrk_mtm_from_ros'


def test_the_program_reports(write_system, share, tmp_path, capsys):
    file = write_system(PSM1)
    assert main(['-j', str(file), '--check']) == 0
    assert capsys.readouterr().out == 'PSM1: PSM Classic, 6 rows, modified, SCISSORS:400001\n'
    out = tmp_path / 'console.json'
    assert main(['-j', str(file), '--write-from-ros', str(out)]) == 0
    assert read_json(out)['arms'][0]['type'] == 'PSM_GENERIC'
    assert Reader(out).read().arms[0].name == 'PSM1'  # it reads what it writes
    for words, says in (
        (['-j', '/nowhere.json'], "found '/nowhere.json', which is no file"),
        (['-j', str(file), '--share', '/nowhere'], "--share: found '/nowhere', which is no folder"),
        (['-j', str(file), '-p', '0', '--check'], '-p: found 0, expected'),
        (['-j', str(file), '-P', 'nan', '--check'], '-P: found nan, expected'),
        (['-j', str(file), '--write-from-ros', str(out), '--arms', 'PSM7'], "--arms: found 'PSM7'"),
    ):
        assert main(words) == 1
        assert says in capsys.readouterr().err
    assert main(['-j', str(file), '--chek']) == 2


def test_the_console_finds_what_stands_beside_the_system_file(write_system, tmp_path):
    file = write_system(PSM1, settings={'path': ['/opt/robots'], 'chatty': False})
    other = tmp_path / 'other'
    other.mkdir()
    for out, folders in ((other, [str(file.resolve().parent), '/opt/robots']), (file.parent, ['/opt/robots'])):
        assert main(['-j', str(file), '--write-from-ros', str(out / 'console.json')]) == 0
        assert read_json(out / 'console.json')['settings'] == {'path': folders, 'chatty': False}


def test_what_cannot_be_written_is_said_and_the_users_own_file_stays(write_system, tmp_path, capsys):
    file = write_system(PSM1)
    before = file.read_text()
    (file.parent / 'same.json').symlink_to(file)
    for own in (file, file.parent / 'same.json'):
        assert main(['-j', str(file), '--write-from-ros', str(own)]) == 1
        assert 'the system file itself' in capsys.readouterr().err
    assert file.read_text() == before
    assert main(['-j', str(file), '--write-from-ros', str(tmp_path / 'no/out.json')]) == 1
    assert 'no/out.json: cannot be written: No such file' in capsys.readouterr().err
    assert main(['-j', str(file), '--output', str(file / 'folder')]) == 1
    assert 'cannot be written: Not a directory' in capsys.readouterr().err


def test_a_byte_order_mark_is_passed_over(write_system):
    file = write_system(PSM1)
    file.write_text(file.read_text(), encoding='utf-8-sig')
    assert Reader(file).read().arms[0].name == 'PSM1'


@pytest.mark.parametrize(
    ('instruments', 'says'),
    [
        (7, r'index.json: instruments: found 7, expected a list'),
        ([5], r'index.json: instruments\[0\]: found 5, expected a map'),
        ([{'model': '400001', 'names': ['SCISSORS'], 'generation': 'Classic'}], r'the key "file" is missing'),
        ([{'names': ['SCISSORS'], 'version_min': 'x'}], r'version_min: found "x", expected a number'),
    ],
)
def test_a_wrong_list_of_tools_is_said_with_file_and_key(write_system, share, instruments, says):
    share.write('tool/index.json', {'instruments': instruments})
    with pytest.raises(DvrkProblem, match=says):
        Reader(write_system(PSM1)).read()


def test_the_share_folder_is_found_given_or_missed(write_system, share, tmp_path_factory, monkeypatch):
    lonely = tmp_path_factory.mktemp('elsewhere') / 'system.json'
    lonely.write_text((write_system(PSM1)).read_text())
    monkeypatch.chdir(lonely.parent)
    with pytest.raises(DvrkProblem, match='no share folder was found: give one with --share'):
        Reader(lonely).read()
    assert Reader(lonely, share.folder).read().arms[0].tool == 'SCISSORS:400001'
