#include "hindsight/oracles/oracle_bank.hpp"

#include "hindsight/core/error.hpp"
#include "hindsight/oracles/dual_averaging_bank.hpp"
#include "hindsight/oracles/gradient_ascent_bank.hpp"
#include "hindsight/oracles/perturbed_leader_bank.hpp"

namespace hindsight {
namespace {

constexpr OracleKind kinds[] = {
    {"gradient-ascent", "projected gradient steps, forgets quickly; the paper's example",
     "Zinkevich 2003"},
    {"dual-averaging", "projects the sum of all rewards; calmer under noise",
     "Nesterov 2009; Orabona and Pal 2018"},
    {"perturbed-leader", "maximises the perturbed sum of all rewards; needs no projection",
     "Kalai and Vempala 2005; Cohen and Hazan 2015"},
};

}  // namespace

void OracleBank::feed(std::size_t k, PointView reward) {
  const double squared = squared_norm(reward);
  feed_each(k, reward, {&squared, 1});
}

void OracleOptions::write(Writer& writer) const {
  writer.text(kind);
  writer.value(step.value_or(0));
  writer.value(scale);
  writer.value(state);
}

void OracleOptions::require_same(Reader& reader) const {
  reader.same_text("oracle", kind);
  reader.same("oracle_step", step.value_or(0));
  reader.same("oracle_scale", scale);
  reader.same("state", state);
}

std::span<const OracleKind> oracle_kinds() { return kinds; }

std::unique_ptr<OracleBank> make_oracle_bank(DomainPtr domain, std::size_t oracles,
                                             const OracleOptions& options, std::uint64_t seed,
                                             std::size_t threads) {
  if (options.step)
    require(std::isfinite(*options.step) && *options.step > 0, "oracle_step", *options.step,
            "must be positive and finite");
  require(std::isfinite(options.scale) && options.scale > 0, "oracle_scale", options.scale,
          "must be positive and finite");
  require(!options.step || options.scale == 1, "oracle_scale", options.scale,
          "must not be given with oracle_step");
  require(options.state == Precision::f64 || options.kind == "gradient-ascent", "state", "f32",
          "must be \"f64\" with oracle = \"" + options.kind + "\", whose sums would lose digits");
  if (options.kind == "gradient-ascent" && options.state == Precision::f32)
    return std::make_unique<GradientAscentBank<float>>(std::move(domain), oracles, options,
                                                       threads);
  if (options.kind == "gradient-ascent")
    return std::make_unique<GradientAscentBank<double>>(std::move(domain), oracles, options,
                                                        threads);
  if (options.kind == "dual-averaging")
    return std::make_unique<DualAveragingBank>(std::move(domain), oracles, options);
  if (options.kind == "perturbed-leader")
    return std::make_unique<PerturbedLeaderBank>(std::move(domain), oracles, options, seed);
  std::string known;
  for (const OracleKind& kind : kinds)
    known += (known.empty() ? "" : ", ") + std::string(kind.kind);
  reject("oracle", options.kind, "must be one of " + known);
}

}  // namespace hindsight
