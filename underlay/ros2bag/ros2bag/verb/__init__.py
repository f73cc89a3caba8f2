"""The verbs of `ros2 bag`, one a module."""
