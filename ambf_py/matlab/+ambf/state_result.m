function done = state_result(memory, since, command)
% STATE_RESULT  Has the arm done what a state command, sent when its memory was `since`, asked for?
% SPDX-License-Identifier: BSD-3-Clause
  if memory.warnings > since.warnings && ~isempty(strfind(memory.warning, ['"' command '"']))
    error('ambf:refused', '%s', memory.warning);
  end
  done = false;
  if memory.states <= since.states
    return;
  end
  switch command
    case {'enable', 'resume'}
      done = strcmp(memory.state, 'ENABLED');
    case 'disable'
      done = strcmp(memory.state, 'DISABLED');
    case 'pause'
      done = strcmp(memory.state, 'PAUSED');
    case 'home'
      done = memory.is_homed && ~memory.is_busy;
    case 'unhome'
      done = ~memory.is_homed;
    otherwise
      error('ambf:badValue', 'unknown state command %s', command);
  end
end
