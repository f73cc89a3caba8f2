#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a demo: a world in one container, with its rates, and the commands to look at it and drive it."""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

# Scripted hands do what these say, again and again.
DEFAULT = 'peg_transfer'
DEMOS = {
    'peg_transfer': 'two hands carry six rings across a peg board, hand each over in the air, and bring them back',
    'two_psms_ecm': 'the same, while the camera arm keeps the instruments in the middle of its picture',
    'patient_cart': 'the set-up joints lift three manipulators, whose tips go round circles; the camera arm looks on',
    'surgeon_console': 'two masters draw a figure of eight in the air, each the mirror image of the other',
    'mechanisms': 'a master arm, a four-bar and a pendulum, one after the other, by their closed forms',
    'boxes': 'a heavy ball knocks a pile of two hundred boxes over',
    'cloth': 'two hands lift a cloth off a ball and let it fall over it again',
    'demo': "a manipulator's tip goes round a circle, a four-bar turns, what falls comes to rest",
    'needle': 'two hands pass a needle, drive it through both lips of a wound and draw its thread after it',
    'puzzle': 'two grippers put three pieces on their posts and the chain, held by both, on its own',
    'peg_in_hole': 'a gripper puts a peg into holes with 2, 1 and 0.5 mm of room',
    'training_cast': 'two grippers turn four pieces as they fit and put them into the wells of a cast',
    'grippers': 'forceps and a gripper with fingers of two links lift pins, a ball and a can',
    'shared_proxy': 'two, then three people lead one gripper together, and feel each other as the law of sharing says',
}
# Those without arms: hands lead floating grippers. The first is shown where nobody named a demo and there are no arms.
GRIPPERS = ('puzzle', 'peg_in_hole', 'training_cast', 'grippers', 'shared_proxy')
# Those that people lead by devices: their worlds pair hands with arms, or list devices for their grippers.
LED = ('peg_transfer', 'two_psms_ecm', 'needle', *GRIPPERS)
# Those whose scripted hands are devices of the world.
BY_DEVICES = ('shared_proxy',)
# Who moves the arms of a demo with hands; people's devices lead them by teleop.launch.py.
PEOPLE = ('gamepad', 'keyboard', 'mock', 'dvrk')

# Each line can be copied as it is: what explains it stands behind a #.
HINTS = """
The world is running. In another terminal:

  ./ambf exec ros2 topic list                                        # what is there
  ./ambf exec ros2 topic echo --once /ambf/env/World/State           # time, mode, rates
  ./ambf exec ros2 topic hz {state}
  ./ambf exec ros2 service call /render/save_picture ambf_msgs/srv/SavePicture "{{file: view.png}}"
  ./ambf exec ros2 service call /ambf/env/World/set_mode ambf_msgs/srv/SetWorldMode "{{mode: 2}}"      # lock-step
  ./ambf exec ros2 service call /ambf/env/World/step ambf_msgs/srv/StepWorld "{{agent: me, steps: 100}}"
  ./ambf exec ros2 service call /ambf/env/World/set_mode ambf_msgs/srv/SetWorldMode "{{mode: 0}}"      # real time
{drive}
Ctrl-C ends it.
"""

DRIVE = """  ./ambf exec ros2 topic pub -r 50 {topic}/Command ambf_msgs/msg/RigidBodyCmd \\
      "{{cartesian_cmd_type: 3, joint_names: [{joint}], joint_cmds: [{value}], joint_modes: [{mode}]}}"    # move a joint
"""

POSITION, VELOCITY = 2, 3


def drive_hint(manifest) -> str:
    """A command that moves a joint, where nobody else moves the world."""
    body = next((b for b in manifest.bodies if len(b.client_joints) and not b.parent), None)
    if body is None:
        return ''
    joint = manifest.joints[body.client_joints[0]]
    turns = joint.lower > joint.upper
    return DRIVE.format(
        topic=body.topic, joint=joint.name, value=3.0 if turns else 0.3, mode=VELOCITY if turns else POSITION
    )


def arms_there() -> bool:
    """Are there arms to be moved? On a stock ROS 2 their messages may be missing."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        return (pathlib.Path(get_package_prefix('ambf_arm_nodes')) / 'lib/ambf_arm_nodes/arm_server').is_file()
    except PackageNotFoundError:
        return False


def without_arms(args, who: str) -> str:
    """Has a demo that needs none be shown, where that will do; else what is wrong."""
    reason = 'ambf_arm_nodes was built without crtk_msgs, see docs/tasks/stock_ros.md'
    if args.is_named or args.once or args.video or who != 'scripted':
        return f"nobody can move the arms of '{args.name}' (hands:=none shows it): {reason}"
    print(f"no arms, so the demo '{GRIPPERS[0]}' is shown: {reason}", flush=True)
    args.name = GRIPPERS[0]
    return ''


def start_hands(name: str, more: list) -> subprocess.Popen:
    """Scripted hands in a process of their own: what a person at two masters would be."""
    command = ['ambf-hands', name, *more]
    print('$', ' '.join(command), flush=True)
    return subprocess.Popen(command, start_new_session=True)


def end(process: subprocess.Popen):
    """As by Ctrl-C; killed where that does not help."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def ask_for_picture(node, file: pathlib.Path):
    """Have the renderer save a picture; the future is done with its answer, where there is a renderer."""
    from ambf_msgs.srv import SavePicture

    client = node.create_client(SavePicture, '/render/save_picture')
    if not client.service_is_ready():
        node.destroy_client(client)
        return None
    return client.call_async(SavePicture.Request(file=str(file)))


class Pictures:
    """Has the renderer save a picture as soon as it draws, and another one when the world has moved."""

    def __init__(self, node, file: pathlib.Path):
        self.node, self.file = node, file
        self.asked, self.saved, self.next_try = None, 0, 0.0

    def look(self, step: int):
        """Ask for the next picture when it is due; tell of one that is there."""
        now = time.monotonic()
        if self.asked is not None and self.asked.done():
            answer, self.asked = self.asked.result(), None
            self.next_try = now + 0.5
            if answer.ok:
                self.tell()
        elif self.asked is None and now > self.next_try and (self.saved == 0 or (self.saved == 1 and step > 2000)):
            self.next_try = now + 0.1
            self.asked = ask_for_picture(self.node, self.file)

    def tell(self):
        """The seconds count from the start of `./ambf demo`, set-up and build included."""
        self.saved += 1
        started = os.environ.get('AMBF_STARTED', '').replace(',', '.')
        if self.saved > 1:
            print(f'\npicture of the moving world: {self.file}', flush=True)
        elif started:
            print(f'\nfirst picture after {time.time() - float(started):.1f} s: {self.file}', flush=True)
        else:
            print(f'\nfirst picture: {self.file}', flush=True)


def watch(process: subprocess.Popen, hands, nobody: bool, seconds: float, picture: pathlib.Path) -> int:
    """Print rates until Ctrl-C, for some seconds, or until the hands have ended; save a picture at once and after a few."""
    import rclpy
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from rclpy.signals import SignalHandlerOptions

    from ambf_msgs.msg import WorldManifest, WorldState

    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('ambf_demo')
    manifests, states = [], []
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(WorldManifest, '/ambf/env/World/Manifest', manifests.append, latched)
    node.create_subscription(WorldState, '/ambf/env/World/State', states.append, 1)
    until = time.monotonic() + seconds if seconds > 0 else float('inf')
    shown, hinted, pictures = 0.0, False, Pictures(node, picture)
    modes = ('real time', 'free', 'lock-step', 'paused')
    try:
        while time.monotonic() < until and process.poll() is None and (hands is None or hands.poll() is None):
            rclpy.spin_once(node, timeout_sec=0.2)
            if manifests and not hinted:
                hinted = True
                manifest = manifests[-1]
                robot = next((b for b in manifest.bodies if b.client_joints), None)
                state = (robot or manifest.bodies[0]).topic + '/State'
                print(f'{len(manifest.models)} models, {len(manifest.bodies)} bodies, {len(manifest.joints)} joints')
                print(HINTS.format(state=state, drive=drive_hint(manifest) if nobody else ''), flush=True)
            if states:
                pictures.look(states[-1].sim_step)
            if states and time.monotonic() - shown > 1.0:
                shown = time.monotonic()
                s = states[-1]
                print(
                    f'\r{modes[s.mode]}: step {s.sim_step}, {s.dynamic_loop_freq:.0f} steps/s, '
                    f'real-time factor {s.real_time_factor:.3f}, slip {s.slip:.3f} s ',
                    end='',
                    flush=True,
                )
    except KeyboardInterrupt:
        pass
    print()
    rclpy.shutdown()
    if hands is not None and hands.poll() is not None:
        return hands.returncode
    return 0 if states else 1


def read_arguments() -> tuple:
    """Options, launch arguments (name:=value), and who moves the arms."""
    parser = argparse.ArgumentParser(
        prog='./ambf demo',
        description=__doc__,
        epilog='Further arguments (name:=value) go to the launch file. hands:=gamepad, keyboard, mock or dvrk puts you in the '
        'place of the scripted hands; hands:=none leaves the arms alone.',
    )
    parser.add_argument('name', nargs='?', help=f'which demo (default: {DEFAULT})')
    parser.add_argument('--list', action='store_true', help='name all demos')
    parser.add_argument(
        '--seconds',
        type=float,
        default=0.0,
        help='end by itself after so many seconds; length of a video [s of the world]',
    )
    parser.add_argument('--once', action='store_true', help='the hands do their task once; code 0 where it was done')
    parser.add_argument(
        '--video',
        metavar='FILE',
        help='write a video of the hands at work (.mp4, .gif, ...) and end; 1280x720, as slow as drawing is',
    )
    parser.add_argument('--check', action='store_true', help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if ':=' in (args.name or ''):
        rest.insert(0, args.name)
        args.name = None
    args.is_named = args.name is not None
    args.name = args.name or DEFAULT
    chosen = [item.split(':=', 1)[1] for item in rest if item.startswith('hands:=')]
    rest = [item for item in rest if not item.startswith('hands:=')]
    return args, rest, chosen[-1] if chosen else 'scripted'


def wrong_about(args, rest: list, hands: str) -> str:
    """What does not fit; empty if nothing does not."""
    if args.name not in DEMOS:
        return f"no demo '{args.name}'; there are: {', '.join(DEMOS)}"
    wrong = [item for item in rest if ':=' not in item]
    if wrong:
        return f"'{wrong[0]}' is no launch argument (name:=value)"
    if hands not in ('scripted', 'none', *PEOPLE):
        return f"hands: found '{hands}', expected one of scripted, none, {', '.join(PEOPLE)}"
    if hands in PEOPLE and args.name not in LED:
        return f"no hand leads anything in '{args.name}'; hands do in: {', '.join(LED)}"
    if (args.once or args.video) and hands != 'scripted':
        return '--once and --video need scripted hands'
    return ''


def main() -> int:
    args, rest, who = read_arguments()
    if args.list:
        for name, text in DEMOS.items():
            print(f'{name:<16}{text}')
        return 0
    problem = wrong_about(args, rest, who)
    if problem:
        print(f'ambf demo: {problem}', file=sys.stderr)
        return 2
    if args.check:
        return 0
    if who != 'none' and args.name not in GRIPPERS and not arms_there():
        problem = without_arms(args, who)
        if problem:
            print(f'ambf demo: {problem}', file=sys.stderr)
            return 1
    from ament_index_python.packages import get_package_share_directory

    world = pathlib.Path(get_package_share_directory('ambf_description')) / 'worlds' / args.name / 'launch.yaml'
    if args.video:
        rest = ['mode:=lockstep', *rest]
    if who == 'scripted' and args.name in BY_DEVICES:
        rest = ['n_devices:=-1', *rest]
    launch = ['simulator.launch.py', f'world:={world}']
    if who in PEOPLE:
        launch = ['teleop.launch.py', f'demo:={args.name}', f'hands:={who}']
    command = ['ros2', 'launch', 'ambf_bringup', *launch, *rest]
    print('$', ' '.join(command), flush=True)
    process = subprocess.Popen(command, start_new_session=True)
    hands, by_themselves = None, False
    try:
        if who == 'scripted':
            hands = start_hands(args.name, hand_options(args))
        picture = pathlib.Path(os.environ.get('AMBF_OUT', '.')).absolute() / f'{args.name}.png'
        code = watch(process, hands, who == 'none', 0.0 if args.video else args.seconds, picture)
        by_themselves = hands is not None and hands.poll() is not None
    finally:
        if hands is not None:
            end(hands)
        end(process)
    # What hands that ended by themselves say stands, however the simulator was ended after them.
    return code if by_themselves else code or process.returncode


def hand_options(args) -> list:
    """What the hands are told of the demo's options."""
    if args.video:
        seconds = ['--seconds', str(args.seconds)] if args.seconds > 0 else []
        return ['--film', str(pathlib.Path(args.video).absolute()), *seconds]
    return ['--once'] if args.once else []


if __name__ == '__main__':
    sys.exit(main())
