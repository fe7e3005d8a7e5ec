#include "hindsight/reports/advice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hindsight/reports/wording.hpp"

namespace hindsight {
namespace {

constexpr std::size_t name_length = 60;

std::string short_name(const std::string& name) { return shortened(name, name_length); }

/// "a", "a or b", "a, b or c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + short_name(names[i]);
  return text;
}

/// "74.1% more (95% interval 73.5% to 74.7%)", by the sign.
std::string more_or_less(const Estimate& above) {
  const double sign = above.middle() < 0 ? -1 : 1;
  std::string text = percent(sign * above.middle()) + (sign < 0 ? " less" : " more");
  if (above.seeds > 1) {
    const double one = sign * above.confidence.lower, other = sign * above.confidence.upper;
    text += fmt::format(" (95% interval {} to {})", percent(std::min(one, other)),
                        percent(std::max(one, other)));
  }
  return text;
}

/// What it earned of the best fixed decision, if that is defined.
std::string share_of_best(const Standing& standing) {
  const auto& ratio = standing.against[best_fixed_yardstick].ratio;
  if (!ratio) return fmt::format("{:.5g} a round", standing.reward.middle());
  const std::string low = percent(ratio->mean.lower), high = percent(ratio->mean.upper);
  return (low == high ? low : low + " to " + high) + " of what the best fixed decision earns";
}

/// A learner that asks for a tenth as much and earns nearly the same is worth a word.
std::string cheaper(const std::vector<const Contender*>& learners, const Contender& best) {
  const Standing& top = best.standings.back();
  if (top.gradients == 0) return "";
  const Contender* found = nullptr;
  for (const Contender* other : learners) {
    const Standing& s = other->standings.back();
    if (s.gradients > top.gradients / 10 || s.reward.middle() < 0.99 * top.reward.middle())
      continue;
    if (!found || s.reward.middle() > found->standings.back().reward.middle()) found = other;
  }
  if (!found) return "";
  const Standing& s = found->standings.back();
  return fmt::format(" {} earns {} of that on {:.3g} instead of {:.3g} gradients a round.",
                     short_name(found->name), percent(s.reward.middle() / top.reward.middle(), 2),
                     s.gradients, top.gradients);
}

std::string advise(const Study& study, const std::vector<const Contender*>& learners) {
  const Contender& best = *learners.front();
  const Standing& top = best.standings.back();
  const std::string name = short_name(best.name), at = " at T = " + grouped(top.rounds);
  if (study.seeds.size() < 2)
    return fmt::format(
        "One seed cannot tell skill from luck. In this one run{} the most was earned by {}, {}.",
        at, name, share_of_best(top));
  if (best.line.empty() || !top.over_line)
    return fmt::format(
        "The most was earned by {}, {}{}; how much of that is learning cannot be said without a "
        "line that does not learn.",
        name, share_of_best(top), at);
  const std::string idle = "not learning (" + short_name(best.line) + ")";
  if (top.over_line->confidence.upper < 0)
    return fmt::format(
        "None of these learners pays{}: the best of them, {}, earned {} than {}. Do not learn; "
        "play "
        "{}.",
        at, name, more_or_less(*top.over_line), idle, short_name(best.line));
  if (top.over_line->confidence.lower <= 0)
    return fmt::format(
        "No learner surely beat not learning{}: the best of them, {}, earned {} than {}, and the "
        "interval holds 0.",
        at, name, more_or_less(*top.over_line), idle);
  std::vector<std::string> level;
  for (const Contender* learner : learners)
    if (learner->standings.back().level) level.push_back(learner->name);
  std::string text =
      level.size() == 1
          ? fmt::format("Use {}: it", name)
          : fmt::format("Use {}, which these seeds cannot tell apart: the first", listed(level));
  text += fmt::format(" earned {}{}, {} than {}.", share_of_best(top), at,
                      more_or_less(*top.over_line), idle);
  if (top.over_control && top.over_control->confidence.lower <= 0)
    text += " But it is not surely above its control, the same code with learning off.";
  return text + cheaper(learners, best);
}

}  // namespace

std::vector<Advice> advice(const Study& study) {
  std::vector<Advice> all;
  for (const Told told : {Told::gradients, Told::point_values, Told::set_values}) {
    std::vector<const Contender*> learners;  // the best first, as they are in the study
    for (const Contender& contender : study.contenders)
      if (contender.role == Role::learner && contender.told == told) learners.push_back(&contender);
    if (!learners.empty()) all.push_back({told, advise(study, learners)});
  }
  return all;
}

}  // namespace hindsight
