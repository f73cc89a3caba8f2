// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ambf_simulation/step_rounds.hpp"

namespace ambf_simulation
{
namespace
{

/// Does what the rounds want, as a node would, and writes it down. Steps of a thread of its own, readers and members
/// answer when the test says so.
class RoundsTest : public ::testing::Test
{
protected:
  void call(const std::string & agent, std::uint64_t steps = 1, StepCall call = {})
  {
    call.id = ++last_;
    call.agent = agent;
    call.caller = agent;
    call.steps = steps;
    calls_[call.id] = call;
    do_all(rounds_.call(call, refusal_, now_));
  }

  void do_all(StepActions actions)
  {
    std::reverse(actions.begin(), actions.end());
    while (!actions.empty()) {
      const StepAction action = std::move(actions.back());
      actions.pop_back();
      StepActions more = std::visit([this](const auto & what) { return carry_out(what); }, action);
      std::move(more.rbegin(), more.rend(), std::back_inserter(actions));
    }
  }

  StepActions carry_out(const step_action::Check &)
  {
    note("check");
    return rounds_.checked(std::exchange(misfits_, {}), now_);
  }
  StepActions carry_out(const step_action::Answer & action)
  {
    note("answer " + std::to_string(action.call) + (action.end.code == StepCode::Ok ? " ok" : ""));
    ends_[action.call] = action.end;
    return {};
  }
  StepActions carry_out(const step_action::Start & action)
  {
    std::string order;
    for (const auto id : action.calls) { order += " " + calls_.at(id).agent; }
    note("start " + std::to_string(action.steps) + order);
    running_ = action.steps;
    return action.here ? stepped() : StepActions{};
  }
  StepActions carry_out(const step_action::Stop &)
  {
    note("stop");
    return {};
  }
  StepActions carry_out(const step_action::Publish &)
  {
    note("publish");
    return rounds_.published(now_);
  }
  StepActions carry_out(const step_action::AwaitReaders & action)
  {
    note("readers");
    readers_of_ = action.barrier;
    return {};
  }
  StepActions carry_out(const step_action::ComeAgain & action)
  {
    return rounds_.call(calls_.at(action.call), refusal_, now_);
  }
  StepActions carry_out(const step_action::Abandoned &) { return {}; }
  StepActions carry_out(const step_action::SetMode & action)
  {
    now_.mode = action.mode;
    note(std::string("mode ") + to_string(action.mode));
    return {};
  }
  StepActions carry_out(const step_action::Warn & action)
  {
    warned_ = action.text;
    return {};
  }

  StepActions stepped(std::optional<std::uint64_t> taken = {})
  {
    step_ += taken.value_or(running_);
    return rounds_.stepped({step_, taken.value_or(running_), "", false, false}, now_);
  }
  void note(const std::string & what) { done_ += (done_.empty() ? "" : ", ") + what; }
  std::string done() { return std::exchange(done_, ""); }

  StepRounds rounds_{1000, 1.0};
  StepMoment now_;
  std::optional<StepRefusal> refusal_;
  std::map<std::uint64_t, StepRefusal> misfits_;
  std::map<std::uint64_t, StepCall> calls_;
  std::map<std::uint64_t, StepRefusal> ends_;
  std::string done_, warned_;
  std::uint64_t last_ = 0, step_ = 0, running_ = 0, readers_of_ = 0;
};

TEST_F(RoundsTest, OneCallerIsSteppedPublishedAndAnswered)
{
  call("a", 5);
  EXPECT_EQ(done(), "check, start 5 a, publish, answer 1 ok");
  EXPECT_EQ(rounds_.under_way(), "");
}

TEST_F(RoundsTest, AllWhoJoinedGrantBeforeAnythingIsStepped)
{
  for (const char * name : {"b", "a"}) { rounds_.agents().join(name, 0.0, 0); }
  call("b");
  EXPECT_EQ(done(), "");
  EXPECT_NE(
    rounds_.under_way().find("'b' waits for the agents that have not granted: a"),
    std::string::npos);
  call("x");
  EXPECT_EQ(ends_[2].code, StepCode::NotJoined);
  call("a", 7);
  EXPECT_EQ(ends_[3].code, StepCode::BadRequest) << "b asked for another number of steps";
  call("b");
  EXPECT_NE(ends_[4].message.find("has granted already; waiting for: a"), std::string::npos);
  done();
  call("a");
  EXPECT_EQ(done(), "check, start 1 a b, publish, answer 5 ok, answer 1 ok")
    << "in the order of their names";
}

TEST_F(RoundsTest, WhatIsWrongWithARequestIsToldToTheOneWhoMayStep)
{
  refusal_ = {StepCode::BadRequest, "joints"};
  call("a");
  EXPECT_EQ(ends_[1].message, "joints");
  refusal_.reset();
  call("a");
  refusal_ = {StepCode::BadRequest, "joints"};
  call("b");
  EXPECT_EQ(ends_[3].code, StepCode::NotJoined);
}

TEST_F(RoundsTest, ACallThatNoLongerFitsIsRefusedAndTheOthersWaitOn)
{
  for (const char * name : {"a", "b"}) { rounds_.agents().join(name, 0.0, 0); }
  call("a");
  misfits_[1] = {StepCode::BadRequest, "no such joint"};
  call("b");
  EXPECT_EQ(done(), "check, answer 1");
  EXPECT_EQ(ends_[1].message, "the world changed while the call waited: no such joint");
  call("a");
  EXPECT_EQ(done(), "check, start 1 a b, publish, answer 3 ok, answer 2 ok");
}

TEST_F(RoundsTest, CallsThatComeDuringALongRoundAreTakenInTurnAfterIt)
{
  call("a", 1000);
  EXPECT_EQ(done(), "check, start 1000 a");
  EXPECT_TRUE(rounds_.running());
  call("a", 2);
  call("a", 2000);
  call("a", 3);
  EXPECT_EQ(done(), "");
  do_all(stepped());
  EXPECT_EQ(
    done(), "publish, answer 1 ok, check, start 2 a, publish, answer 2 ok, check, start 2000 a");
  do_all(stepped());
  EXPECT_EQ(done(), "publish, answer 3 ok, check, start 3 a, publish, answer 4 ok");
}

TEST_F(RoundsTest, TheAnswerWaitsForMembersAndReaders)
{
  rounds_.members()["camera"] = 0;
  StepCall wish;
  wish.barrier = {"camera"};
  wish.wait_for_acked = true;
  call("a", 1, wish);
  EXPECT_EQ(done(), "check, start 1 a, publish, readers");
  do_all(rounds_.member_done("camera", step_ + 1, true, "", now_));
  EXPECT_EQ(done(), "") << "of another step";
  do_all(rounds_.acknowledged(readers_of_, now_));
  EXPECT_NE(rounds_.under_way().find("waits for the barrier: camera"), std::string::npos);
  do_all(rounds_.member_done("camera", step_, true, "", now_));
  EXPECT_EQ(done(), "answer 1 ok");
}

TEST_F(RoundsTest, WhoIsMissingInABarrierIsNamedAtItsEnd)
{
  rounds_.members() = {{"late", 3}, {"broken", 0}, {"dead", 0}};
  now_.revision = 4;
  StepCall wish;
  wish.barrier = {"late", "broken", "dead", "unknown"};
  wish.barrier_timeout = 2.0;
  call("a", 1, wish);
  do_all(rounds_.member_done("broken", step_, false, "no disk", now_));
  do_all(rounds_.members_gone({"dead"}, now_));
  EXPECT_FALSE(rounds_.members().contains("dead"));
  now_.time = 2'000'000'000 - 1;
  do_all(rounds_.tick(false, now_));
  EXPECT_TRUE(ends_.empty());
  now_.time += 1;
  do_all(rounds_.tick(false, now_));
  EXPECT_EQ(ends_[1].code, StepCode::BarrierTimeout);
  for (const char * words :
       {"unknown (has not announced itself", "broken: no disk", "dead (is gone)",
        "late (no answer within 2.000000 s; it knows manifest 3, and the world has 4)"}) {
    EXPECT_NE(ends_[1].message.find(words), std::string::npos) << words << "\n" << ends_[1].message;
  }
}

TEST_F(RoundsTest, WhatIsAbandonedIsAnsweredAndARoundThatRunsStops)
{
  call("a", 1000);
  call("a", 2);
  done();
  do_all(rounds_.abandon(StepCode::Canceled, "the world was reset", now_));
  EXPECT_EQ(done(), "answer 2, stop");
  EXPECT_EQ(rounds_.under_way(), "");
  do_all(stepped(10));
  EXPECT_EQ(done(), "publish, answer 1");
  EXPECT_EQ(ends_[1].message, "canceled after 10 of 1000 steps: the world was reset");
}

TEST_F(RoundsTest, ARunningRoundEndsWithTheLastOfThoseWhoCalled)
{
  for (const char * name : {"a", "b"}) { rounds_.agents().join(name, 0.0, 0); }
  call("a", 1000);
  call("b", 1000);
  done();
  const auto leave = [&](const std::string & name) {
    rounds_.agents().leave(name);
    do_all(rounds_.agents_gone({name}, "the agent left", now_));
  };
  leave("a");
  EXPECT_EQ(done(), "");
  leave("b");
  EXPECT_EQ(done(), "stop");
  EXPECT_NE(warned_.find("a step call of 1000 steps by 'a, b' is canceled"), std::string::npos)
    << warned_;
}

TEST_F(RoundsTest, AnAgentThatLeavesTakesItsGrantAlongAndTheOthersStep)
{
  for (const char * name : {"a", "b"}) { rounds_.agents().join(name, 0.0, 0); }
  call("a");
  rounds_.agents().leave("b");
  do_all(rounds_.agents_gone({"b"}, "the agent left", now_));
  EXPECT_EQ(done(), "check, start 1 a, publish, answer 1 ok");
}

TEST_F(RoundsTest, TheToggleClockStepsItsWorldAndGivesTheModeBack)
{
  now_.mode = Mode::Realtime;
  do_all(rounds_.toggle(true, true, 5, "p", now_));
  EXPECT_EQ(done(), "mode lockstep, start 5, publish");
  do_all(rounds_.toggle(true, true, 5, "p", now_));
  EXPECT_EQ(done(), "") << "a repetition";
  call("a");
  EXPECT_EQ(ends_[1].code, StepCode::NotJoined);
  EXPECT_NE(ends_[1].message.find("'World/Command of process p' is stepping"), std::string::npos);
  done();
  do_all(rounds_.toggle(true, false, 200, "p", now_));
  do_all(rounds_.toggle(true, true, 3, "p", now_));
  EXPECT_EQ(done(), "start 200") << "the next steps are taken after these";
  do_all(stepped());
  EXPECT_EQ(done(), "publish, start 3, publish");
  do_all(rounds_.toggle(false, true, 3, "p", now_));
  EXPECT_EQ(done(), "mode realtime");
}

TEST_F(RoundsTest, AToggleThatIsIgnoredIsOneWhenNothingIsInTheWay)
{
  rounds_.agents().join("a", 0.0, 0);
  now_.mode = Mode::Realtime;
  do_all(rounds_.toggle(true, false, 0, "p", now_));
  EXPECT_EQ(done(), "");
  EXPECT_NE(warned_.find("agents have joined: a"), std::string::npos) << warned_;
  rounds_.agents().leave("a");
  do_all(rounds_.toggle(true, false, 0, "p", now_));
  EXPECT_EQ(done(), "mode lockstep");
}

TEST_F(RoundsTest, NobodyIsSteppedAtTheEndOfTheSimulator)
{
  now_.stopping = true;
  call("a");
  EXPECT_EQ(ends_[1].code, StepCode::Shutdown);
}

}  // namespace
}  // namespace ambf_simulation
