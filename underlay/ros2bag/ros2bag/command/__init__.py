"""The command of `ros2` that this package adds."""
