function result = motion_result(memory, since)
% MOTION_RESULT  What became of a move that was sent when the arm's memory was `since`.
% 'going': not ended yet; 'ended': it was busy and no longer is. ambf:refused and ambf:notEnabled are errors.
% SPDX-License-Identifier: BSD-3-Clause
  if memory.states > since.states && ~strcmp(memory.state, 'ENABLED')
    error('ambf:notEnabled', 'the move ended, since the arm is %s; its last error: %s', memory.state, memory.error);
  end
  result = 'going';
  if memory.is_busy
    return;
  end
  wrong = memory.errors > since.errors;
  if memory.busy_at > since.states
    if wrong && memory.goals > since.goals && ~memory.reached
      error('ambf:refused', '%s', memory.error);
    end
    result = 'ended';
  elseif wrong
    error('ambf:refused', '%s', memory.error);
  end
end
