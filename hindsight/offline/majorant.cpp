#include "hindsight/offline/majorant.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

#include "hindsight/functions/concave_over_modular.hpp"
#include "hindsight/functions/coverage.hpp"
#include "hindsight/functions/design.hpp"
#include "hindsight/functions/facility_location.hpp"
#include "hindsight/functions/log_det.hpp"
#include "hindsight/functions/modular.hpp"
#include "hindsight/functions/quadratic.hpp"

namespace hindsight {
namespace {

std::size_t index(Item i) { return static_cast<std::size_t>(i); }

/// Coverage is facility location: an element is a customer to whom all its coverers offer the same.
class Customers final : public Majorant {
 public:
  explicit Customers(const Coverage& f) {
    std::vector<std::vector<Offer>> offers(f.weights().size());
    for (Item i = 0; i < f.dimension(); ++i)
      for (const int e : f.elements(i))
        offers[index(e)].push_back({index(i), f.weights()[index(e)]});
    for (auto& customer : offers) append(customer);
  }

  explicit Customers(const FacilityLocation& f) {
    std::vector<Offer> offers;
    for (std::size_t c = 0; c < f.weights().size(); ++c) {
      offers.clear();
      for (std::size_t i = 0; i < f.benefits().columns(); ++i)
        if (const double worth = f.weights()[c] * f.benefits().row(c)[i]; worth > 0)
          offers.push_back({i, worth});
      append(offers);
    }
  }

  std::size_t terms() const override { return starts_.size() - 1; }

  /// By duality the customer's relaxation is min over prices p >= 0 of p + sum_i (b_i - p)+ x_i: a
  /// tangent for each p. The best p at x is the offer with which the sum of x reaches 1.
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    for (std::size_t c = share.first(terms()); c < share.end(terms()); ++c) {
      double price = 0, open = 1;
      for (std::size_t j = starts_[c]; j < starts_[c + 1]; ++j) {
        open -= x[offers_[j].item];
        if (open <= 1e-12) {
          price = offers_[j].worth;
          break;
        }
      }
      cut.constant += price;
      for (std::size_t j = starts_[c]; j < starts_[c + 1] && offers_[j].worth > price; ++j)
        cut.slope[offers_[j].item] += offers_[j].worth - price;
    }
  }

  bool has_pairs() const override { return true; }

  /// For an order of the offers, the best first, and a partner before each but the first, p + sum_j
  /// (b_j - p)+ (x_j - x_j x_partner) is above too: the best offer of a set has no partner in it.
  /// The partner is the one that goes with it most often; among equal offers frequent ones are
  /// first, to be partners. The best p is found as above.
  void add_pair_tangent(PointView x, const PointTable& products, PairCut& cut) const override {
    std::vector<std::size_t> by_size(x.size()), place(x.size()), partners;
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::size_t i, std::size_t j) { return x[i] > x[j]; });
    for (std::size_t k = 0; k < by_size.size(); ++k) place[by_size[k]] = k;
    std::vector<Offer> offers;
    for (std::size_t c = 0; c < terms(); ++c) {
      const auto all = std::span(offers_).subspan(starts_[c], starts_[c + 1] - starts_[c]);
      offers.assign(all.begin(), all.end());
      std::sort(offers.begin(), offers.end(), [&](const Offer& a, const Offer& b) {
        return a.worth != b.worth ? a.worth > b.worth : place[a.item] < place[b.item];
      });
      partners.clear();
      double price = 0, open = 1;
      for (std::size_t j = 0; j < offers.size(); ++j) {
        const PointView together = products.row(offers[j].item);
        std::size_t partner = 0;
        for (std::size_t i = 1; i < j; ++i)
          if (together[offers[i].item] > together[offers[partner].item]) partner = i;
        partners.push_back(offers[partner].item);
        open -= x[offers[j].item] - (j > 0 ? together[partners[j]] : 0.0);
        if (open <= 1e-12) {
          price = offers[j].worth;
          break;
        }
      }
      cut.constant += price;
      for (std::size_t j = 0; j < partners.size() && offers[j].worth > price; ++j) {
        cut.slope[offers[j].item] += offers[j].worth - price;
        if (j > 0) cut.pairs.row(offers[j].item)[partners[j]] -= offers[j].worth - price;
      }
    }
  }

 private:
  struct Offer {
    std::size_t item;
    double worth;
  };

  void append(std::vector<Offer>& offers) {
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer& a, const Offer& b) { return a.worth > b.worth; });
    offers_.insert(offers_.end(), offers.begin(), offers.end());
    starts_.push_back(offers_.size());
  }

  std::vector<Offer> offers_;  // customer after customer, the best first
  std::vector<std::size_t> starts_ = {0};
};

class Linear final : public Majorant {
 public:
  explicit Linear(const Modular& f) : weights_(f.weights()) {}
  std::size_t terms() const override { return 1; }
  void add_tangent(Share share, PointView, Cut& cut) const override {
    if (share.end(1) > share.first(1)) add_scaled(cut.slope, 1, weights_);
  }

 private:
  Point weights_;
};

/// phi(<w, x>) for every group, with the chord from 0 to the smallest w_i > 0 instead of phi below
/// it: no set's weight lies between, and the slope stays finite.
class ConcaveGroups final : public Majorant {
 public:
  ConcaveGroups(std::shared_ptr<const ConcaveOverModular> f, double times)
      : f_(std::move(f)), times_(times) {
    for (std::size_t g = 0; g < terms(); ++g) {
      smallest_.push_back(INFINITY);
      for (const double w : f_->weights().row(g))
        if (w > 0) smallest_.back() = std::min(smallest_.back(), w);
    }
  }
  std::size_t terms() const override { return f_->coefficients().size(); }
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    for (std::size_t g = share.first(terms()); g < share.end(terms()); ++g) {
      if (smallest_[g] == INFINITY) continue;  // worth nothing
      const PointView weights = f_->weights().row(g);
      const double z = dot(weights, x);
      const bool chord = z < smallest_[g];
      const double slope = chord ? f_->shaped(smallest_[g]) / smallest_[g] : f_->slope(z);
      const double scale = times_ * f_->coefficients()[g];
      if (!chord) cut.constant += scale * (f_->shaped(z) - slope * z);
      add_scaled(cut.slope, scale * slope, weights);
    }
  }

 private:
  std::shared_ptr<const ConcaveOverModular> f_;
  double times_;
  Point smallest_;
};

/// log det(I + diag(x) M) = log det(I + sum_i x_i l_i l_i'), M = LL' and l_i the rows of L.
class ConcaveLogDet final : public Majorant {
 public:
  ConcaveLogDet(const LogDet& f, double times) : times_(times) {
    const auto d = static_cast<Eigen::Index>(f.dimension());
    Eigen::MatrixXd kernel = Eigen::Map<const Eigen::MatrixXd>(f.matrix().numbers().data(), d, d);
    kernel.diagonal().array() -= 1;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(kernel);
    // Eigenvalues below 0 are rounding.
    factor_ = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  }
  std::size_t terms() const override { return 1; }
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    if (share.end(1) == share.first(1)) return;
    const Eigen::Map<const Eigen::VectorXd> weights(x.data(), factor_.rows());
    Eigen::MatrixXd inner = factor_.transpose() * weights.asDiagonal() * factor_;
    inner.diagonal().array() += 1;
    const Eigen::LLT<Eigen::MatrixXd> cholesky(inner);
    const Eigen::MatrixXd half = cholesky.matrixL().solve(factor_.transpose());
    double value = 0;
    for (Eigen::Index i = 0; i < inner.rows(); ++i)
      value += 2 * std::log(cholesky.matrixLLT()(i, i));
    cut.constant += times_ * value;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double slope = times_ * half.col(static_cast<Eigen::Index>(i)).squaredNorm();
      cut.slope[i] += slope;
      cut.constant -= slope * x[i];
    }
  }

 private:
  double times_;
  Eigen::MatrixXd factor_;  // L
};

/// A function that is concave itself.
class Itself final : public Majorant {
 public:
  Itself(ContinuousFunctionPtr f, double times) : f_(std::move(f)), times_(times) {}
  std::size_t terms() const override { return 1; }
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    if (share.end(1) == share.first(1)) return;
    Point slope(x.size());
    f_->gradient(x, slope);
    cut.constant += times_ * (f_->value(x) - dot(slope, x));
    add_scaled(cut.slope, times_, slope);
  }

 private:
  ContinuousFunctionPtr f_;
  double times_;
};

/// x_i x_j >= max(0, u_j x_i + u_i x_j - u_i u_j), as both x and u - x are non-negative.
class Mccormick final : public Majorant {
 public:
  Mccormick(std::shared_ptr<const Quadratic> f, PointView upper)
      : f_(std::move(f)), upper_(upper.begin(), upper.end()) {}
  std::size_t terms() const override { return upper_.size(); }
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    for (std::size_t i = share.first(terms()); i < share.end(terms()); ++i) {
      const PointView row = f_->H().row(i);
      cut.slope[i] += f_->h()[i] + row[i] * x[i];
      cut.constant -= row[i] * x[i] * x[i] / 2;
      for (std::size_t j = 0; j < i; ++j) {
        if (upper_[j] * x[i] + upper_[i] * x[j] <= upper_[i] * upper_[j]) continue;
        cut.constant -= row[j] * upper_[i] * upper_[j];
        cut.slope[i] += row[j] * upper_[j];
        cut.slope[j] += row[j] * upper_[i];
      }
    }
  }
  bool has_pairs() const override { return true; }
  /// F itself; but where a square is below its tangent at x, or a product below McCormick's bound,
  /// that takes its place.
  void add_pair_tangent(PointView x, const PointTable& products, PairCut& cut) const override {
    add_scaled(cut.slope, 1, f_->h());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const PointView row = f_->H().row(i);
      if (products.row(i)[i] < x[i] * x[i]) {
        cut.constant -= row[i] * x[i] * x[i] / 2;
        cut.slope[i] += row[i] * x[i];
      } else {
        cut.pairs.row(i)[i] += row[i] / 2;
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (products.row(i)[j] < upper_[j] * x[i] + upper_[i] * x[j] - upper_[i] * upper_[j]) {
          cut.constant -= row[j] * upper_[i] * upper_[j];
          cut.slope[i] += row[j] * upper_[j];
          cut.slope[j] += row[j] * upper_[i];
        } else {
          cut.pairs.row(i)[j] += row[j] / 2;
          cut.pairs.row(j)[i] += row[j] / 2;
        }
      }
    }
  }

 private:
  std::shared_ptr<const Quadratic> f_;
  Point upper_;
};

/// The least of f(S) + sum_{i not in S} f(i | S) x_i over all S (Nemhauser, Wolsey 1981). Which S
/// is the best is hard to say; the level sets of x are tried, of which a set's own indicator has
/// it.
class SetCuts final : public Majorant {
 public:
  SetCuts(SetFunctionPtr f, double times) : f_(std::move(f)), times_(times) {}
  std::size_t terms() const override { return 1; }
  void add_tangent(Share share, PointView x, Cut& cut) const override {
    if (share.end(1) == share.first(1)) return;
    ItemSet order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Item i, Item j) { return x[index(i)] > x[index(j)]; });
    Cut best, tried;
    double least = INFINITY;
    ItemSet set;
    for (std::size_t n = 0;; ++n) {
      tried = {f_->value(set), Point(x.size(), 0.0)};
      for (std::size_t j = n; j < order.size(); ++j) {
        set.push_back(order[j]);
        tried.slope[index(order[j])] = f_->value(set) - tried.constant;
        set.pop_back();
      }
      if (const double value = tried.constant + dot(tried.slope, x); value < least) {
        least = value;
        best = tried;
      }
      if (n == order.size() || x[index(order[n])] <= 0) break;
      set.push_back(order[n]);
    }
    cut.constant += times_ * best.constant;
    add_scaled(cut.slope, times_, best.slope);
  }

 private:
  SetFunctionPtr f_;
  double times_;
};

std::unique_ptr<const Majorant> majorant_of(const WeightedFunction& f, PointView upper) {
  const auto& [set, continuous] = f.function;
  // A mixture holds sums of these kinds with weight 1.
  if (const auto* coverage = dynamic_cast<const Coverage*>(set.get()))
    return std::make_unique<Customers>(*coverage);
  if (const auto* facilities = dynamic_cast<const FacilityLocation*>(set.get()))
    return std::make_unique<Customers>(*facilities);
  if (const auto* modular = dynamic_cast<const Modular*>(set.get()))
    return std::make_unique<Linear>(*modular);
  if (auto quadratic = std::dynamic_pointer_cast<const Quadratic>(continuous))
    return std::make_unique<Mccormick>(std::move(quadratic), upper);
  if (auto groups = std::dynamic_pointer_cast<const ConcaveOverModular>(set))
    return std::make_unique<ConcaveGroups>(std::move(groups), f.weight);
  if (const auto* log_det = dynamic_cast<const LogDet*>(set.get()))
    return std::make_unique<ConcaveLogDet>(*log_det, f.weight);
  if (std::dynamic_pointer_cast<const Design>(continuous))
    return std::make_unique<Itself>(continuous, f.weight);
  if (set) return std::make_unique<SetCuts>(set, f.weight);
  return nullptr;
}

}  // namespace

void Majorant::add_pair_tangent(PointView x, const PointTable&, PairCut& cut) const {
  add_tangent({0, 1}, x, cut);
}

std::optional<MixtureMajorant> MixtureMajorant::of(const Mixture& mixture, PointView upper) {
  constexpr std::size_t most_shares = 20;  // more make fewer but slower programs
  MixtureMajorant sum;
  sum.dimension_ = mixture.dimension();
  for (const WeightedFunction& f : mixture.functions()) {
    auto part = majorant_of(f, upper);
    if (!part) return std::nullopt;
    sum.shares_ = std::min(most_shares, std::max(sum.shares_, part->terms()));
    sum.parts_.push_back(std::move(part));
  }
  return sum;
}

void MixtureMajorant::tangent(std::size_t share, PointView x, Cut& cut) const {
  assert(x.size() == index(dimension_));
  cut.constant = 0;
  cut.slope.assign(x.size(), 0.0);
  for (const auto& part : parts_) part->add_tangent({share, shares_}, x, cut);
}

bool MixtureMajorant::has_pairs() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const auto& part) { return part->has_pairs(); });
}

void MixtureMajorant::pair_tangent(PointView x, const PointTable& products, PairCut& cut) const {
  assert(x.size() == index(dimension_));
  cut.constant = 0;
  cut.slope.assign(x.size(), 0.0);
  cut.pairs = PointTable(x.size(), x.size());
  for (const auto& part : parts_) part->add_pair_tangent(x, products, cut);
}

}  // namespace hindsight
