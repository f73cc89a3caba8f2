# SPDX-License-Identifier: BSD-3-Clause
"""QoS profiles from options and from what publishers offer."""

from typing import Any, List, Optional

from .graph import wait_until_settled

_PRESETS = ['unknown', 'system_default', 'sensor_data', 'services_default', 'parameters',
            'parameter_events', 'action_status_default', 'best_available', 'default']
_POLICIES = {
    'history': ['system_default', 'keep_last', 'keep_all', 'unknown'],
    'reliability': ['system_default', 'reliable', 'best_effort', 'unknown', 'best_available'],
    'durability': ['system_default', 'transient_local', 'volatile', 'unknown', 'best_available'],
    'liveliness': ['system_default', 'automatic', 'manual_by_topic', 'unknown',
                   'best_available'],
}


def add_qos_arguments(parser, entity: str, default: str) -> None:
    """Add the options that make up a QoS profile."""
    parser.add_argument('--qos-profile', choices=_PRESETS,
                        help=f'Quality of service preset profile to {entity} with (default: '
                             f'{default})')
    parser.add_argument('--qos-depth', metavar='N', type=int, default=None,
                        help=f'Queue size setting to {entity} with (overrides depth value of '
                             '--qos-profile option)')
    for policy, choices in _POLICIES.items():
        parser.add_argument(f'--qos-{policy}', choices=choices,
                            help=f'{policy.capitalize()} setting to {entity} with (overrides '
                                 f'{policy} value of --qos-profile option)')
    parser.add_argument('--qos-liveliness-lease-duration-seconds', metavar='SECONDS', type=float,
                        help='Liveliness lease duration setting (overrides the value of '
                             '--qos-profile option)')


def profile_from_arguments(args: Any, default: str) -> Any:
    """Return the profile that the options describe."""
    import rclpy.qos as qos
    from rclpy.duration import Duration
    name = args.qos_profile or default
    preset = qos.QoSPresetProfiles.get_from_short_key(name)
    profile = qos.QoSProfile(
        history=preset.history, depth=preset.depth, reliability=preset.reliability,
        durability=preset.durability, liveliness=preset.liveliness,
        liveliness_lease_duration=preset.liveliness_lease_duration, lifespan=preset.lifespan,
        deadline=preset.deadline)
    if args.qos_depth is not None:
        profile.depth = args.qos_depth
    for policy, enum in (('history', qos.HistoryPolicy), ('reliability', qos.ReliabilityPolicy),
                         ('durability', qos.DurabilityPolicy),
                         ('liveliness', qos.LivelinessPolicy)):
        value = getattr(args, f'qos_{policy}')
        if value is not None:
            setattr(profile, policy, enum.get_from_short_key(value))
    lease = args.qos_liveliness_lease_duration_seconds
    if lease is not None and lease >= 0:
        profile.liveliness_lease_duration = Duration(nanoseconds=int(lease * 1e9))
    if profile.durability == qos.DurabilityPolicy.TRANSIENT_LOCAL and profile.depth == 0:
        profile.depth = 1
    return profile


def profile_for_subscription(node: Any, topic: str, args: Any) -> Any:
    """Return the options' profile; what they leave open follows the publishers."""
    from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
    profile = profile_from_arguments(args, 'sensor_data')
    if args.qos_profile is not None:
        return profile
    wait_until_settled(node, until=lambda: node.get_publishers_info_by_topic(topic))
    offers: List[Any] = [
        info.qos_profile for info in node.get_publishers_info_by_topic(topic)]
    if not offers:
        return profile
    if args.qos_reliability is None and \
            all(offer.reliability == ReliabilityPolicy.RELIABLE for offer in offers):
        profile.reliability = ReliabilityPolicy.RELIABLE
    if args.qos_durability is None and \
            all(offer.durability == DurabilityPolicy.TRANSIENT_LOCAL for offer in offers):
        profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
    return profile


def incompatible_offer_warning(event: Any) -> Optional[str]:
    """Return a warning about a publisher whose QoS does not fit."""
    from rclpy.qos import qos_policy_name_from_kind
    policy = qos_policy_name_from_kind(event.last_policy_kind)
    return ('New publisher discovered on topic, offering incompatible QoS. No messages will be '
            f'received from it. Last incompatible policy: {policy}')
