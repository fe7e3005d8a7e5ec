#include "hindsight/runs/trace.hpp"

#include <nlohmann/json.hpp>

#include "hindsight/core/error.hpp"
#include "hindsight/core/json.hpp"
#include "hindsight/domains/interior.hpp"
#include "hindsight/learners/doubling.hpp"
#include "hindsight/learners/frank_wolfe_blocks.hpp"
#include "hindsight/runs/ledger.hpp"

namespace hindsight {
namespace {

using Json = nlohmann::ordered_json;

Json array(PointView x) { return Json(std::vector<double>(x.begin(), x.end())); }

Json rows(const PointTable& table) {
  Json list = Json::array();
  for (std::size_t i = 0; i < table.rows(); ++i) list.push_back(array(table.row(i)));
  return list;
}

class Tracer final : public Watcher {
 public:
  explicit Tracer(std::ostream& out) : out_(out) {}

  Round block() const { return block_; }
  void write(const Json& event) { out_ << event.dump() << '\n'; }

  void opened(Round q, const PointTable& decisions, const PointTable& iterates,
              std::span<const Round> order) override {
    block_ = q;
    write({{"event", "block"},
           {"q", q},
           {"v", rows(decisions)},
           {"x", rows(iterates)},
           {"order", std::vector<Round>(order.begin(), order.end())}});
  }

  void updated(Round q, int k, PointView g, PointView d) override {
    write({{"event", "update"}, {"q", q}, {"k", k}, {"g", array(g)}, {"d", array(d)}});
  }

 private:
  std::ostream& out_;
  Round block_ = 0;
};

Json start_event(const Learner& learner, const Domain& domain, Round rounds) {
  Json start = {{"event", "start"}, {"learner", learner.kind()}, {"d", domain.dimension()}};
  const auto* blocks = dynamic_cast<const FrankWolfeBlocks*>(&learner);
  if (!blocks) {
    start["T"] = rounds;
    return start;
  }
  const FrankWolfePlan& plan = blocks->plan();
  start["T"] = plan.horizon;
  start["K"] = plan.steps;
  start["L"] = plan.block_length;
  start["Q"] = plan.blocks;
  start["delta"] = plan.radius;
  // An exact erosion moves the faces and shrinks nothing.
  const auto* interior = dynamic_cast<const AffineImage*>(&blocks->playground());
  const bool shrunk = plan.radius > 0 && interior && interior->scale() < 1;
  start["alpha"] = shrunk ? shrinkage(domain, plan.radius) : 0.0;
  start["r"] = domain.inner_radius();
  start["lower"] = array(blocks->lower());
  start["rho"] = plan.averaging;
  start["eta"] = plan.step_sizes;
  return start;
}

}  // namespace

void trace(Learner& learner, const DomainPtr& domain, Game& game, Round rounds, std::ostream& out) {
  // The stages of an unknown horizon are learners of their own, with rounds and blocks of their
  // own.
  require(dynamic_cast<const Doubling*>(&learner) == nullptr, "horizon", "unknown",
          "must be known for a trace");
  Tracer tracer(out);
  const bool blocks = dynamic_cast<const FrankWolfeBlocks*>(&learner) != nullptr;
  if (blocks) learner.watch(&tracer);
  Ledger ledger(std::dynamic_pointer_cast<const Matroid>(domain));
  tracer.write(start_event(learner, *domain, rounds));
  for (Round n = 0; n < rounds; ++n) {
    const Suggestion suggestion = learner.suggest();
    const Answer answer = game.answer(suggestion);
    Json said = to_json(suggestion);
    Json event = {{"event", "round"}, {"t", suggestion.round}};
    if (blocks) event["q"] = tracer.block();
    for (const char* key : {"phase", "k", "action", "set", "direction"})
      if (said.contains(key)) event[key] = said[key];
    event["value"] = *answer.feedback.value;
    event["reward"] = ledger.record(suggestion, answer.worth);
    for (const char* key : {"probes", "surrogate"})
      if (said.contains(key)) event[key] = said[key];
    if (answer.feedback.gradients.count > 0)
      event["gradients"] = to_json(answer.feedback)["gradients"];
    tracer.write(event);
    learner.observe(answer.feedback);
  }
  learner.watch(nullptr);
}

}  // namespace hindsight
