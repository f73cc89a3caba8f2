"""The command line of ROS 2."""
