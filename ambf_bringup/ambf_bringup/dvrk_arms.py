# SPDX-License-Identifier: BSD-3-Clause
"""The arms of a dVRK's system file: kinematics, tools, base frames, as our own descriptions need them."""

import dataclasses
import math
import pathlib
import re
from typing import Any

import numpy as np

from ambf_bringup.dvrk_files import Block, DvrkProblem, Notes, Share, read_json

KINDS = ('PSM', 'ECM', 'MTM')
# Files are printed with four digits: what is a rotation within this becomes one.
ROTATION_TOLERANCE = 2e-3
# Keys of arm files that concern real motors, sensors and people.
WITHOUT_MOTORS = (
    'mounting_pitch', 're_home', 'homing_zero_position', 'skip_gravity_compensation', 'kinematic_gc', 'cannula_depth',
    'gravity_compensation', 'platform_gain', 'gripper_events_debounce', 'gripper_events_zero', 'kinematic_type',
)  # fmt: skip


@dataclasses.dataclass
class Row:
    """A joint of a DH table; angles and lengths at zero include the joint's offset."""

    name: str
    alpha: float
    a: float
    d: float
    theta: float
    slides: bool
    low: float | None = None
    high: float | None = None
    effort: float | None = None


@dataclasses.dataclass
class Table:
    convention: str
    rows: list[Row]


@dataclasses.dataclass
class ArmPlan:
    """An arm that is to be simulated."""

    name: str
    kind: str
    generation: str = 'Classic'
    table: Table | None = None
    tool: str = ''
    tip: np.ndarray | None = None
    jaw: tuple[float, float] | None = None
    endoscope: str = ''
    reference: str = ''
    base: np.ndarray | None = None  # of the arm in `reference`

    @property
    def side(self) -> str:
        return 'left' if self.name.upper().startswith('MTML') else 'right'


@dataclasses.dataclass
class System:
    file: pathlib.Path
    data: Any
    arms: list[ArmPlan]
    notes: list[str]


def matrix(value: Any, where: str) -> np.ndarray:
    """4 x 4 with a rotation in it, made exact."""
    try:
        t = np.array(value, dtype=float)
    except (TypeError, ValueError):
        t = np.empty(0)
    if t.shape != (4, 4) or not np.isfinite(t).all():
        raise DvrkProblem(f'{where}: expected four rows of four numbers')
    t[:3, :3] = exact_rotation(t[:3, :3], where)
    t[3] = (0.0, 0.0, 0.0, 1.0)
    return t


def exact_rotation(r: np.ndarray, where: str) -> np.ndarray:
    u, _, v = np.linalg.svd(r)
    nearest = u @ v
    if np.abs(nearest - r).max() > ROTATION_TOLERANCE or np.linalg.det(nearest) < 0.0:
        raise DvrkProblem(f'{where}: found a matrix that is no rotation, expected orthonormal rows, determinant +1')
    return nearest


def read_table(document: Block) -> Table:
    dh = document.block('DH')
    if dh is None:
        raise DvrkProblem(f'{document.where()}: the key "DH" is missing')
    convention = dh.get('convention', kind=str)
    rows = []
    for link in dh.blocks('joints', 'links'):
        convention = link.get('convention', kind=str) or convention
        kind = link.need('type', kind=str)
        if kind not in ('revolute', 'prismatic'):
            raise DvrkProblem(f"{link.where('type')}: found '{kind}', expected revolute or prismatic")
        offset, slides = link.number('offset', 0.0), kind == 'prismatic'
        rows.append(
            Row(
                link.get('name', kind=str, default=''),
                link.number('alpha', 0.0),
                link.number('A', 0.0),
                link.number('D', 0.0) + (offset if slides else 0.0),
                link.number('theta', 0.0) + (0.0 if slides else offset),
                slides,
                *link.range('qmin', 'qmax'),
                link.number('ftmax'),
            )
        )
        link.ignore('mode', 'mass', 'cx', 'cy', 'cz', 'Ixx', 'Iyy', 'Izz', *(axis + i for axis in 'xyz' for i in '123'))
        link.finish()
    dh.finish()
    if convention not in ('modified', 'standard'):
        raise DvrkProblem(f"{dh.where('convention')}: found '{convention}', expected modified or standard")
    if not rows:
        raise DvrkProblem(f'{dh.where()}: the list "joints" is missing or empty')
    return Table(convention, rows)


def forward(table: Table, q: list[float]) -> np.ndarray:
    """T of the last row's frame, for set-up joints; `q` is one value per row."""

    def about(axis: int, angle: float, along: float) -> np.ndarray:
        t = np.eye(4)
        i, j = (1, 2) if axis == 0 else (0, 1)
        t[i, i] = t[j, j] = math.cos(angle)
        t[j, i], t[i, j] = math.sin(angle), -math.sin(angle)
        t[axis, 3] = along
        return t

    total = np.eye(4)
    for row, value in zip(table.rows, q, strict=True):
        twist = about(0, row.alpha, row.a)
        screw = about(2, row.theta + (0.0 if row.slides else value), row.d + (value if row.slides else 0.0))
        total = total @ (twist @ screw if table.convention == 'modified' else screw @ twist)
    return total


class Reader:
    """Reads a system file and all files that it names."""

    def __init__(self, system: pathlib.Path, share: pathlib.Path | None = None):
        self.file, self.notes = system, Notes()
        self.data = read_json(system)
        self.share = Share(system, share)

    def read(self) -> System:
        top = Block(self.data, self.file, '', self.notes)
        settings = top.block('settings')
        if settings is not None:
            self.share.folders += [self.file.parent / folder for folder in settings.get('path', kind=list, default=[])]
        from_ros = self._components_from_ros(top)
        arms = top.blocks('arms')
        if not arms:
            raise DvrkProblem(f'{self.file}: the list "arms" is missing or empty')
        described, frames = [], {}
        for arm in arms:
            name, kind = arm.need('name', kind=str), arm.need('type', kind=str)
            if not re.fullmatch(r'[A-Za-z_]\w*', name):
                raise DvrkProblem(f"{arm.where('name')}: found '{name}', expected letters, digits and _")
            described.append((arm, name, kind))
            if kind.startswith('SUJ'):
                frames[name] = self._set_up_joints(arm, kind)
        plans = [plan for entry in described if (plan := self._arm(*entry, from_ros, frames)) is not None]
        top.ignore('consoles', 'IOs', 'ISI_focus_controller', 'PSM_teleops', 'ECM_teleops', 'ECM_teleop')
        top.ignore('console_inputs', 'io', 'operator_present')
        top.finish()
        twice = {plan.name for plan in plans if sum(other.name == plan.name for other in plans) > 1}
        if twice:
            raise DvrkProblem(f'{self.file}: arms: the name {sorted(twice)[0]} is there twice')
        if not plans:
            found = ', '.join(f"{name} of type '{kind}'" for _, name, kind in described)
            raise DvrkProblem(f'{self.file}: arms: none that can be simulated; found {found}, expected PSM, ECM or MTM')
        return System(self.file, self.data, plans, self.notes.lines)

    def _components_from_ros(self, top: Block) -> set[str]:
        """Names of the components that take an arm from ROS."""
        manager = top.get('component_manager', kind=dict, default={})
        components = manager.get('components', [])
        if not isinstance(components, list) or not all(isinstance(component, dict) for component in components):
            raise DvrkProblem(f'{top.where("component_manager/components")}: expected a list of maps')
        # The component manager's own keys have dashes to this day.
        arguments = [c.get('constructor-arg') for c in components if c.get('shared-library') == 'dvrk_arm_from_ros']
        return {str(argument.get('Name', '')) for argument in arguments if isinstance(argument, dict)}

    def _arm(self, arm: Block, name: str, kind: str, from_ros: set[str], frames: dict) -> ArmPlan | None:
        arm.ignore('serial', 'IO', 'name_on_IO', 'period', 'IO_file', 'IO_gripper_file', 'PID_file', 'skip_ROS_bridge')
        arm.ignore('skip_ros_bridge', 'io', 'pid', 'socket_server', 'IO_standalone', 'SUJ', 'interface')
        family, _, suffix = kind.partition('_')
        component = arm.get('component', kind=str)
        simulation = arm.get('simulation', kind=str)
        if family not in KINDS or suffix not in ('', 'DERIVED', 'GENERIC'):
            if not kind.startswith('SUJ'):
                self.notes.once(f'{name}: an arm of type {kind} is left out')
            return None
        if suffix == 'GENERIC' and component not in from_ros:
            self.notes.once(f'{name}: left out, it comes from the component {component}')
            return None
        plan = ArmPlan(name, family)
        if suffix == 'GENERIC':
            self.notes.once(f'{name}: taken from ROS by this file; it is simulated with our own numbers')
        else:
            if simulation is None:
                self.notes.once(f'{name}: a real arm; its simulation is started')
            self._arm_file(arm, plan)
        self._base_frame(arm, plan, frames)
        arm.finish()
        return plan

    def _document(self, name: str, asked_by: str) -> Block:
        path = self.share.find(name, asked_by)
        return Block(read_json(path), path, '', self.notes)

    def _arm_file(self, arm: Block, plan: ArmPlan):
        name = arm.get('arm_file', 'arm', kind=str)
        if name is None:
            serial = arm.get('serial', kind=str)
            if serial is None:
                raise DvrkProblem(f'{arm.where()}: the key "arm_file" is missing, and there is no "serial"')
            name = f'{arm.get("name_on_IO", kind=str) or plan.name}-{serial}.json'
        document = self._document(name, arm.where('arm_file'))
        plan.generation = document.get('generation', kind=str, default='Classic')
        if plan.generation not in ('Classic', 'Si'):
            raise DvrkProblem(f"{document.where('generation')}: found '{plan.generation}', expected Classic or Si")
        kinematic = self._document(document.need('kinematic', kind=str), document.where('kinematic'))
        plan.table = read_table(kinematic)
        if kinematic.get('base_offset') is not None:
            self.notes.once(f'{kinematic.file}: base-offset has no effect')
        kinematic.ignore('coupling')
        kinematic.finish()
        expected = {'PSM': 3, 'ECM': 4, 'MTM': 7}[plan.kind]
        if len(plan.table.rows) != expected:
            raise DvrkProblem(
                f'{kinematic.where("DH")}: found {len(plan.table.rows)} joints, expected {expected} for {"a" if plan.kind == "PSM" else "an"} {plan.kind}'
            )
        if plan.kind == 'PSM':
            self._tool(document, plan)
        elif plan.kind == 'ECM':
            plan.endoscope = document.get('endoscope', kind=str, default='NONE')
        document.ignore(*WITHOUT_MOTORS)
        document.finish()

    # Tools

    def _tool(self, document: Block, plan: ArmPlan):
        detection = document.get('tool_detection', kind=str, default='AUTOMATIC')
        name = document.get('tool', kind=str)
        custom = document.get('custom_tool_index', kind=str)
        if detection != 'FIXED':
            self.notes.once(
                f'{plan.name}: tool_detection {detection}: it starts with a large needle driver; set_tool_type'
            )
            return
        if name is None:
            raise DvrkProblem(f'{document.where()}: the key "tool" is missing, which tool_detection FIXED needs')
        file, known = self._find_tool(name, custom, document, plan.generation)
        if file is None:
            plan.tool = name
            self.notes.once(f'{plan.name}: there is no tool/index.json; {name} has our own numbers')
            return
        tool = Block(read_json(file), file, '', self.notes)
        table = read_table(tool)
        jaw = tool.block('jaw')
        if jaw is not None:
            low, high = jaw.range('qmin', 'qmax')
            plan.jaw = (low, high) if low is not None and high is not None else None
            jaw.ignore('ftmax')
            jaw.finish()
        tip = tool.get('tooltip_offset', kind=list)
        snake = tool.get('snake_like', kind=bool, default=False)
        tool.ignore('coupling', 'tool_engage_position')
        tool.finish()
        plan.tool = known
        if snake:
            self.notes.once(f'{plan.name}: {known} has a wrist of four coupled axes: its numbers are our own')
            return
        if table.convention != plan.table.convention or len(table.rows) != 3:
            raise DvrkProblem(f'{file}: DH: expected 3 joints, {plan.table.convention} as those of the arm')
        plan.table.rows = plan.table.rows + table.rows
        plan.tip = None if tip is None else matrix(tip, f'{file}: tooltip_offset')

    def _find_tool(
        self, wanted: str, custom: str | None, document: Block, generation: str
    ) -> tuple[pathlib.Path | None, str]:
        """File of a tool and its name for us, which is empty for tools that only the user's index has."""
        name, _, rest = wanted.partition(':')
        model, _, version = rest.partition('[')
        version = int(version.rstrip('].')) if version.rstrip('].').isdigit() else 0
        old = re.fullmatch(r'(\w+?)_(4\d{5})', name)
        if not model and old:
            name, model = old.groups()
        indices = [(path, True)] if (path := self.share.find_or_none('tool/index.json')) else []
        if custom is not None:
            indices.insert(0, (self.share.find(custom, document.where('custom_tool_index')), False))
        best: tuple[int, pathlib.Path, str] | None = None
        names = []
        for index, ours in indices:
            for instrument in Block(read_json(index), index, '', Notes()).blocks('instruments'):
                known, number = instrument.get('names', kind=list, default=[]), str(instrument.get('model', default=''))
                names += [f'{one}:{number}' for one in known]
                least = int(instrument.number('version_min', 0.0))
                if name not in known or (model and model != number) or least > version:
                    continue
                if not model and (generation == 'Classic') != (instrument.get('generation') == 'Classic'):
                    continue
                if best is None or least >= best[0]:
                    file = index.parent / instrument.need('file', kind=str)
                    best = (least, file, f'{name}:{number}' if ours else '')
            if best is not None:
                break
        if best is None and indices:
            near = [one for one in names if one.split(':')[0] == name or one.endswith(f':{model}')]
            raise DvrkProblem(
                f"{document.where('tool')}: found '{wanted}', which is in no list of tools"
                + (f'; there is {near[0]}' if near else '')
            )
        if best is not None and not best[1].is_file():
            raise DvrkProblem(f"{indices[0][0]}: the file of '{wanted}' is missing: {best[1]}")
        if best is not None and not best[2]:
            self.notes.once(f'{wanted}: a tool of your own: its numbers are used, its name is not told by tool_type')
        return (best[1], best[2]) if best is not None else (None, '')

    # Base frames

    def _base_frame(self, arm: Block, plan: ArmPlan, frames: dict):
        frame = arm.block('base_frame')
        if frame is None:
            return
        transform, component = frame.get('transform'), frame.get('component', kind=str)
        if transform is not None:
            plan.reference = frame.get('reference_frame', kind=str, default='')
            plan.base = matrix(transform, frame.where('transform'))
        elif component in frames:
            interface = frame.get('interface', kind=str, default=plan.name)
            if interface not in frames[component]:
                raise DvrkProblem(
                    f"{frame.where('interface')}: found '{interface}', which {component} does not carry; it has "
                    + ', '.join(sorted(frames[component]))
                )
            plan.reference, plan.base = 'Cart', frames[component][interface]
            self.notes.once(
                f'{component}: the arms stand still where it has them, seen from the cart, not from the camera'
            )
        else:
            self.notes.once(f'{plan.name}: its base frame comes from {component}, which is not simulated')
        frame.ignore('interface', 'reference_frame')
        frame.finish()

    def _set_up_joints(self, arm: Block, kind: str) -> dict[str, np.ndarray]:
        """Where set-up joints carry their arms, in the cart's frame."""
        arm.ignore('serial', 'IO', 'simulation', 'PID_file', 'IO_file', 'primary_serial', 'secondary_serial')
        name = arm.get('arm_file', 'kinematic', 'arm', kind=str)
        if name is None:
            self.notes.once(f'{arm.need("name")}: no arm_file; arms stand where they are put')
            return {}
        document, out = self._document(name, arm.where('arm_file')), {}
        for carried in document.blocks('arms'):
            fixed = carried.get('measured_cp')
            name = carried.need('name', kind=str)
            if fixed is not None:
                out[name] = matrix(fixed, carried.where('measured_cp'))
            elif carried.get('DH') is not None:
                out[name] = self._carried(carried)
        return out

    def _carried(self, carried: Block) -> np.ndarray:
        table = read_table(carried)
        values = list(carried.get('simulated_position', kind=list, default=[]))
        passive = [link.get('mode') == 'passive' for link in carried.block('DH').blocks('joints', 'links')]
        if len(values) < passive.count(False):
            values += [0.0] * (passive.count(False) - len(values))
        given = iter(values)
        q = [0.0 if still else float(next(given)) for still in passive]

        def constant(key: str) -> np.ndarray:
            t, block = np.eye(4), carried.block(key)
            if block is not None:
                where = block.where()
                t[:3, :3] = exact_rotation(np.array(block.get('Rotation', default=np.eye(3)), dtype=float), where)
                t[:3, 3] = block.get('Translation', default=[0.0] * 3)
            return t

        return constant('world_origin_to_SUJ') @ forward(table, q) @ constant('SUJ_tip_to_tool_origin')
