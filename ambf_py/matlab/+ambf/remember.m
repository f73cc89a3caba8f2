function memory = remember(memory, kind, msg)
% REMEMBER  Takes a message of an arm in: kind is operating_state, goal_reached, error or warning.
% SPDX-License-Identifier: BSD-3-Clause
  switch kind
    case 'operating_state'
      memory.states = memory.states + 1;
      memory.state = char(msg.state);
      memory.is_homed = logical(msg.is_homed);
      memory.is_busy = logical(msg.is_busy);
      if memory.is_busy
        memory.busy_at = memory.states;
      end
    case 'goal_reached'
      memory.goals = memory.goals + 1;
      memory.reached = logical(msg.data);
    case 'error'
      memory.errors = memory.errors + 1;
      memory.error = char(msg.data);
    case 'warning'
      memory.warnings = memory.warnings + 1;
      memory.warning = char(msg.data);
    otherwise
      error('ambf:badValue', 'remember: unknown kind %s', kind);
  end
end
