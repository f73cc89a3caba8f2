# SPDX-License-Identifier: BSD-3-Clause
# Pushes a body to a frame with forces and torques that the script computes, and shows the frame of another.
import rospy
from PyKDL import Frame, Rotation, Vector

from ambf_client import Client


def frame_of(handle):
    p, q = handle.get_pos(), handle.get_rot()
    return Frame(Rotation.Quaternion(q.x, q.y, q.z, q.w), Vector(p.x, p.y, p.z))


class Servo:
    K_LIN, D_LIN, K_ANG, D_ANG = 80.0, 15.0, 0.4, 0.05

    def __init__(self, name):
        self.client = Client(name)
        self.client.connect()
        self.body = self.client.get_obj_handle('crate')
        self.mass = 1.0

    def run(self, goal, tolerance):
        rate, begin = rospy.Rate(500), rospy.Time.now()
        while not rospy.is_shutdown():
            now = frame_of(self.body)
            error = goal.p - now.p
            angle, axis = (now.M.Inverse() * goal.M).GetRotAngle()
            if error.Norm() < tolerance and (rospy.Time.now() - begin).to_sec() > 1.0:
                return error.Norm(), angle
            if rospy.Time.now() - begin > rospy.Duration(60.0):
                return error.Norm(), angle
            v, w = self.body.get_linear_vel(), self.body.get_angular_vel()
            force = error * self.K_LIN - self.D_LIN * Vector(v.x, v.y, v.z) + Vector(0, 0, 9.81) * self.mass
            torque = now.M * (axis * angle * self.K_ANG) - Vector(w.x, w.y, w.z) * self.D_ANG
            self.body.set_force(force[0], force[1], force[2])
            self.body.set_torque(torque[0], torque[1], torque[2])
            rate.sleep()


if __name__ == '__main__':
    servo = Servo('kdl_servo')
    goal = frame_of(servo.body) * Frame(Rotation.RPY(0.0, 0.0, 0.4), Vector(0.05, 0.0, 0.1))
    goal.M = Rotation.RPY(0, 0, goal.M.GetRPY()[2])
    distance, angle = servo.run(goal, 0.01)
    wrench = servo.body.get_force_command(), servo.body.get_torque_command()
    rospy.sleep(0.5)
    after = servo.body.get_force_command()
    servo.client.clean_up()
