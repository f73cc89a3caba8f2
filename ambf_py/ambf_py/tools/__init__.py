"""Programs: ambf-tasks, ambf-latency, ambf-record."""
