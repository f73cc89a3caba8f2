// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "bullet.hpp"

namespace ambf_dynamics
{

/// A joint whose rows we write ourselves. Rows measure the child relative to the parent.
class RowJoint : public btTypedConstraint
{
public:
  struct Softness
  {
    double erp = 0.2;
    double cfm = 0.0;            ///< relative to the inertia that a row sees
    bool cfm_from_file = false;  ///< then `cfm` holds for all rows, else for limits only
    double step = 0.001;         ///< of the integration [s]
    /// Absolute compliance of the locked linear [1/kg] and angular [1/(kg m^2)] rows, see compliance.hpp;
    /// negative: `cfm` holds.
    double linear_compliance = -1.0;
    double angular_compliance = -1.0;
  };

  static constexpr int max_rows = 12;
  /// Marks these constraints among Bullet's own.
  static constexpr btTypedConstraintType type_mark = MAX_CONSTRAINT_TYPE;
  /// The joint behind a constraint, or nothing where it is one of Bullet's.
  static RowJoint * from(btTypedConstraint * constraint)
  {
    return constraint->getConstraintType() == type_mark ? static_cast<RowJoint *>(constraint)
                                                        : nullptr;
  }

  RowJoint(btRigidBody & parent, btRigidBody & child) : btTypedConstraint(type_mark, parent, child)
  {
  }

  Softness softness;

  /// Reads position and velocity from the bodies' present state. Rows use the last reading: call after every
  /// motion of the bodies.
  virtual void measure() {}
  /// Largest number of rows of this joint, at most `max_rows`.
  virtual int most_rows() const = 0;
  /// Absolute compliance of row i, [velocity per impulse]; negative: relative `cfm` holds.
  double compliance(int row) const { return compliance_[static_cast<std::size_t>(row)]; }
  /// Whether row i holds two bodies together, and is no spring, motor or limit.
  bool locked(int row) const { return locked_[static_cast<std::size_t>(row)]; }
  /// Called by the solver with the impulses of all rows.
  virtual void begin_impulses() {}
  virtual void take_impulse(int /*row*/, double /*impulse*/, double /*step*/) {}

  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

protected:
  void set_compliance(int row, double value) { compliance_[static_cast<std::size_t>(row)] = value; }

  /// Writes rows one after the other. A lever arm reaches from the centre of mass to the child's pivot for
  /// both bodies: with the direction fixed in the parent this is the exact derivative of
  /// direction . (p_C - p_P).
  class Rows
  {
  public:
    Rows(RowJoint & joint, btConstraintInfo2 * info, const btVector3 & pivot);

    void linear(const btVector3 & n) { write(n, arm_parent_.cross(n), arm_child_.cross(n)); }
    void angular(const btVector3 & n) { write(btVector3(0, 0, 0), n, n); }
    void target(double velocity) { info_->m_constraintError[at()] = velocity; }
    void bounds(double low, double high);
    /// Holds the two bodies together: the row's error goes by `erp` a step.
    void lock(double error, double compliance);
    /// Effort p e + d (r - v) at the end of the step, with e - h v for e, is the row
    /// v + lambda / (h (d + h p)) = (p e + d r) / (d + h p): implicit, so stable for any gains.
    void implicit(double p, double d, double error, double rate, double effort);
    /// Before the limit: at most arrive at it. Behind it: come back by erp, but not like a shot: files
    /// start outside their limits, and the joint keeps the speed that it is given here.
    void limit(bool at_low, double distance, double fastest_return);
    void cfm(double value) { info_->cfm[at()] = value; }
    int row() const { return row_; }

  private:
    int at() const { return row_ * info_->rowskip; }
    void write(
      const btVector3 & n, const btVector3 & parent_angular, const btVector3 & child_angular);

    RowJoint & joint_;
    btConstraintInfo2 * info_;
    btVector3 arm_parent_;
    btVector3 arm_child_;
    int row_ = -1;
  };

  /// A limit becomes a row a little before it is reached, so that the joint is stopped at it and not pulled back
  /// from behind it.
  double limit_reach(double rate) const { return 1e-3 + 2.0 * softness.step * std::abs(rate); }

private:
  std::array<double, max_rows> compliance_{};
  std::array<bool, max_rows> locked_{};
};

constexpr double limit_return_turning = 0.5;   // [rad/s]
constexpr double limit_return_sliding = 0.05;  // [m/s]

}  // namespace ambf_dynamics
