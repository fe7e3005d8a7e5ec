/// Online projected gradient ascent: the simple rival, with half the guarantee.
///
/// Zinkevich 2003, for monotone DR-submodular functions Chen, Hassani, Karbasi 2018 (Theorem 2
/// there): (1/2)-regret O(sqrt T), against (1-1/e) of the Frank-Wolfe learners. One gradient a
/// round, at the point played.
#pragma once

#include "hindsight/learners/learner.hpp"
#include "hindsight/learners/round_book.hpp"
#include "hindsight/oracles/oracle_bank.hpp"

namespace hindsight {

struct GradientAscentOptions {
  OracleOptions oracle =
      {};  ///< any online linear maximiser; gradient ascent gives the algorithm its name
  bool learning = true;  ///< false: the control
  std::uint64_t seed = 1;
};

class GradientAscent final : public Learner {
 public:
  explicit GradientAscent(DomainPtr domain, const GradientAscentOptions& options = {});

  std::string_view kind() const override { return "gradient-ascent"; }
  Suggestion suggest() override;
  Round ready() const override { return book_.is_open() ? book_.ready() : 1; }
  void observe(const Feedback& feedback) override;
  void lose(Round round) override;

 private:
  void write(Writer& writer) const override;
  void read(Reader& reader) override;

  DomainPtr domain_;
  OracleOptions oracle_;
  std::unique_ptr<OracleBank> bank_;
  bool learning_;
  std::uint64_t seed_;
  RoundBook book_;
  Point played_;
};

}  // namespace hindsight
