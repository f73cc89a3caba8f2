"""Programs: ambf-tasks, ambf-train, ambf-latency, ambf-record."""
